// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <string>

namespace heteroscape::engine {

/// What is asked of the system: requests of one shape, always another one waiting (backlog).
struct Workload {
    std::string id;
    std::string name;

    Quantity batch; ///< requests worked on together; unset in a named workload: the design keeps its own
    Quantity promptTokens; ///< P
    Quantity
        outputTokens; ///< D, decoded one by one after the prefill; the prefill's own token is not counted

    bool operator==(const Workload&) const = default;
};

std::span<const Field<Workload>> workloadFields();

Workload readWorkload(const Json& json, const std::string& where);
Json writeWorkload(const Workload& workload);

} // namespace heteroscape::engine
