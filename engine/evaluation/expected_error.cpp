// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/expected_error.h"

#include "engine/evaluation/explain.h"
#include "engine/evaluation/rates.h"
#include "engine/evaluation/system_terms.h"
#include "engine/scenario/runtime_choice.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>
#include <unordered_map>

namespace heteroscape::engine {

namespace {

/// Derivatives of a term with respect to all terms below it.
class Derivatives {
public:
    explicit Derivatives(const Term& root) {
        order(root);
        m_of[root.identity()] = 1.0;
        for (auto term = m_order.rbegin(); term != m_order.rend(); ++term) // parents before children
            passOn(*term, m_of[term->identity()]);
    }

    template <class Visit>
    void forLeaves(Visit visit) const {
        for (const auto& term : m_order)
            if (term.operation() == TermOperation::Leaf)
                visit(term, m_of.at(term.identity()));
    }

private:
    std::vector<Term> m_order; ///< children before parents
    std::unordered_map<const void*, double> m_of;

    void order(const Term& term) {
        if (!term || !m_of.emplace(term.identity(), 0.0).second)
            return;
        for (const auto& child : term.terms())
            order(child);
        m_order.push_back(term);
    }

    void passOn(const Term& term, double derivative) {
        const auto& children = term.terms();
        for (std::size_t i = 0; i < children.size(); ++i)
            if (children[i])
                m_of[children[i].identity()] += derivative * partial(term, i);
    }

    static double partial(const Term& term, std::size_t i) {
        const auto& children = term.terms();
        switch (term.operation()) {
        case TermOperation::Leaf:
            return 0.0;
        case TermOperation::Sum:
            return 1.0;
        case TermOperation::Difference:
            return i == 0 ? 1.0 : -1.0;
        case TermOperation::Product:
        case TermOperation::Quotient: {
            double others = 1.0;
            const bool divides = term.operation() == TermOperation::Quotient;
            for (std::size_t j = 0; j < children.size(); ++j)
                if (j != i)
                    others = divides && j > 0 ? others / children[j].value() : others * children[j].value();
            if (!divides || i == 0)
                return others;
            return -others / (children[i].value() * children[i].value());
        }
        case TermOperation::Maximum:
        case TermOperation::Minimum:
            for (std::size_t j = 0; j < children.size(); ++j)
                if (children[j].value() == term.value())
                    return i == j ? 1.0 : 0.0; // the first that it is
            return 0.0;
        }
        return 0.0;
    }
};

bool isTrusted(const Node& node) {
    const auto known = [](const Timing& timing) {
        return timing.kind->takesKernelConstants() || timing.kind->isByClass();
    };
    return node.runtime && (known(node.runtime->prefill) || known(node.runtime->decode));
}

/// Speed, and what hangs on it.
bool isOfSpeed(Metric metric) {
    return metric == Metric::LayerTime ||
           (systemQuantityOf(metric) && metric != Metric::Power && metric != Metric::FacilityPower &&
            metric != Metric::ServedFacilityPower);
}

/// Power, which falls where a step takes longer; energy grows.
bool isPerSecond(Metric metric) {
    return metric == Metric::Power || metric == Metric::ServedPower || metric == Metric::FacilityPower ||
           metric == Metric::ServedFacilityPower;
}

/// Of the inverse: of a time where it is a rate.
ExpectedError inverted(ExpectedError error) {
    std::swap(error.below, error.above);
    return error;
}

/// The steady metric that a simulated one is closest to; itself where it is steady.
Metric steadyOf(Metric metric) {
    switch (metric) {
    case Metric::ServedThroughput:
    case Metric::ServedRequests:
    case Metric::Goodput:
        return Metric::Throughput;
    case Metric::FirstTokenMean:
    case Metric::FirstTokenP50:
    case Metric::FirstTokenP90:
    case Metric::FirstTokenP99:
        return Metric::TimeToFirstToken;
    case Metric::TokenMean:
    case Metric::TokenP50:
    case Metric::TokenP90:
    case Metric::TokenP99:
        return Metric::TimePerToken;
    case Metric::EndToEndMean:
    case Metric::EndToEndP50:
    case Metric::EndToEndP90:
    case Metric::EndToEndP99:
        return Metric::Latency;
    case Metric::ServedEnergy:
        return Metric::EnergyPerToken;
    case Metric::ServedPerPower:
        return Metric::ThroughputPerPower;
    case Metric::ServedPerPrice:
        return Metric::ThroughputPerPrice;
    case Metric::ServedCost:
        return Metric::CostPerToken;
    default:
        return metric;
    }
}

/// The explained metric of a node that an unexplained one is off as: its rate, or its share of a peak.
std::string_view explainedLike(std::string_view key) {
    using Pair = std::pair<std::string_view, std::string_view>;
    static constexpr std::array<Pair, 12> likes{{{"prefill_tflops", "prefill_ms"},
                                                 {"prefill_compute_pct", "prefill_ms"},
                                                 {"prefill_memory_pct", "prefill_ms"},
                                                 {"prefill_per_s_per_w", "prefill_ms"},
                                                 {"prefill_per_s_per_usd", "prefill_ms"},
                                                 {"decode_tflops", "decode_ms"},
                                                 {"decode_compute_pct", "decode_ms"},
                                                 {"decode_memory_pct", "decode_ms"},
                                                 {"decode_tok_s_per_w", "decode_ms"},
                                                 {"decode_tok_s_per_usd", "decode_ms"},
                                                 {"attention_us", "layer_us"},
                                                 {"ffn_us", "layer_us"}}};
    for (const auto& [one, other] : likes)
        if (one == key)
            return other;
    return key;
}

} // namespace

bool hasExpectedErrors(const Scenario& scenario) {
    return std::any_of(scenario.nodes.begin(), scenario.nodes.end(), isTrusted);
}

ExpectedError expectedError(const Term& term) {
    if (!term || !(std::fabs(term.value()) > 0.0) || !std::isfinite(term.value()))
        return {};
    // Explained at several places, one leaf has several bodies: it is known by what it says.
    std::map<std::tuple<std::string, double, std::string>, std::pair<double, ExpectedError>> leaves;
    Derivatives(term).forLeaves([&](const Term& leaf, double derivative) {
        if (!leaf.expectedError())
            return;
        auto& [weight, error] = leaves[{leaf.name(), leaf.value(), leaf.source()}];
        weight += derivative * leaf.value() / term.value();
        error = leaf.expectedError();
    });
    double all = 0.0, known = 0.0, percent = 0.0, most = 0.0, other = 0.0, beyond = 0.0, below = 0.0,
           above = 0.0;
    bool byClass = false;
    for (const auto& [leaf, found] : leaves) {
        const auto& [signedWeight, error] = found;
        const double weight = std::fabs(signedWeight);
        all += weight;
        other += weight * error.otherDevice;
        beyond += weight * error.beyond;
        byClass = byClass || error.byClass;
        const auto [down, up] = error.band();
        below += weight * (signedWeight > 0.0 ? down : up);
        above += weight * (signedWeight > 0.0 ? up : down);
        if (error.percent == error.percent) {
            known += weight;
            percent += weight * error.percent;
            most += weight * error.most; // NaN where one does not know it
        }
    }
    constexpr double kRounding = 1e-6; // weights that cancel out
    if (!(all > kRounding))
        return {};
    if (byClass)
        return ExpectedError::byRule(below, above);
    // What nothing is known of is taken to be off like the rest.
    return {known > 0.0 ? percent / known * all : kUnset, other / all, beyond / all,
            known > 0.0 ? most / known * all : kUnset};
}

ExpectedErrors::ExpectedErrors(const Scenario& scenario, const Evaluation& evaluation)
    : m_scenario(scenario),
      m_any(evaluation.feasible && (hasExpectedErrors(scenario) || truthOf(scenario) == Truth::Ideal)) {
    if (!m_any)
        return;
    if (truthOf(scenario) == Truth::Ideal) {
        for (std::size_t i = 0; i < kMetricCount; ++i)
            m_errors[i].atBest = isOfSpeed(static_cast<Metric>(i));
        return;
    }
    m_served = servedCaseOf(scenario);
    std::vector<BusyShares> busy;
    for (const auto& node : evaluation.nodes)
        busy.push_back({node.prefillBusy, node.decodeBusy});
    meanPower(scenario, ratesOf(evaluation.nodes), busy, nullptr, &m_power);
    const SystemTerms terms(scenario, evaluation);
    for (std::size_t i = 0; i < kMetricCount; ++i)
        m_errors[i] = expectedError(terms.metric(static_cast<Metric>(i)));
    for (std::size_t i = 0; i < kMetricCount; ++i)
        if (const auto metric = static_cast<Metric>(i); isSimulated(metric))
            m_errors[i] = m_errors[static_cast<std::size_t>(steadyOf(metric))];
    const auto rates = m_errors[static_cast<std::size_t>(Metric::Throughput)];
    for (std::size_t i = 0; i < kMetricCount; ++i) {
        const auto metric = static_cast<Metric>(i);
        const auto quantity = systemQuantityOf(metric);
        if (quantity == SystemQuantity::Energy && std::isfinite(evaluation.metric(metric)) && rates)
            m_errors[i] =
                ofSystem(rates, *quantity, isPerSecond(metric)); // of no time is power free of errors
        else if (quantity && m_errors[i])
            m_errors[i] = ofSystem(m_errors[i], *quantity);
        if (metric == Metric::ThroughputPerPower || metric == Metric::ServedPerPower)
            m_errors[i] = inverted(m_errors[i]); // of the energy a token
    }
}

/// What the kernels say of the evidence, and what systems say of the width.
ExpectedError ExpectedErrors::ofSystem(ExpectedError kernels, SystemQuantity quantity, bool perSecond) const {
    if (quantity == SystemQuantity::Energy)
        return ofPower(ofSystem(kernels, SystemQuantity::Rates), perSecond);
    const bool ofTime = quantity != SystemQuantity::Money;
    if (kernels.byClass) // its band says nothing of money
        return ofTime ? kernels : ExpectedError::byRule(0.0, 0.0);
    if (!m_served && ofTime)
        return kernels;
    const auto error = SystemErrors::shipped().of(m_served.value_or(ServedCase{}), quantity);
    // Systems were measured on devices whose kernels were: beyond these none is surer than its kernels.
    const double own = 100.0 * error.half;
    const double wider = kernels.evidence() == Evidence::Beyond ? std::max(1.0, kernels.percent / own) : 1.0;
    kernels.percent = own * wider;
    kernels.most = 100.0 * error.most * wider;
    return kernels;
}

/// Errors of a rate and of the power at it.
ExpectedError ExpectedErrors::ofPower(ExpectedError rate, bool perSecond) const {
    if (rate.byClass) {
        const double timeDown = rate.above, timeUp = rate.below;
        return perSecond ? ExpectedError::byRule(m_power.powerDown(timeUp), m_power.powerUp(timeDown))
                         : ExpectedError::byRule(m_power.energyDown(timeDown), m_power.energyUp(timeUp));
    }
    constexpr double kHalfOfMost = 0.526; // of the widths of a normal distribution
    const auto with = [&](double percent, double share) {
        auto band = m_power;
        band.down *= share;
        band.up *= share;
        const double off = std::log1p(percent / 100.0);
        const double wide = perSecond ? std::max(band.powerDown(off), band.powerUp(off))
                                      : std::max(band.energyDown(off), band.energyUp(off));
        return 100.0 * std::expm1(wide);
    };
    rate.percent = with(rate.percent, kHalfOfMost);
    rate.most = with(rate.most, 1.0);
    return rate;
}

ExpectedError ExpectedErrors::of(std::string_view path) const {
    if (!m_any)
        return {};
    if (const auto* spec = findMetric(path))
        return of(spec->metric);
    if (isRatePath(path)) {
        const auto like = rateLike(path);
        return like ? of(*like) : ExpectedError();
    }
    const auto key = path.substr(path.rfind('.') + 1);
    const auto explained = std::string(path.substr(0, path.size() - key.size())).append(explainedLike(key));
    const auto term = explainNodeMetric(m_scenario, explained);
    if (!term || truthOf(m_scenario) == Truth::Ideal)
        return {};
    auto kernels = expectedError(*term);
    if (explained != path && !key.ends_with("_us")) // explained as the time whose rate it is
        kernels = inverted(kernels);
    const bool prefill = key.starts_with("prefill_"), decode = key.starts_with("decode_");
    if (!kernels || !(prefill || decode))
        return kernels;
    if (key.ends_with("_w")) // what a joule makes
        return inverted(ofSystem(kernels, SystemQuantity::Energy));
    return ofSystem(kernels, key.ends_with("_usd") ? SystemQuantity::Money
                             : prefill             ? SystemQuantity::Prompts
                                                   : SystemQuantity::Tokens);
}

} // namespace heteroscape::engine
