// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>

namespace heteroscape::widgets {

/// The wheel scrolls, whatever lies under the pointer. It turns a value (of a number field, a list to choose
/// from, a slider, tabs) only where the focus is and while Ctrl is held, and takes the focus nowhere. One for
/// all windows. UI thread.
class WheelGuard : public QObject {
public:
    static void install(); ///< for the application; once is enough, more does nothing

    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    using QObject::QObject;
    bool m_turning = false; ///< the event is its own
};

} // namespace heteroscape::widgets
