// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QTimer>

#include <functional>

namespace heteroscape::widgets {

/// Work of the UI thread on very many things, done in slices between which events come in: the first when it
/// is started, so that little work is done at once, and one in each turn of the event loop after that. What
/// is left to do is its owner's to know. UI thread.
class Slices : public QObject {
public:
    /// Does one slice and tells whether anything is left after it. May call start() or finish(): the work
    /// then goes on after this slice.
    using Slice = std::function<bool()>;
    explicit Slices(Slice slice, QObject* parent = nullptr);

    void start();  ///< also while it is under way, when its owner knows of more
    void finish(); ///< does what is left of it now
    bool isBusy() const { return m_next.isActive(); }

private:
    void doOne();

    Slice m_slice;
    QTimer m_next;
    bool m_inSlice = false;
    bool m_again = false; ///< started from within the slice
};

} // namespace heteroscape::widgets
