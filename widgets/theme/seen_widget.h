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

/// A widget that brings itself up to date only while it can be seen, and catches up when it is shown. UI
/// thread.
class SeenWidget : public QWidget {
public:
    using QWidget::QWidget;

protected:
    virtual bool refresh() = 0; ///< brings it up to date; false: it cannot be yet

    /// What it shows changed.
    void follow() {
        m_stale = true;
        if (isVisible())
            refreshNow();
    }
    void refreshNow() { m_stale = !refresh(); }
    void catchUp() { ///< seen or not
        if (m_stale)
            refreshNow();
    }

    void showEvent(QShowEvent* event) override {
        QWidget::showEvent(event);
        catchUp();
    }

private:
    bool m_stale = true;
};

} // namespace heteroscape::widgets
