// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPointF>
#include <QRectF>
#include <QString>
#include <QWidget>

#include <optional>

namespace heteroscape::widgets {

/// What comes and goes over a plot without the plot being drawn again: the mark of a point that is pointed at
/// elsewhere, the rectangle that is being drawn, the crosshair. Takes no mouse.
class ViewMarks : public QWidget {
    Q_OBJECT
public:
    explicit ViewMarks(QWidget* plot);

    /// A hairline ring of this diameter, or a frame.
    struct Mark {
        QPointF at;
        double diameter = 12;
        QRectF frame = {}; ///< of a bar or cell; empty: a ring
    };
    void setMark(std::optional<Mark> mark);
    const std::optional<Mark>& mark() const { return m_mark; }

    void setRubber(std::optional<QRectF> box);
    const std::optional<QRectF>& rubber() const { return m_rubber; }

    /// Lines both ways through `at` within `area`, and what they read at the axes.
    struct Crosshair {
        QPointF at;
        QRectF area;
        QString x, y;
    };
    void setCrosshair(std::optional<Crosshair> crosshair);
    const std::optional<Crosshair>& crosshair() const { return m_crosshair; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    void drawPill(QPainter& painter, const QString& text, QPointF edge, bool below) const;

    std::optional<Mark> m_mark;
    std::optional<QRectF> m_rubber;
    std::optional<Crosshair> m_crosshair;
};

} // namespace heteroscape::widgets
