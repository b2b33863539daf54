// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_page.h"

#include "engine/scenario/technique_specs.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/figure_row.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/trace_row.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QApplication>
#include <QCheckBox>
#include <QPushButton>
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
    for (const auto* row : findChildren<TechniqueRow*>())
        if (row->path() == path)
            return row->field();
    if (const auto* trace = findChild<TraceRow*>(); trace && path == "serving.trace")
        return trace->button();
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
        addFindings(section, "techniques." + id + ".");
        for (const auto& option : spec.options) {
            auto* part = new OptionRow(m_document, id, std::string(option.key), this);
            section->addRow(part);
            onRefresh([part] { part->refresh(); });
        }
        for (const auto& field : spec.fields) {
            const auto path = "techniques." + id + "." + std::string(field.spec.key);
            auto* figure = addFigure(section, path);
            if (id == "disaggregation")
                addDefaultStage(*figure);
            else if (!field.spec.required)
                addChosenShare(section, *figure, id);
            if (!field.spec.integer || !field.spec.required)
                continue;
            auto* slider = new PowerSlider(m_document, path, kSliderDoublings, this);
            section->addRow(slider);
            onRefresh([slider] { slider->refresh(); });
        }
    }
}

TextLabel* InspectorPage::addNote(Section* section, ColorRole role) {
    auto* note = new TextLabel(TextSize::Caption, role, this);
    note->setWordWrap(true);
    note->setContentsMargins(14, 0, 14, 4);
    section->addRow(note);
    return note;
}

void InspectorPage::addFindings(Section* section, const std::string& prefix) {
    auto* note = addNote(section, ColorRole::Warning);
    onRefresh([this, note, prefix] {
        QStringList lines;
        for (const auto& finding : m_document.diagnostics())
            if (finding.subject.starts_with(prefix))
                lines << QString::fromStdString(finding.message + ". " + finding.remedy + ".");
        note->setText(lines.join(QLatin1Char('\n')));
        note->setVisible(!lines.isEmpty());
    });
}

void InspectorPage::addChosenShare(Section* section, FigureRow& row, const std::string& technique) {
    const bool x = technique == "x_cache";
    row.setUnsetText(x ? tr("balanced") : tr("best"));
    auto* note = addNote(section, ColorRole::Text2);
    onRefresh([this, note, x, field = row.field()] {
        const auto& techniques = m_document.scenario().techniques;
        const bool open =
            !field->figure().isSet() && (x ? techniques.xCache.enabled : techniques.hostKv.enabled);
        const engine::OffloadEvaluation* chosen = nullptr;
        if (m_document.evaluation().feasible)
            for (const auto& node : m_document.evaluation().nodes)
                if (!chosen && node.offload.active && node.offload.near)
                    chosen = &node.offload;
        note->setVisible(open && chosen);
        if (chosen)
            note->setText((x ? tr("Balanced automatically: %1 of the tokens")
                             : tr("Best, found automatically: %1 of the tokens"))
                              .arg(shareText(x ? chosen->kv.x : chosen->kv.host)));
    });
}

void InspectorPage::addDefaultStage(FigureRow& row) {
    onRefresh([this, &row] { row.setUnsetText(tr("default: %1").arg(defaultStage(m_document))); });
}

void InspectorPage::addStretch() {
    m_column->addStretch(1);
}

void InspectorPage::onRefresh(std::function<void()> action) {
    m_refreshers.push_back(std::move(action));
}

} // namespace heteroscape::widgets
