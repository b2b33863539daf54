// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_painter.h"

#include "widgets/plots/part_look.h"
#include "widgets/theme/lookup.h"
#include "widgets/timeline/timeline_text.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <array>
#include <cmath>

// The segments of a lane.

namespace heteroscape::widgets {

namespace {

using engine::Lane;
using engine::Work;

constexpr double kMergeBelow = 2.0;  ///< px
constexpr double kPatternFrom = 5.0; ///< px; narrower ones are plain
constexpr double kHitLine = 2.5;     ///< px, below what is a hit

/// The series of a work; the others have that of their phase. What belongs together has one hue: X-cache on
/// its way and in use, attention wherever it runs but the CPU.
constexpr Entry<Work, int> kWorkSeries[]{
    {Work::AllReduce, 3},     {Work::Collective, 3},     {Work::QkvTransfer, 3},
    {Work::Activations, 3},   {Work::FfnElsewhere, 1},   {Work::Shares, 1},
    {Work::Pipeline, 1},      {Work::WeightTransfer, 1}, {Work::Draft, 6},
    {Work::HostAttention, 6}, {Work::Prefetch, 4},       {Work::KvRead, 4},
    {Work::Read, 5},          {Work::KvWrite, 5},        {Work::NearStorageAttention, 0},
    {Work::Microbatch, 0},    {Work::XTransfer, 7},      {Work::Regenerate, 7}};

ChartColor workColor(Work work, engine::Phase phase) {
    if (work == Work::Waiting)
        return ChartColor::role(ColorRole::Muted);
    return ChartColor::series(
        lookUp(kWorkSeries, work, phase == engine::Phase::Prefill ? kPrefillSeries : kDecodeSeries));
}

/// What microbatches do in the stages of a pipeline has a hue for each of them.
ChartColor segmentColor(const TrackSegment& what, engine::Phase phase) {
    constexpr std::array kHues{0, 2, 3, 4, 7};
    return what.data.microbatch < 0
               ? workColor(what.data.work, phase)
               : ChartColor::series(kHues[static_cast<std::size_t>(what.data.microbatch) % kHues.size()]);
}

/// Pale and hatched: what waits for, or is, a read that nothing hid; X-cache before it is used; what a
/// stage of a pipeline waits for, and what it sends.
bool isPale(const TrackSegment& what) {
    return (what.data.microbatch >= 0 && what.data.work == Work::Activations) ||
           what.operands == Operands::Missed || what.data.work == Work::Read ||
           what.data.work == Work::XTransfer || what.data.work == Work::Pipeline ||
           what.data.work == Work::Waiting;
}

double luminance(const QColor& color) {
    const auto linear = [](double part) {
        return part <= 0.04045 ? part / 12.92 : std::pow((part + 0.055) / 1.055, 2.4);
    };
    return 0.2126 * linear(color.redF()) + 0.7152 * linear(color.greenF()) + 0.0722 * linear(color.blueF());
}

double contrast(const QColor& a, const QColor& b) {
    const double x = luminance(a) + 0.05, y = luminance(b) + 0.05;
    return std::max(x, y) / std::min(x, y);
}

QColor mixed(const QColor& top, const QColor& below, double share) {
    const auto mix = [share](double a, double b) { return a * share + b * (1.0 - share); };
    return QColor::fromRgbF(static_cast<float>(mix(top.redF(), below.redF())),
                            static_cast<float>(mix(top.greenF(), below.greenF())),
                            static_cast<float>(mix(top.blueF(), below.blueF())));
}

/// Lines from lower left to upper right, drawn one by one so that vector files keep them as lines.
void hatch(QPainter& painter, const QRectF& rect, const QColor& color) {
    painter.save();
    painter.setClipRect(rect, Qt::IntersectClip);
    painter.setPen(QPen(color, 1.0));
    for (double x = rect.left() - rect.height(); x < rect.right(); x += 5.0)
        painter.drawLine(QPointF(x, rect.bottom()), QPointF(x + rect.height(), rect.top()));
    painter.restore();
}

} // namespace

void TimelinePainter::segments(const TimelineTrack& track, Lane lane, const QRectF& rect, TimeSpan span,
                               bool plain) {
    const auto all = track.segments(lane);
    const auto [first, last] = track.within(lane, span);
    const double scale = rect.width() / span.length();
    const auto x = [&](double seconds) { return rect.left() + (seconds - span.from) * scale; };
    const auto phase = track.step().phase;
    for (std::size_t i = first; i < last;) {
        const double left = x(all[i].data.start);
        if (x(all[i].data.end) - left >= kMergeBelow) {
            segment(all[i], phase, QRectF(left, rect.top(), x(all[i].data.end) - left, rect.height()), plain);
            ++i;
            continue;
        }
        // What is narrower than that is drawn together with its neighbours.
        std::array<double, engine::kWorkCount> filled{}; // px by Work
        std::array<std::size_t, engine::kWorkCount> example{};
        double right = left;
        double covered = 0.0;
        for (; i < last && x(all[i].data.start) < left + kMergeBelow; ++i) {
            const double width = x(all[i].data.end) - x(all[i].data.start);
            if (width >= kMergeBelow)
                break;
            const auto work = static_cast<std::size_t>(all[i].data.work);
            filled[work] += width;
            if (filled[work] == width ||
                width > x(all[example[work]].data.end) - x(all[example[work]].data.start))
                example[work] = i;
            covered += width;
            right = x(all[i].data.end);
        }
        double width = std::max(kMergeBelow, right - left);
        if (i < last)
            width = std::min(width, x(all[i].data.start) - left);
        if (width <= 0.0)
            continue;
        const auto most =
            static_cast<std::size_t>(std::max_element(filled.begin(), filled.end()) - filled.begin());
        auto color = plain ? m_style.color(segmentColor(all[example[most]], phase))
                           : fillOf(all[example[most]], phase, true);
        color.setAlphaF(static_cast<float>(std::clamp(covered / width, 0.25, 1.0)));
        m_painter.fillRect(QRectF(left, rect.top(), width, rect.height()), color);
    }
}

QColor TimelinePainter::fillOf(const TrackSegment& what, engine::Phase phase, bool narrow) const {
    const auto color = m_style.color(segmentColor(what, phase));
    return isPale(what) ? mixed(color, m_style.role(ColorRole::Surface), narrow ? 0.6 : 0.3) : color;
}

void TimelinePainter::segment(const TrackSegment& what, engine::Phase phase, const QRectF& whole,
                              bool plain) {
    const auto color = m_style.color(segmentColor(what, phase));
    if (plain) {
        m_painter.fillRect(whole, color);
        return;
    }
    // Out of L2: full, on a line in the colour of the prefetch.
    const bool wide = whole.width() >= kPatternFrom;
    const auto rect = wide ? whole.adjusted(0, 0, -1, 0) : whole; // a gap between neighbours
    const auto fill = fillOf(what, phase, !wide);
    m_painter.fillRect(rect, fill);
    if (!wide)
        return;
    if (isPale(what)) {
        hatch(m_painter, rect, mixed(color, fill, 0.55));
        m_painter.setPen(QPen(color, 1.0));
        m_painter.setBrush(Qt::NoBrush);
        m_painter.drawRect(rect.adjusted(0.5, 0.5, -0.5, -0.5));
    }
    if (what.operands == Operands::Hit)
        m_painter.fillRect(QRectF(rect.left(), rect.bottom() - kHitLine, rect.width(), kHitLine),
                           m_style.color(workColor(Work::Prefetch, phase)));
    name(what, rect, fill);
}

void TimelinePainter::name(const TrackSegment& what, const QRectF& rect, const QColor& fill) {
    // In what can be seen of the segment; in full, else in short, else not at all.
    const auto seen =
        rect.intersected(QRectF(m_layout.lanes.left(), rect.top(), m_layout.lanes.width(), rect.height()));
    auto text = what.data.microbatch < 0 ? QString::fromUtf8(what.data.label) : segmentTitle(what.data);
    const auto width = [&] { return m_painter.fontMetrics().horizontalAdvance(text) + 6.0; };
    if (width() > seen.width())
        text = shortName(what.data);
    if (text.isEmpty() || width() > seen.width())
        return;
    if (isPale(what)) { // off the hatching
        QRectF behind(0, 0, width(), rect.height() - 2.0);
        behind.moveCenter(seen.center());
        m_painter.fillRect(behind, fill);
    }
    const auto light = m_style.role(ColorRole::OnAccent), dark = m_style.role(ColorRole::Text);
    m_painter.setPen(contrast(light, fill) > contrast(dark, fill) ? light : dark);
    m_painter.drawText(what.operands == Operands::Hit ? seen.adjusted(0, 0, 0, -kHitLine) : seen,
                       Qt::AlignCenter, text);
}

void TimelinePainter::swatch(const LegendKey& key, const QRectF& rect) {
    TrackSegment sample;
    sample.data.work = key.work;
    sample.operands = key.operands;
    segment(sample, m_tracks.front().step().phase, rect, false);
}

} // namespace heteroscape::widgets
