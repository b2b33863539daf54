// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/remedies.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>
#include <optional>

namespace heteroscape::engine {

namespace {

constexpr double kMostCards = 64; ///< that are tried

/// What a scenario comes to after an edit; nothing when the edit does not fit.
struct Outcome {
    Scenario scenario;
    std::vector<Diagnostic> findings;
    Evaluation evaluation;
};

std::optional<Outcome> tried(const Scenario& scenario, const GraphEdit& edit) {
    Outcome outcome{scenario, {}, {}};
    try {
        applyEdit(outcome.scenario, edit);
    } catch (const Error&) {
        return {};
    }
    outcome.findings = validate(outcome.scenario);
    outcome.evaluation = evaluate(outcome.scenario, Detail::Metrics);
    return outcome;
}

/// A message may change its quantities and still say the same; paths are told apart by their ends.
bool saysTheSame(const Diagnostic& a, const Diagnostic& b) {
    if (a.code != b.code || a.subject != b.subject)
        return false;
    return (!a.code.empty() && a.code != "no_kv_path") || a.message == b.message;
}

bool contains(const std::vector<Diagnostic>& findings, const Diagnostic& finding) {
    return std::any_of(findings.begin(), findings.end(),
                       [&finding](const Diagnostic& other) { return saysTheSame(other, finding); });
}

bool hasNewError(const std::vector<Diagnostic>& before, const std::vector<Diagnostic>& after) {
    return std::any_of(after.begin(), after.end(), [&before](const Diagnostic& finding) {
        return finding.severity == Severity::Error && !contains(before, finding);
    });
}

std::size_t shortNodes(const Evaluation& evaluation) {
    return static_cast<std::size_t>(std::count_if(evaluation.nodes.begin(), evaluation.nodes.end(),
                                                  [](const auto& node) { return node.shortfall; }));
}

/// Keeps what was found to help: what makes the design run before what leaves something else to do.
class Kept {
public:
    void add(Remedy remedy, bool runs) { (runs ? m_running : m_others).push_back(std::move(remedy)); }
    bool enough() const { return m_running.size() >= kMostRemedies; }
    std::vector<Remedy> take() {
        for (auto& remedy : m_others)
            m_running.push_back(std::move(remedy));
        m_running.resize(std::min(m_running.size(), kMostRemedies));
        return std::move(m_running);
    }

private:
    std::vector<Remedy> m_running;
    std::vector<Remedy> m_others;
};

/// Remedies for the node where memory is missing.
class ShortfallRemedies {
public:
    ShortfallRemedies(const Scenario& scenario, const Catalog& catalog, const Evaluation& evaluation,
                      std::size_t node)
        : m_scenario(scenario), m_catalog(catalog), m_before(evaluation), m_node(scenario.nodes[node]),
          m_shortfall(*evaluation.nodes[node].shortfall) {}

    std::vector<Remedy> find() {
        if (m_shortfall.tier == Tier::Device) {
            // Devices that each hold a model of equal layers share it by tensor parallelism first.
            const bool layoutFirst = !m_scenario.model.isUniform() || tensorParallel(m_node) > 1.0;
            if (layoutFirst)
                otherLayout();
            moreCards();
            if (!layoutFirst)
                otherLayout();
        }
        if (m_shortfall.tier == Tier::Storage)
            moreStorage();
        narrowerWeights();
        otherRuntimes();
        smallerBatch();
        return m_kept.take();
    }

private:
    const Scenario& m_scenario;
    const Catalog& m_catalog;
    const Evaluation& m_before;
    const Node& m_node;
    const Shortfall m_shortfall;
    Kept m_kept;

    std::optional<Outcome> helps(const GraphEdit& edit) const {
        auto outcome = tried(m_scenario, edit);
        if (!outcome || hasErrors(outcome->findings))
            return {};
        const auto& nodes = outcome->scenario.nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            if (nodes[i].id == m_node.id && outcome->evaluation.nodes[i].shortfall)
                return {};
        if (shortNodes(outcome->evaluation) >= shortNodes(m_before))
            return {};
        return outcome;
    }

    bool keepIfHelps(const std::string& label, const GraphEdit& edit) {
        const auto outcome = helps(edit);
        if (outcome)
            m_kept.add({label, edit}, outcome->evaluation.feasible);
        return outcome.has_value();
    }

    static GraphEdit set(const std::string& path, double value) {
        return SetQuantity{path, {value, Provenance::User, {}}};
    }

    /// The smallest change of degrees with which the model fits on the same devices.
    void otherLayout() {
        for (const auto& candidate : otherLayouts(m_scenario, m_node))
            if (keepIfHelps(candidate.label, candidate.edit))
                return;
    }

    /// As many replicas as there are now, of several devices each; one copy where each device held its own.
    void moreCards() {
        const auto prefix = "nodes." + m_node.id.value + ".";
        const double count = m_node.count.value;
        const bool shares = tensorParallel(m_node) > 1.0;
        const double granularity = shares ? replicas(m_node) : 1.0;
        EditList list;
        std::string over; // what has to be added for it
        if (!collectiveLink(m_scenario, m_node)) {
            // Devices that share a model need a way to sum up.
            const auto links = linksTo(m_scenario, m_catalog, m_node, {DeviceKind::Switch, DeviceKind::Cpu});
            if (links.empty())
                return;
            list.edits.push_back(links.front().edit);
            over = "; " + links.front().label;
        }
        if (!shares)
            list.edits.push_back(set(prefix + "replicas", 1.0));
        if (!shares && count > 1.0 &&
            keepIfHelps("Share one replica among its " + plainText(count) + " cards" + over, list))
            return;
        const auto& spec = findField(nodeFields(), "count")->spec;
        const double least =
            std::ceil(m_shortfall.needed / std::max(m_shortfall.available, 1.0)) * granularity;
        const double most =
            std::min({kMostCards * granularity, granularity * m_scenario.model.queryHeads(), spec.maximum});
        for (double n = std::max(count + granularity, std::min(least, most)); n <= most; n += granularity) {
            auto more = list;
            more.edits.push_back(set(prefix + "count", n));
            const auto label =
                (shares ? "Use " : "Share one replica among ") + plainText(n) + " cards" + over;
            more.text = label;
            if (keepIfHelps(label, more))
                return;
        }
    }

    void moreStorage() {
        for (const auto& node : m_scenario.nodes) {
            if (!isStorage(node.device.kind))
                continue;
            const double count = node.count.value;
            for (double n = count + 1.0; n <= count + kMostCards; n += std::max(1.0, std::floor(n / 8.0)))
                if (keepIfHelps("Use " + plainText(n) + " of " + node.shownName(),
                                set("nodes." + node.id.value + ".count", n)))
                    return;
        }
    }

    /// A layered model's weights in other formats: the widest with which it fits.
    void narrowerWeights() {
        const auto& model = m_scenario.model;
        if (model.isUniform() || !m_node.runtime)
            return;
        const double runtime = m_node.runtime->weightBits.value / 8.0;
        std::vector<std::pair<double, Model>> narrower;
        for (const auto& recipe : weightRecipes()) {
            auto other = model;
            other.weights = &recipe;
            if (const double bytes = other.weightBytes(runtime); bytes < model.weightBytes(runtime))
                narrower.emplace_back(bytes, std::move(other));
        }
        std::stable_sort(narrower.begin(), narrower.end(),
                         [](const auto& a, const auto& b) { return a.first > b.first; });
        for (const auto& [bytes, other] : narrower)
            if (keepIfHelps("Use " + std::string(other.weights->label) + " for the weights", SetModel{other}))
                return;
    }

    /// With narrower weights, or with an offload: of each the first that fits, the widest weights first.
    void otherRuntimes() {
        if (!m_node.runtime)
            return;
        std::vector<const RuntimeEntry*> entries;
        for (const auto& entry : m_catalog.runtimes)
            if (entry.base.id != m_node.runtime->id && runsOn(entry.base, m_node.device.kind))
                entries.push_back(&entry);
        std::stable_sort(entries.begin(), entries.end(), [](const auto* a, const auto* b) {
            return a->base.weightBits.value > b->base.weightBits.value;
        });
        bool narrower = false;
        bool offloading = false;
        for (const auto* entry : entries) {
            const bool offloads = static_cast<bool>(entry->base.offload);
            auto& found = offloads ? offloading : narrower;
            if (found || (!offloads && entry->base.weightBits.value >= m_node.runtime->weightBits.value))
                continue;
            auto remedy = runtimeRemedy(m_catalog, m_node, *entry);
            if (!offloads)
                remedy.label += " with " + plainText(entry->base.weightBits.value) + "-bit weights";
            found = keepIfHelps(remedy.label, remedy.edit);
        }
    }

    void smallerBatch() {
        const auto batch = [](double value) { return set("workload.batch", value); };
        double fits = 0.0; // the largest that is known to
        double fails = m_scenario.workload.batch.value;
        while (fails - fits > 1.0) {
            const double middle = std::floor((fits + fails) / 2.0);
            (helps(batch(middle)) ? fits : fails) = middle;
        }
        if (fits >= 1.0)
            keepIfHelps("Use batch " + plainText(fits), batch(fits));
    }
};

} // namespace

std::vector<Remedy> remedies(const Scenario& scenario, const Catalog& catalog, const Diagnostic& finding) {
    const auto before = validate(scenario);
    const bool ran = !hasErrors(before) && evaluate(scenario, Detail::Metrics).feasible;
    Kept kept;
    for (auto& candidate : candidatesAgainst(scenario, catalog, finding)) {
        if (kept.enough())
            break;
        const auto outcome = tried(scenario, candidate.edit);
        if (!outcome || contains(outcome->findings, finding) || hasNewError(before, outcome->findings))
            continue;
        const bool runs = outcome->evaluation.feasible;
        if (runs || !ran)
            kept.add(std::move(candidate), runs);
    }
    return kept.take();
}

std::vector<Remedy> remediesForShortfall(const Scenario& scenario, const Catalog& catalog,
                                         const Evaluation& evaluation, const NodeId& node) {
    auto at = evaluation.shortNode;
    if (const auto* named = scenario.findNode(node))
        at = static_cast<std::size_t>(named - scenario.nodes.data());
    if (at >= scenario.nodes.size() || evaluation.nodes.size() != scenario.nodes.size() ||
        !evaluation.nodes[at].shortfall)
        return {};
    return ShortfallRemedies(scenario, catalog, evaluation, at).find();
}

} // namespace heteroscape::engine
