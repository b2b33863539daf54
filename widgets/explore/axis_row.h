// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/explore/default_axes.h"

#include <QFrame>
#include <QString>
#include <QWidget>
#include <optional>
#include <vector>

class QLineEdit;
class QListWidget;
class QMenu;
class QPushButton;
class QToolButton;

namespace heteroscape::widgets {

/// The choices of an axis to tick, each by its name. Every tick is told at once.
class ChoiceList : public QFrame {
    Q_OBJECT
public:
    struct Entry {
        QString id;
        QString name;
        bool checked = false;
    };

    explicit ChoiceList(QWidget* parent);

    void open(const std::vector<Entry>& entries, const QWidget* anchor);

signals:
    void picked(const QStringList& ids); ///< in the order of the list

private:
    QStringList ids() const;
    void setAll(bool checked);

    QListWidget* m_list;
    QPushButton* m_all;
    QPushButton* m_none;
};

class TextLabel;

/// One axis of the study being set up: its parameter, its values as text, what is wrong with them.
class AxisRow : public QWidget {
    Q_OBJECT
public:
    AxisRow(AxisText text, QWidget* parent);

    /// Reads the text against a design; shows the message when it does not hold.
    void check(const engine::Shared<engine::Scenario>& base, const engine::Catalog& catalog);

    AxisText text() const;
    void setError(const QString& message); ///< also marks the field; empty: fine
    QString error() const;
    const std::optional<engine::Axis>& axis() const { return m_axis; } ///< none while the text is wrong
    QLineEdit* field() const { return m_values; }
    bool isChoice() const { return !m_choices.empty(); } ///< known after check()
    void openChoices();                                  ///< the list to tick
    /// A choice joins those there are; true when it was not there yet.
    bool addChoice(const std::string& id);

signals:
    void edited();
    void removeRequested();

private:
    bool isAll() const; ///< the text stands for every choice
    void fillForms();   ///< the menu, with what each form would be now

    std::string m_path;
    double m_now = 0;                        ///< the design's present value, shown unit; NaN: not set
    std::optional<engine::FieldSpec> m_spec; ///< of a number
    std::optional<engine::Axis> m_axis;
    TextLabel* m_name;
    TextLabel* m_count;
    QLineEdit* m_values;
    QToolButton* m_open;  ///< the choices
    QToolButton* m_forms; ///< of a number: ways to spread its values
    QMenu* m_menu;
    ChoiceList* m_list;
    std::vector<std::pair<std::string, QString>> m_choices; ///< id and name
    TextLabel* m_error;
};

} // namespace heteroscape::widgets
