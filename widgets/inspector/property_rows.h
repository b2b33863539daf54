// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/technique.h"

#include <QObject>
#include <QPixmap>
#include <QPoint>
#include <QWidget>
#include <functional>
#include <memory>
#include <optional>
#include <string>

class QCheckBox;
class QLineEdit;
class QMimeData;
class QSlider;

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

class ChoiceEdit;

/// A choice of the design with its label, by which it can be dragged onto a study. UI thread.
class ChoiceRow : public QWidget {
    Q_OBJECT
public:
    ChoiceRow(Document& document, const std::string& path, QWidget* parent = nullptr);
    ChoiceEdit* field() const { return m_field; }

private:
    ChoiceEdit* m_field;
};

/// A text of the design (a name) with its label. What is typed is handed over at once. UI thread.
class TextRow : public QWidget {
    Q_OBJECT
public:
    using Read = std::function<QString()>;
    using Write = std::function<void(const QString& text, const QString& gesture)>;
    TextRow(const QString& label, Read read, Write write, QWidget* parent = nullptr);

    QLineEdit* field() const { return m_field; }
    void refresh();

protected:
    bool eventFilter(QObject* watched, QEvent* event) override;

private:
    void finish(); ///< what is typed next is another undo step

    QLineEdit* m_field;
    Read m_read;
    QString m_gesture;
    bool m_writing = false;
};

/// The switch of a technique. UI thread.
class TechniqueRow : public QWidget {
    Q_OBJECT
public:
    TechniqueRow(Document& document, const engine::Technique& technique, QWidget* parent = nullptr);
    QCheckBox* field() const { return m_field; }
    std::string path() const { return "techniques." + std::string(m_technique.id()) + ".enabled"; }
    void refresh();

private:
    Document& m_document;
    const engine::Technique& m_technique;
    QCheckBox* m_field;
};

/// A switch within a technique; waits while the technique is off. UI thread.
class OptionRow : public QWidget {
    Q_OBJECT
public:
    /// `option`: its index among those of the technique.
    OptionRow(Document& document, const engine::Technique& technique, std::size_t option,
              QWidget* parent = nullptr);
    QCheckBox* field() const { return m_field; }
    std::string path() const; ///< "techniques.l2_prefetch.kv"
    void refresh();

private:
    Document& m_document;
    const engine::Technique& m_technique;
    std::size_t m_option;
    QCheckBox* m_field;
};

/// A slider over the powers of two that a whole-number quantity can take. One drag is one undo step. UI
/// thread.
class PowerSlider : public QWidget {
    Q_OBJECT
public:
    /// Shows up to `steps` doublings above 1.
    PowerSlider(Document& document, std::string path, int steps, QWidget* parent = nullptr);
    QSlider* field() const { return m_field; }
    void refresh();

private:
    void begin();

    Document& m_document;
    std::string m_path;
    QSlider* m_field;
    QString m_gesture;
};

} // namespace heteroscape::widgets
