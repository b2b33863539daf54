// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/device_memory.h"

#include <QColor>
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

} // namespace heteroscape::widgets
