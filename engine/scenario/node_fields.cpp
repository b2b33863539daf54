// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/node_fields.h"

#include "engine/units/number_text.h"

#include <algorithm>
#include <array>
#include <utility>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kLayoutFirst = 2; // those before hold for every model
constexpr std::size_t kLayoutFields = 5;
const std::array<Field<Node>, 13> kFields{{
    {{"count", "Count", "", 1, 1, 100000, true, true, "How many of this device work side by side."},
     &Node::count},
    {{"replicas", "Replicas", "", 1, 1, 100000, true, false,
      "Copies of the model among the node's devices: count / replicas devices share one by tensor "
      "parallelism. Not set: every device holds its own."},
     &Node::replicas},
    {{"dp", "Attention ranks (DP)", "", 1, 1, 100000, true, false,
      "Ranks of a replica that each attend to requests of their own and keep only their caches; "
      "the devices of a rank cut attention by heads: tp = devices of a replica / attention ranks. Not set: "
      "one "
      "rank."},
     &Node::dp},
    {{"pp", "Stages (PP)", "", 1, 1, 100000, true, false,
      "Stages of a pipeline that the layers of a replica are dealt to, one after the other; the "
      "devices of a stage share its layers. A decode takes max(sum of stages and messages, microbatches x "
      "(slowest stage + message)). Not set: one stage."},
     &Node::pp},
    {{"cp", "Prompt ranks (CP)", "", 1, 1, 100000, true, false,
      "Ranks that cut the tokens of a prompt between them and gather each other's keys and values; every "
      "rank keeps the whole cache, and decode gains nothing. Not set: one rank."},
     &Node::cp},
    {{"ep", "Expert ranks (EP)", "", 1, 1, 100000, true, false,
      "Ranks that the experts are dealt to: tokens are sent to the ranks of their experts and their results "
      "back; the devices of a rank cut each expert by its width. Not set: all devices of a stage where there "
      "are several attention or prompt ranks, else one."},
     &Node::ep},
    {{"microbatches", "Microbatches", "", 1, 1, 100000, true, false,
      "Parts of a batch under way in the stages of a pipeline, or between attention and FFN nodes, at most "
      "one for each request of a rank. Fewer than stages leave stages idle: (stages - 1) / (microbatches + "
      "stages - 1) of a prefill; more read the weights more often. Not set: as many as stages, or three."},
     &Node::microbatches},
    {{"reserve_gb", "Reserve", "GB", units::GB, 0, 1000, false, false,
      "Memory of each device that a server keeps for its context, graphs and the rest (a usual one: 3.76 "
      "GB). "
      "Where it is set, working space and buffers of the dispatch to experts must fit too; not set: weights "
      "and KV cache alone must. What offloads has a reserve of its own."},
     &Node::reserve},
    {{"chassis_devices", "Devices of a server", "", 1, 1, 1e4, true, false,
      "Devices of this node that share one server. Not set: those of the design's cost, else 8."},
     &Node::chassisDevices},
    {{"chassis_price_usd", "Server, without devices", "$", 1, 0, 1e9, false, false,
      "Price of one server beside its devices: host, network cards, fans, power supplies, chassis. Not set: "
      "devices alone are counted, and figures say so."},
     &Node::chassisPrice},
    {{"chassis_host_w", "Power of its host", "W", 1, 0, 1e6, false, false,
      "What one server draws beside its devices: CPUs, network cards, fans. Not set: that of the design's "
      "cost."},
     &Node::chassisHost},
    {{"chassis_loss", "Loss factor", "", 1, 1, 10, false, false,
      "What one server draws at the wall over what its parts draw. Not set: that of the design's cost."},
     &Node::chassisLoss},
    {{"chassis_rated_w", "Rated power", "W", 1, 0, 1e7, false, false,
      "What one server with its devices is rated for at the wall, which circuits must provide."},
     &Node::chassisRated},
}};

} // namespace

std::span<const Field<Node>> nodeFields() {
    return kFields;
}

std::span<const Field<Node>> layoutFields() {
    return std::span(kFields).subspan(kLayoutFirst, kLayoutFields);
}

bool hasLayout(const Node& node) {
    const auto fields = layoutFields();
    return std::any_of(fields.begin(), fields.end(),
                       [&](const Field<Node>& field) { return (node.*field.member).isSet(); });
}

std::vector<Field<Node>> nodeFields(const Node& node, const Model& model) {
    std::vector<Field<Node>> fields;
    const bool pipeline = node.pp.valueOr(1.0) > 1.0 || splitsLayers(node);
    for (std::size_t i = 0; i < kFields.size(); ++i) {
        const auto& field = kFields[i];
        const bool fits =
            i < kLayoutFirst ||
            (field.member == &Node::reserve && !(node.runtime && node.runtime->offload)) ||
            (i < kLayoutFirst + kLayoutFields && model.hasLayers() &&
             (field.member == &Node::microbatches ? pipeline
                                                  : field.member != &Node::ep || model.isMixture())) ||
            (node.*field.member).isSet();
        if (field.member == &Node::count || (isAccelerator(node.device.kind) && fits))
            fields.push_back(field);
    }
    return fields;
}

std::string degreesText(const Layout& layout) {
    std::string text;
    const std::pair<const char*, double> degrees[] = {
        {"TP ", layout.tp}, {"PP ", layout.pp}, {"DP ", layout.dp}, {"CP ", layout.cp}, {"EP ", layout.ep}};
    for (const auto& [sign, degree] : degrees)
        if (degree > 1.0)
            text.append(text.empty() ? "" : ", ").append(sign).append(plainText(degree));
    return text;
}

} // namespace heteroscape::engine
