// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/timeline.h"
#include "widgets/lanes/lanes_painter.h"

#include <QString>
#include <array>
#include <optional>
#include <span>
#include <vector>

namespace heteroscape::widgets {

/// Where the operands of an operator came from. None: it has no weights or KV cache, or its timing does not
/// see L2.
enum class Operands { None, Hit, Missed };

/// One stretch of a lane with what belongs to it.
struct TrackSegment {
    engine::TimelineSegment data;
    Operands operands = Operands::None;
    std::optional<std::size_t> read; ///< its prefetch or read, index within the memory lane
};

/// One step timeline prepared for drawing: its segments by lane, found by binary search. A value.
class TimelineTrack {
public:
    TimelineTrack(QString name, engine::StepTimeline step);
    /// One of the stages of a step: a single lane.
    TimelineTrack(const engine::StepTimeline& step, std::size_t stage);

    bool isStage() const { return m_isStage; }

    const QString& name() const { return m_name; } ///< "With delayed writeback"
    const engine::StepTimeline& step() const { return m_step; }
    const std::vector<engine::Lane>& lanes() const { return m_shown; } ///< that have segments, in their order
    std::span<const TrackSegment> segments(engine::Lane lane) const;   ///< by start, not overlapping
    /// Share of the step; of power the mean, over the device's limit.
    double busy(engine::Lane lane) const;
    double mostWatts() const { return m_mostWatts; } ///< drawn at once

    /// Indices [first, last) of the segments of a lane that reach into a span.
    std::pair<std::size_t, std::size_t> within(engine::Lane lane, TimeSpan span) const;
    /// The segment of a lane at a time; nothing in a gap.
    std::optional<std::size_t> at(engine::Lane lane, double seconds) const;

    /// What kept a segment from starting (or an operator from ending) earlier, in words; empty for the first.
    QString waitedFor(engine::Lane lane, std::size_t index) const;

private:
    const TrackSegment* before(engine::Lane lane, double seconds) const; ///< the last that starts before
    void pairReads();

    QString m_name;
    bool m_isStage = false;
    engine::StepTimeline m_step;
    std::vector<engine::Lane> m_shown;
    std::array<std::vector<TrackSegment>, engine::kLaneCount> m_lanes;
    std::array<double, engine::kLaneCount> m_busy{};
    double m_mostWatts = 0.0;
};

/// The design's own step and, when it is compared, the same step without a technique; then, of a pipeline,
/// the stages of the design's own. The first is the design's.
using TimelineTracks = std::vector<TimelineTrack>;

/// The end of the longest step, s; 0 without tracks.
double endOf(const TimelineTracks& tracks);
/// The length of the longest layer, s.
double layerOf(const TimelineTracks& tracks);

/// What a swatch of the legend stands for.
struct LegendKey {
    engine::Work work = engine::Work::Operator;
    Operands operands = Operands::None; ///< of an operator
    bool operator==(const LegendKey&) const = default;
};

inline constexpr double kLaneIndent = 10.0; ///< px, of lane labels below the name of their track
inline constexpr double kPlaceGap = 8.0;    ///< px, between a lane's name and its place

/// Where everything of a timeline stands, in logical px. A value; no colours, no painting.
struct TimelineLayout : LanesLayout {
    struct Row {
        std::size_t track = 0;
        std::optional<engine::Lane> lane; ///< none: the title of the track, with its layers
        QRectF plot;                      ///< the part along the time axis
    };
    struct LegendEntry {
        LegendKey key;
        QString label;
        QRectF rect;
    };

    std::vector<Row> rows;           ///< from top to bottom
    std::vector<LegendEntry> legend; ///< empty: not shown
    double height = 0.0;

    const Row* rowAt(double y) const; ///< null between rows
};

struct TimelineLayoutOptions {
    double width = 800.0;
    double height = 0.0; ///< what there is; the legend is left out when it does not fit. 0: as much as wanted
    bool overview = true; ///< false for pictures
    ChartStyle style{};
};

TimelineLayout layOut(const TimelineTracks& tracks, const TimelineLayoutOptions& options);

} // namespace heteroscape::widgets
