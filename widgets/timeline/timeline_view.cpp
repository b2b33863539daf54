// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/timeline/timeline_view.h"

#include "widgets/timeline/timeline_painter.h"
#include "widgets/timeline/timeline_text.h"

#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kClosest = 2e-3;     ///< of a layer
constexpr double kLayerMargin = 1.02; ///< so that the end of a layer can be seen

} // namespace

TimelineView::TimelineView(QWidget* parent) : QWidget(parent), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setAccessibleName(tr("Timeline"));
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        relayOut();
        m_readOut->clear();
        update();
    });
}

void TimelineView::setTracks(TimelineTracks tracks, bool keepView) {
    m_tracks = std::move(tracks);
    m_walked.reset();
    m_readOut->clear();
    relayOut();
    updateGeometry();
    if (m_tracks.empty())
        return;
    if (keepView && m_chosen)
        apply(m_view);
    else
        fitLayer();
    updateName();
}

void TimelineView::updateName() {
    setAccessibleDescription(headline(m_tracks));
}

void TimelineView::relayOut() {
    TimelineLayoutOptions options;
    options.width = width();
    options.height = height();
    m_layout = layOut(m_tracks, options);
}

void TimelineView::apply(TimeSpan view) {
    m_view = clamped(view, {0.0, endOf(m_tracks)}, kClosest * layerOf(m_tracks));
    update();
    emit viewChanged();
}

void TimelineView::setView(TimeSpan view) {
    chooseView(view);
}

void TimelineView::chooseView(TimeSpan view) {
    if (m_tracks.empty())
        return;
    m_chosen = true;
    m_readOut->clear();
    apply(view);
}

void TimelineView::fitLayer() {
    if (m_tracks.empty())
        return;
    m_readOut->clear();
    m_chosen = false; // another design opens at its own first layer
    apply({0.0, kLayerMargin * layerOf(m_tracks)});
}

void TimelineView::fitStep() {
    chooseView({0.0, endOf(m_tracks)});
}

void TimelineView::zoom(double factor, double atSeconds) {
    chooseView(zoomed(m_view, factor, atSeconds, {0.0, endOf(m_tracks)}, kClosest * layerOf(m_tracks)));
}

QRectF TimelineView::rectOf(std::size_t track, engine::Lane lane, std::size_t index) const {
    for (const auto& row : m_layout.rows)
        if (row.track == track && row.lane == lane) {
            const auto& what = m_tracks.at(track).segments(lane)[index].data;
            const double left = m_layout.xOf(what.start, m_view);
            return {left, row.plot.top(), m_layout.xOf(what.end, m_view) - left, row.plot.height()};
        }
    return {};
}

QSize TimelineView::sizeHint() const {
    TimelineLayoutOptions options;
    options.width = 800;
    return {800, static_cast<int>(std::ceil(layOut(m_tracks, options).height))};
}

QSize TimelineView::minimumSizeHint() const {
    // Without the legend, unless there is a scroll bar anyway.
    TimelineLayoutOptions options;
    options.width = width();
    const double whole = layOut(m_tracks, options).height;
    options.height = 1;
    const double lanes = layOut(m_tracks, options).height;
    const bool scrolls = parentWidget() && parentWidget()->height() < lanes;
    return {360, static_cast<int>(std::ceil(scrolls ? whole : lanes))};
}

void TimelineView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::instance();
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
    if (!m_tracks.empty())
        TimelinePainter(painter, m_tracks, m_layout, m_view, {}).paint();
    if (hasFocus()) {
        painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
        painter.setBrush(Qt::NoBrush);
        if (m_walked) {
            const auto& row = m_layout.rows[m_walked->row];
            painter.drawRect(rectOf(row.track, *row.lane, m_walked->segment)
                                 .adjusted(-1, 0, 1, 0)
                                 .intersected(row.plot.adjusted(-1, 0, 1, 0)));
        }
        painter.setBrush(Qt::NoBrush);
        painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
    }
}

void TimelineView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_readOut->resize(size());
    m_readOut->clear();
    relayOut();
}

} // namespace heteroscape::widgets
