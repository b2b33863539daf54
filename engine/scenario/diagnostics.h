// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

enum class Severity { Error, Warning, Note };

/// A finding about a scenario. `subject` is a node id, a link id or a parameter path; may be empty.
struct Diagnostic {
    Severity severity = Severity::Error;
    std::string subject;
    std::string message; ///< what is wrong
    std::string remedy;  ///< what to do
    std::string code{};  ///< which finding it is, for what can be done about it: "no_runtime"
};

/// Checks a scenario. When nothing of severity Error comes back, evaluate() does not fail on it.
/// Errors: KV heads that do not divide the heads, an accelerator without runtime, quantities a timing model
/// needs that are not set, a measured step outside of what was measured, replicas that do not divide the
/// devices, devices that share a model without a link to a host or switch, nothing that can prefill or
/// decode, no path of links from a prefill node to a decode node.
std::vector<Diagnostic> validate(const Scenario& scenario);

bool hasErrors(const std::vector<Diagnostic>& diagnostics);

} // namespace heteroscape::engine
