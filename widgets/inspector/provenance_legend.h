// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QWidget>

namespace heteroscape::widgets {

/// The foot of the inspector: what the marks beside the quantities mean. UI thread.
class ProvenanceLegend : public QWidget {
    Q_OBJECT
public:
    explicit ProvenanceLegend(QWidget* parent = nullptr);

protected:
    void paintEvent(QPaintEvent* event) override;
};

} // namespace heteroscape::widgets
