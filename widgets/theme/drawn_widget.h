// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QMouseEvent>
#include <QWidget>

namespace heteroscape::widgets {

/// A widget that is drawn whole, not made of others: what the pointer does in it comes to one place. UI
/// thread.
class DrawnWidget : public QWidget {
public:
    using QWidget::QWidget;

protected:
    /// A button was pressed, let go or pressed twice, or the pointer moved (event.type()). What is ignored
    /// goes on to the parent.
    virtual void point(QMouseEvent& event) = 0;
    virtual void pointAway() {} ///< the pointer left

    void mousePressEvent(QMouseEvent* event) final { point(*event); }
    void mouseMoveEvent(QMouseEvent* event) final { point(*event); }
    void mouseReleaseEvent(QMouseEvent* event) final { point(*event); }
    void mouseDoubleClickEvent(QMouseEvent* event) final { point(*event); }
    void leaveEvent(QEvent*) final { pointAway(); }
};

} // namespace heteroscape::widgets
