// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <QAbstractButton>

#include <optional>

namespace heteroscape::widgets {

/// Something to open on the start page: a tile with an icon, a name, and a small second line. UI thread.
class StartTile : public QAbstractButton {
    Q_OBJECT
public:
    /// `kind`: tints the icon's tile; without, it is grey. `framed`: a card by itself, else a row of a list.
    StartTile(const QString& icon, std::optional<engine::DeviceKind> kind, const QString& name,
              const QString& about, bool framed, QWidget* parent = nullptr);

    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

protected:
    void paintEvent(QPaintEvent* event) override;
    void enterEvent(QEnterEvent* event) override;
    void leaveEvent(QEvent* event) override;

private:
    QString m_icon;
    std::optional<engine::DeviceKind> m_kind;
    QString m_about;
    bool m_framed;
};

} // namespace heteroscape::widgets
