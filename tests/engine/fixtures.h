// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/error.h"
#include "engine/catalog/catalog.h"
#include "engine/scenario/scenario.h"
#include "tests/rounds.h"

#include <doctest/doctest.h>

#include <functional>
#include <limits>
#include <string>
#include <utility>
#include <vector>

namespace heteroscape::engine::test {

/// The shipped catalogue, read once.
const Catalog& catalog();

/// A shipped preset by id.
Scenario preset(const std::string& id);

/// A preset with parameters set from text, as `evaluate --set` does.
Scenario presetWith(const std::string& id, const std::vector<std::pair<std::string, std::string>>& settings);

/// A copy with one parameter set.
Scenario with(Scenario scenario, const std::string& path, const std::string& text);

/// The text of the Error that `action` throws; fails the test when it throws none.
std::string errorOf(const std::function<void()>& action);

/// A quantity of a runtime by its path below the node: "timing.decode.launch_floor_ms"; fails the test when
/// there is none.
Quantity& quantityOf(Runtime& runtime, std::string_view path);
const Quantity& quantityOf(const Runtime& runtime, std::string_view path);

/// Relative difference.
double off(double value, double expected);

bool contains(const std::string& text, const std::string& part);

/// The columns of a table of measured kernels.
inline const std::string kKernelColumns = "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_"
                                          "heads,head_dim,kv_dtype,window,ranks,bytes,"
                                          "measured_us\n";

inline constexpr double kNone = std::numeric_limits<double>::quiet_NaN();
inline constexpr double kGiB = 1024.0 * 1024 * 1024;

/// A folder of its own that is removed at the end.
class TemporaryFolder {
public:
    TemporaryFolder();
    ~TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    const std::string& path() const { return m_path; }

private:
    std::string m_path;
};

} // namespace heteroscape::engine::test
