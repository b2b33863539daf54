// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <span>

namespace heteroscape::engine {

/// One numeric parameter of a technique.
struct TechniqueField {
    FieldSpec spec;
    Figure& (*figure)(Techniques&);
};

/// A switch within a technique.
struct TechniqueOption {
    std::string_view key; ///< last step of the path: "weights"
    std::string_view label;
    std::string_view about;
    bool& (*on)(Techniques&);
};

/// What a technique acts on: the whole system, or nodes that can merge loads, prefetch into L2, or run
/// attention near storage.
enum class TechniqueScope { System, LoadMerging, L2, NearStorage };

/// The description of a technique from which JSON, parameter paths and the switches in the window are made.
struct TechniqueSpec {
    std::string_view id;    ///< "load_merging": JSON key and path segment
    std::string_view label; ///< "Load merging"
    std::string_view about;
    TechniqueScope scope;
    bool& (*enabled)(Techniques&);
    std::span<const TechniqueField> fields;
    std::span<const TechniqueOption> options{};
};

std::span<const TechniqueSpec> techniqueSpecs();

} // namespace heteroscape::engine
