// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/term.h"

#include <cmath>
#include <string>
#include <unordered_set>

namespace heteroscape::engine {

/// Makes terms that no builder makes.
struct TermForger {
    /// The same, stating another value.
    static Term forged(const Term& term, double value) {
        auto body = *term.m_body;
        body.value = value;
        return Term(std::move(body));
    }
};

namespace test {

/// Takes a tree apart: every term has a name, every leaf a source, every other the value that its leaves
/// give.
class TermCheck {
public:
    explicit TermCheck(const Term& root) { visit(root); }
    const std::string& problem() const { return m_problem; } ///< the first; empty: none
    std::size_t size() const { return m_seen.size(); }

private:
    std::unordered_set<const void*> m_seen;
    std::string m_problem;

    void report(const Term& term, const std::string& what) {
        if (m_problem.empty())
            m_problem = "\"" + term.name() + "\" " + what + ": " + term.formula();
    }
    void visit(const Term& term) {
        if (!m_seen.insert(term.identity()).second)
            return;
        if (!term)
            return report(term, "is nothing");
        if (term.name().empty())
            report(term, "is without a name");
        for (const auto& child : term.terms())
            visit(child);
        if (term.terms().empty() && term.source().empty())
            report(term, "is a leaf without a source");
        const double again = revalue(term);
        // Both take the operations in one order: nothing is left to rounding.
        if (!(again == term.value() || (std::isnan(again) && std::isnan(term.value()))))
            report(term, "states another value than its leaves give");
    }
};

} // namespace test
} // namespace heteroscape::engine
