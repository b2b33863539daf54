// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/inspector_page.h"

#include "engine/techniques/built_in.h"
#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/trace_row.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QApplication>
#include <QCheckBox>
#include <QElapsedTimer>
#include <QLineEdit>
#include <QPushButton>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr int kSliderDoublings = 6; ///< ratios 1 to 64 by slider; larger ones by the field
constexpr qint64 kSliceMs = 8;      ///< of parts made in one turn of the event loop

} // namespace

InspectorPage::InspectorPage(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_column(new QVBoxLayout(this)),
      m_slices([this] { return buildSome(); }) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(0);
    m_column->addStretch(1);
}

void InspectorPage::refresh() {
    for (const auto& action : m_refreshers)
        action();
    layOut();
}

void InspectorPage::later(Section* section, std::function<void()> part) {
    m_parts.push_back({section, std::move(part)});
}

void InspectorPage::build() {
    if (m_builtFor.empty())
        m_builtFor = shape();
    if (!m_parts.empty())
        m_slices.start();
}

void InspectorPage::finish() {
    if (!m_parts.empty() && !m_slices.isBusy())
        build();
    m_slices.finish();
}

bool InspectorPage::buildSome() {
    if (shape() != m_builtFor) // the subject is gone or another: so is this page
        return false;
    QElapsedTimer clock;
    clock.start();
    while (!m_parts.empty() && clock.elapsed() < kSliceMs)
        buildOne();
    if (m_parts.empty())
        orderFocus();
    layOut();
    return !m_parts.empty();
}

void InspectorPage::buildOne() {
    const auto part = std::move(m_parts.front());
    m_parts.pop_front();
    const auto refreshed = m_refreshers.size();
    if (!part.section->hasRows())
        part.section->show();
    part.make();
    for (auto i = refreshed; i < m_refreshers.size(); ++i)
        m_refreshers[i]();
    part.section->showRows();
    for (auto* field : part.section->findChildren<QLineEdit*>())
        field->setAcceptDrops(false); // a file dropped on one is not a text
}

void InspectorPage::layOut() {
    if (!isVisible())
        return; // it is laid out once it is seen
    // From the inside: by itself each layout asks the one around it only in a later turn, and until then a
    // text that grew is cut.
    for (auto* section : findChildren<Section*>()) {
        section->body()->layout()->activate();
        section->layout()->activate();
    }
    layout()->activate();
    parentWidget()->layout()->activate();
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
    for (const auto* row : findChildren<OptionRow*>())
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
    section->hide();
    m_column->insertWidget(m_column->count() - 1, section);
    return section;
}

QuantityRow* InspectorPage::addQuantity(Section* section, const std::string& path) {
    auto* row = new QuantityRow(m_document, path, section->body());
    connect(row, &QuantityRow::sweepRequested, this, &InspectorPage::sweepRequested);
    section->addRow(row);
    return row;
}

void InspectorPage::laterQuantity(Section* section, const std::string& path,
                                  std::function<void(QuantityRow&)> more) {
    later(section, [=, this] {
        auto* row = addQuantity(section, path);
        if (more)
            more(*row);
    });
}

ChoiceRow* InspectorPage::addChoice(Section* section, const std::string& path) {
    auto* row = new ChoiceRow(m_document, path, section->body());
    section->addRow(row);
    return row;
}

void InspectorPage::addTechnique(Section* section, const engine::Technique& kind) {
    auto* row = new TechniqueRow(m_document, kind, section->body());
    section->addRow(row);
    onRefresh([row] { row->refresh(); });
    const auto prefix = "techniques." + std::string(kind.id()) + ".";
    addFindings(section, prefix);
    for (std::size_t i = 0; i < kind.options().size(); ++i) {
        auto* part = new OptionRow(m_document, kind, i, section->body());
        section->addRow(part);
        onRefresh([part] { part->refresh(); });
    }
    if (!kind.choice().empty())
        addChoice(section, std::string(kind.choice()));
    const auto parameters = kind.parameters();
    for (std::size_t i = 0; i < parameters.size(); ++i) {
        const auto& spec = parameters[i].spec;
        const auto path = prefix + std::string(spec.key);
        auto* quantity = addQuantity(section, path);
        if (&kind == &engine::disaggregation()) // the simulation says what an unset depth comes to
            addDefaultStage(*quantity);
        else if (!spec.required)
            addUnsetValue(section, *quantity, kind, i);
        if (!spec.integer || !spec.required)
            continue;
        auto* slider = new PowerSlider(m_document, path, kSliderDoublings, section->body());
        section->addRow(slider);
        onRefresh([slider] { slider->refresh(); });
    }
}

TextLabel* InspectorPage::addNote(Section* section, ColorRole role) {
    auto* note = new TextLabel(TextSize::Caption, role, section->body());
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

void InspectorPage::addUnsetValue(Section* section, QuantityRow& row, const engine::Technique& kind,
                                  std::size_t parameter) {
    const auto unset = kind.unsetValue(parameter);
    if (unset.word.empty())
        return;
    row.setUnsetText(QString::fromUtf8(unset.word));
    if (unset.metric.empty())
        return;
    auto* note = addNote(section, ColorRole::Text2);
    onRefresh([this, note, unset, &kind, field = row.field()] {
        const auto& scenario = m_document.scenario();
        const auto* spec = engine::findMetric(unset.metric);
        const double share =
            spec ? m_document.evaluation().metric(spec->metric) : std::numeric_limits<double>::quiet_NaN();
        const bool chosen =
            std::isfinite(share) && !field->quantity().isSet() && scenario.techniques.isOn(kind) &&
            m_document.evaluation().feasible &&
            std::any_of(scenario.nodes.begin(), scenario.nodes.end(), [&](const engine::Node& node) {
                return engine::isAccelerator(node.device.kind) && kind.changesStepOf(scenario, node);
            });
        note->setVisible(chosen);
        if (chosen)
            note->setText(tr("%1: %2 of the tokens").arg(QString::fromUtf8(unset.note), shareText(share)));
    });
}

void InspectorPage::addDefaultStage(QuantityRow& row) {
    onRefresh([this, &row] { row.setUnsetText(tr("default: %1").arg(defaultStage(m_document))); });
}

void InspectorPage::orderFocus() {
    // The page is made in turns: between its fields the chain may hold others that were made meanwhile.
    std::vector<QWidget*> order;
    std::vector<QWidget*> sweeps;
    for (auto* one = nextInFocusChain(); one != this; one = one->nextInFocusChain())
        if (isAncestorOf(one) && (one->focusPolicy() & Qt::TabFocus) && !one->focusProxy())
            (one->objectName() == QuantityRow::kSweepName ? sweeps : order).push_back(one);
    order.insert(order.end(), sweeps.begin(), sweeps.end());
    for (std::size_t i = 1; i < order.size(); ++i)
        setTabOrder(order[i - 1], order[i]);
}

void InspectorPage::onRefresh(std::function<void()> action) {
    m_refreshers.push_back(std::move(action));
}

} // namespace heteroscape::widgets

#include "moc_inspector_page.cpp"
