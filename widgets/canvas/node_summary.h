// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique_targets.h"
#include "widgets/document/document.h"
#include "widgets/document/offload_view.h"

#include <QString>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

class DesignIndex;

/// One of the quantities of a card: "1935" over "GB/s".
struct KeyQuantity {
    QString value;
    QString unit;
    bool operator==(const KeyQuantity&) const = default;
};

/// The bar of a card. No share: nothing can be said now (the design does not run).
struct BusyBar {
    QString label;
    std::optional<double> share; ///< 0..1
    bool operator==(const BusyBar&) const = default;
};

/// A word beside what the card is about; the one that tells what holds the node up is hot.
struct CardChip {
    QString text;
    bool hot = false;
    bool operator==(const CardChip&) const = default;
};

/// One degree of a layout: "dp 8", or a word alone: how weights are kept.
struct LayoutChip {
    QString word;
    QString number;
    bool operator==(const LayoutChip&) const = default;
};

/// A technique that is on and acts here: "Merge M=4".
struct TechniqueChip {
    std::string id;
    QString text;
    QString label; ///< "Load merging"
    bool operator==(const TechniqueChip&) const = default;
};

/// What lies in the memory of a host or on storage.
struct TierBar {
    QString label; ///< "209 of 550 GB"
    double share = 0.0;
    double whole = 0.0; ///< bytes of the full bar
    std::vector<TierPart> parts;
    bool operator==(const TierBar&) const = default;
};

/// Everything a node's card shows: words and numbers, no geometry.
struct NodeCard {
    engine::DeviceKind kind = engine::DeviceKind::Gpu;
    QString name;
    QString role;              ///< "GPU, prefill"
    QString side;              ///< of every layer, where it does one alone: "Experts"
    bool isAttention = false;  ///< of the two sides that one
    bool switchesRole = false; ///< there are others that its device can have
    QString roleNote;          ///< why the role that is set has no effect now
    int count = 1;
    std::vector<KeyQuantity> quantities; ///< at most three, only those that are set
    std::vector<LayoutChip> layout;      ///< of devices that share a model
    std::vector<CardChip> chips;         ///< software and bound of an accelerator that offloads
    std::vector<TechniqueChip> techniques;
    std::optional<CsdPath> path;   ///< inside a CSD
    std::optional<TierBar> memory; ///< of a node that something lies on; then there is no bar
    std::optional<BusyBar> bar;
    QString problem;            ///< what is wrong, in a line or two; stands in place of the bars
    bool problemIsError = true; ///< else a warning
    QStringList remedies;       ///< what was found to help against it
    QString proposal;           ///< a better layout and what it brings: "Use dp 8 + ep 8: +34 %"
    bool bottleneck = false;
    bool selected = false;
    QString error;   ///< empty: nothing wrong
    QString warning; ///< what makes the node useless; only where there is no error
    QString note;    ///< what else is to be known
    QString details; ///< for the tooltip when nothing is wrong
    bool operator==(const NodeCard&) const = default;
};

/// Up to three digits of a device: peak, memory bandwidth, capacity; for fabric its lanes and memory.
std::vector<KeyQuantity> keyQuantities(const engine::Device& device,
                                       const engine::Runtime* runtime = nullptr);
/// The same on one line for lists: "312 TFLOP/s · 1935 GB/s". Empty when nothing is set.
QString keyQuantityLine(const engine::Device& device);

/// The card of a node that is not placed yet.
NodeCard cardOf(const engine::Device& device);
/// The card of the document's node; nothing when there is no such node any more.
std::optional<NodeCard> cardOf(const Document& document, const engine::NodeId& id);
std::optional<NodeCard> cardOf(const DesignIndex& index, const engine::NodeId& id); ///< one of many

/// "Alveo U280, 7 cards, decode, 99 % busy, bottleneck": what a screen reader says of a node.
QString nodeSentence(const Document& document, const engine::NodeId& id);
/// "Link from A100 80GB to Host CPU, PCIe 4.0 x16, 24 GB/s, 2 % used".
QString linkSentence(const Document& document, const engine::LinkId& id);

/// What is written on a link.
struct LinkLabel {
    QString bandwidth; ///< "7 × 12 GB/s"
    QString type;      ///< "PCIe 3.0 x16"
    QString traffic;   ///< "0.38 GB/s, 2 %"; empty when there is none
    double use = 0.0;  ///< share of its bandwidth, 0..1
    bool bottleneck = false;
    bool edited = false; ///< its quantities are not those of its kind
    std::vector<TechniqueChip> techniques;
    bool operator==(const LinkLabel&) const = default;
};
std::optional<LinkLabel> linkLabel(const Document& document, const engine::LinkId& id);
std::optional<LinkLabel> linkLabel(const DesignIndex& index, const engine::LinkId& id); ///< one of many

/// "13 %", "< 1 %".
QString percentText(double share);

} // namespace heteroscape::widgets
