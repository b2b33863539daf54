// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/document/offload_view.h"

#include "engine/evaluation/offload.h"
#include "engine/schedule/offloading.h"
#include "engine/timing/memory_plan.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/document/document.h"

#include <QCoreApplication>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Bound;
using engine::Tier;

struct OffloadViewText {
    Q_DECLARE_TR_FUNCTIONS(OffloadView)
public:
    static constexpr std::array<const char*, engine::kBoundCount> kBounds{"", // in the order of engine::Bound
                                                                          QT_TR_NOOP("compute"),
                                                                          QT_TR_NOOP("memory reads"),
                                                                          QT_TR_NOOP("kernel launches"),
                                                                          QT_TR_NOOP("L2 reads"),
                                                                          QT_TR_NOOP("network"),
                                                                          QT_TR_NOOP("fixed layer time"),
                                                                          QT_TR_NOOP("link to host"),
                                                                          QT_TR_NOOP("host memory"),
                                                                          QT_TR_NOOP("link to storage"),
                                                                          QT_TR_NOOP("storage reads"),
                                                                          QT_TR_NOOP("storage writes"),
                                                                          QT_TR_NOOP("CSD kernels"),
                                                                          QT_TR_NOOP("path inside CSDs"),
                                                                          QT_TR_NOOP("idle cores in waves"),
                                                                          QT_TR_NOOP("latency in kernels")};
};

/// The evaluation is of this scenario, node for node.
bool isEvaluated(const Document& document) {
    return document.evaluation().nodes.size() == document.results().scenario->nodes.size();
}

template <class Items, class Id>
std::size_t indexOf(const Items& items, const Id& id) {
    return static_cast<std::size_t>(
        std::find_if(items.begin(), items.end(), [&id](const auto& item) { return item.id == id; }) -
        items.begin());
}

/// Calls visit(index, tiers, map) for every accelerator that offloads and is evaluated.
template <class Visit>
void forEachUser(const Document& document, Visit visit) {
    if (!isEvaluated(document))
        return;
    engine::TierMap map;
    const auto& scenario = *document.results().scenario;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i)
        if (engine::offloads(scenario.nodes[i]) && document.evaluation().nodes[i].offload.active)
            visit(i, map.find(scenario, i), map);
}

bool holds(const engine::TierMap& map, std::size_t node) {
    const auto nodes = map.storageNodes();
    return std::find(nodes.begin(), nodes.end(), node) != nodes.end();
}

void add(engine::TierUse& sum, const engine::TierUse& part, double share, double kvShare) {
    sum.weights += share * part.weights;
    sum.kv += kvShare * part.kv;
    sum.x += share * part.x;
    sum.buffers += share * part.buffers;
}

/// Of the nodes that storage work can be bound by: CSDs where attention runs in them, of several the most.
std::size_t boundStorage(const engine::Scenario& scenario, const engine::TierMap& map, bool near) {
    std::size_t best = scenario.nodes.size();
    for (const auto i : map.storageNodes()) {
        const auto& node = scenario.nodes[i];
        if (near && !engine::attendsNearStorage(node))
            continue;
        if (best == scenario.nodes.size() || node.count.value > scenario.nodes[best].count.value)
            best = i;
    }
    return best;
}

/// Of the links that take part, by their index, the one that is used most.
template <class TakesPart>
std::optional<engine::LinkId> fullestLink(const Document& document, TakesPart takesPart) {
    const auto& links = document.results().scenario->links;
    const auto& results = document.evaluation().links;
    std::optional<engine::LinkId> fullest;
    double most = 0.0;
    for (std::size_t l = 0; l < links.size() && l < results.size(); ++l) {
        if (!takesPart(l) || !(results[l].utilisation() > most))
            continue;
        most = results[l].utilisation();
        fullest = links[l].id;
    }
    return fullest;
}

} // namespace

std::vector<TierPart> tierParts(const engine::TierUse& use) {
    std::vector<TierPart> parts;
    const auto part = [&parts](const QString& label, double bytes, int series) {
        if (bytes > 0.0)
            parts.push_back({label, bytes, series});
    };
    part(OffloadViewText::tr("Weights"), use.weights, 0);
    part(OffloadViewText::tr("KV cache"), use.kv, 4);
    part(OffloadViewText::tr("X cache"), use.x, 3);
    part(OffloadViewText::tr("Buffers"), use.buffers, 7);
    part(OffloadViewText::tr("Free"), use.capacity - use.used(), TierPart::kFree);
    return parts;
}

std::optional<TierAt> tierAt(const Document& document, const engine::NodeId& id) {
    const auto index = indexOf(document.results().scenario->nodes, id);
    const auto tiers = tiersOf(document);
    return index < tiers.size() ? tiers[index] : std::nullopt;
}

std::vector<std::optional<TierAt>> tiersOf(const Document& document) {
    const auto& nodes = document.results().scenario->nodes;
    std::vector<std::optional<TierAt>> found(nodes.size());
    forEachUser(document, [&](std::size_t user, const engine::Tiers& tiers, const engine::TierMap& map) {
        const auto& offload = document.evaluation().nodes[user].offload;
        const double activeReplicas = offload.activeReplicas;
        if (tiers.host < nodes.size()) {
            auto& host = found[tiers.host];
            host = host.value_or(TierAt{Tier::Host, {}});
            add(host->use, offload.tier(Tier::Host), activeReplicas, activeReplicas);
            host->use.capacity = nodes[tiers.host].count.value * nodes[tiers.host].device.hostMemory.value;
        }
        for (const auto index : map.storageNodes()) {
            if (index == tiers.host)
                continue;
            auto& storage = found[index];
            storage = storage.value_or(TierAt{Tier::Storage, {}});
            const auto& device = nodes[index].device;
            const double capacity = nodes[index].count.value * device.memoryCapacity.value;
            const double all = tiers.storage.capacity * tiers.activeReplicas;
            const bool csd = device.kind == engine::DeviceKind::Csd;
            const double kv = offload.near
                                  ? (csd ? capacity / (tiers.near.capacity * tiers.activeReplicas) : 0.0)
                                  : capacity / all;
            add(storage->use, offload.tier(Tier::Storage), activeReplicas * capacity / all,
                activeReplicas * kv);
            storage->use.capacity = capacity;
        }
    });
    return found;
}

std::optional<CsdPath> csdPathOf(const Document& document, const engine::NodeId& id) {
    const auto& scenario = *document.results().scenario;
    const auto* node = scenario.findNode(id);
    if (!node || node->device.kind != engine::DeviceKind::Csd)
        return {};
    const auto index = indexOf(scenario.nodes, id);
    double kvBits = 16.0;
    CsdPath path;
    forEachUser(document, [&](std::size_t user, const engine::Tiers&, const engine::TierMap& map) {
        const auto& offload = document.evaluation().nodes[user].offload;
        if (!holds(map, index) || !offload.near)
            return;
        kvBits = scenario.nodes[user].runtime->kvBits.value;
        path.inUse = path.inUse || offload.kv.storage > 0.0;
    });
    const auto& device = node->device;
    const auto& workload = scenario.workload;
    path.tokens = workload.promptTokens.value + 0.5 * (workload.outputTokens.value - 1.0);
    const double row = scenario.model.headDim.value * kvBits / 8.0;
    const engine::NearStorageKernel kernel{device, row};
    path.flash =
        device.p2pBandwidth.value * path.tokens * row / (path.tokens * row + device.p2pHalfChunk.value);
    path.kernel = device.kernelBandwidth.value;
    path.delivered = kernel.bytesPerSecond(path.tokens);
    path.pathLimits = kernel.pathLimits(path.tokens);
    path.port = device.memoryBandwidth.value;
    for (const auto& link : scenario.links)
        if (link.from == id || link.to == id)
            path.port = link.type.bandwidth.value;
    return path;
}

BottleneckPlace bottleneckPlace(const Document& document) {
    const auto& scenario = *document.results().scenario;
    const auto& evaluation = document.evaluation();
    if (!evaluation.feasible || evaluation.bound.node >= scenario.nodes.size())
        return {};
    if (evaluation.bound.link < scenario.links.size()) {
        const auto& full = scenario.links[evaluation.bound.link];
        return {{}, full.id, QString::fromStdString(full.type.name)};
    }
    const auto user = evaluation.bound.node;
    std::size_t place = user;
    std::optional<engine::LinkId> link;
    forEachUser(document, [&](std::size_t i, const engine::Tiers& tiers, const engine::TierMap& map) {
        if (i != user)
            return;
        const bool near = evaluation.nodes[i].offload.near;
        switch (evaluation.bound.bound) {
        case Bound::HostMemory:
            place = tiers.host;
            break;
        case Bound::Storage:
        case Bound::StorageWrite:
        case Bound::CsdKernel:
        case Bound::CsdPath:
            place = boundStorage(scenario, map, near);
            break;
        case Bound::StorageLink:
            link = fullestLink(document, [&](std::size_t l) { return map.linkShare(l, near) > 0.0; });
            break;
        case Bound::Pcie:
            link = fullestLink(document, [&](std::size_t l) { return map.deviceShare(l) > 0.0; });
            break;
        default:
            break;
        }
    });
    if (link)
        return {{}, link, QString::fromStdString(scenario.findLink(*link)->type.name)};
    if (place >= scenario.nodes.size())
        place = user;
    return {scenario.nodes[place].id, {}, QString::fromStdString(scenario.nodes[place].shownName())};
}

QString boundWord(Bound bound) {
    return bound == Bound::None
               ? QString()
               : OffloadViewText::tr(OffloadViewText::kBounds[static_cast<std::size_t>(bound)]);
}

std::vector<std::vector<std::size_t>> shortfallsOf(const Document& document) {
    if (!isEvaluated(document))
        return {};
    const auto& scenario = *document.results().scenario;
    std::vector<std::vector<std::size_t>> found(scenario.nodes.size());
    engine::TierMap map;
    for (std::size_t i = 0; i < scenario.nodes.size(); ++i) {
        const auto& missing = document.evaluation().nodes[i].shortfall;
        if (!missing)
            continue;
        found[i].push_back(i);
        if (missing->tier == Tier::Device)
            continue;
        const auto& tiers = map.find(scenario, i);
        if (missing->tier == Tier::Host) {
            if (tiers.host < found.size() && tiers.host != i)
                found[tiers.host].push_back(i);
            continue;
        }
        for (const auto at : map.storageNodes())
            if (at != i)
                found[at].push_back(i);
    }
    return found;
}

NodeShortfall shortfallOf(const Document& document, std::size_t place) {
    static const std::array<const char*, engine::kTierCount> kBrief{
        QT_TRANSLATE_NOOP("OffloadView", "Device memory: needs %1, has %2"),
        QT_TRANSLATE_NOOP("OffloadView", "Host memory: needs %1, %2 usable"),
        QT_TRANSLATE_NOOP("OffloadView", "Storage: needs %1, has %2")};
    const auto& scenario = *document.results().scenario;
    const auto& result = document.evaluation().nodes[place];
    const auto& missing = *result.shortfall;
    return {OffloadViewText::tr(kBrief[static_cast<std::size_t>(missing.tier)])
                .arg(sizeText(missing.needed), sizeText(missing.available)),
            QString::fromStdString(engine::shortfallText(scenario, place, result)), scenario.nodes[place].id};
}

QString sizeText(double bytes) {
    const bool tera = bytes >= 1e4 * engine::units::GB;
    const auto number = engine::shortText(bytes / (tera ? 1e3 * engine::units::GB : engine::units::GB));
    return (tera ? OffloadViewText::tr("%1 TB") : OffloadViewText::tr("%1 GB"))
        .arg(QString::fromStdString(number));
}

} // namespace heteroscape::widgets
