// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

#include <cassert>
#include <vector>

namespace heteroscape::engine {

/// What a design sets of one technique.
struct TechniqueSettings : Settings {
    explicit TechniqueSettings(const Kind& kind) : Settings(kind) {}

    bool enabled = false;

    bool operator==(const TechniqueSettings&) const = default;
};

/// The techniques of a design: of every kind whether it is on, and its settings.
class Techniques {
public:
    Techniques(); ///< all off, at their initial values

    bool isOn(const Technique& kind) const { return (*this)[kind].enabled; }
    TechniqueSettings& operator[](const Technique& kind) { return m_all[indexOf(kind)]; }
    const TechniqueSettings& operator[](const Technique& kind) const { return m_all[indexOf(kind)]; }

    bool operator==(const Techniques&) const = default;

private:
    std::vector<TechniqueSettings> m_all; ///< by the kinds' positions

    std::size_t indexOf(const Technique& kind) const {
        assert(kind.position() < m_all.size()); // kinds are registered before the first design is made
        return kind.position();
    }
};

} // namespace heteroscape::engine
