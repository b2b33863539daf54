// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/edit.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// Devices that share one replica of a model, among which a layout deals it out.
struct LayoutDevices {
    double devices = 1.0;
    double perDomain = 0.0; ///< of them joined at full rate (by NVLink in a server, say); 0: not known
};

/// One degree of a layout. Its rule stands here alone: findings, choices and remedies ask it.
/// Source: moe_parallel, section 1: etp x ep = tp x dp x cp = the devices of a stage.
struct LayoutDegree {
    std::string_view key; ///< "dp", in paths and words
    double Layout::*member;
    Quantity Node::*field;                            ///< that sets it; null: it follows from the others
    double (*most)(const Model&);                     ///< what the model can be cut into
    std::string_view lacks;                           ///< what a rank beyond `most` goes without: "expert"
    std::string_view ranks;                           ///< what it counts: "stages"
    double (*divided)(const Layout&, double devices); ///< of the devices of a replica those that it divides

    double devicesOf(const Layout& layout, double devices) const { return divided(layout, devices); }

    /// The nearest values on both sides of the one that was asked for; one where there is one side only.
    struct Answer {
        bool allowed = true;
        std::vector<double> nearest{}; ///< empty where allowed
        std::string reason{};          ///< "3 does not divide 8 devices"; empty where allowed
    };

    /// Every value that divides `whole` (see devicesOf()) and that the model has
    /// parts for, ascending; never empty.
    std::vector<double> values(const Model& model, double whole) const;
    Answer ask(const Model& model, double whole, double value) const;
    bool allows(const Model& model, double whole, double value) const;
};

/// pp, dp, cp, ep: those that are chosen; then tp and etp, which follow from them.
std::span<const LayoutDegree> layoutDegrees();
const LayoutDegree& layoutDegree(std::string_view key); ///< throws Error (NotFound)

/// Which of the chosen degrees may be above one.
struct LayoutVaries {
    bool pp = true;
    bool dp = true;
    bool cp = true;
    bool ep = true;
};

/// The layout whose other two degrees follow: tp = devices / (pp dp cp), etp = devices / (pp ep); as many
/// microbatches as stages.
Layout layoutOfRanks(double devices, double dp, double ep, double cp = 1.0, double pp = 1.0);

/// Every layout of a model over devices that its degrees' rules allow, tp no more than the model's heads and,
/// where given, within a domain. A model without layers (see Model::hasLayers()) has one: tensor parallelism.
/// In the order of pp, dp, cp, ep, each ascending, the last varying fastest.
std::vector<Layout> validLayouts(const Model& model, LayoutDevices devices, LayoutVaries varies = {});

/// "tp 8 · dp 4 · ep 32": the degrees above one in the order tp, dp, cp, pp, ep, etp, tp always.
/// etp is left out: it follows from the others.
std::string layoutWords(const Layout& layout);

/// Reads such words in any order, with or without spaces, parted by spaces, "·" or "*": "tp8 dp4 ep32".
/// A degree that is not named is one; etp follows (and is checked where it is given). Throws Error
/// (InvalidInput) naming `where`, the word, and what can be written.
Layout parseLayout(std::string_view words, const std::string& where);

/// How many factors of two lie between two layouts, over all degrees: 0 for the same.
double layoutDistance(const Layout& a, const Layout& b);

/// Devices among which a choice of layout deals a copy: those that share one now, or all of the node where
/// nobody has said how many replicas there are.
double layoutChoiceDevices(const Node& node);

/// What a node's layout may be chosen from; empty for what is no accelerator.
std::vector<Layout> layoutsOf(const Model& model, const Node& node);

/// Words of the nearest layouts that divide a node's devices into replicas, at most `most`: "tp 2, tp 4".
std::string nearestLayouts(const Model& model, const Node& node, const Layout& layout, std::size_t most = 3);

/// Whether a parameter path names the layout of a node as a whole: "nodes.<id>.layout".
bool isLayoutPath(std::string_view path);

/// Gives a node a layout: its replicas and degrees in one edit. Throws Error (InvalidInput) naming
/// nodes.<id>.layout where its devices do not divide the node's.
EditList layoutEdit(const Node& node, const Layout& layout);

/// Whether a parameter path names how many workers a node has: "nodes.<id>.workers", replicas over
/// as many devices as one has now.
bool isWorkersPath(std::string_view path);

/// Some numbers of workers to choose from, a node's own among them; any whole number can be given.
std::vector<std::string> workersOf(const Node& node);

/// Gives a node so many workers: its count and replicas in one edit. Throws Error (InvalidInput) naming
/// nodes.<id>.workers where the text is no whole number from 1 on, or the devices are more than a node can
/// have.
EditList workersEdit(const Node& node, const std::string& text);

} // namespace heteroscape::engine
