// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/plotting/lane_bins.h"
#include "widgets/document/simulation_runner.h"
#include "widgets/lanes/lanes_painter.h"

#include <QString>
#include <cstdint>
#include <memory>
#include <optional>
#include <vector>

namespace heteroscape::widgets {

/// A simulation prepared for drawing: its lanes with names, its segments found by time and by request. Does
/// not change; any thread.
class RequestLanes {
public:
    struct Lane {
        QString title; ///< "A100 80GB", "U280 3"
        QString place; ///< of replicas with a batch: "prefill", "slot 2"
        engine::DeviceKind kind = engine::DeviceKind::Gpu;
        bool opens = false; ///< the first lane of its node
        double busy = 0.0;  ///< share of whole() that it computes
    };

    /// Of a run that ran.
    explicit RequestLanes(std::shared_ptr<const SimulationRun> run);

    const SimulationRun& run() const { return *m_run; }
    const engine::ServingResult& result() const { return m_run->serving.result; }
    const std::vector<Lane>& lanes() const { return m_lanes; }
    const engine::LaneBins& bins() const { return m_bins; }
    const engine::ServingSegment& segment(std::size_t index) const { return result().segments[index]; }
    bool empty() const { return result().segments.empty(); }
    TimeSpan whole() const { return m_whole; } ///< from the start of the run to the last recorded segment

    /// Whether all requests that came in are recorded, and else how many of the first.
    bool isComplete() const;
    std::uint64_t recorded() const;

    /// The segment of a lane at a time; in a gap the next one that is no farther than `within` seconds.
    std::optional<std::size_t> at(std::size_t lane, double seconds, double within = 0.0) const;
    /// The last request of a segment: of a static batch others than the first have a part in it.
    std::uint32_t lastRequest(const engine::ServingSegment& segment) const;
    /// Indices of a request's segments, by start.
    std::vector<std::size_t> segmentsOf(std::uint32_t request) const;
    /// Null: it is not finished, or not recorded.
    const engine::ServedRequest* served(std::uint32_t request) const;
    /// When a request came, s; nothing when that is not recorded.
    std::optional<double> arrivalOf(std::uint32_t request) const;

private:
    std::shared_ptr<const SimulationRun> m_run;
    std::vector<Lane> m_lanes;
    engine::LaneBins m_bins;
    TimeSpan m_whole;
};

/// Where everything of a timeline of requests stands, in logical px. A value; no colours, no painting.
struct RequestsLayout : LanesLayout {
    QRectF legend; ///< empty: not shown
    double rowHeight = 0.0;
    double scroll = 0.0;      ///< px of the lanes above what is seen
    std::vector<double> tops; ///< of every lane, from the first; at last the end

    double contentHeight() const { return tops.empty() ? 0.0 : tops.back(); }
    double scrollMost() const;                        ///< so that the last lane is seen whole
    QRectF rowOf(std::size_t lane) const;             ///< along the time axis; may lie outside what is seen
    std::pair<std::size_t, std::size_t> seen() const; ///< lanes [first, last) that are seen, in part at least
    std::optional<std::size_t> laneAt(double y) const;
};

struct RequestsLayoutOptions {
    double width = 800.0;
    double height = 0.0; ///< 0: as high as all lanes, with a legend: a picture
    double scroll = 0.0;
    std::pair<std::size_t, std::size_t> only{0, static_cast<std::size_t>(-1)}; ///< lanes [first, last)
    ChartStyle style{};
};

RequestsLayout layOut(const RequestLanes& lanes, const RequestsLayoutOptions& options);

} // namespace heteroscape::widgets
