// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/diagnostics.h"

#include "engine/scenario/connected_parts.h"
#include "engine/scenario/tiers.h"
#include "engine/units/number_text.h"

#include <algorithm>
#include <cmath>

namespace heteroscape::engine {

namespace {

class Checker {
public:
    explicit Checker(const Scenario& scenario) : m_scenario(scenario), m_parts(scenario) {
        m_tiers.reset(scenario);
    }

    std::vector<Diagnostic> run() {
        bool prefills = false;
        bool decodes = false;
        for (const auto& node : m_scenario.nodes) {
            const auto role = effectiveRole(m_scenario, node);
            prefills |= role == Role::Both || role == Role::Prefill;
            decodes |= role == Role::Both || role == Role::Decode;
            checkNode(node, role);
        }
        checkModel();
        checkExperts();
        checkPhases(prefills, decodes);
        checkPaths();
        checkLoadMerging();
        checkL2Prefetch();
        checkOffloading();
        checkNearStorage();
        checkUnusedStorage();
        checkUnusedLinks();
        checkServing();
        return std::move(m_found);
    }

private:
    const Scenario& m_scenario;
    ConnectedParts m_parts;
    std::vector<Diagnostic> m_found;
    TierMap m_tiers;
    std::vector<char> m_usesStorage; ///< of each node: an offloading runtime reaches it

    void add(Severity severity, std::string subject, std::string message, std::string remedy,
             const char* code = "") {
        m_found.push_back({severity, std::move(subject), std::move(message), std::move(remedy), code});
    }

    void checkNode(const Node& node, Role role) {
        if (role == Role::Fabric) {
            if (isAccelerator(node.device.kind))
                add(Severity::Warning, node.id.value, node.shownName() + " has no part in the work",
                    "Give it the role both, prefill or decode", "no_part");
            return;
        }
        if (!node.runtime) {
            add(Severity::Error, node.id.value, node.shownName() + " has no runtime",
                "Choose one that runs on a " + std::string(deviceKindLabel(node.device.kind)), "no_runtime");
            return;
        }
        if (!runsOn(*node.runtime, node.device.kind)) {
            add(Severity::Error, node.id.value,
                node.runtime->name + " does not run on a " + std::string(deviceKindLabel(node.device.kind)),
                "Choose another runtime", "runtime_mismatch");
            return;
        }
        const auto& device = node.device;
        const bool narrow = node.runtime->activationBits.value <= 8.0;
        const auto need = [&](const Figure& figure, std::string_view key, std::string_view what) {
            if (!figure.isSet())
                add(Severity::Error, node.id.value, device.name + ": " + std::string(what) + " is not set",
                    "Set nodes." + node.id.value + ".device." + std::string(key));
        };
        if (!node.runtime->peakCompute.isSet())
            need(narrow ? device.peakInt8 : device.peakFp16, narrow ? "peak_int8_tops" : "peak_fp16_tflops",
                 narrow ? "the INT8 peak" : "the FP16 peak");
        need(device.memoryBandwidth, "memory_bandwidth_gbps", "the memory bandwidth");
        need(device.memoryCapacity, "memory_gb", "the memory capacity");
        const auto needed = [&](const TimingKind& model) {
            for (const auto& each : model.deviceNeeds())
                need(device.*each.member, each.key, each.what);
        };
        needed(*node.runtime->decode.kind);
        if (node.runtime->prefill.kind->deviceNeeds().data() !=
            node.runtime->decode.kind->deviceNeeds().data())
            needed(*node.runtime->prefill.kind);
        checkPool(node);
    }

    void checkPool(const Node& node) {
        const double shards = tensorParallel(node);
        if (shards < 1.0 || shards != std::floor(shards)) {
            add(Severity::Error, node.id.value,
                plainText(node.count.value) + " devices of " + node.shownName() + " cannot hold " +
                    plainText(replicas(node)) + " copies of the model in equal shards",
                "Set nodes." + node.id.value + ".replicas to a divisor of the count", "unequal_shards");
            return;
        }
        if (shards == 1.0)
            return;
        if (!collectiveLink(m_scenario, node))
            add(Severity::Error, node.id.value,
                "The " + plainText(shards) + " devices of " + node.shownName() +
                    " that share the model have no link to sum up over",
                "Link " + node.shownName() + " to a switch or host", "no_collective");
        if (shards > m_scenario.model.heads.value)
            add(Severity::Warning, node.id.value,
                plainText(shards) + " devices share " + plainText(m_scenario.model.heads.value) +
                    " attention heads: heads are computed several times",
                "Use more replicas or fewer devices", "too_many_shards");
    }

    void checkModel() {
        const auto& model = m_scenario.model;
        if (std::fmod(model.heads.value, model.kvHeads.value) != 0.0)
            add(Severity::Error, "model.kv_heads", "The KV heads do not divide the attention heads",
                "Grouped-query attention needs model.heads to be a multiple of model.kv_heads");
    }

    void checkExperts() {
        const auto& model = m_scenario.model;
        if (model.expertsPerToken.valueOr(1.0) > model.experts.valueOr(1.0))
            add(Severity::Error, "model.experts_per_token",
                "A token goes through more experts than there are",
                "Set model.experts_per_token to at most model.experts");
    }

    void checkPhases(bool prefills, bool decodes) {
        if (!prefills && !decodes)
            add(Severity::Error, "", "No device can run the model", "Add a GPU, NPU or FPGA",
                "no_accelerator");
        else if (!prefills)
            add(Severity::Error, "", "Nothing prefills", "Give a node the role prefill or both",
                "nothing_prefills");
        else if (!decodes)
            add(Severity::Error, "", "Nothing decodes", "Give a node the role decode or both",
                "nothing_decodes");
    }

    void checkPaths() {
        std::vector<const Node*> prefill, decode;
        for (const auto& node : m_scenario.nodes) {
            const auto role = effectiveRole(m_scenario, node);
            if (role == Role::Prefill)
                prefill.push_back(&node);
            if (role == Role::Decode)
                decode.push_back(&node);
        }
        if (prefill.empty() || decode.empty()) {
            for (const auto* node : prefill)
                add(Severity::Error, node->id.value, node->shownName() + " prefills for nobody",
                    "Add a decode node, or give it the role both", "prefills_for_nobody");
            for (const auto* node : decode)
                add(Severity::Error, node->id.value,
                    node->shownName() + " waits for prefills that nobody does",
                    "Add a prefill node, or give it the role both", "waits_for_nobody");
            return;
        }
        for (const auto* from : prefill) {
            const auto start = m_parts.index(from->id);
            for (const auto* to : decode)
                if (m_parts.part(start) != m_parts.part(m_parts.index(to->id)))
                    // said of the one that is alone, if one is
                    add(Severity::Error, m_parts.size(start) == 1 ? from->id.value : to->id.value,
                        "No path of links from " + from->shownName() + " to " + to->shownName() +
                            " for the KV cache",
                        "Link them, directly or through a host", "no_kv_path");
        }
    }

    void checkLoadMerging() {
        if (!m_scenario.techniques.loadMerging.enabled)
            return;
        const bool used = std::any_of(m_scenario.nodes.begin(), m_scenario.nodes.end(), [](const Node& node) {
            return node.runtime && node.runtime->mergesLoads;
        });
        if (!used)
            add(Severity::Note, "techniques.load_merging.enabled",
                "Load merging changes nothing: no runtime here can merge loads",
                "Use it with an FPGA runtime that merges loads");
    }

    void checkL2Prefetch() {
        const auto& prefetch = m_scenario.techniques.l2Prefetch;
        if (!prefetch.enabled)
            return;
        if (!prefetch.weights && !prefetch.kv)
            add(Severity::Note, "techniques.l2_prefetch.weights", "L2 prefetch has nothing to prefetch",
                "Switch on weights, KV cache or both");
        if (std::any_of(m_scenario.nodes.begin(), m_scenario.nodes.end(), canPrefetch))
            return;
        add(Severity::Note, "techniques.l2_prefetch.enabled",
            "L2 prefetch changes nothing: it needs devices with an L2 that share one copy of the model, and "
            "a "
            "runtime that sees L2",
            "Set a node's replicas below its count, and choose a runtime with fused operators");
    }

    /// Tiers of what offloads: a host with memory, storage where the runtime reads from it.
    void checkOffloading() {
        m_usesStorage.assign(m_scenario.nodes.size(), 0);
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            const auto& node = m_scenario.nodes[i];
            if (!offloads(node))
                continue;
            const auto& tiers = m_tiers.at(m_scenario, i);
            if (tiers.host == Tiers::kNone) {
                add(Severity::Error, node.id.value,
                    node.runtime->name + " on " + node.shownName() + " has no host to offload to",
                    "Link " + node.shownName() + " to a CPU host", "no_host");
                continue;
            }
            const auto& host = m_scenario.nodes[tiers.host];
            need(host, host.device.hostMemory, "host_memory_gib", "the host memory");
            need(host, host.device.memoryBandwidth, "memory_bandwidth_gbps", "the memory bandwidth");
            if (tiers.storage.devices == 0.0 && node.runtime->offload.rules().readsStorage)
                add(Severity::Error, node.id.value,
                    node.runtime->name + " on " + node.shownName() + " reaches no storage",
                    "Link SSDs or CSDs to " + host.shownName() + ", directly or through a switch",
                    "no_storage");
            const bool near = m_scenario.techniques.nearStorage.enabled && node.runtime->nearStorage;
            for (const auto s : m_tiers.storageNodes()) {
                m_usesStorage[s] = 1;
                checkStorage(m_scenario.nodes[s], near);
            }
        }
    }

    void checkStorage(const Node& node, bool near) {
        const auto& device = node.device;
        need(node, device.memoryCapacity, "memory_gb", "the capacity");
        need(node, device.memoryBandwidth, "memory_bandwidth_gbps", "the read bandwidth");
        need(node, device.writeBandwidth, "write_bandwidth_gbps", "the write bandwidth");
        if (!near || !attendsNearStorage(node))
            return;
        need(node, device.p2pBandwidth, "p2p_bandwidth_gbps", "the internal path");
        need(node, device.p2pHalfChunk, "p2p_half_kb", "the chunk at half of the internal path");
        need(node, device.kernelBandwidth, "kernel_gbps", "the attention kernel's rate");
        need(node, device.smallWrite, "small_write_ms", "the time of a small write");
        need(node, device.pageSize, "page_bytes", "the page");
    }

    void need(const Node& node, const Figure& figure, std::string_view key, std::string_view what) {
        if (!figure.isSet())
            add(Severity::Error, node.id.value, node.device.name + ": " + std::string(what) + " is not set",
                "Set nodes." + node.id.value + ".device." + std::string(key));
    }

    void checkNearStorage() {
        const auto& techniques = m_scenario.techniques;
        bool acts = false;
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i) {
            const auto& node = m_scenario.nodes[i];
            acts |=
                offloads(node) && node.runtime->nearStorage && m_tiers.at(m_scenario, i).near.devices > 0.0;
        }
        if (techniques.nearStorage.enabled && !acts)
            add(Severity::Note, "techniques.attention_near_storage.enabled",
                "Attention near storage changes nothing: it needs CSDs below the host of a node whose "
                "runtime can "
                "use them",
                "Choose the runtime INF2 and link CSDs to its host");
        if (techniques.nearStorage.enabled && acts)
            return;
        const auto idle = [&](bool enabled, std::string_view id, std::string_view label) {
            if (enabled)
                add(Severity::Note, "techniques." + std::string(id) + ".enabled",
                    std::string(label) + " changes nothing without attention near storage",
                    "Switch on attention near storage", "needs_near_storage");
        };
        idle(techniques.delayedWriteback.enabled, "delayed_writeback", "Delayed writeback");
        idle(techniques.xCache.enabled, "x_cache", "X-cache");
        idle(techniques.hostKv.enabled, "host_kv", "KV in host memory");
    }

    void checkUnusedStorage() {
        for (std::size_t i = 0; i < m_scenario.nodes.size(); ++i)
            if (const auto& node = m_scenario.nodes[i]; isStorage(node.device.kind) && !m_usesStorage[i])
                add(Severity::Warning, node.id.value,
                    node.shownName() + " is not used: nothing offloads to it",
                    "Link it to a host whose accelerator runs FlexGen, INF2 or DeepSpeed, or remove it",
                    "unused_storage");
    }

    void checkServing() {
        const auto& serving = m_scenario.serving;
        if (!serving.isSimulated())
            return;
        serving.arrivals->check(serving, m_found);
        const auto parameters = servingParameters();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            checkIdle(parameters[i].spec, serving.figures[i].isSet() && std::isnan(parameters[i].initial));
        for (const auto& node : m_scenario.nodes) {
            const auto& batching = batchingOffloaded(*serving.batching);
            if (offloads(node) && &batching != serving.batching)
                add(Severity::Note, node.id.value,
                    node.shownName() + " works with " + std::string(batching.noun()) + ": " +
                        std::string(serving.batching->whyNotOffloaded()),
                    "Nothing to do; or choose a runtime that does not offload");
        }
    }

    /// A figure that was set and belongs to another kind of batching than the chosen one.
    void checkIdle(const FieldSpec& spec, bool isSet) {
        if (!isSet || m_scenario.serving.uses(spec.key))
            return;
        for (const auto* kind : batchingKinds().all())
            if (kind->indexOf(spec.key) >= 0) {
                add(Severity::Note, "serving." + std::string(spec.key),
                    std::string(spec.label) + " changes nothing under " +
                        std::string(m_scenario.serving.batching->noun()),
                    "Set serving.batching to " + std::string(kind->id()), "needs_batching");
                return;
            }
    }

    void checkUnusedLinks() {
        for (const auto& node : m_scenario.nodes) {
            if (!m_parts.isLinked(m_parts.index(node.id)) && isFabric(node.device.kind) &&
                m_scenario.nodes.size() > 1)
                add(Severity::Note, node.id.value, node.shownName() + " is not linked to anything",
                    "Drag from its port to another node", "unlinked");
        }
    }
};

} // namespace

std::vector<Diagnostic> validate(const Scenario& scenario) {
    return Checker(scenario).run();
}

bool hasErrors(const std::vector<Diagnostic>& diagnostics) {
    return std::any_of(diagnostics.begin(), diagnostics.end(),
                       [](const Diagnostic& d) { return d.severity == Severity::Error; });
}

} // namespace heteroscape::engine
