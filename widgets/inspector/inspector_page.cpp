// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_page.h"

#include "engine/scenario/technique_specs.h"
#include "widgets/document/document.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/figure_row.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"

#include <QApplication>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

constexpr int kSliderDoublings = 6; ///< ratios 1 to 64 by slider; larger ones by the field

} // namespace

InspectorPage::InspectorPage(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
}

void InspectorPage::refresh() {
    for (const auto& action : m_refreshers)
        action();
}

QWidget* InspectorPage::fieldFor(const std::string& path) const {
    for (auto* field : findChildren<NumberEdit*>())
        if (field->path() == path)
            return field;
    for (auto* field : findChildren<ChoiceEdit*>())
        if (field->path() == path)
            return field;
    return nullptr;
}

std::string InspectorPage::focusedPath() const {
    const auto* focus = QApplication::focusWidget();
    if (const auto* number = qobject_cast<const NumberEdit*>(focus); number && isAncestorOf(number))
        return number->path();
    if (const auto* choice = qobject_cast<const ChoiceEdit*>(focus); choice && isAncestorOf(choice))
        return choice->path();
    return {};
}

Section* InspectorPage::addSection(const QString& title) {
    auto* section = new Section(title, this);
    m_column->addWidget(section);
    return section;
}

FigureRow* InspectorPage::addFigure(Section* section, const std::string& path) {
    auto* row = new FigureRow(m_document, path, this);
    connect(row, &FigureRow::sweepRequested, this, &InspectorPage::sweepRequested);
    section->addRow(row);
    return row;
}

ChoiceRow* InspectorPage::addChoice(Section* section, const std::string& path) {
    auto* row = new ChoiceRow(m_document, path, this);
    section->addRow(row);
    return row;
}

void InspectorPage::addTechnique(Section* section, const std::string& id) {
    for (const auto& spec : engine::techniqueSpecs()) {
        if (spec.id != id)
            continue;
        auto* row = new TechniqueRow(m_document, id, this);
        section->addRow(row);
        onRefresh([row] { row->refresh(); });
        for (const auto& option : spec.options) {
            auto* part = new OptionRow(m_document, id, std::string(option.key), this);
            section->addRow(part);
            onRefresh([part] { part->refresh(); });
        }
        for (const auto& field : spec.fields) {
            const auto path = "techniques." + id + "." + std::string(field.spec.key);
            addFigure(section, path);
            if (!field.spec.integer)
                continue;
            auto* slider = new PowerSlider(m_document, path, kSliderDoublings, this);
            section->addRow(slider);
            onRefresh([slider] { slider->refresh(); });
        }
    }
}

void InspectorPage::addStretch() {
    m_column->addStretch(1);
}

void InspectorPage::onRefresh(std::function<void()> action) {
    m_refreshers.push_back(std::move(action));
}

} // namespace heteroscape::widgets
