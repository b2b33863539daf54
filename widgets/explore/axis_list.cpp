// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_list.h"

#include "engine/base/error.h"
#include "widgets/document/document.h"
#include "widgets/explore/axis_picker.h"
#include "widgets/explore/axis_row.h"

#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

namespace {

/// Empty where the path is wrong: the row itself says so.
std::string valuesToStartFrom(const Document& document, const std::string& path) {
    try {
        return startingValues(document.scenario(), document.catalog(), path);
    } catch (const engine::Error&) {
        return {};
    }
}

} // namespace

AxisList::AxisList(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_picker(new AxisPicker(this)),
      m_add(new QPushButton(tr("Add"), this)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_add->setProperty("flat", true);
    m_add->setObjectName(QStringLiteral("addVariable"));
    m_add->setAccessibleName(tr("Add a variable"));
    connect(m_picker, &AxisPicker::picked, this, &AxisList::add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<std::string> taken;
        for (const auto& axis : axes())
            taken.push_back(axis.path);
        m_picker->open(m_document->scenario(), m_document->catalog(), taken, m_add);
    });
}

void AxisList::setAxes(const std::vector<AxisText>& axes) {
    for (auto* row : std::exchange(m_rows, {}))
        delete row;
    for (const auto& axis : axes)
        addRow(axis);
}

std::vector<AxisText> AxisList::axes() const {
    std::vector<AxisText> texts(m_rows.size());
    std::transform(m_rows.begin(), m_rows.end(), texts.begin(),
                   [](const AxisRow* row) { return row->text(); });
    return texts;
}

void AxisList::add(const QString& path) {
    const auto wanted = path.toStdString();
    const auto known = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const AxisRow* row) { return row->text().path == wanted; });
    const bool isNew = known == m_rows.end();
    auto* row = isNew ? addRow({wanted, valuesToStartFrom(*m_document, wanted)}) : *known;
    if (isNew)
        emit edited(); // reads the row, which learns whether it is a choice
    row->field()->setFocus();
    row->field()->selectAll();
    if (isNew && row->isChoice() && row->text().values.find(',') == std::string::npos) {
        m_column->activate(); // its list opens where it will stand
        row->openChoices();
    }
}

AxisRow* AxisList::addRow(const AxisText& text) {
    auto* row = new AxisRow(text, this);
    m_rows.push_back(row);
    m_column->addWidget(row);
    row->show(); // at once: it may take the focus
    connect(row, &AxisRow::edited, this, &AxisList::edited);
    connect(row, &AxisRow::removeRequested, this, [this, row] { remove(row); });
    return row;
}

void AxisList::remove(AxisRow* row) {
    std::erase(m_rows, row);
    row->hide();
    row->deleteLater(); // its button is what was clicked
    m_add->setFocus();
    emit edited();
}

std::optional<std::vector<engine::Axis>> AxisList::read() {
    std::vector<engine::Axis> read;
    for (auto* row : m_rows) {
        row->check(m_document->shared(), m_document->catalog());
        if (row->axis())
            read.push_back(*row->axis());
    }
    if (read.empty() || read.size() < m_rows.size())
        return std::nullopt;
    return read;
}

} // namespace heteroscape::widgets
