// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QString>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// One of the figures of a card: "1935" over "GB/s".
struct KeyFigure {
    QString value;
    QString unit;
};

/// The bar of a card. No share: nothing can be said now (the design does not run).
struct BusyBar {
    QString label;
    std::optional<double> share; ///< 0..1
};

/// Everything a node's card shows: words and numbers, no geometry.
struct NodeCard {
    engine::DeviceKind kind = engine::DeviceKind::Gpu;
    QString name;
    QString role; ///< "GPU, prefill"
    int count = 1;
    std::vector<KeyFigure> figures; ///< at most three, only those that are set
    std::optional<BusyBar> bar;
    bool bottleneck = false;
    bool selected = false;
    QString error;   ///< empty: nothing wrong
    QString details; ///< for the tooltip when nothing is wrong
};

/// Up to three figures of a device: peak, memory bandwidth, capacity; for fabric its lanes and memory.
std::vector<KeyFigure> keyFigures(const engine::Device& device, const engine::Runtime* runtime = nullptr);
/// The same on one line for lists: "312 TFLOP/s · 1935 GB/s". Empty when nothing is set.
QString keyFigureLine(const engine::Device& device);

/// The card of a node that is not placed yet.
NodeCard cardOf(const engine::Device& device);
/// The card of the document's node; nothing when there is no such node any more.
std::optional<NodeCard> cardOf(const Document& document, const engine::NodeId& id);

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
};
std::optional<LinkLabel> linkLabel(const Document& document, const engine::LinkId& id);

/// Plain text as a tooltip that wraps its lines; empty stays empty.
QString tooltipText(const QString& plain);

/// "13 %", "< 1 %".
QString percentText(double share);

} // namespace heteroscape::widgets
