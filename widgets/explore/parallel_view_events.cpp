// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/parallel_view.h"

#include <QKeyEvent>
#include <QMouseEvent>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {
constexpr double kLeastDrag = 0.015; // of the axis: less is a click
constexpr double kKeyStep = 0.05;
constexpr double kNear = 7.0; // px
} // namespace

/// The kept row whose line passes nearest to a point.
std::optional<std::size_t> ParallelView::rowNear(QPointF at) const {
    const auto layout = parallelLayout();
    if (m_picture.axes.size() < 2 || at.x() < layout.left || at.x() > layout.right)
        return {};
    const auto gap = std::min(m_picture.axes.size() - 2,
                              static_cast<std::size_t>((at.x() - layout.left) / layout.spacing()));
    const auto& left = m_picture.axes[gap].axis->places;
    const auto& right = m_picture.axes[gap + 1].axis->places;
    const auto& kept = m_marks->kept();
    const double along = (at.x() - layout.x(gap)) / layout.spacing();
    const double perPlace = (layout.bottom - layout.top) / (engine::kParallelPlaces - 1);
    const double wanted = (layout.bottom - at.y()) / perPlace;
    std::optional<std::size_t> nearest;
    double least = kNear / perPlace;
    for (std::size_t row = 0; row < std::min(kept.size(), left.size()); ++row) {
        if (!kept[row] || left[row] == engine::kNoPlace || right[row] == engine::kNoPlace)
            continue;
        const double off = std::fabs(left[row] + along * (right[row] - left[row]) - wanted);
        if (off < least) {
            least = off;
            nearest = row;
        }
    }
    return nearest;
}

void ParallelView::point(QMouseEvent& event) {
    const bool left = event.button() == Qt::LeftButton;
    if (event.type() == QEvent::MouseMove) {
        drag(event.position());
    } else if (event.type() == QEvent::MouseButtonDblClick) {
        if (const auto axis = parallelLayout().axisAt(event.position()))
            m_marks->brush(engine::Limit{m_picture.axes[*axis].axis->column});
        else if (const auto row = rowNear(event.position()))
            emit rowActivated(*row);
    } else if (left && event.type() == QEvent::MouseButtonPress) {
        grab(event);
    } else if (left) {
        m_dragged.reset();
    }
}

void ParallelView::grab(const QMouseEvent& press) {
    const auto layout = parallelLayout();
    const auto axis = layout.axisAt(press.position());
    if (!axis) {
        if (const auto row = rowNear(press.position())) {
            m_marks->select(row);
            if (press.modifiers().testFlag(Qt::ControlModifier))
                emit rowActivated(*row);
        }
        return;
    }
    m_picture.focused = axis;
    m_dragged = axis;
    m_anchor = layout.shareAt(press.position().y());
    const auto& brush = m_picture.axes[*axis].brush;
    m_grabbed = brush && m_anchor >= brush->first && m_anchor <= brush->second ? brush : std::nullopt;
    describe();
    update();
}

void ParallelView::drag(QPointF at) {
    const auto layout = parallelLayout();
    if (!m_dragged) {
        const auto axis = layout.axisAt(at);
        setCursor(axis ? Qt::SplitVCursor : Qt::ArrowCursor);
        m_marks->hover(axis ? std::nullopt : rowNear(at));
        return;
    }
    const double share = layout.shareAt(at.y());
    if (m_grabbed) {
        const double by = std::clamp(share - m_anchor, -m_grabbed->first, 1.0 - m_grabbed->second);
        brush(*m_dragged, m_grabbed->first + by, m_grabbed->second + by);
    } else if (std::fabs(share - m_anchor) >= kLeastDrag) {
        brush(*m_dragged, std::min(share, m_anchor), std::max(share, m_anchor));
    }
}

void ParallelView::keyPressEvent(QKeyEvent* event) {
    if (m_picture.axes.empty()) {
        QWidget::keyPressEvent(event);
        return;
    }
    auto focused = std::min(m_picture.focused.value_or(0), m_picture.axes.size() - 1);
    const auto brushed = m_picture.axes[focused].brush;
    const bool up = event->key() == Qt::Key_Up;
    switch (event->key()) {
    case Qt::Key_Left:
        focused = focused > 0 ? focused - 1 : 0;
        break;
    case Qt::Key_Right:
        focused = std::min(focused + 1, m_picture.axes.size() - 1);
        break;
    case Qt::Key_Up:
    case Qt::Key_Down:
        if (!brushed) {
            brush(focused, up ? 0.5 : 0.0, up ? 1.0 : 0.5);
        } else if (event->modifiers().testFlag(Qt::ShiftModifier)) {
            const double end = brushed->second + (up ? kKeyStep : -kKeyStep);
            brush(focused, brushed->first, std::clamp(end, brushed->first + kLeastDrag, 1.0));
        } else {
            const double by = std::clamp(up ? kKeyStep : -kKeyStep, -brushed->first, 1.0 - brushed->second);
            brush(focused, brushed->first + by, brushed->second + by);
        }
        break;
    case Qt::Key_Delete:
    case Qt::Key_Backspace:
        m_marks->brush(engine::Limit{m_picture.axes[focused].axis->column});
        break;
    default:
        QWidget::keyPressEvent(event);
        return;
    }
    m_picture.focused = focused;
    describe();
    update();
}

void ParallelView::focusInEvent(QFocusEvent* event) {
    QWidget::focusInEvent(event);
    if (!m_picture.focused && !m_picture.axes.empty() && event->reason() != Qt::MouseFocusReason)
        m_picture.focused = 0;
    describe();
    update();
}

void ParallelView::focusOutEvent(QFocusEvent* event) {
    QWidget::focusOutEvent(event);
    m_picture.focused.reset();
    update();
}

void ParallelView::describe() {
    QString text;
    if (m_picture.focused && *m_picture.focused < m_picture.axes.size()) {
        const auto& axis = m_picture.axes[*m_picture.focused];
        text = axis.label;
        if (axis.brush)
            for (const auto& limit : m_marks->brush())
                if (limit.column == axis.axis->column)
                    text = QString::fromStdString(engine::limitText(limit));
    }
    setAccessibleDescription(text);
}

} // namespace heteroscape::widgets
