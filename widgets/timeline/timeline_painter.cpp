// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_painter.h"

#include "engine/exporters/timeline_export.h"
#include "widgets/plots/chart_export.h"
#include "widgets/plots/chart_style.h"
#include "widgets/theme/plain_text.h"
#include "widgets/timeline/timeline_text.h"

#include <QCoreApplication>
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
    {Work::Microbatch, 0},    {Work::XTransfer, 7},      {Work::Regenerate, 7},
    {Work::Power, 7}};

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
    // Power is as high as what is drawn.
    const auto box = [&](double left, double width, double watts) {
        const double high = lane == Lane::Power ? rect.height() * watts / track.mostWatts() : rect.height();
        return QRectF(left, rect.bottom() - high, width, high);
    };
    for (std::size_t i = first; i < last;) {
        const double left = x(all[i].data.start);
        if (x(all[i].data.end) - left >= kMergeBelow) {
            segment(all[i], phase, box(left, x(all[i].data.end) - left, all[i].data.watts), plain);
            ++i;
            continue;
        }
        // What is narrower than that is drawn together with its neighbours.
        std::array<double, engine::kWorkCount> filled{}; // px by Work
        std::array<std::size_t, engine::kWorkCount> example{};
        double right = left;
        double covered = 0.0, joules = 0.0; // in px
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
            joules += width * all[i].data.watts;
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
        m_painter.fillRect(box(left, width, joules / std::max(covered, 1e-9)), color);
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
    auto text = what.data.microbatch < 0 && what.data.work != Work::Power ? QString::fromUtf8(what.data.label)
                                                                          : segmentTitle(what.data);
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

namespace {

constexpr ChartStyle kStyle{.exported = true};

} // namespace

QByteArray renderTimeline(const TimelineTracks& tracks, TimeSpan view, ImageFormat format,
                          const ImageSize& size) {
    TimelineLayoutOptions options;
    options.width = pictureWidth(size.widthMm);
    options.overview = false;
    options.style = kStyle;
    const auto layout = layOut(tracks, options);
    const QSize logical(static_cast<int>(options.width), static_cast<int>(std::ceil(layout.height)) + 2);
    return renderPicture(
        format, size, QCoreApplication::translate("TimelineExport", "Timeline"), logical,
        [&](QPainter& painter) { TimelinePainter(painter, tracks, layout, view, kStyle).paint(); });
}

void exportTimeline(const TimelineTracks& tracks, TimeSpan view, const QString& path, const ImageSize& size) {
    writePicture(path, renderTimeline(tracks, view, imageFormatOf(path), size));
}

QString timelineTrace(const TimelineTracks& tracks) {
    std::vector<std::pair<std::string, engine::StepTimeline>> processes;
    for (const auto& track : tracks)
        if (!track.isStage()) // the step has them
            processes.emplace_back(track.step().name + ": " + track.name().toStdString(), track.step());
    return QString::fromStdString(engine::chromeTrace(processes));
}

namespace {

constexpr double kLeastSpan = 2.0;    ///< px of a layer worth a bracket
constexpr double kLayerPixels = 14.0; ///< from which a layer is shown by itself

struct TimelinePainterText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::TimelinePainter)
};

} // namespace

TimelinePainter::TimelinePainter(QPainter& painter, const TimelineTracks& tracks,
                                 const TimelineLayout& layout, TimeSpan view, ChartStyle style)
    : LanesPainter(painter, layout, view, style), m_tracks(tracks), m_layout(layout) {}

void TimelinePainter::paint() {
    m_painter.setFont(m_style.font());
    axis(m_layout.lanes.bottom());
    for (const auto& row : m_layout.rows)
        row.lane ? lane(row) : title(row);
    if (!m_layout.overview.isEmpty())
        overview();
    legend();
}

void TimelinePainter::place(const QRectF& row, double indent, const QString& text) {
    const auto box = labelBox(row, indent);
    if (m_painter.fontMetrics().horizontalAdvance(text) > box.width())
        return; // the read-out has it
    m_painter.setPen(m_style.role(ColorRole::Muted));
    m_painter.drawText(box, Qt::AlignLeft | Qt::AlignVCenter, text);
}

void TimelinePainter::boundaries(const TimelineTrack& track, const QRectF& row) {
    const double layer = track.step().layerSeconds;
    if (layer / m_view.length() * row.width() < kLayerPixels)
        return;
    m_painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1.0), Qt::DotLine));
    for (double i = std::max(1.0, std::ceil(m_view.from / layer));
         i <= track.step().layers && i * layer <= m_view.to; i += 1.0) {
        const double x = m_layout.xOf(i * layer, m_view);
        m_painter.drawLine(QPointF(x, row.top()), QPointF(x, row.bottom()));
    }
}

void TimelinePainter::title(const TimelineLayout::Row& row) {
    const auto& track = m_tracks[row.track];
    label(row.plot, track.name(), 0.0, true);
    layers(track, row.plot);
}

void TimelinePainter::layers(const TimelineTrack& track, const QRectF& row) {
    const auto& step = track.step();
    const auto span = [&](double from, double to, QString text, const QString& brief = {}) {
        const double left = std::max(m_layout.xOf(from, m_view), row.left());
        const double right = std::min(m_layout.xOf(to, m_view), row.right());
        if (right - left < kLeastSpan)
            return;
        m_painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1.0)));
        const double middle = row.top() + row.height() / 2.0;
        const auto advance = [&] { return m_painter.fontMetrics().horizontalAdvance(text); };
        if (!brief.isEmpty() && right - left <= advance() + 16.0)
            text = brief;
        const double width = advance();
        const double gap = right - left > width + 16.0 ? width / 2.0 + 5.0 : 0.0;
        const double centre = (left + right) / 2.0;
        m_painter.drawLine(QPointF(left + 1, middle), QPointF(centre - gap, middle));
        m_painter.drawLine(QPointF(centre + gap, middle), QPointF(right - 1, middle));
        for (const double end : {from, to})
            if (const double x = m_layout.xOf(end, m_view); x >= row.left() && x <= row.right())
                m_painter.drawLine(QPointF(x, middle - 4.0), QPointF(x, row.bottom()));
        if (gap > 0.0) {
            m_painter.setPen(m_style.role(ColorRole::Text2));
            m_painter.drawText(QRectF(left, row.top(), right - left, row.height()), Qt::AlignCenter, text);
        }
    };
    const double layer = step.layerSeconds;
    const double end = std::min(step.layers * layer, step.seconds);
    const double pixels = layer / m_view.length() * row.width();
    if (pixels < kLayerPixels) {
        span(0.0, end, TimelinePainterText::tr("%1 layers, %2").arg(step.layers).arg(timeText(end)));
    } else {
        const double first = std::max(0.0, std::floor(m_view.from / layer));
        for (double i = first; i < step.layers && i * layer < m_view.to; i += 1.0) {
            auto text = TimelinePainterText::tr("Layer %1").arg(i + 1.0);
            if (pixels > 150.0)
                text = TimelinePainterText::tr("Layer %1: %2").arg(i + 1.0).arg(timeText(layer));
            span(i * layer, (i + 1.0) * layer, text, QString::number(i + 1.0));
        }
    }
    if (step.seconds > end * (1.0 + 1e-9))
        span(end, step.seconds, TimelinePainterText::tr("Head"));
}

void TimelinePainter::lane(const TimelineLayout::Row& row) {
    const auto& track = m_tracks[row.track];
    const auto title = laneTitle(track.step(), *row.lane);
    label(row.plot, title, kLaneIndent);
    place(row.plot, kLaneIndent + m_painter.fontMetrics().horizontalAdvance(title) + kPlaceGap,
          lanePlace(track.step(), *row.lane));
    boundaries(track, row.plot);
    ruleBelow(row.plot, ColorRole::Grid);
    busy(row.plot, track.busy(*row.lane));
    m_painter.save();
    m_painter.setClipRect(row.plot, Qt::IntersectClip);
    segments(track, *row.lane, row.plot.adjusted(0, 1, 0, -2), m_view, false);
    m_painter.restore();
}

void TimelinePainter::overview() {
    const auto& strip = m_layout.overview;
    const double end = endOf(m_tracks);
    label(strip, TimelinePainterText::tr("Step, %1").arg(timeText(end)));
    m_painter.fillRect(strip, m_style.role(ColorRole::Sunken));
    std::size_t lanes = 0;
    for (const auto& track : m_tracks)
        lanes += track.lanes().size();
    const double height = (strip.height() - 4.0) / static_cast<double>(std::max<std::size_t>(lanes, 1));
    double y = strip.top() + 2.0;
    for (const auto& track : m_tracks)
        for (const auto lane : track.lanes()) {
            segments(track, lane, QRectF(strip.left(), y, strip.width(), std::max(1.0, height - 1.0)),
                     {0.0, end}, true);
            y += height;
        }
    window({0.0, end});
}

void TimelinePainter::legend() {
    for (const auto& entry : m_layout.legend) {
        const QRectF box(entry.rect.left(), entry.rect.center().y() - 5.5, 16.0, 11.0);
        swatch(entry.key, box);
        m_painter.setPen(m_style.role(ColorRole::Text2));
        m_painter.drawText(entry.rect.adjusted(21.0, 0, 4, 0), Qt::AlignLeft | Qt::AlignVCenter, entry.label);
    }
}

} // namespace heteroscape::widgets
