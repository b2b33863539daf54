// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QFrame>

class QLabel;
class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

/// What floats over the canvas: a raised surface with round corners.
class FloatingBar : public QFrame {
    Q_OBJECT
public:
    using QFrame::QFrame;

protected:
    void paintEvent(QPaintEvent* event) override;
};

/// Add a note, zoom out, percent, zoom in, fit: floats in the bottom right corner of the canvas.
class ZoomBar : public FloatingBar {
    Q_OBJECT
public:
    explicit ZoomBar(QWidget* parent);
    void showZoom(double zoom);

signals:
    void noteRequested();
    void zoomOutRequested();
    void resetRequested(); ///< back to 100 %
    void zoomInRequested();
    void fitRequested();

private:
    QToolButton* m_percent;
};

/// Offers to link a node that was just placed: bottom left of the canvas, until it is answered.
class LinkOffer : public FloatingBar {
    Q_OBJECT
public:
    explicit LinkOffer(QWidget* parent);
    void offer(const QString& text);
    QString text() const;
    QPushButton* button() const { return m_link; }

signals:
    void accepted();
    void dismissed();

private:
    QLabel* m_text;
    QPushButton* m_link;
    QToolButton* m_close;
};

/// What an empty canvas says.
class EmptyHint : public QWidget {
    Q_OBJECT
public:
    explicit EmptyHint(QWidget* parent);

signals:
    void openPresetRequested();
    void findPartRequested();

private:
    QLabel* m_text;
    void restyle();
};

} // namespace heteroscape::widgets
