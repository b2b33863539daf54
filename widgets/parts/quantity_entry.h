// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"

#include <QWidget>

class QComboBox;
class QLineEdit;

namespace heteroscape::widgets {

class TextLabel;

/// A quantity of a part that is being made: value in the shown unit, what is allowed, and where it comes
/// from. Empty means "not set". What is not allowed is marked and told below; without a source, which a
/// number that is only asked for has not, whoever shows it tells. UI thread.
class QuantityEntry : public QWidget {
    Q_OBJECT
public:
    /// `required`: may not be empty.
    QuantityEntry(const engine::FieldSpec& spec, const engine::Quantity& quantity, bool required,
                  QWidget* parent = nullptr, bool sourced = true);

    const engine::FieldSpec& spec() const { return m_spec; }
    const engine::Quantity& quantity() const { return m_quantity; } ///< the last allowed one
    const QString& problem() const { return m_problem; }            ///< empty when the text is allowed
    QString label() const;
    void setLabel(const QString& text);

    /// Comes after a widget in the order of the Tab key; gives the last of its own.
    QWidget* followInTabs(QWidget* previous);

    QLineEdit* value() const { return m_value; }
    QComboBox* provenance() const { return m_provenance; }
    QLineEdit* source() const { return m_source; }

signals:
    void changed();

private:
    void typed(const QString& text);
    void sourceEdited();
    void showSource();
    void showProblem(const QString& problem);

    engine::FieldSpec m_spec;
    engine::Quantity m_original;
    engine::Quantity m_quantity;
    bool m_required;
    QString m_problem;
    TextLabel* m_label;
    QLineEdit* m_value;
    QComboBox* m_provenance;
    QLineEdit* m_source;
    TextLabel* m_note; ///< the range, or what is wrong
};

} // namespace heteroscape::widgets
