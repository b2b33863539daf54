// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/evaluation/explain.h"
#include "engine/units/number_text.h"

namespace heteroscape::engine {

/// A constant with its source, as a leaf.
inline Explanation leaf(const FieldSpec& spec, const Figure& figure) {
    std::string source = figure.source.empty() ? "set by the user" : figure.source;
    if (!figure.source.empty())
        source += " (" + std::string(provenanceName(figure.provenance)) + ")";
    if (!figure.isSet())
        source = "not set";
    return {std::string(spec.label),
            toEdge(figure.value, spec.scale),
            std::string(spec.unit),
            {},
            std::move(source),
            {},
            figure.isSet() ? std::optional(figure.provenance) : std::nullopt};
}

template <class T>
Explanation leaf(const T& object, std::span<const Field<T>> fields, Figure T::*member) {
    for (const auto& field : fields)
        if (field.member == member)
            return leaf(field.spec, object.*member);
    return {};
}

/// A number that follows from others, with how.
inline Explanation computed(std::string name, double value, std::string unit, std::string formula = {}) {
    return {std::move(name), value, std::move(unit), std::move(formula), {}, {}};
}

} // namespace heteroscape::engine
