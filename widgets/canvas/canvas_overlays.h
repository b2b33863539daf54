// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QToolButton;

namespace heteroscape::widgets {

/// Zoom out, percent, zoom in, fit: floats in the bottom right corner of the canvas.
class ZoomBar : public QFrame {
    Q_OBJECT
public:
    explicit ZoomBar(QWidget* parent);
    void showZoom(double zoom);

signals:
    void zoomOutRequested();
    void resetRequested(); ///< back to 100 %
    void zoomInRequested();
    void fitRequested();

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    QToolButton* m_percent;
};

/// What an empty canvas says.
class EmptyHint : public QWidget {
    Q_OBJECT
public:
    explicit EmptyHint(QWidget* parent);

signals:
    void openPresetRequested();

private:
    QLabel* m_text;
    void restyle();
};

} // namespace heteroscape::widgets
