// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/study/hints.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/timeline.h"
#include "engine/scenario/diagnostics.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr double kLeastGain = 1.02;      // below, it is no gain to speak of
constexpr double kNarrowest = 1.0 / 8.0; // a number is tried from this times what it is
constexpr double kWidest = 16.0;         // up to this times
constexpr double kSameRate = 1e-9;

class Finder {
public:
    Finder(const Scenario& scenario, const Catalog& catalog, const std::stop_token& stop)
        : m_scenario(scenario), m_catalog(catalog), m_stop(stop), m_findings(validate(scenario).size()) {}

    Hints run() {
        if (hasErrors(validate(m_scenario)))
            return {};
        m_now = evaluate(m_scenario);
        if (!m_now.feasible || m_now.bound.node >= m_scenario.nodes.size())
            return {};
        m_hints.bound = boundLabel(m_scenario, m_now);
        findWorking();
        tryTechniques();
        tryLinks();
        tryRuntimesAndDevices();
        tryMore();
        keepBest();
        findSweep();
        return std::move(m_hints);
    }

private:
    const Scenario& m_scenario;
    const Catalog& m_catalog;
    const std::stop_token& m_stop;
    std::size_t m_findings;
    Evaluation m_now;
    Hints m_hints;

    const Node& boundNode() const { return m_scenario.nodes[m_now.bound.node]; }

    static std::string nameOf(const Node& node) { return node.name.empty() ? node.device.name : node.name; }

    /// Throughput with a design; nothing where it does not run, or is found fault with.
    std::optional<double> throughputOf(const Scenario& design) {
        if (m_stop.stop_requested())
            throw Error(ErrorCode::Cancelled, "hints", "cancelled", {});
        ++m_hints.tried;
        const auto found = validate(design);
        if (found.size() > m_findings || hasErrors(found))
            return {};
        const auto evaluation = evaluate(design, Detail::Metrics);
        const double throughput = evaluation.metric(Metric::Throughput);
        return evaluation.feasible && std::isfinite(throughput) ? std::optional(throughput) : std::nullopt;
    }

    void tryChange(std::string label, GraphEdit edit, const Technique* technique = nullptr) {
        auto changed = m_scenario;
        try {
            applyEdit(changed, edit);
        } catch (const Error&) {
            return; // out of range, say
        }
        const auto throughput = throughputOf(changed);
        if (!throughput)
            return;
        const double now = m_now.metric(Metric::Throughput);
        const double best = technique ? bestOver(*technique, std::move(changed), *throughput) : *throughput;
        m_hints.changes.push_back({std::move(label), std::move(edit), *throughput / now, best / now});
    }

    /// The highest throughput with each share of the technique, one after the other, at an end of its range.
    double bestOver(const Technique& technique, Scenario design, double best) {
        for (const auto& [spec, initial] : technique.parameters()) {
            if (spec.integer || !spec.unit.empty() || spec.minimum != 0 || spec.maximum != 1)
                continue; // no share
            const auto quantity = resolveQuantity(design, "techniques." + std::string(technique.id()) + "." +
                                                              std::string(spec.key));
            auto kept = quantity.access(design);
            for (const double end : {spec.minimum, spec.maximum}) {
                quantity.access(design) = {end * spec.scale, Provenance::User, {}};
                if (const auto throughput = throughputOf(design); throughput && *throughput > best) {
                    best = *throughput;
                    kept = quantity.access(design);
                }
            }
            quantity.access(design) = kept;
        }
        return best;
    }

    /// Share of the step that decides in which its devices do a collective.
    double sendingShare() const {
        const auto step = stepTimeline(m_scenario, boundNode().id, m_now.bound.phase);
        double seconds = 0;
        for (const auto& segment : step.segments)
            if (segment.lane == Lane::Network)
                seconds += segment.end - segment.start;
        return seconds / step.seconds;
    }

    void findWorking() {
        const auto& bound = m_now.bound;
        const auto& node = m_now.nodes[bound.node];
        const auto& phase = bound.phase == Phase::Prefill ? node.prefill : node.decode;
        auto& working = m_hints.working;
        const auto add = [&](const std::string& label, double share, bool limits) {
            if (std::isfinite(share))
                working.push_back({label, std::clamp(share, 0.0, 1.0), limits});
        };
        const bool byLink = bound.link < m_scenario.links.size();
        add("Compute of " + nameOf(boundNode()), phase.computeUtilisation(),
            !byLink && bound.bound == Bound::Compute);
        add("Memory of " + nameOf(boundNode()), phase.memoryUtilisation(),
            !byLink && bound.bound == Bound::Memory);
        for (std::size_t i = 0; i < m_now.nodes.size(); ++i)
            if (i != bound.node && isAccelerator(m_scenario.nodes[i].device.kind))
                add(nameOf(m_scenario.nodes[i]) + ", of its time", m_now.nodes[i].busy(), false);
        // What waits for a collective waits for its latency as well, in which hardly a byte moves: of such a
        // link the time counts, as on the timeline.
        const auto* shared = collectiveLink(m_scenario, boundNode());
        const double sending = shared ? sendingShare() : 0;
        std::vector<std::pair<double, std::size_t>> links;
        for (std::size_t i = 0; i < m_now.links.size(); ++i) {
            const double busy = m_now.links[i].busy();
            const bool collects = shared && m_scenario.links[i].id == shared->id;
            if (const double share = collects ? std::max(busy, sending) : busy; share > 0)
                links.emplace_back(share, i);
        }
        std::sort(links.rbegin(), links.rend());
        for (std::size_t i = 0; i < std::min<std::size_t>(links.size(), 2); ++i)
            add(m_scenario.links[links[i].second].type.name + " link", links[i].first,
                links[i].second == bound.link);
        std::stable_sort(working.begin(), working.end(),
                         [](const auto& a, const auto& b) { return a.share > b.share; });
    }

    void tryTechniques() {
        for (const auto* kind : techniqueKinds().all())
            if (!m_scenario.techniques[*kind].enabled)
                tryChange(std::string(kind->label()), SetTechnique{std::string(kind->id()), true}, kind);
    }

    /// All links of a type become one of another that both ends of each have.
    void tryLinks() {
        std::vector<std::string> seen;
        for (const auto& link : m_scenario.links) {
            if (std::find(seen.begin(), seen.end(), link.type.id) != seen.end())
                continue;
            seen.push_back(link.type.id);
            for (const auto& other : m_catalog.linkTypes) {
                if (other.bandwidth.value <= link.type.bandwidth.value)
                    continue;
                EditList edits;
                edits.text = other.name + " in place of " + link.type.name;
                bool offered = true;
                for (const auto& one : m_scenario.links) {
                    if (one.type.id != link.type.id)
                        continue;
                    const auto *a = m_scenario.findNode(one.from), *b = m_scenario.findNode(one.to);
                    const auto offers =
                        a && b ? m_catalog.linkOffers(a->device, b->device) : std::vector<const LinkType*>();
                    offered = offered && std::any_of(offers.begin(), offers.end(), [&](const auto* offer) {
                                  return offer->id == other.id;
                              });
                    edits.edits.push_back(SetLinkType{one.id, other});
                }
                if (offered)
                    tryChange(edits.text, edits);
            }
        }
    }

    /// Of the node that decides.
    void tryRuntimesAndDevices() {
        const auto& node = boundNode();
        if (!node.runtime)
            return;
        // Software that reaches every peak is a bound, no change that somebody could make; beside a design
        // that assumes it already it is like for like.
        const bool idealNow = isIdeal(*node.runtime);
        const auto isBound = [idealNow](const Runtime& runtime) { return !idealNow && isIdeal(runtime); };
        for (const auto& entry : m_catalog.runtimes) {
            const auto runtime = entry.on(node.device);
            if (entry.base.id != node.runtime->id && canRun(runtime, node.device) && !isBound(runtime))
                tryChange(entry.base.name, replaceRuntime(node, runtime, m_catalog));
        }
        for (const auto& device : m_catalog.devices) {
            if (device.kind != node.device.kind || device.id == node.device.id)
                continue;
            const auto edit = replaceDevice(node, device, m_catalog);
            const auto software = softwareChange(node, edit);
            if (const std::optional<Runtime>& runtime = *edit.runtime; !runtime || !isBound(*runtime))
                tryChange(device.name + " in place of " + node.device.name +
                              (software.empty() ? "" : ", " + software),
                          edit);
        }
    }

    void tryMore() {
        const auto& node = boundNode();
        const double twice = 2 * node.count.value;
        tryChange(plainText(twice) + " \u00d7 " + nameOf(node),
                  SetQuantity{"nodes." + node.id.value + ".count", {twice, Provenance::User, {}}});
    }

    /// Of devices only the best: the others are more of the same.
    void keepBest() {
        auto& changes = m_hints.changes;
        std::erase_if(changes, [](const auto& one) { return one.gain < kLeastGain; });
        std::stable_sort(changes.begin(), changes.end(),
                         [](const auto& a, const auto& b) { return a.gain > b.gain; });
        bool device = false, link = false, runtime = false;
        std::erase_if(changes, [&](const TriedChange& one) {
            const auto* set = one.edit.as<SetDevice>();
            auto* seen = set && set->device->id == boundNode().device.id ? &runtime
                         : set                                           ? &device
                         : one.edit.as<EditList>()                       ? &link
                                                                         : nullptr;
            return seen && std::exchange(*seen, true);
        });
        changes.resize(std::min(changes.size(), Hints::kMostChanges));
    }

    void findSweep() {
        std::vector<std::string> paths{"workload.batch"};
        for (const auto& parameter : listParameters(m_scenario, m_catalog))
            if (parameter.path.starts_with("techniques.") && parameter.kind == ParameterKind::Number)
                paths.push_back(parameter.path);
        const auto count = "nodes." + boundNode().id.value + ".count";
        paths.push_back(count);
        double widest = kLeastGain;
        for (const auto& path : paths)
            if (auto idea = sweepOf(path); !idea.values.empty()) {
                if (path == count && isProportional(idea))
                    continue; // copies that know nothing of each other: nothing to learn
                const double best = *std::max_element(idea.throughput.begin(), idea.throughput.end());
                const double range = best / m_now.metric(Metric::Throughput);
                if (range <= widest)
                    continue;
                widest = range;
                m_hints.sweep = std::move(idea);
            }
    }

    static bool isProportional(const SweepIdea& idea) {
        const double each = idea.throughput.front() / idea.values.front();
        for (std::size_t i = 1; i < idea.values.size(); ++i)
            if (std::fabs(idea.throughput[i] / idea.values[i] - each) > kSameRate * each)
                return false;
        return true;
    }

    SweepIdea sweepOf(const std::string& path) {
        auto design = m_scenario;
        const auto quantity = resolveQuantity(design, path);
        const double now = toEdge(quantity.access(design).value, quantity.spec.scale);
        SweepIdea idea{path, std::string(quantity.spec.label), now, {}, {}, {}};
        if (!(now > 0))
            return idea;
        for (double factor = kNarrowest; factor <= kWidest; factor *= 2) {
            const double value = now * factor;
            if (value < quantity.spec.minimum || value > quantity.spec.maximum ||
                (quantity.spec.integer && value != std::floor(value)))
                continue;
            quantity.access(design) = {value * quantity.spec.scale, Provenance::User, {}};
            if (const auto throughput = throughputOf(design)) {
                idea.values.push_back(value);
                idea.throughput.push_back(*throughput);
            } else if (factor > 1) {
                idea.next = plainText(value) + " does not run";
                break;
            }
        }
        return idea;
    }
};

} // namespace

Hints hints(const Scenario& scenario, const Catalog& catalog, const std::stop_token& stop) {
    return Finder(scenario, catalog, stop).run();
}

} // namespace heteroscape::engine
