// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_text.h"

#include "engine/base/csv.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"

#include <QCoreApplication>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

using engine::Work;

struct TimelineWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::Timeline)
};

QString operandsName(Operands operands) {
    return operands == Operands::Hit      ? QStringLiteral("hit")
           : operands == Operands::Missed ? QStringLiteral("missed")
                                          : QString();
}

/// What the bytes of a stretch are.
QString bytesName(Work work) {
    if (engine::isSent(work))
        return TimelineWords::tr("Sent");
    return engine::isFlow(work) ? TimelineWords::tr("Data") : TimelineWords::tr("Weights and KV cache");
}

/// "1.31× faster than", "as fast as"
QString gainText(double own, double base) {
    if (std::abs(own / base - 1.0) < 5e-4)
        return TimelineWords::tr("as fast as");
    const auto factor = QString::fromStdString(engine::shortText(std::max(own, base) / std::min(own, base)));
    return (own < base ? TimelineWords::tr("%1\u00d7 faster than")
                       : TimelineWords::tr("%1\u00d7 slower than"))
        .arg(factor);
}

/// What of a read-out tells where the operands came from; empty when there are none.
QString operandsText(const TrackSegment& segment) {
    return segment.operands == Operands::Hit      ? TimelineWords::tr("L2, prefetched (hit)")
           : segment.operands == Operands::Missed ? TimelineWords::tr("device memory (miss)")
                                                  : QString();
}

} // namespace

QString bytesText(double bytes) {
    if (bytes >= 1e9)
        return fourDigits(bytes / 1e9) + kThinSpace + QStringLiteral("GB");
    if (bytes >= 1e5)
        return fourDigits(bytes / 1e6) + kThinSpace + QStringLiteral("MB");
    return fourDigits(bytes / 1e3) + kThinSpace + QStringLiteral("kB");
}

QString layerText(int layer) {
    return layer < 0 ? TimelineWords::tr("head") : TimelineWords::tr("layer %1").arg(layer + 1);
}

QString segmentTitle(const engine::TimelineSegment& segment) {
    auto label = QString::fromUtf8(segment.label);
    switch (segment.work) {
    case Work::Prefetch:
        return TimelineWords::tr("Prefetch of %1").arg(label);
    case Work::Read:
        return TimelineWords::tr("Read for %1").arg(label);
    case Work::Microbatch:
        return TimelineWords::tr("Microbatch %1").arg(segment.microbatch + 1);
    case Work::Power:
        return fourDigits(segment.watts) + kThinSpace + QStringLiteral("W");
    case Work::Activations:
        return segment.microbatch < 0
                   ? label
                   : TimelineWords::tr("Activations of microbatch %1").arg(segment.microbatch + 1);
    default:
        break;
    }
    return label;
}

QString laneTitle(const engine::StepTimeline& step, engine::Lane lane) {
    return QString::fromStdString(step.lanes[static_cast<std::size_t>(lane)].title);
}

QString lanePlace(const engine::StepTimeline& step, engine::Lane lane) {
    return QString::fromStdString(step.lanes[static_cast<std::size_t>(lane)].place);
}

QString shortName(const engine::TimelineSegment& segment) {
    switch (segment.work) {
    case Work::AllReduce:
        return TimelineWords::tr("Allreduce");
    case Work::KvRead:
    case Work::KvWrite:
        return TimelineWords::tr("KV");
    case Work::HostAttention:
    case Work::NearStorageAttention:
        return TimelineWords::tr("Attention");
    case Work::QkvTransfer:
        return TimelineWords::tr("QKV");
    case Work::XTransfer:
        return TimelineWords::tr("X");
    case Work::Regenerate:
        return TimelineWords::tr("K, V");
    case Work::Microbatch:
        return QString::number(segment.microbatch + 1);
    case Work::Draft:
        return TimelineWords::tr("Guess");
    default:
        break;
    }
    auto label = QString::fromUtf8(segment.label);
    if (label.startsWith(QStringLiteral("FFN ")))
        return label.mid(4);
    if (segment.work == Work::Collective) // "Dispatch to experts", "Rows of all ranks"
        return label.section(QLatin1Char(' '), 0, 0);
    if (label.endsWith(QStringLiteral(" projection")))
        return label.chopped(11);
    return {};
}

QString readOutHeading(const engine::TimelineSegment& segment) {
    if (segment.microbatch >= 0 || segment.work == Work::Waiting || segment.work == Work::Power)
        return segmentTitle(segment);
    return TimelineWords::tr("%1, %2").arg(segmentTitle(segment), layerText(segment.layer));
}

std::vector<ReadOut::Row> readOutRows(const TimelineTrack& track, engine::Lane lane, std::size_t index) {
    const auto& segment = track.segments(lane)[index];
    const auto& data = segment.data;
    // Microseconds with two decimals place a segment within any step; longer steps read in their own unit.
    const auto unit = unitFor(data.end - data.start);
    const auto at = [&unit](double seconds) {
        return QString::fromStdString(
            engine::plainText(std::round(seconds / unit.seconds * 100.0) / 100.0, 15));
    };
    std::vector<ReadOut::Row> rows;
    if (const auto place = lanePlace(track.step(), lane); !place.isEmpty())
        rows.push_back({laneTitle(track.step(), lane), place, {}});
    rows.push_back({TimelineWords::tr("Time"),
                    TimelineWords::tr("%1 to %2").arg(at(data.start), at(data.end)) + kThinSpace + unit.name,
                    {}});
    rows.push_back({TimelineWords::tr("Duration"),
                    QString::number((data.end - data.start) / unit.seconds, 'f', 2) + kThinSpace + unit.name,
                    {}});
    const double bytes = data.work == Work::Operator && segment.read
                             ? track.segments(engine::Lane::Memory)[*segment.read].data.bytes
                             : data.bytes;
    if (bytes > 0.0)
        rows.push_back({bytesName(data.work), bytesText(bytes), {}});
    if (data.bytes > 0.0) // what an operator reads beside its own work has a rate of its own
        rows.push_back({TimelineWords::tr("Rate"),
                        fourDigits(data.rate() / engine::units::GB) + kThinSpace + QStringLiteral("GB/s"),
                        {}});
    if (data.bound != engine::Bound::None)
        rows.push_back(
            {TimelineWords::tr("Limited by"), QString::fromUtf8(engine::boundLabel(data.bound)), {}});
    if (const auto from = operandsText(segment); !from.isEmpty())
        rows.push_back({TimelineWords::tr("Read from"), from, {}});
    if (const auto waited = track.waitedFor(lane, index); !waited.isEmpty())
        rows.push_back({TimelineWords::tr("Waited for"), waited, {}});
    return rows;
}

QString headline(const TimelineTracks& tracks) {
    if (tracks.empty())
        return {};
    const auto& own = tracks.front().step();
    if (tracks.size() == 1 || tracks[1].isStage())
        return TimelineWords::tr("Layer %1, step %2").arg(timeText(own.layerSeconds), timeText(own.seconds));
    const auto& base = tracks[1].step();
    const auto name = tracks[1].name();
    return TimelineWords::tr("Layer %1, %2 %3 (%4)")
        .arg(timeText(own.layerSeconds), gainText(own.layerSeconds, base.layerSeconds),
             name.left(1).toLower() + name.mid(1), timeText(base.layerSeconds));
}

QString timelineCsv(const TimelineTracks& tracks, const std::optional<TimeSpan>& within) {
    std::string out =
        "timeline,lane,work,operator,layer,start_us,end_us,bytes,operands,gb_per_s,bound,watts\n";
    for (const auto& track : tracks)
        for (const auto lane : track.lanes())
            for (const auto& segment : track.segments(lane)) {
                const auto& data = segment.data;
                if (within && (data.end <= within->from || data.start >= within->to))
                    continue;
                out += engine::csvField(track.name().toStdString()) + ',';
                out.append(engine::laneName(lane)).append(",").append(engine::workName(data.work));
                out.append(",").append(data.key).append(",");
                out += data.microbatch >= 0 ? "microbatch " + std::to_string(data.microbatch + 1)
                       : track.isStage()    ? std::string()
                       : data.layer < 0     ? std::string("head")
                                            : std::to_string(data.layer);
                for (const double value :
                     {data.start / engine::units::micro, data.end / engine::units::micro, data.bytes})
                    out += ',' + engine::exactText(value);
                out += ',' + operandsName(segment.operands).toStdString() + ',' +
                       engine::exactText(data.rate() / engine::units::GB) + ',';
                out.append(engine::boundName(data.bound)).append(",");
                out.append(data.work == Work::Power ? engine::exactText(data.watts) : std::string())
                    .append("\n");
            }
    return QString::fromStdString(out);
}

} // namespace heteroscape::widgets
