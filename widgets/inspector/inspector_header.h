// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <QWidget>

#include <optional>

namespace heteroscape::widgets {

class TextLabel;

/// The head of the inspector: a tile with the subject's icon, its name and what it is. UI thread.
class InspectorHeader : public QWidget {
    Q_OBJECT
public:
    explicit InspectorHeader(QWidget* parent = nullptr);

    /// `kind`: tints the tile; without, the icon stands in the accent colour.
    void show(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
              const QString& about);

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    TextLabel* m_name;
    TextLabel* m_about;
    QString m_icon;
    std::optional<engine::DeviceKind> m_kind;
};

} // namespace heteroscape::widgets
