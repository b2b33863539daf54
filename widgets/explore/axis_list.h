// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/study.h"
#include "widgets/explore/default_axes.h"

#include <QWidget>

#include <optional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class AxisPicker;
class AxisRow;
class Document;

/// Parameters of the open design and what each takes, in rows that are added by typing what is meant. UI
/// thread.
class AxisList : public QWidget {
    Q_OBJECT
public:
    explicit AxisList(Document* document, QWidget* parent = nullptr);

    void setAxes(const std::vector<AxisText>& axes); ///< tells nobody
    std::vector<AxisText> axes() const;
    void add(const QString& path); ///< with values around the present one; what is there gets the focus

    /// Reads all rows against the open design; none while there is none or something in one is wrong.
    std::optional<std::vector<engine::Axis>> read();

    QPushButton* addButton() const { return m_add; } ///< to be put where the list is headed

signals:
    void edited(); ///< by the user

private:
    AxisRow* addRow(const AxisText& text);
    void remove(AxisRow* row);

    Document* m_document;
    AxisPicker* m_picker;
    QPushButton* m_add;
    QVBoxLayout* m_column;
    std::vector<AxisRow*> m_rows;
};

} // namespace heteroscape::widgets
