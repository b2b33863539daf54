// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_view.h"

#include "widgets/requests/requests_text.h"

#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <algorithm>
#include <cmath>

// What mouse and keyboard do.

namespace heteroscape::widgets {

namespace {

constexpr double kReach = 2.0; ///< px from the cursor to what it means

} // namespace

void RequestsView::clickTwice(QPointF at) {
    if (const auto found = segmentAt(at))
        zoomTo(m_lanes->segment(*found));
}

std::optional<std::size_t> RequestsView::segmentAt(QPointF at) const {
    if (isEmpty() || !m_layout.lanes.contains(at))
        return {};
    const auto lane = m_layout.laneAt(at.y());
    if (!lane)
        return {};
    const double pixel = view().length() / m_layout.lanes.width();
    return m_lanes->at(*lane, m_layout.secondsAt(at.x(), view()), kReach * pixel);
}

void RequestsView::click(QPointF at) {
    m_walked.reset();
    const auto found = segmentAt(at);
    if (!found) {
        markRequest({});
        return;
    }
    const auto& segment = m_lanes->segment(*found);
    const auto now = markedRequest();
    // One of a marked batch stays the one that is marked.
    if (!now || *now < segment.request || *now > m_lanes->lastRequest(segment))
        markRequest(segment.request);
}

void RequestsView::hover(QPointF at) {
    if (const auto found = segmentAt(at))
        readOutSegment(*found, at);
    else
        clearReadOut();
}

void RequestsView::readOutSegment(std::size_t index, QPointF at) {
    const auto& segment = m_lanes->segment(index);
    present(readOutHeading(*m_lanes, segment), readOutRows(*m_lanes, segment), at);
}

void RequestsView::walkLanes(int step) {
    const auto count = static_cast<int>(m_lanes->lanes().size());
    int lane = m_walked   ? static_cast<int>(m_lanes->segment(*m_walked).lane)
               : step > 0 ? static_cast<int>(m_layout.seen().first) - 1
                          : static_cast<int>(m_layout.seen().second);
    const double time = m_walked ? m_lanes->segment(*m_walked).start : view().from;
    for (lane += step; lane >= 0 && lane < count; lane += step) {
        const auto [first, last] = m_lanes->bins().of(static_cast<std::size_t>(lane));
        if (first == last)
            continue;
        m_walked = std::min(m_lanes->bins().firstEndingAfter(static_cast<std::size_t>(lane), time), last - 1);
        showWalked();
        return;
    }
}

void RequestsView::walkSegments(int step) {
    if (!m_walked) {
        walkLanes(1);
        return;
    }
    const auto [first, last] = m_lanes->bins().of(m_lanes->segment(*m_walked).lane);
    if (step > 0 ? *m_walked + 1 < last : *m_walked > first)
        m_walked = step > 0 ? *m_walked + 1 : *m_walked - 1;
    showWalked();
}

void RequestsView::showWalked() {
    const auto& what = m_lanes->segment(*m_walked);
    const double length = view().length();
    const double seen = std::min(what.end, view().to) - std::max(what.start, view().from);
    if (seen < 0.5 * std::min(what.end - what.start, length)) { // at the same zoom
        const bool fits = what.end - what.start < length;
        const double from = fits ? (what.start + what.end - length) / 2.0 : what.start - 0.1 * length;
        setView({from, from + length});
    }
    scrollTo(what.lane);
    const auto rect = rectOf(*m_walked).intersected(m_layout.lanes);
    readOutSegment(*m_walked, rect.center());
    setAccessibleDescription(readOut().heading());
    update();
}

bool RequestsView::enter(bool zooms) {
    if (!m_walked)
        return false;
    const auto& segment = m_lanes->segment(*m_walked);
    if (zooms)
        zoomTo(segment);
    else
        markRequest(segment.request);
    return true;
}

bool RequestsView::escape() {
    if (!m_marked && !m_walked && !readOut().isPresented())
        return false;
    m_walked.reset();
    clearReadOut();
    markRequest({});
    updateName();
    update();
    return true;
}

namespace {

constexpr double kDimmed = 0.45;
constexpr double kAround = 0.08;  ///< of what is zoomed to, on either side
constexpr double kTiny = 0.02;    ///< of the view: too narrow to be looked at
constexpr double kClosest = 2e-6; ///< s
constexpr int kLeastDots = 2;     ///< px of a lane in the overview

} // namespace

RequestsView::RequestsView(QWidget* parent)
    : LanesView(parent), m_scroll(new QScrollBar(Qt::Vertical, this)) {
    setAccessibleName(tr("Requests over devices"));
    m_scroll->setAccessibleName(tr("Scroll through the lanes"));
    m_scroll->setFocusPolicy(Qt::NoFocus);
    m_scroll->hide();
    connect(m_scroll, &QScrollBar::valueChanged, this, [this](int value) {
        m_layout.scroll = value;
        clearReadOut();
        update();
    });
}

void RequestsView::setLanes(std::shared_ptr<const RequestLanes> lanes, bool keepView) {
    const auto marked = keepView ? markedRequest() : std::nullopt;
    const bool wasMarked = m_marked.has_value();
    m_lanes = std::move(lanes);
    m_marked.reset();
    m_walked.reset();
    dropGesture();
    if (!keepView)
        forgetView();
    if (!isViewChosen())
        m_scroll->setValue(0);
    clearReadOut();
    relayOut();
    update();
    if (isViewChosen() && !isEmpty())
        keepSpan();
    else
        showAll();
    if (!(marked && markRequest(marked)) && wasMarked)
        emit requestMarked({});
    updateName();
}

void RequestsView::updateName() {
    setAccessibleDescription(!m_lanes   ? QString()
                             : m_marked ? storyText(*m_lanes, m_marked->request)
                                        : runText(*m_lanes));
}

void RequestsView::relayOut() {
    m_overview = {};
    if (isEmpty()) {
        m_scroll->hide();
        m_layout = {};
        return;
    }
    RequestsLayoutOptions options;
    options.width = width();
    options.height = height();
    options.scroll = m_scroll->value();
    m_layout = layOut(*m_lanes, options);
    const bool scrolls = m_layout.scrollMost() > 0.0;
    const int bar = m_scroll->sizeHint().width();
    if (scrolls) { // beside the busy column
        options.width = width() - bar;
        m_layout = layOut(*m_lanes, options);
        const auto& lanes = m_layout.lanes;
        m_scroll->setGeometry(QRectF(width() - bar, lanes.top(), bar, lanes.height()).toRect());
        m_scroll->setPageStep(static_cast<int>(lanes.height()));
        m_scroll->setSingleStep(static_cast<int>(m_layout.rowHeight));
    }
    m_scroll->setRange(0, static_cast<int>(std::ceil(m_layout.scrollMost())));
    m_scroll->setVisible(scrolls);
    m_layout.scroll = std::min<double>(m_scroll->value(), m_layout.scrollMost());
}

double RequestsView::closest() const {
    return kClosest;
}

void RequestsView::showAll() {
    if (!isEmpty())
        lookAt(whole());
}

void RequestsView::goToEnd() {
    setView({whole().to - view().length(), whole().to});
}

void RequestsView::zoomTo(const engine::ServingSegment& segment) {
    const double around = kAround * (segment.end - segment.start);
    setView({segment.start - around, segment.end + around});
}

void RequestsView::scrollTo(std::size_t lane) {
    const auto row = m_layout.rowOf(lane);
    if (row.top() < m_layout.lanes.top())
        m_scroll->setValue(static_cast<int>(std::floor(m_layout.tops[lane])));
    else if (row.bottom() > m_layout.lanes.bottom())
        m_scroll->setValue(
            static_cast<int>(std::ceil(m_layout.tops[lane] + m_layout.rowHeight - m_layout.lanes.height())));
}

bool RequestsView::markRequest(std::optional<std::uint32_t> request) {
    if (request == markedRequest())
        return request.has_value();
    std::optional<MarkedRequest> marked;
    if (request && !isEmpty()) {
        auto segments = m_lanes->segmentsOf(*request);
        if (!segments.empty())
            marked = MarkedRequest{*request, m_lanes->arrivalOf(*request), std::move(segments)};
    }
    const bool changes = m_marked || marked;
    m_marked = std::move(marked);
    if (changes) {
        updateName();
        update();
        emit requestMarked(markedRequest());
    }
    return m_marked.has_value();
}

std::optional<std::uint32_t> RequestsView::markedRequest() const {
    return m_marked ? std::optional(m_marked->request) : std::nullopt;
}

bool RequestsView::showRequest(std::uint32_t request) {
    if (!markRequest(request))
        return false;
    const auto& first = m_lanes->segment(m_marked->segments.front());
    double end = first.end;
    for (const auto index : m_marked->segments)
        end = std::max(end, m_lanes->segment(index).end);
    // From its first work: a long wait before it would leave no room for it.
    const double length = end - first.start;
    const bool tiny = length < kTiny * view().length();
    if (tiny || first.start < view().from || end > view().to) {
        const double around = (tiny ? 1.5 : kAround) * length; // with some of its neighbours
        setView({first.start - around, end + around});
    }
    scrollTo(m_lanes->segment(m_marked->segments.back()).lane);
    scrollTo(first.lane);
    return true;
}

void RequestsView::setDimmed(bool dimmed) {
    if (dimmed == m_dimmed)
        return;
    m_dimmed = dimmed;
    update();
}

QRectF RequestsView::rectOf(std::size_t index) const {
    const auto& what = m_lanes->segment(index);
    const auto row = m_layout.rowOf(what.lane);
    const double left = m_layout.xOf(what.start, view());
    return {left, row.top(), m_layout.xOf(what.end, view()) - left, row.height()};
}

QSize RequestsView::sizeHint() const {
    return {800, 200};
}

QSize RequestsView::minimumSizeHint() const {
    return {360, 96};
}

void RequestsView::paintLanes(QPainter& painter) {
    const auto ratio = devicePixelRatioF();
    const auto dots = (m_layout.overview.size() * ratio).toSize();
    if (m_overview.size() != dots)
        m_overview = overviewPicture(*m_lanes, dots, static_cast<int>(std::ceil(kLeastDots * ratio)), {});
    if (m_dimmed)
        painter.setOpacity(kDimmed);
    RequestsPainter lanes(painter, *m_lanes, m_layout, view(), {}, marked());
    lanes.paint();
    lanes.overview(m_overview);
    m_rectangles = lanes.rectangles();
    painter.setOpacity(1.0);
}

QRectF RequestsView::walkedRect() const {
    if (!m_walked)
        return {};
    return rectOf(*m_walked).adjusted(-1, 0, 1, 0).intersected(m_layout.lanes.adjusted(-1, 0, 1, 0));
}

} // namespace heteroscape::widgets

#include "moc_requests_view.cpp"
