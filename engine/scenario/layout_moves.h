// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/layout_choices.h"

#include <optional>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// A layout and how many replicas so laid out a node holds.
struct CopiedLayout {
    double replicas = 1.0;
    Layout layout;
    bool operator==(const CopiedLayout&) const = default;
};

/// How a node's devices are shared out now.
CopiedLayout copiedLayoutOf(const Node& node);

/// Whether a layout says of devices that do one side of every layer only what belongs to it: attention is cut
/// by heads, requests and prompts, networks by experts and their widths; neither has stages.
bool saysOnlyOfSide(const Layout& layout, LayerSide side);

/// "pp 2 × (dp 16 + ep 16)", replicas in front: "3 × dp 8 + ep 8". Degrees of one are left out, stages stand
/// before what each of them is cut into; experts cut by width and by ranks as "ep 4 × etp 2". "1 device"
/// where nothing is cut. Of one side of every layer what cuts that.
std::string layoutPhrase(const CopiedLayout& laid);

/// What one degree of a node's layout can be changed to, the other degrees moving with it. `key`: "copies" or
/// a degree ("tp", ...). Each answer is a layout that validLayouts() holds, over all devices of the node.
class LayoutMoves {
public:
    LayoutMoves(const Model& model, const Node& node);

    /// Values that the degree can take, ascending; with the replicas that there are where those leave it a
    /// choice, else with any number of replicas.
    std::vector<double> values(std::string_view key) const;
    /// The layout with this value that is nearest to the present one: experts give way first, then ranks of
    /// attention and stages, prompt ranks and replicas last. Nothing where no layout has the value. An ep
    /// that the node leaves open stays what it means where it is left open (see layoutOf()).
    std::optional<CopiedLayout> with(std::string_view key, double value) const;
    /// Why a value that with() knows no layout for is none, and the nearest that are: "3 does not divide 8
    /// devices", {2, 4}.
    LayoutDegree::Answer ask(std::string_view key, double value) const;

    const CopiedLayout& now() const { return m_now; }
    double devices() const { return m_devices; } ///< of the node

private:
    std::vector<CopiedLayout> candidates(std::string_view key) const;

    const Model& m_model;
    double m_devices;
    bool m_opensExperts; ///< the node leaves ep open
    CopiedLayout m_now;
};

/// layoutEdit() for a layout with its replicas: one edit, named by the phrase.
EditList copiedLayoutEdit(const Node& node, const CopiedLayout& laid);

} // namespace heteroscape::engine
