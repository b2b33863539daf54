// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"

namespace heteroscape::engine {

struct Serving;

/// A kind of what a design chooses under "serving". Its parameters are quantities of Serving, one for each
/// key: kinds that give a parameter the same key share its quantity, and it is kept while another kind is
/// chosen. Switches (options()) are not read here.
class ServingKind : public Kind {
public:
    struct Words {
        std::string_view id;    ///< "poisson"
        std::string_view label; ///< "Poisson"
        std::string_view gist;  ///< beside the label in a list of choices: "at random"
        std::string_view noun;  ///< after "Simulate" or "Use": "Poisson arrivals"
        std::string_view about; ///< one or two sentences
    };
    explicit ServingKind(const Words& words)
        : Kind(words.id, words.label, words.about), m_gist(words.gist), m_noun(words.noun) {}

    std::string_view gist() const { return m_gist; }
    std::string_view noun() const { return m_noun; }

    /// What holds while a parameter of the kind is not set: "whole prompt".
    virtual std::string_view unsetText(std::string_view) const { return "none"; }

private:
    std::string_view m_gist;
    std::string_view m_noun;
};

/// The same of several kinds: "backlog, poisson or trace".
std::string idsInWords(std::span<const ServingKind* const> kinds);

} // namespace heteroscape::engine
