// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"
#include "engine/units/units.h"

#include <algorithm>
#include <cstdint>
#include <limits>
#include <memory>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace heteroscape::engine {

/// How a figure that rests on measured constants relates to what was measured.
enum class Evidence : std::uint8_t {
    None,          ///< it rests on none
    Interpolated,  ///< this device, within the range that was measured
    AnotherDevice, ///< constants of another device, with this one's published or edited figures
    Beyond,        ///< sizes, frameworks or kernels that were not measured
    AtBest,        ///< an ideal runtime: peaks that no software passes
    Class          ///< a rule over other makers' devices: this one was not measured
};

std::string_view evidenceName(Evidence evidence); ///< "none", "interpolated", "another_device", "beyond", ...
std::string_view evidenceText(Evidence evidence); ///< "interpolated", "beyond what was measured", ...

/// How far a figure is expected to be from what a server would show. Of a whole served system: half of the
/// systems that its constants had not seen were nearer than `percent`, 80 % nearer than `most` (see
/// SystemErrors). Of kernels alone: the median of |model / measured - 1| over rows that nothing was fitted
/// on, of each kind of kernel, weighted by how much the figure depends on it.
struct ExpectedError {
    double percent = std::numeric_limits<double>::quiet_NaN(); ///< either way; NaN: nothing was measured
    double otherDevice = 0.0; ///< share of what it depends on that rests on another device
    double beyond = 0.0;      ///< ... that lies beyond what was measured
    double most = std::numeric_limits<double>::quiet_NaN(); ///< NaN: not known
    bool atBest = false;                                    ///< of an ideal runtime: no software is that fast
    /// By the rule of a class: 80 % lie from value x exp(-below) to value x exp(above); 0: no band is known.
    bool byClass = false;
    double below = 0.0;
    double above = 0.0;

    static ExpectedError byRule(double below, double above);
    /// Of what was measured: 80 % lay from value x exp(-apart) to value x exp(apart).
    static ExpectedError within(double apart);
    explicit operator bool() const { return percent == percent || beyond > 0.0 || atBest || byClass; }
    /// The worst that at least a tenth of the figure rests on.
    Evidence evidence() const;
    /// Where 80 % lie: from value x exp(-first) to value x exp(second), by what is known best; 0: no band.
    std::pair<double, double> band() const;
    /// "±4.2 %, interpolated", "±9.0 % (80 %: ±31 %), interpolated", "at best", "rule, not measured (80 %:
    /// x0.64 to x1.56)"; empty where nothing is expected.
    std::string text() const;
};

/// How a number is shown: SI = shown value x scale.
struct Measure {
    std::string_view unit;
    double scale = 1.0;
};

namespace measures {
inline constexpr Measure count{"", 1.0}, percent{"%", 0.01};
inline constexpr Measure seconds{"s", 1.0}, milliseconds{"ms", units::milli},
    microseconds{"\u00b5s", units::micro};
inline constexpr Measure bytes{"B", 1.0}, megabytes{"MB", units::MB}, gigabytes{"GB", units::GB};
inline constexpr Measure byteRate{"GB/s", units::giga}, flops{"GFLOP", units::giga},
    flopRate{"TFLOP/s", units::tera};
inline constexpr Measure tokens{"tok", 1.0}, batchRate{"batch/s", 1.0}, requests{"requests", 1.0};
inline constexpr Measure watts{"W", 1.0}, dollars{"$", 1.0}, area{"mm\u00b2", units::mm2};
} // namespace measures

/// How the value of a term follows from its children, taken from left to right.
enum class TermOperation { Leaf, Sum, Difference, Product, Quotient, Maximum, Minimum };

/// A number and how it came about: an operation on other terms, down to leaves with their sources. Values are
/// SI. A term that is no leaf is only made from its children, so that it cannot state another value than
/// theirs. Copies share what is below them; immutable, any thread.
class Term {
public:
    /// Nothing: 0 with no origin. Sums, differences, products and maxima leave it out.
    Term() = default;

    /// A constant with its source; the name is the field's, with what it is `of`.
    static Term quantity(const FieldSpec& spec, const Quantity& quantity, std::string_view of = {});
    /// A number that is counted or found: the source says by what.
    static Term counted(std::string name, double value, Measure measure, std::string source);

    explicit operator bool() const { return m_body != nullptr; }
    double value() const { return m_body ? m_body->value : 0.0; }
    double shown() const; ///< in its unit, rounded as all edges do
    const std::string& name() const { return body().name; }
    const std::string& unit() const { return body().unit; }
    TermOperation operation() const { return body().operation; }
    const std::vector<Term>& terms() const { return body().terms; }
    const std::string& source() const { return body().source; } ///< of a leaf
    const std::string& remark() const { return body().remark; } ///< of any: "bound by memory reads"
    std::optional<Provenance> provenance() const { return body().provenance; } ///< of a constant that is set
    /// Of a leaf that rests on measured constants; what follows from it: engine/evaluation/expected_error.h.
    const ExpectedError& expectedError() const { return body().expected; }
    /// "Request rate × Output": the operation on the children's names; empty at a leaf.
    std::string formula() const;
    /// Equal for copies alone: a term that is used twice is one.
    const void* identity() const { return m_body.get(); }

    /// The same under a name of its own; a leaf keeps its own and becomes the only child.
    Term named(std::string name, Measure measure) const;
    Term remarked(std::string remark) const;
    Term expecting(const ExpectedError& error) const;

    friend Term operator+(const Term& a, const Term& b) { return combined(TermOperation::Sum, a, b); }
    friend Term operator-(const Term& a, const Term& b) { return combined(TermOperation::Difference, a, b); }
    friend Term operator*(const Term& a, const Term& b) { return combined(TermOperation::Product, a, b); }
    friend Term operator/(const Term& a, const Term& b) { return combined(TermOperation::Quotient, a, b); }
    friend Term max(const Term& a, const Term& b) { return combined(TermOperation::Maximum, a, b); }
    friend Term min(const Term& a, const Term& b) { return combined(TermOperation::Minimum, a, b); }

private:
    friend struct TermForger; // tests make wrong ones, to see that they are found

    struct Body {
        std::string name;
        double value = 0.0;
        std::string unit;
        double scale = 1.0;
        TermOperation operation = TermOperation::Leaf;
        std::vector<Term> terms;
        std::string source;
        std::string remark;
        std::optional<Provenance> provenance;
        ExpectedError expected{};
    };
    std::shared_ptr<const Body> m_body;

    explicit Term(Body body) : m_body(std::make_shared<const Body>(std::move(body))) {}
    const Body& body() const;
    static Term combined(TermOperation operation, const Term& a, const Term& b);
};

/// Of several at once, under one name.
Term sum(std::string name, Measure measure, const std::vector<Term>& terms);
Term maximum(std::string name, Measure measure, const std::vector<Term>& terms);

/// The value of a tree from its leaves alone. Takes no word of what the terms between state.
double revalue(const Term& term);

/// The tree as indented lines; what stands there already is named, not repeated.
std::string termText(const Term& term);

// ---- Equations that are written once and serve twice: over double they evaluate, over Term they explain.

inline double valueOf(double number) {
    return number;
}
inline double valueOf(const Term& term) {
    return term.value();
}

template <class T>
using FieldTable = std::span<const Field<T>> (*)();

/// What such an equation asks of its number type. Over double all of it is free.
template <class V>
struct Numbers;

template <>
struct Numbers<double> {
    template <class T>
    static double quantity(FieldTable<T>, const T& object, Quantity T::*member, std::string_view = {}) {
        return (object.*member).value;
    }
    static double setting(const Kind&, const Settings& settings, std::size_t parameter) {
        return settings[parameter];
    }
    static double counted(std::string_view, double value, Measure, std::string_view) { return value; }
    static double leaf(std::string_view, double value, Measure, std::string_view) { return value; }
    static double named(double value, std::string_view, Measure, std::string_view = {}) { return value; }
};

template <>
struct Numbers<Term> {
    template <class T>
    static Term quantity(FieldTable<T> fields, const T& object, Quantity T::*member,
                         std::string_view of = {}) {
        for (const auto& field : fields())
            if (field.member == member)
                return Term::quantity(field.spec, object.*member, of);
        return {};
    }
    static Term setting(const Kind& kind, const Settings& settings, std::size_t parameter) {
        return Term::quantity(kind.parameters()[parameter].spec, settings.quantity(parameter));
    }
    /// Nothing for 0, which says nothing.
    static Term counted(std::string_view name, double value, Measure measure, std::string_view source) {
        return value == 0.0 ? Term() : Term::counted(std::string(name), value, measure, std::string(source));
    }
    /// The same, but a 0 takes part, as the least of a maximum.
    static Term leaf(std::string_view name, double value, Measure measure, std::string_view source) {
        return Term::counted(std::string(name), value, measure, std::string(source));
    }
    static Term named(const Term& term, std::string_view name, Measure measure, std::string_view of = {});
};

} // namespace heteroscape::engine
