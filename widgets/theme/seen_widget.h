// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace heteroscape::widgets {

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
