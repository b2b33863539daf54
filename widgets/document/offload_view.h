// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/evaluation.h"
#include "engine/scenario/tiers.h"

#include <QString>

#include <optional>
#include <vector>

namespace heteroscape::widgets {

class Document;

// What offloading means for the nodes of the open design, for canvas and inspector alike. UI thread.

/// A part of what lies in a tier. Free space is the last part.
struct TierPart {
    QString label;
    double bytes = 0.0;
    int series = kFree; ///< Theme::series(), the same for the same thing everywhere
    static constexpr int kFree = -1;
    bool operator==(const TierPart&) const = default;
};
/// The parts that are not empty, then what is left of the capacity.
std::vector<TierPart> tierParts(const engine::TierUse& use);

/// What lies on a host or a storage node, of all accelerators that offload to it, bytes. Several storage
/// nodes hold parts in proportion to their capacity. Nothing when no accelerator uses the node as a tier.
struct TierAt {
    engine::Tier tier = engine::Tier::Host;
    engine::TierUse use;
};
std::optional<TierAt> tierAt(const Document& document, const engine::NodeId& id);
/// The same of every node of the evaluated design, in its order.
std::vector<std::optional<TierAt>> tiersOf(const Document& document);

/// The way inside one CSD: flash, internal switch, attention kernel. B/s; NaN where a quantity is not set.
struct CsdPath {
    double flash = 0.0;     ///< from the flash, in chunks of this context
    double kernel = 0.0;    ///< that the kernel takes
    double delivered = 0.0; ///< of KV cache attended to: read, then computed
    double port = 0.0;      ///< of its link to the outside
    double tokens = 0.0;    ///< mean context at which this holds
    bool pathLimits = false;
    bool inUse = false; ///< attention runs here
    bool operator==(const CsdPath&) const = default;
};
std::optional<CsdPath> csdPathOf(const Document& document, const engine::NodeId& id);

/// Where the system's bound is: a node, or a link when transfers over it are what takes longest.
struct BottleneckPlace {
    std::optional<engine::NodeId> node;
    std::optional<engine::LinkId> link;
    QString name; ///< of that node or link
};
BottleneckPlace bottleneckPlace(const Document& document);

/// "CSD kernels", "link to storage": a bound in as few words as fit a chip.
QString boundWord(engine::Bound bound);

/// Something that does not fit, as said on the node where memory is missing and on the accelerator.
struct NodeShortfall {
    QString brief;       ///< "Host memory: needs 83.1 GB, 45.2 GB usable"
    QString full;        ///< with what to do
    engine::NodeId node; ///< the accelerator whose work does not fit
};
/// Which nodes' work does not fit, of every node of the evaluated design that it is said of: both by their
/// places there.
std::vector<std::vector<std::size_t>> shortfallsOf(const Document& document);
/// What is said of one of those nodes.
NodeShortfall shortfallOf(const Document& document, std::size_t place);

/// "45.2 GB", "61.4 TB"; an en dash when unknown.
QString sizeText(double bytes);

} // namespace heteroscape::widgets
