// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/explore/default_axes.h"

#include <QWidget>

#include <optional>

class QLineEdit;

namespace heteroscape::widgets {

class TextLabel;

/// One axis of the study being set up: its parameter, its values as text, what is wrong with them.
class AxisRow : public QWidget {
    Q_OBJECT
public:
    AxisRow(AxisText text, QWidget* parent);

    /// Reads the text against a design; shows the message when it does not hold.
    void check(const engine::Scenario& base, const engine::Catalog& catalog);

    AxisText text() const;
    void setError(const QString& message); ///< also marks the field; empty: fine
    QString error() const;
    const std::optional<engine::Axis>& axis() const { return m_axis; } ///< none while the text is wrong
    QLineEdit* field() const { return m_values; }

signals:
    void edited();
    void removeRequested();

private:
    std::string m_path;
    std::optional<engine::Axis> m_axis;
    TextLabel* m_name;
    TextLabel* m_count;
    QLineEdit* m_values;
    TextLabel* m_error;
};

} // namespace heteroscape::widgets
