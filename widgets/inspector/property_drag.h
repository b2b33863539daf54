// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QObject>
#include <QPixmap>
#include <QPoint>

#include <functional>
#include <memory>
#include <optional>
#include <string>

class QMimeData;
class QWidget;

namespace heteroscape::widgets {

class Document;

/// Lets a row of the inspector be dragged by its label, as the property that it shows: onto a study, or onto
/// the Explore tab, to sweep it. The ghost carries the property's name. UI thread.
class PropertyDrag : public QObject {
    Q_OBJECT
public:
    /// Works on `row`, whose child it becomes; presses that a field inside takes are the field's.
    PropertyDrag(const Document& document, std::string path, QWidget* row);

    /// What carries the drag out; QDrag unless replaced.
    using Starter = std::function<void(std::unique_ptr<QMimeData> data, const QPixmap& ghost)>;
    void setStarter(Starter starter) { m_starter = std::move(starter); }

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void start();
    QPixmap ghost(const QString& text) const;

    const Document& m_document;
    std::string m_path;
    QWidget* m_row;
    std::optional<QPoint> m_pressed;
    Starter m_starter;
};

} // namespace heteroscape::widgets
