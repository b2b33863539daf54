// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/diagnostics.h"

#include "engine/catalog/power_constants.h"
#include "engine/scenario/layout_choices.h"
#include "engine/scenario/link_flow.h"
#include "engine/scenario/parameters.h"
#include "engine/scenario/runtime_choice.h"
#include "engine/scenario/split_pool.h"
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
        checkPhases(prefills, decodes);
        checkPaths();
        checkOffloading();
        for (const auto* technique : techniqueKinds().all())
            if (m_scenario.techniques.isOn(*technique))
                technique->check(m_scenario, m_tiers, m_found);
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
        if (splitsLayers(node) && !checkSplit(node))
            return;
        if (role == Role::Fabric && node.role != Role::Ffn && !isLaterStage(m_scenario, node)) {
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
        for (const auto& missing : missingQuantities(*node.runtime, node.device))
            addUnset(node, missing.key, missing.what);
        checkTiming(node);
        checkWeights(node);
        checkServer(node);
        checkMeasurement(node);
        checkPool(node);
        checkLayout(node);
        checkLayers(node);
        checkPower(node);
    }

    /// What waits within its limits; clocks can only take what is over it.
    void checkPower(const Node& node) {
        const auto& device = node.device;
        if (!hasPowerModel(device) || !device.powerLimit.isSet())
            return;
        const auto path = "nodes." + node.id.value + ".device.";
        const auto& all = shippedPower();
        const double limit = device.powerLimit.value;
        const double idle = device.powerIdle.valueOr(all.idleOfLimit * limit);
        const auto watts = [](double value) { return shortText(value) + " W"; };
        if (!(limit > 0.0) || idle > limit) {
            add(Severity::Error, node.id.value,
                node.shownName() + " draws " + watts(idle) + " while it waits, over its power limit of " +
                    watts(limit),
                "Change " + path + "power_limit_w or power_idle_w", "power_limit");
            return;
        }
        if (!device.powerCap.isSet())
            return;
        const double cap = device.powerCap.value;
        if (all.margin * cap < idle)
            add(Severity::Error, node.id.value,
                node.shownName() + " draws " + watts(idle) + " while it waits, more than its power cap of " +
                    watts(cap) + " leaves",
                "Raise " + path + "power_cap_w", "power_cap");
        else if (cap > limit)
            add(Severity::Note, node.id.value,
                node.shownName() + " has a power cap over its power limit of " + watts(limit) +
                    ": the limit counts",
                "Lower " + path + "power_cap_w", "power_cap");
        else if (cap < 0.4 * limit)
            add(Severity::Note, node.id.value,
                node.shownName() +
                    " is capped under 40 % of its power limit, where speeds are not to be trusted",
                "Raise " + path + "power_cap_w", "power_cap");
    }

    /// A server was measured with its own kernels.
    void checkServer(const Node& node) {
        if (!node.server || node.runtime->id == node.server->runtime)
            return;
        const auto path = "nodes." + node.id.value;
        add(Severity::Warning, node.id.value,
            node.server->name + " serves on " + node.shownName() + ", where " + node.runtime->name +
                " runs: it was measured with kernels of its own",
            "Set " + path + ".runtime=" + node.server->runtime + ", or another " + path + ".server",
            "server_runtime");
    }

    /// As the window names it and what is done to it: "A100 80GB memory bandwidth".
    std::string propertyName(const Node& node, const std::string& key) const {
        return propertyOf(node.shownName(),
                          resolveQuantity(m_scenario, "nodes." + node.id.value + "." + key).spec.label);
    }

    /// Attention and networks of every layer on two nodes; false where there are no two.
    bool checkSplit(const Node& node) {
        const bool attends = node.role == Role::Attention;
        const auto pool = splitPoolOf(m_scenario, node);
        if (!pool) {
            const auto& name = node.shownName();
            if (attends)
                add(Severity::Error, node.id.value,
                    name + " attends, and no node is left that works off the feed-forward networks",
                    "Give an accelerator that it is linked to the role ffn, or give " + name +
                        " the role both",
                    "attends_alone");
            else
                add(Severity::Warning, node.id.value,
                    name + " has no part in the work: no attention node sends to it",
                    "Give an accelerator that it is linked to the role attention, or give " + name +
                        " the role both",
                    "no_part");
            return false;
        }
        const auto& other = m_scenario.nodes[attends ? pool->ffn : pool->attention];
        if (attends && replicas(node) != replicas(other))
            add(Severity::Error, "nodes." + node.id.value + ".replicas",
                node.shownName() + " holds " + plainText(replicas(node)) + " replicas, " + other.shownName() +
                    " the networks of " + plainText(replicas(other)),
                "Set " + propertyName(node, "replicas") + " and " + propertyName(other, "replicas") +
                    " to the same number",
                "split_replicas");
        for (const auto key : {"pp", "cp"})
            if ((node.*layoutDegree(key).field).valueOr(1.0) > 1.0)
                add(Severity::Error, "nodes." + node.id.value + "." + key,
                    node.shownName() + " splits layers with " + other.shownName() +
                        ", which knows one stage and whole prompts alone",
                    "Unset " + propertyName(node, key), "split_stages");
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (node.runtime && node.runtime->timing(phase).kind->timesWholeStepsOnly())
                add(Severity::Error, node.id.value,
                    node.runtime->name + " times whole steps, and " + node.shownName() +
                        " does a part of every layer",
                    "Choose another runtime", "split_timing");
        return true;
    }

    /// What its timing models say of device and model.
    void checkTiming(const Node& node) {
        for (const auto phase : {Phase::Prefill, Phase::Decode}) {
            const auto& kind = *node.runtime->timing(phase).kind;
            auto refusal = kind.refusalOn(*node.runtime, node.device);
            if (!refusal)
                refusal = kind.refusalOf(m_scenario.model);
            if (!refusal)
                refusal = kind.refusalFor(*node.runtime, node.device, m_scenario.model);
            if (!refusal)
                continue;
            add(Severity::Error, node.id.value, node.runtime->name + ": " + refusal->message, refusal->remedy,
                "runtime_mismatch");
            return;
        }
    }

    /// A width set by hand where the checkpoint says formats.
    void checkWeights(const Node& node) {
        const auto* own = m_scenario.model.weights;
        const auto& bits = node.runtime->weightBits;
        if (!own || bits.provenance != Provenance::User)
            return;
        const auto path = "nodes." + node.id.value + ".runtime.weight_bits";
        const auto* served = servedWeights(m_scenario.model, node);
        if (timedByKernels(*node.runtime)) {
            add(Severity::Note, path,
                "Weights of " + plainText(bits.value) + " bit change nothing on " + node.shownName() +
                    ": its measured kernels take the formats of the checkpoint, " + std::string(own->label),
                "Choose a checkpoint in that width, or a runtime without measured kernels",
                "weights_decided");
            return;
        }
        std::string parts, kept;
        for (std::size_t i = 0; i < kModelPartCount; ++i)
            if (const auto part = static_cast<ModelPart>(i); m_scenario.model.elements(part) > 0.0) {
                auto& list = &served->of(part) != &own->of(part) ? parts : kept;
                list.append(list.empty() ? "" : ", ").append(modelPartLabel(part));
            }
        if (!parts.empty())
            add(Severity::Note, path,
                plainText(bits.value) + " bit, set by hand, take the place of " + std::string(own->label) +
                    " in " + parts + " of " + m_scenario.model.name +
                    "; as in the checkpoint: " + (kept.empty() ? "nothing" : kept),
                "Choose the runtime anew to serve the checkpoint as it is", "weights_by_hand");
    }

    void checkLayers(const Node& node) {
        if (!isLayered(m_scenario.model, node) && stagePoolOf(m_scenario).empty())
            return;
        if (!m_scenario.model.hasLayers()) {
            if (splitsLayers(node))
                add(Severity::Error, node.id.value,
                    m_scenario.model.name + " has no gate or learned positions: its layers cannot be split",
                    "Give " + node.shownName() + " the role both, or choose another model", "uniform_layout");
            return;
        }
        const auto refuse = [&](const std::string& what, const std::string& remedy) {
            add(Severity::Error, node.id.value,
                node.runtime->name + " " + what +
                    (m_scenario.model.isUniform()
                         ? std::string(" layers under tensor parallelism alone")
                         : " layers that are alike; those of " + m_scenario.model.name + " differ"),
                remedy + (m_scenario.model.isUniform() ? ", or unset the other degrees of its layout"
                                                       : ", or a model of equal layers"),
                "layers_differ");
        };
        if (offloads(node))
            refuse("offloads", "Choose a runtime that does not offload");
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (!node.runtime->timing(phase).kind->timesLayersThatDiffer()) {
                refuse("has measured times of", "Choose another runtime");
                return;
            }
    }

    /// A measured step says nothing about what was not measured.
    void checkMeasurement(const Node& node) {
        const auto& measured = node.runtime->measuredFor;
        if (!measured ||
            (effectiveRole(m_scenario, node) == Role::Prefill && !m_scenario.techniques.isOn(gpuAssist())))
            return;
        const auto& workload = m_scenario.workload;
        const double first = workload.promptTokens.value + 1.0;
        const double last = workload.promptTokens.value + workload.outputTokens.value;
        std::string other;
        const auto differs = [&](bool does, const std::string& what) {
            if (does)
                other += (other.empty() ? "" : ", ") + what;
        };
        differs(m_scenario.model.id != measured->model, m_scenario.model.name);
        differs(node.device.id != measured->device, node.device.name);
        differs(tensorParallel(node) != measured->devices,
                plainText(tensorParallel(node)) + " devices a replica");
        differs(workload.batch.value != measured->batch, "batch " + plainText(workload.batch.value));
        differs(first < measured->shortest || last > measured->longest,
                "contexts of " + plainText(first) + " to " + plainText(last) + " tokens");
        if (!other.empty())
            add(Severity::Error, node.id.value,
                node.runtime->name + " on " + node.shownName() + " was measured for " + measured->text() +
                    ", not for " + other,
                "Choose another runtime for " + node.shownName() + ", or what was measured",
                "outside_measurement");
    }

    void checkPool(const Node& node) {
        const double shards = tensorParallel(node);
        if (shards < 1.0 || shards != std::floor(shards)) {
            add(Severity::Error, node.id.value,
                plainText(node.count.value) + " devices of " + node.shownName() + " cannot hold " +
                    plainText(replicas(node)) + " replicas in equal shards",
                "Set " + propertyName(node, "replicas") + " to a divisor of the count", "unequal_shards");
            return;
        }
        if (shards == 1.0)
            return;
        if (!collectiveLink(m_scenario, node))
            add(Severity::Error, node.id.value,
                "The " + plainText(shards) + " devices of " + node.shownName() +
                    " that share the model have no link to sum up over",
                "Link " + node.shownName() + " to a switch or host", "no_collective");
        checkDomain(node, shards);
        const double heads = m_scenario.model.queryHeads();
        if (layoutOf(node).tp > heads && node.role != Role::Ffn)
            add(Severity::Warning, node.id.value,
                plainText(layoutOf(node).tp) + " devices share " + plainText(heads) +
                    " attention heads: heads are computed several times",
                "Use more replicas or fewer devices", "too_many_shards");
    }

    /// More devices share the model than their link joins, and nothing leads beyond; or it joins any number,
    /// and what is drawn to lead beyond does not.
    void checkDomain(const Node& node, double devices) {
        const auto links = collectiveLinks(m_scenario, node);
        const auto* link = links.near.widest;
        if (!link)
            return;
        if (const auto* network = links.far.widest) {
            if (!std::isfinite(links.domain))
                add(Severity::Note, link->id.value,
                    link->type.name + " joins any number of devices, as its domain is not set: the " +
                        plainText(devices) + " of " + node.shownName() +
                        " that share the model exchange nothing over " + network->type.name,
                    "Set links." + link->id.value + ".domain to the devices of one server",
                    "network_ignored");
            return;
        }
        if (links.domain >= devices)
            return;
        const auto remedy = "Link " + node.shownName() + " to a network switch as well, or use more replicas";
        if (link->type.domain.valueOr(devices) >= devices) {
            add(Severity::Warning, node.id.value,
                plainText(devices) + " of " + node.shownName() + " that share the model lie on servers of " +
                    plainText(links.domain) +
                    ", and no network is drawn between these: one as they are sold with is taken",
                remedy, "network_assumed");
            return;
        }
        for (const auto phase : {Phase::Prefill, Phase::Decode})
            if (node.runtime->timing(phase).kind->takesKernelConstants()) {
                add(Severity::Error, node.id.value,
                    "No kernels were measured of one link across domains: " + link->type.name + " joins " +
                        plainText(link->type.domain.value) + " devices, and " + plainText(devices) + " of " +
                        node.shownName() + " share the model",
                    remedy, "kernels_beyond_domain");
                return;
            }
        add(Severity::Warning, node.id.value,
            link->type.name + " joins " + plainText(link->type.domain.value) + " devices, and " +
                plainText(devices) + " of " + node.shownName() +
                " share the model: times are those of a link that joined them all",
            remedy, "beyond_domain");
    }

    /// Degrees that do not divide the devices they are of, or ask for what a uniform model has not.
    void checkLayout(const Node& node) {
        const double devices = tensorParallel(node);
        const auto layout = layoutOf(node);
        for (const auto& degree : layoutDegrees()) {
            const double value = degree.field ? (node.*degree.field).valueOr(1.0) : 1.0;
            if (value <= 1.0)
                continue;
            const auto path = "nodes." + node.id.value + "." + std::string(degree.key);
            if (!m_scenario.model.hasLayers()) {
                add(Severity::Error, path,
                    m_scenario.model.name +
                        " has a plain feed-forward network or learned positions: it is cut by tensor "
                        "parallelism alone",
                    "Unset " + propertyName(node, std::string(degree.key)) + ", or choose another model",
                    "uniform_layout");
                continue;
            }
            const auto answer = degree.ask(m_scenario.model, degree.devicesOf(layout, devices), value);
            if (answer.allowed)
                continue;
            std::string nearest;
            for (const double near : answer.nearest)
                nearest.append(nearest.empty() ? "" : ", ").append(plainText(near));
            add(Severity::Error, path,
                "A replica on " + node.shownName() + " cannot be dealt to " + plainText(value) + " " +
                    std::string(degree.ranks) + " (" + std::string(degree.key) + "): " + answer.reason,
                "The nearest that do: " + nearest, "layout_divides");
            return; // what the others divide hangs on it
        }
        if (m_scenario.model.isMixture() && layout.side == LayerSide::Whole && layout.ep > 1.0 &&
            layout.etp > 1.0 && (layout.dp > 1.0 || layout.cp > 1.0))
            add(Severity::Note, "nodes." + node.id.value + ".ep",
                plainText(layout.ep) + " expert ranks over " + plainText(layout.stageDevices()) +
                    " devices of " + node.shownName() + " cut each expert by width in " +
                    plainText(layout.etp) +
                    ": every device gathers the tokens of all ranks, where whole experts are sent their own",
                "Set " + propertyName(node, "ep") + " to " + plainText(layout.stageDevices()) +
                    ", or use more replicas",
                "experts_cut");
    }

    void checkModel() {
        for (const auto& mistake : mistakesOf(m_scenario.model))
            add(Severity::Error, "model." + std::string(mistake.key),
                "The model's " + std::string(mistake.key) + " " + mistake.what, mistake.remedy);
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
        // One finding of each node, however many it cannot reach: of the one that is alone, if one is.
        struct Apart {
            const Node* other = nullptr;
            std::size_t others = 0;
        };
        std::vector<Apart> fromOf(decode.size());
        for (const auto* from : prefill) {
            const auto start = m_parts.index(from->id);
            Apart to;
            for (std::size_t i = 0; i < decode.size(); ++i) {
                if (m_parts.reaches(start, m_parts.index(decode[i]->id)))
                    continue;
                auto& apart = m_parts.size(start) == 1 ? to : fromOf[i];
                if (apart.others++ == 0)
                    apart.other = m_parts.size(start) == 1 ? decode[i] : from;
            }
            if (to.other)
                addNoPath(*from, from->shownName(), shownNames(*to.other, to.others));
        }
        for (std::size_t i = 0; i < decode.size(); ++i)
            if (const auto& from = fromOf[i]; from.other)
                addNoPath(*decode[i], shownNames(*from.other, from.others), decode[i]->shownName());
    }

    /// "A100 80GB", "A100 80GB and 254 more"
    static std::string shownNames(const Node& first, std::size_t count) {
        return count == 1 ? first.shownName()
                          : first.shownName() + " and " + std::to_string(count - 1) + " more";
    }
    void addNoPath(const Node& subject, const std::string& from, const std::string& to) {
        add(Severity::Error, subject.id.value,
            "No path of links from " + from + " to " + to + " for the KV cache",
            "Link them, directly or through a host", "no_kv_path");
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
            const bool near = m_scenario.techniques.isOn(attentionNearStorage()) && node.runtime->nearStorage;
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

    void need(const Node& node, const Quantity& quantity, std::string_view key, std::string_view what) {
        if (!quantity.isSet())
            addUnset(node, key, what);
    }

    void addUnset(const Node& node, std::string_view key, std::string_view what) {
        const auto property = "device." + std::string(key), path = "nodes." + node.id.value + "." + property;
        add(Severity::Error, path, node.device.name + ": " + std::string(what) + " is not set",
            "Set " + propertyName(node, property) + " (" + path + ")");
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
        if (const auto* server = serverBatching(m_scenario); server && !serving.batching->isServer())
            add(Severity::Warning, "serving.batching",
                "Batches are " + std::string(serving.batching->noun()) +
                    ", but the server takes requests in step by step: they wait much longer here than in it",
                "Set batching to " + std::string(server->id()), "server_batching");
        const auto parameters = servingParameters();
        for (std::size_t i = 0; i < parameters.size(); ++i)
            checkIdle(parameters[i].spec, serving.quantities[i].isSet() && std::isnan(parameters[i].initial));
        for (const auto& node : m_scenario.nodes) {
            const auto& batching = batchingOffloaded(*serving.batching);
            if (offloads(node) && &batching != serving.batching)
                add(Severity::Note, node.id.value,
                    node.shownName() + " works with " + std::string(batching.noun()) + ": " +
                        std::string(serving.batching->whyNotOffloaded()),
                    "Nothing to do; or choose a runtime that does not offload");
        }
    }

    /// A quantity that was set and belongs to another kind of batching than the chosen one.
    void checkIdle(const FieldSpec& spec, bool isSet) {
        if (!isSet || m_scenario.serving.uses(spec.key))
            return;
        for (const auto* kind : batchingKinds().all())
            if (kind->indexOf(spec.key) >= 0) {
                add(Severity::Note, "serving." + std::string(spec.key),
                    std::string(spec.label) + " changes nothing under " +
                        std::string(m_scenario.serving.batching->noun()),
                    "Set batching to " + std::string(kind->id()), "needs_batching");
                return;
            }
    }

    bool carriesCollective(const Link& link) const {
        return std::any_of(m_scenario.nodes.begin(), m_scenario.nodes.end(), [&](const Node& node) {
            return node.runtime && tensorParallel(node) > 1.0 && collectiveLink(m_scenario, node) == &link;
        });
    }

    void checkUnusedLinks() {
        for (const auto& node : m_scenario.nodes) {
            if (!m_parts.isLinked(m_parts.index(node.id)) && isFabric(node.device.kind) &&
                m_scenario.nodes.size() > 1)
                add(Severity::Note, node.id.value, node.shownName() + " is not linked to anything",
                    "Drag from its port to another node", "unlinked");
        }
        for (const auto& link : m_scenario.links)
            if (link.type.peer.isSet() && !(isPcie(link.type) && carriesCollective(link)))
                add(Severity::Note, "links." + link.id.value + ".peer",
                    "Whether cards reach each other over " + link.type.name +
                        " changes nothing: no devices share a model over it, or it is not PCIe",
                    "Unset it", "idle_peer");
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
