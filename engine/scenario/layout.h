// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

namespace heteroscape::engine {

/// How the ranks of a step hand tokens to experts and back. Automatic: AllReduce while every rank has every
/// token (dp = cp = 1), else AllToAll where experts are not cut by width (etp = 1), else AllGather.
enum class ExpertTraffic { Automatic, AllReduce, AllGather, AllToAll };

/// What devices do of every layer: all of it, or attention alone while those of another node work off the
/// feed-forward networks.
enum class LayerSide { Whole, Attention, Ffn };

/// How a model lies over the devices that share one replica of it. Degrees are whole numbers; the experts of
/// a stage lie over the same devices as its attention: etp x ep = tp x dp x cp.
struct Layout {
    double tp = 1.0;  ///< attention cut by heads
    double dp = 1.0;  ///< attention by requests: each rank has its own, and their cache
    double cp = 1.0;  ///< prefill cut by tokens; a decode does not see it
    double pp = 1.0;  ///< stages
    double ep = 1.0;  ///< ranks that experts are dealt to
    double etp = 1.0; ///< experts cut by width
    ExpertTraffic traffic = ExpertTraffic::Automatic;
    double microbatches = 1.0; ///< in flight: a step is that of one of them
    LayerSide side = LayerSide::Whole;

    double stageDevices() const { return tp * dp * cp; }
    double devices() const { return stageDevices() * pp; }

    /// Attention by heads and experts by width over all devices: what uniform models know.
    static Layout tensorParallel(double devices) {
        Layout layout;
        layout.tp = layout.etp = devices;
        return layout;
    }
    bool operator==(const Layout&) const = default;
};

} // namespace heteroscape::engine
