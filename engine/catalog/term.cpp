// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/term.h"

#include "engine/units/number_text.h"

#include <array>
#include <cmath>
#include <unordered_map>
#include <unordered_set>

namespace heteroscape::engine {

std::string_view evidenceName(Evidence evidence) {
    static constexpr std::array<std::string_view, 6> names{"none",   "interpolated", "another_device",
                                                           "beyond", "at_best",      "class"};
    return names[static_cast<std::size_t>(evidence)];
}

std::string_view evidenceText(Evidence evidence) {
    static constexpr std::array<std::string_view, 6> texts{"not measured",   "interpolated",
                                                           "another device", "beyond what was measured",
                                                           "at best",        "rule, not measured"};
    return texts[static_cast<std::size_t>(evidence)];
}

Evidence ExpectedError::evidence() const {
    constexpr double kTenth = 0.1;
    if (!*this)
        return Evidence::None;
    if (atBest)
        return Evidence::AtBest;
    if (byClass)
        return Evidence::Class;
    if (beyond >= kTenth)
        return Evidence::Beyond;
    return beyond + otherDevice >= kTenth ? Evidence::AnotherDevice : Evidence::Interpolated;
}

namespace {

constexpr double kHalf = 0.6745 / 1.2816; // the middle half of a normal spread over its middle 80 %

} // namespace

std::pair<double, double> ExpectedError::band() const {
    if (byClass)
        return {below, above};
    const double apart = most == most         ? std::log1p(most / 100.0)
                         : percent == percent ? std::log1p(percent / 100.0) / kHalf
                                              : 0.0;
    return {apart, apart};
}

ExpectedError ExpectedError::within(double apart) {
    ExpectedError error;
    if (apart > 0.0) {
        error.percent = 100.0 * std::expm1(kHalf * apart);
        error.most = 100.0 * std::expm1(apart);
    }
    return error;
}

ExpectedError ExpectedError::byRule(double below, double above) {
    auto error = within(std::max(below, above));
    error.byClass = true;
    error.below = below;
    error.above = above;
    return error;
}

std::string ExpectedError::text() const {
    if (!*this)
        return {};
    const std::string of(evidenceText(evidence()));
    if (percent != percent)
        return of;
    if (byClass)
        return of + " (80 %: \u00d7" + shortText(std::exp(-below), 3) + " to \u00d7" +
               shortText(std::exp(above), 3) + ")";
    const auto within = [](double share) { return "\u00b1" + shortText(share, 2) + " %"; };
    return within(percent) + (most == most ? " (80 %: " + within(most) + ")" : std::string()) + ", " + of;
}

namespace {

constexpr std::size_t kShownTerms = 6; // of a long formula

/// The value of an operation, from left to right.
template <class Values>
double fold(TermOperation operation, const Values& values) {
    double result = values[0];
    for (std::size_t i = 1; i < values.size(); ++i) {
        const double value = values[i];
        switch (operation) {
        case TermOperation::Leaf:
            break;
        case TermOperation::Sum:
            result += value;
            break;
        case TermOperation::Difference:
            result -= value;
            break;
        case TermOperation::Product:
            result *= value;
            break;
        case TermOperation::Quotient:
            result /= value;
            break;
        case TermOperation::Maximum:
            result = std::max(result, value);
            break;
        case TermOperation::Minimum:
            result = std::min(result, value);
            break;
        }
    }
    return result;
}

double revalued(const Term& term, std::unordered_map<const void*, double>& known) {
    if (!term || term.operation() == TermOperation::Leaf)
        return term.value();
    if (const auto found = known.find(term.identity()); found != known.end())
        return found->second;
    std::vector<double> values;
    for (const auto& child : term.terms())
        values.push_back(revalued(child, known));
    return known[term.identity()] = fold(term.operation(), values);
}

void appendText(const Term& term, std::size_t depth, std::unordered_set<const void*>& told,
                std::string& out) {
    out.append(depth * 2, ' ');
    out += term.name();
    if (term.value() == term.value())
        out += " = " + exactText(term.shown()) + (term.unit().empty() ? "" : " " + term.unit());
    const bool again = !term.terms().empty() && !told.insert(term.identity()).second;
    if (!term.terms().empty())
        out += again ? ", as above" : " = " + term.formula();
    if (!term.source().empty())
        out += "  [" + term.source() + "]";
    if (term.expectedError())
        out += "  " + term.expectedError().text();
    if (!term.remark().empty())
        out += "  (" + term.remark() + ")";
    out += '\n';
    if (!again)
        for (const auto& child : term.terms())
            appendText(child, depth + 1, told, out);
}

std::string joinedName(std::string_view name, std::string_view of) {
    std::string text(name);
    if (!of.empty())
        text.append(", ").append(of);
    return text;
}

} // namespace

const Term::Body& Term::body() const {
    static const Body nothing{"Nothing", 0.0, {}, 1.0, TermOperation::Leaf, {}, "there is none", {}, {}, {}};
    return m_body ? *m_body : nothing;
}

double Term::shown() const {
    return toEdge(value(), body().scale);
}

Term Term::quantity(const FieldSpec& spec, const Quantity& quantity, std::string_view of) {
    Body body{joinedName(spec.label, of),
              quantity.value,
              std::string(spec.unit),
              spec.scale,
              TermOperation::Leaf,
              {},
              {},
              {},
              {},
              {}};
    if (!quantity.isSet()) {
        body.source = "not set";
        return Term(std::move(body));
    }
    body.provenance = quantity.provenance;
    body.source = quantity.source.empty()
                      ? "set by the user"
                      : quantity.source.str() + " (" + std::string(provenanceName(quantity.provenance)) + ")";
    return Term(std::move(body));
}

Term Term::counted(std::string name, double value, Measure measure, std::string source) {
    return Term(Body{std::move(name),
                     value,
                     std::string(measure.unit),
                     measure.scale,
                     TermOperation::Leaf,
                     {},
                     std::move(source),
                     {},
                     {},
                     {}});
}

Term Term::combined(TermOperation operation, const Term& a, const Term& b) {
    const bool product = operation == TermOperation::Product || operation == TermOperation::Minimum;
    if (!b)
        return product ? Term() : a;
    if (!a && operation == TermOperation::Difference)
        return combined(operation, counted("Start", 0.0, measures::count, "nothing before it"), b);
    if (!a)
        return product || operation == TermOperation::Quotient ? Term() : b;
    Body body;
    body.operation = operation;
    // A chain of one operation is one term of many.
    if (a.operation() == operation && a.name().empty())
        body.terms = a.terms();
    else
        body.terms = {a};
    body.terms.push_back(b);
    body.value = fold(operation, std::array{a.value(), b.value()});
    return Term(std::move(body));
}

Term Term::named(std::string name, Measure measure) const {
    if (!m_body)
        return {};
    Body body;
    if (m_body->name.empty() || m_body->operation != TermOperation::Leaf) {
        body = *m_body;
    } else {
        body.operation = TermOperation::Sum;
        body.terms = {*this};
        body.value = m_body->value;
    }
    body.name = std::move(name);
    body.unit = std::string(measure.unit);
    body.scale = measure.scale;
    return Term(std::move(body));
}

Term Term::remarked(std::string remark) const {
    if (!m_body)
        return {};
    Body body = *m_body;
    body.remark = std::move(remark);
    return Term(std::move(body));
}

Term Term::expecting(const ExpectedError& error) const {
    if (!m_body || !error)
        return *this;
    Body body = *m_body;
    body.expected = error;
    return Term(std::move(body));
}

std::string Term::formula() const {
    constexpr std::array<std::string_view, 7> signs{"", " + ", " \u2212 ", " \u00d7 ", " / ", ", ", ", "};
    if (terms().empty())
        return {};
    std::string text;
    std::size_t written = 0;
    for (const auto& term : terms()) {
        if (written > 0)
            text += signs[static_cast<std::size_t>(operation())];
        if (written++ == kShownTerms) {
            text += "\u2026 (" + std::to_string(terms().size()) + " terms)";
            break;
        }
        text += term.name();
    }
    if (operation() == TermOperation::Maximum)
        return "max(" + text + ")";
    return operation() == TermOperation::Minimum ? "min(" + text + ")" : text;
}

Term sum(std::string name, Measure measure, const std::vector<Term>& terms) {
    Term result;
    for (const auto& term : terms)
        result = result + term;
    return result.named(std::move(name), measure);
}

Term maximum(std::string name, Measure measure, const std::vector<Term>& terms) {
    Term result;
    for (const auto& term : terms)
        result = max(result, term);
    return result.named(std::move(name), measure);
}

double revalue(const Term& term) {
    std::unordered_map<const void*, double> known;
    return revalued(term, known);
}

std::string termText(const Term& term) {
    std::string text;
    std::unordered_set<const void*> told;
    appendText(term, 0, told, text);
    return text;
}

Term Numbers<Term>::named(const Term& term, std::string_view name, Measure measure, std::string_view of) {
    return term.named(joinedName(name, of), measure);
}

} // namespace heteroscape::engine
