// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/evaluation/remedies.h"

#include "engine/scenario/layout_choices.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostDivisors = 3;

GraphEdit setNumber(const Node& node, const char* key, double value) {
    return SetQuantity{"nodes." + node.id.value + "." + key, {value, Provenance::User, {}}};
}

std::string replicasTitle(double count) {
    return count == 1.0 ? "Share one replica" : "Use " + plainText(count) + " replicas";
}

/// The catalogue's own choice first.
std::vector<Remedy> runtimes(const Catalog& catalog, const Node& node) {
    std::vector<Remedy> out;
    const auto* usual = catalog.defaultRuntime(node.device);
    if (usual)
        out.push_back(runtimeRemedy(catalog, node, *usual));
    for (const auto& entry : catalog.runtimes)
        if (&entry != usual && runsOn(entry.base, node.device.kind))
            out.push_back(runtimeRemedy(catalog, node, entry));
    return out;
}

/// The server's own kernels, or the own server of the kernels.
std::vector<Remedy> agreeing(const Catalog& catalog, const Node& node) {
    std::vector<Remedy> out;
    if (const auto* own = catalog.findRuntime(node.server->runtime))
        out.push_back(runtimeRemedy(catalog, node, *own));
    for (const auto& server : catalog.servers)
        if (server.runtime == node.runtime->id)
            out.push_back({"Serve as " + server.name, SetServer{node.id, server}});
    return out;
}

/// Replicas that divide the count, the nearest to those asked for first.
std::vector<Remedy> equalShards(const Node& node) {
    const auto count = static_cast<int>(std::lround(node.count.value));
    const double wanted = replicas(node);
    std::vector<double> divisors;
    for (int r = 1; r <= count; ++r)
        if (count % r == 0)
            divisors.push_back(r);
    std::stable_sort(divisors.begin(), divisors.end(),
                     [wanted](double a, double b) { return std::abs(a - wanted) < std::abs(b - wanted); });
    std::vector<Remedy> out;
    for (const auto r : divisors) {
        if (out.size() >= kMostDivisors)
            break;
        out.push_back({replicasTitle(r), setNumber(node, "replicas", r)});
        // The number of replicas may be what is meant: then the count is what does not fit.
        if (out.size() == 1 && wanted >= 1.0 && wanted == std::floor(wanted)) {
            const double fitting = wanted * std::max(1.0, std::round(count / wanted));
            out.push_back({"Use " + plainText(fitting) + " devices", setNumber(node, "count", fitting)});
        }
    }
    return out;
}

std::vector<Remedy> fewerShards(const Scenario& scenario, const Node& node) {
    const auto count = static_cast<int>(std::lround(node.count.value));
    for (int r = 1; r <= count; ++r)
        if (const int shards = count / r; shards * r == count && shards <= scenario.model.queryHeads())
            return {{replicasTitle(r), setNumber(node, "replicas", r)}};
    return {};
}

Remedy roleRemedy(const Node& node, Role role, const std::string& words) {
    return {"Let " + node.shownName() + " " + words, SetRole{node.id, role}};
}

Remedy wholeRequests() {
    return {disaggregation().switchWords(false), SetTechnique{std::string(disaggregation().id()), false}};
}

std::vector<Remedy> roles(const Scenario& scenario, const Node& node) {
    std::vector<Remedy> out{roleRemedy(node, Role::Both, "prefill and decode")};
    const bool split = scenario.techniques.isOn(disaggregation());
    if (split && node.role != Role::Prefill)
        out.push_back(roleRemedy(node, Role::Prefill, "prefill"));
    if (split && node.role != Role::Decode)
        out.push_back(roleRemedy(node, Role::Decode, "decode"));
    if (split && node.role != Role::Fabric)
        out.push_back(wholeRequests());
    return out;
}

/// Somebody does what nobody does: the first of each that can, as both, then alone.
std::vector<Remedy> missingPhase(const Scenario& scenario, Role missing) {
    std::vector<Remedy> out;
    const auto* word = missing == Role::Prefill ? "prefill" : "decode";
    for (const auto& node : scenario.nodes) {
        if (!isAccelerator(node.device.kind) || node.role == missing || out.size() >= 2)
            continue;
        out.push_back(roleRemedy(node, Role::Both, "prefill and decode"));
        out.push_back(roleRemedy(node, missing, word));
    }
    if (scenario.techniques.isOn(disaggregation()))
        out.push_back(wholeRequests());
    return out;
}

/// The node of a finding about one of its degrees, nodes.<id>.dp; null for other subjects.
const Node* nodeOfDegree(const Scenario& scenario, const Diagnostic& finding) {
    constexpr std::string_view list = "nodes.";
    const auto dot = finding.subject.rfind('.');
    if (!finding.subject.starts_with(list) || dot == std::string::npos || dot < list.size())
        return nullptr;
    return scenario.findNode({finding.subject.substr(list.size(), dot - list.size())});
}

/// The nearest of a degree that divide, then the nearest whole layouts.
std::vector<Remedy> dividingLayouts(const Scenario& scenario, const Node& node, const Diagnostic& finding) {
    const auto& degree = layoutDegree(finding.subject.substr(finding.subject.rfind('.') + 1));
    std::vector<Remedy> out;
    if (finding.code == "uniform_layout")
        return {{"Unset " + std::string(degree.key), SetQuantity{finding.subject, {}}}};
    const auto answer = degree.ask(scenario.model, tensorParallel(node), layoutOf(node).*degree.member);
    for (const double value : answer.nearest)
        out.push_back({"Use " + std::string(degree.key) + " " + plainText(value),
                       SetQuantity{finding.subject, {value, Provenance::User, {}}}});
    for (auto& other : otherLayouts(scenario, node))
        out.push_back(std::move(other));
    return out;
}

/// A switch that does nothing: off, or with what it needs.
std::vector<Remedy> idleSwitch(const Scenario& scenario, const Diagnostic& finding) {
    std::vector<Remedy> out;
    for (const auto* kind : techniqueKinds().all()) {
        const std::string id(kind->id());
        const std::string label(kind->label());
        const auto prefix = "techniques." + id + ".";
        if (!finding.subject.starts_with(prefix))
            continue;
        if (const auto* base = kind->needs(); base && finding.code == "needs_technique")
            out.push_back({base->switchWords(true), SetTechnique{std::string(base->id()), true}});
        for (const auto& option : kind->options())
            if (finding.subject == prefix + std::string(option.key))
                out.push_back({"Switch on " + std::string(option.label) + " of " + label,
                               SetTechnique{id, true, std::string(option.key)}});
        out.push_back({"Switch off " + label, SetTechnique{id, false}});
    }
    if (finding.code == "server_batching") {
        const auto* kind = serverBatching(scenario);
        out.push_back({"Use " + std::string(kind->noun()), SetBatching{kind}});
    }
    if (finding.code == "needs_batching") {
        const auto key = finding.subject.substr(finding.subject.find('.') + 1);
        for (const auto* kind : batchingKinds().all())
            if (kind->indexOf(key) >= 0) {
                auto serving = scenario.serving;
                serving.batching = kind;
                out.push_back({"Use " + std::string(kind->noun()), SetServing{serving}});
            }
        out.push_back({"Unset " + std::string(resolveQuantity(scenario, finding.subject).spec.label),
                       SetQuantity{finding.subject, {}}});
    }
    return out;
}

} // namespace

Remedy runtimeRemedy(const Catalog& catalog, const Node& node, const RuntimeEntry& runtime) {
    return {"Run " + runtime.base.name, replaceRuntime(node, runtime.on(node.device), catalog)};
}

std::vector<Remedy> otherLayouts(const Scenario& scenario, const Node& node) {
    if (!scenario.model.hasLayers())
        return {};
    const auto now = layoutOf(node);
    auto layouts = layoutsOf(scenario.model, node);
    std::erase(layouts, now);
    std::stable_sort(layouts.begin(), layouts.end(), [&now](const Layout& a, const Layout& b) {
        return layoutDistance(a, now) < layoutDistance(b, now);
    });
    std::vector<Remedy> out;
    for (const auto& layout : layouts)
        out.push_back({"Use " + layoutWords(layout), layoutEdit(node, layout)});
    return out;
}

std::vector<Remedy> candidatesAgainst(const Scenario& scenario, const Catalog& catalog,
                                      const Diagnostic& finding) {
    const auto& code = finding.code;
    if (code == "nothing_prefills")
        return missingPhase(scenario, Role::Prefill);
    if (code == "nothing_decodes")
        return missingPhase(scenario, Role::Decode);
    const auto* node = scenario.findNode({finding.subject});
    if (code == "layout_divides" || code == "uniform_layout")
        if (const auto* laid = nodeOfDegree(scenario, finding))
            return dividingLayouts(scenario, *laid, finding);
    if (!node)
        return idleSwitch(scenario, finding);
    if (code == "no_runtime" || code == "runtime_mismatch" || code == "outside_measurement")
        return runtimes(catalog, *node);
    if (code == "server_runtime")
        return agreeing(catalog, *node);
    if (code == "unequal_shards")
        return equalShards(*node);
    if (code == "too_many_shards")
        return fewerShards(scenario, *node);
    if (code == "no_part" || code == "prefills_for_nobody" || code == "waits_for_nobody")
        return roles(scenario, *node);
    auto out = linkCandidates(scenario, catalog, *node, code);
    if (code == "unused_storage" || code == "unlinked") {
        const auto label = "Remove " + node->shownName();
        out.push_back({label, removeEdit(scenario, {node->id}, {})});
    }
    return out;
}

} // namespace heteroscape::engine
