// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QApplication>
#include <QObject>
#include <QPointer>
#include <QStringList>
#include <exception>

class QMessageBox;

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

/// The program with windows. What is thrown in a slot or in the handling of an event ends that event and
/// nothing else: the windows and what is in them stay, and a message box tells it once the event is over.
/// There is one box at a time. What follows from a click or a key is told each time; what comes by itself, as
/// from painting, once for each message, and no more than kMostUnasked of them.
class Application : public QApplication {
    Q_OBJECT
public:
    Application(int& argc, char** argv);

    static constexpr int kMostUnasked = 20;

    /// Whether somebody is there to read a box; else what is thrown goes on to who runs the event loop.
    void setAttended(bool attended) { m_attended = attended; }

    bool notify(QObject* receiver, QEvent* event) override;

private:
    void report(const std::exception& error, bool asked) noexcept;
    void tell(const QString& message, bool asked);
    bool isBoxOpen() const;
    void showBox();

    bool m_attended = true;
    QStringList m_unasked; ///< told already
    QStringList m_shown;   ///< in the box
    QPointer<QMessageBox> m_box;
};

} // namespace heteroscape::widgets
