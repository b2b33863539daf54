// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace heteroscape::widgets {

/// Lies over all of a widget whose metrics are out of date, and lets the pointer through. Hidden at first. UI
/// thread.
class Veil : public QWidget {
    Q_OBJECT
public:
    explicit Veil(QWidget* over);

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;
    void showEvent(QShowEvent* event) override;
    void paintEvent(QPaintEvent* event) override;
};

} // namespace heteroscape::widgets
