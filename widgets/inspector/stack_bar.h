// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/layout_ranking.h"

#include <QColor>
#include <QString>
#include <QWidget>
#include <vector>

namespace heteroscape::widgets {

/// What fills the memory of one device: a bar of parts, hatched beyond its end, with a legend in two columns
/// and a line of what there is room for. UI thread.
class MemoryBar : public QWidget {
    Q_OBJECT
public:
    explicit MemoryBar(QWidget* parent = nullptr);

    void show(const engine::DeviceMemory& memory);
    QString summary() const; ///< "64.5 of 80 GB"
    QString line() const;    ///< "Room for 107 more requests on each", "12.4 GB too much"
    bool fits() const { return m_memory.needed() <= m_memory.capacity; }

    struct Part {
        QString label;
        double bytes = 0.0;
        QColor color;
    };
    std::vector<Part> parts() const; ///< those that are there, and what is free

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return sizeHint(); }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    engine::DeviceMemory m_memory;
};

/// A part of a whole, with its name and its quantity as text.
struct StackPart {
    QString label;
    QString value;
    double share = 0.0; ///< of the whole bar, 0..1
    QColor color;
};

/// A horizontal bar of parts with, if wanted, a legend of one line each below. Hovering a part tells its name
/// and quantity; the whole is the accessible name. UI thread.
class StackBar : public QWidget {
    Q_OBJECT
public:
    explicit StackBar(bool withLegend, QWidget* parent = nullptr);

    void setParts(std::vector<StackPart> parts);
    const std::vector<StackPart>& parts() const { return m_parts; }

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    bool event(QEvent* event) override; ///< tells of the part under the pointer
    void paintEvent(QPaintEvent* event) override;

private:
    QRectF bar() const;
    const StackPart* partAt(QPointF point) const;

    std::vector<StackPart> m_parts;
    bool m_withLegend;
};

} // namespace heteroscape::widgets
