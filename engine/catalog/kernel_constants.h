// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/base/json.h"

#include <cstdint>
#include <map>
#include <memory>
#include <string>
#include <vector>

namespace heteroscape::engine {

/// Constants of kernel models that a runtime brings along, fitted on measurements of the user's own: they
/// stand in for those of the installation (presets/kernels/) with the same names.
struct KernelConstants {
    /// |model / measured - 1| of rows, per cent.
    struct Errors {
        double rows = 0.0;
        double medianPercent = 0.0, p90Percent = 0.0;
        bool heldOut = false; ///< of rows that nothing was fitted on
        bool operator==(const Errors&) const = default;
    };
    struct Entry {
        std::string family;                       ///< file of presets/kernels/: "gemm"
        std::map<std::string, std::string> names; ///< "arch" -> "hopper", all that the family has
        std::map<std::string, double> values;     ///< "e_c" -> 0.8, all that the family has
        Errors errors;
        bool operator==(const Entry&) const = default;
    };

    std::string calibratedOn;   ///< the file, without its folder
    double rows = 0.0;          ///< that constants were fitted on
    Errors errors;              ///< of all entries' rows
    std::vector<Entry> entries; ///< at least one

    bool operator==(const KernelConstants&) const = default;
    std::string text() const;   ///< "calibrated on rows.csv, 120 rows, ±4.2 %"
    std::uint64_t hash() const; ///< of what kernels are timed with: entries' families, names and values
};

/// Such constants, or none. Copies share them; never changed.
class OwnKernels {
public:
    OwnKernels() = default;
    explicit OwnKernels(KernelConstants constants);

    explicit operator bool() const { return m_constants != nullptr; }
    const KernelConstants& operator*() const { return *m_constants; }
    const KernelConstants* operator->() const { return m_constants.get(); }
    std::uint64_t hash() const { return m_hash; } ///< worked out once; 0: none
    bool operator==(const OwnKernels& other) const;

private:
    std::shared_ptr<const KernelConstants> m_constants;
    std::uint64_t m_hash = 0;
};

/// Keys calibrated_on, rows, errors, entries. Which families and constants there are is checked by the timing
/// model that uses them. Throws Error naming the key.
KernelConstants readKernelConstants(JsonObject object);
Json writeKernelConstants(const KernelConstants& constants);

} // namespace heteroscape::engine
