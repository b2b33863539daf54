// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/lanes/lanes_view.h"

#include "widgets/theme/theme.h"

#include <QApplication>
#include <QKeyEvent>
#include <QMouseEvent>
#include <QPainter>
#include <QScrollBar>
#include <QWheelEvent>

#include <algorithm>
#include <cmath>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr double kGrabMargin = 4.0; ///< px around the overview's window
constexpr double kNotch = 120.0;    ///< of a wheel

} // namespace

LanesView::LanesView(QWidget* parent) : DrawnWidget(parent), m_readOut(new ReadOut(this)) {
    setMouseTracking(true);
    setFocusPolicy(Qt::StrongFocus);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Expanding);
    connect(&Theme::instance(), &Theme::changed, this, [this] {
        relayOut();
        m_readOut->clear();
        update();
    });
}

// The stretch of time
// -----------------------------------------------------------------------------------------------------------

void LanesView::apply(TimeSpan view) {
    m_view = clamped(view, whole(), closest());
    update();
    emit viewChanged();
}

void LanesView::setView(TimeSpan view) {
    if (isEmpty())
        return;
    m_chosen = true;
    m_readOut->clear();
    apply(view);
}

void LanesView::lookAt(TimeSpan view) {
    if (isEmpty())
        return;
    m_chosen = false;
    m_readOut->clear();
    apply(view);
}

void LanesView::keepSpan() {
    apply(m_view);
}

void LanesView::zoom(double factor, double atSeconds) {
    if (!isEmpty())
        setView(zoomed(m_view, factor, atSeconds, whole(), closest()));
}

// The mouse
// -----------------------------------------------------------------------------------------------------------

void LanesView::wheelEvent(QWheelEvent* event) {
    if (isEmpty())
        return;
    const auto turn = event->angleDelta();
    const auto at = event->position();
    const auto& layout = lanesLayout();
    // Sideways, or with Shift (which some platforms turn into sideways themselves): moves.
    const int sideways = turn.x() != 0                                    ? turn.x()
                         : event->modifiers().testFlag(Qt::ShiftModifier) ? turn.y()
                                                                          : 0;
    if (sideways != 0) {
        setView(moved(m_view, -sideways / kNotch * kKeyMove * m_view.length()));
    } else if (auto* bar = scroller(); bar && at.x() < layout.lanes.left()) {
        bar->setValue(bar->value() - static_cast<int>(turn.y() * bar->singleStep() * 3 / kNotch));
    } else if (turn.y() != 0) {
        const double x = std::clamp(at.x(), layout.lanes.left(), layout.lanes.right());
        zoom(std::pow(kWheelZoom, -turn.y() / kNotch), layout.secondsAt(x, m_view));
    }
    hover(at);
    event->accept();
}

void LanesView::point(QMouseEvent& event) {
    const bool left = event.button() == Qt::LeftButton;
    switch (event.type()) {
    case QEvent::MouseButtonPress:
        if (isEmpty() || (!left && event.button() != Qt::MiddleButton))
            return event.ignore();
        return press(event);
    case QEvent::MouseButtonRelease: {
        const auto was = std::exchange(m_drag, Drag::None);
        if (was == Drag::None)
            return;
        unsetCursor();
        if (was == Drag::Press)
            click(event.position());
        return hover(event.position());
    }
    case QEvent::MouseButtonDblClick:
        dropGesture(); // the second release is no click
        if (left)
            clickTwice(event.position());
        return;
    default:
        return drag(event.position());
    }
}

void LanesView::press(const QMouseEvent& event) {
    const auto at = event.position();
    const auto& layout = lanesLayout();
    m_dragFrom = at;
    if (layout.overview.contains(at)) {
        const auto window = windowIn(layout.overview, m_view, whole());
        if (!window.adjusted(-kGrabMargin, 0, kGrabMargin, 0).contains(at)) { // comes to the click first
            const double share = (at.x() - layout.overview.left()) / layout.overview.width();
            const double middle = whole().from + share * whole().length();
            setView({middle - m_view.length() / 2.0, middle + m_view.length() / 2.0});
        }
        m_drag = Drag::Window;
    } else if (layout.lanes.contains(at)) {
        m_drag = event.button() == Qt::LeftButton ? Drag::Press : Drag::Pan;
    }
    m_dragView = m_view;
    m_dragScroll = scroller() ? scroller()->value() : 0;
}

void LanesView::drag(QPointF at) {
    const auto way = at - m_dragFrom;
    if (m_drag == Drag::Press && way.manhattanLength() >= QApplication::startDragDistance()) {
        m_drag = Drag::Pan;
        m_readOut->clear();
    }
    switch (m_drag) {
    case Drag::None:
        hover(at);
        return;
    case Drag::Press:
        return;
    case Drag::Pan:
        setCursor(Qt::ClosedHandCursor);
        if (auto* bar = scroller())
            bar->setValue(m_dragScroll - static_cast<int>(std::lround(way.y())));
        setView(moved(m_dragView, -way.x() / lanesLayout().lanes.width() * m_dragView.length()));
        return;
    case Drag::Window:
        setView(moved(m_dragView, way.x() / lanesLayout().overview.width() * whole().length()));
        return;
    }
}

void LanesView::present(const QString& heading, std::vector<ReadOut::Row> rows, QPointF at) {
    const auto& lanes = lanesLayout().lanes;
    m_readOut->present(heading, std::move(rows), at, {}, true, lanes.top(), lanes.bottom());
    m_readOut->raise();
}

// The keyboard
// -----------------------------------------------------------------------------------------------------------

bool LanesView::walkKey(const QKeyEvent& event) {
    const bool control = event.modifiers().testFlag(Qt::ControlModifier);
    switch (event.key()) {
    case Qt::Key_Up:
        walkLanes(-1);
        return true;
    case Qt::Key_Down:
        walkLanes(1);
        return true;
    case Qt::Key_Left:
    case Qt::Key_Right:
        if (control)
            walkSegments(event.key() == Qt::Key_Left ? -1 : 1);
        return control;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        return enter(event.modifiers().testFlag(Qt::ShiftModifier));
    case Qt::Key_Escape:
        return escape();
    default:
        return false;
    }
}

void LanesView::keyPressEvent(QKeyEvent* event) {
    if (!isEmpty() && walkKey(*event))
        return;
    const double middle = (m_view.from + m_view.to) / 2.0;
    const double by = kKeyMove * m_view.length();
    switch (isEmpty() ? Qt::Key_unknown : event->key()) {
    case Qt::Key_Left:
        setView(moved(m_view, -by));
        return;
    case Qt::Key_Right:
        setView(moved(m_view, by));
        return;
    case Qt::Key_Plus:
    case Qt::Key_Equal:
        zoom(1.0 / kKeyZoom, middle);
        return;
    case Qt::Key_Minus:
        zoom(kKeyZoom, middle);
        return;
    case Qt::Key_Home:
        goHome();
        return;
    case Qt::Key_End:
        goToEnd();
        return;
    case Qt::Key_PageUp:
    case Qt::Key_PageDown:
        if (auto* bar = scroller()) {
            bar->triggerAction(event->key() == Qt::Key_PageUp ? QAbstractSlider::SliderPageStepSub
                                                              : QAbstractSlider::SliderPageStepAdd);
            return;
        }
        break;
    default:
        break;
    }
    QWidget::keyPressEvent(event);
}

void LanesView::paintEvent(QPaintEvent*) {
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    const auto& theme = Theme::instance();
    painter.fillRect(rect(), theme.color(ColorRole::Surface));
    if (!isEmpty())
        paintLanes(painter);
    if (!hasFocus())
        return;
    painter.setPen(QPen(theme.color(ColorRole::Focus), 2));
    painter.setBrush(Qt::NoBrush);
    if (const auto walked = walkedRect(); !isEmpty() && walked.isValid())
        painter.drawRect(walked);
    painter.drawRect(QRectF(rect()).adjusted(1, 1, -1, -1));
}

void LanesView::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    m_readOut->resize(size());
    m_readOut->clear();
    relayOut();
}

} // namespace heteroscape::widgets

#include "moc_lanes_view.cpp"
