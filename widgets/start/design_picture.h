// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/scenario.h"

#include <QWidget>

namespace heteroscape::widgets {

/// A small drawing of a design: its nodes where they stand, in the colours of their kinds, and its links. UI
/// thread.
class DesignPicture : public QWidget {
    Q_OBJECT
public:
    explicit DesignPicture(engine::Scenario scenario, QWidget* parent = nullptr);

    QSize sizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    engine::Scenario m_scenario;
};

} // namespace heteroscape::widgets
