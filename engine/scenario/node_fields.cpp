// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/node_fields.h"

#include "engine/units/number_text.h"

#include <array>
#include <utility>

namespace heteroscape::engine {

namespace {

const std::array<Field<Node>, 4> kFields{{
    {{"count", "Count", "", 1, 1, 100000, true, true, "How many of this device work side by side."},
     &Node::count},
    {{"replicas", "Replicas", "", 1, 1, 100000, true, false,
      "Copies of the model among the node's devices: count / replicas devices share one by tensor "
      "parallelism. Not set: every device holds its own."},
     &Node::replicas},
    {{"dp", "Attention ranks (DP)", "", 1, 1, 100000, true, false,
      "Ranks of a copy of the model that each attend to requests of their own; the devices of a rank cut "
      "attention by heads. Models of layer groups only; not set: one rank."},
     &Node::dp},
    {{"ep", "Expert ranks (EP)", "", 1, 1, 100000, true, false,
      "Ranks that the experts are dealt to; the devices of a rank cut each expert by its width. Models of "
      "layer "
      "groups only; not set: all devices of a copy where there are several attention ranks, else one."},
     &Node::ep},
}};

} // namespace

std::span<const Field<Node>> nodeFields() {
    return kFields;
}

std::vector<Field<Node>> nodeFields(const Node& node, const Model& model) {
    std::vector<Field<Node>> fields;
    for (const auto& field : kFields) {
        const bool layout = field.member == &Node::dp || field.member == &Node::ep;
        if (field.member == &Node::count || (isAccelerator(node.device.kind) &&
                                             (!layout || !model.isUniform() || (node.*field.member).isSet())))
            fields.push_back(field);
    }
    return fields;
}

std::string degreesText(const Layout& layout) {
    std::string text;
    const std::pair<const char*, double> degrees[] = {
        {"TP ", layout.tp}, {"DP ", layout.dp}, {"EP ", layout.ep}};
    for (const auto& [sign, degree] : degrees)
        if (degree > 1.0)
            text.append(text.empty() ? "" : ", ").append(sign).append(plainText(degree));
    return text;
}

} // namespace heteroscape::engine
