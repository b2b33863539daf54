// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/design_page.h"

#include "widgets/document/document.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/trace_row.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <algorithm>
#include <cmath>
#include <functional>

namespace heteroscape::widgets {

namespace {

using engine::Serving;

/// What a kind is, by its id in a choice.
template <class K>
QString about(const engine::Registry<K>& kinds, const std::string& id) {
    const auto* kind = kinds.find(id);
    return kind ? words(kind->about()) : QString();
}

/// What holds while a quantity is not set, by the first kind that has it.
QString unsetText(std::string_view key) {
    const auto told = [&](const auto& kinds) {
        for (const auto* kind : kinds.all())
            if (kind->indexOf(key) >= 0)
                return words(kind->unsetText(key));
        return QString();
    };
    const auto text = told(engine::arrivalKinds());
    return text.isEmpty() ? told(engine::batchingKinds()) : text;
}

} // namespace

void DesignPage::addArrivals(Section* section) {
    auto* arrivals = addChoice(section, "serving.arrivals");
    arrivals->field()->setTips([](const std::string& id) { return about(engine::arrivalKinds(), id); });
    arrivals->field()->setWriter([this](const std::string& id) {
        const auto* chosen = engine::arrivalsNamed(id);
        // Requests of a trace need a trace: it is asked for, and nothing changes until there is one.
        if (chosen->readsTrace() && !document().scenario().serving.trace.requests)
            m_trace->choose();
        else
            setArrivals(document(), chosen);
    });
    auto* note = addNote(section, ColorRole::Muted);
    onRefresh([this, section, note] {
        const auto& serving = document().scenario().serving;
        note->setText(words(serving.arrivals->about()));
        section->setSummary(serving.isSimulated() ? tr("simulated") : QString());
    });

    m_trace = new TraceRow(document(), this);
    section->addRow(m_trace);
    onRefresh([this] { m_trace->refresh(); });
}

void DesignPage::addRequests() {
    auto* section = addSection(tr("Requests"));
    later(section, [=, this] { addArrivals(section); });
    const auto showWhen = [this](QWidget* row, const std::function<bool(const Serving&)>& applies) {
        onRefresh([this, row, applies] { row->setVisible(applies(document().scenario().serving)); });
    };
    const auto addParameter = [&](const engine::FieldSpec& spec) {
        laterQuantity(section, "serving." + std::string(spec.key), [=](QuantityRow& row) {
            if (!spec.required)
                row.setUnsetText(unsetText(spec.key));
            showWhen(&row, [key = spec.key](const Serving& serving) {
                return serving.isSimulated() && serving.uses(key);
            });
        });
    };
    const auto isRate = [](std::string_view key) {
        const auto kinds = engine::arrivalKinds().all();
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](const engine::ArrivalKind* kind) { return kind->rateKey() == key; });
    };
    const auto isOfArrivals = [](std::string_view key) {
        const auto kinds = engine::arrivalKinds().all();
        return std::any_of(kinds.begin(), kinds.end(),
                           [&](const engine::ArrivalKind* kind) { return kind->indexOf(key) >= 0; });
    };
    const auto addParameters = [&](const auto& wanted) {
        for (const auto& parameter : engine::servingParameters())
            if (wanted(parameter.spec.key))
                addParameter(parameter.spec);
    };
    addParameters(isRate);
    later(section, [=, this] { addMostRate(section); });
    addParameters([&](std::string_view key) { return isOfArrivals(key) && !isRate(key); });
    later(section, [=, this] {
        auto* batching = addChoice(section, "serving.batching");
        batching->field()->setTips([](const std::string& id) { return about(engine::batchingKinds(), id); });
        showWhen(batching, &Serving::isSimulated);
    });
    addParameters([&](std::string_view key) { return !isOfArrivals(key); });
    for (const auto& field : engine::servingFields())
        laterQuantity(section, "serving." + std::string(field.spec.key), [=](QuantityRow& limit) {
            limit.setUnsetText(tr("none"));
            showWhen(&limit, &Serving::isSimulated);
        });
}

void DesignPage::addMostRate(Section* section) {
    auto* note = addNote(section, ColorRole::Muted);
    onRefresh([this, note] {
        const auto& serving = document().scenario().serving;
        const double most = document().evaluation().metric(engine::Metric::RequestRate);
        const bool known = document().evaluation().feasible && most > 0.0;
        const double rate = serving.arrivals->meanRate(serving);
        note->setVisible(std::isfinite(rate) && known);
        const bool over = known && rate > most;
        note->setRole(over ? ColorRole::Warning : ColorRole::Muted);
        note->setText((over ? tr("More than the closed form serves, %1 req/s: the queue grows to the end.")
                            : tr("The closed form serves up to %1 req/s."))
                          .arg(shortNumber(most)));
    });
}

void DesignPage::loadTrace(const QString& path) {
    finish();
    m_trace->load(path);
}

DesignPage::DesignPage(Document& document, QWidget* parent) : InspectorPage(document, parent) {
    addDescription();
    auto* workload = addSection(tr("Workload"));
    later(workload, [=, this] { addChoice(workload, "workload"); });
    for (const auto& field : engine::workloadFields())
        laterQuantity(workload, "workload." + std::string(field.spec.key));
    addRequests();
    auto* techniques = addSection(tr("Techniques"));
    for (const auto* kind : engine::techniqueKinds().all())
        later(techniques, [=, this] { addTechnique(techniques, *kind); });
    auto* cost = addSection(tr("Cost of tokens"));
    for (const auto& field : engine::economicsFields())
        laterQuantity(cost, "cost." + std::string(field.spec.key));
    later(cost, [=, this] { addCostOfTokens(cost); });
    auto* model = addSection(tr("Model"));
    later(model, [=, this] { addChoice(model, "model"); });
    for (const auto& field : engine::modelFields(document.scenario().model))
        laterQuantity(model, "model." + std::string(field.spec.key));
}

void DesignPage::addCostOfTokens(Section* section) {
    onRefresh([this, section] {
        const auto& spec = engine::metricSpec(engine::Metric::CostPerToken);
        const double cost = document().evaluation().metric(spec.metric) / spec.scale;
        section->setSummary(std::isfinite(cost) ? tr("$%1 a million").arg(shortNumber(cost)) : QString());
    });
}

std::string DesignPage::shape() const {
    const auto& model = document().scenario().model; // groups of layers have other properties
    return model.isUniform() ? "design" : "design|" + std::to_string(model.isMixture());
}

void DesignPage::addDescription() {
    auto* section = addSection(tr("Design"));
    later(section, [=, this] { addName(section); });
}

void DesignPage::addName(Section* section) {
    auto* name = new TextRow(
        tr("Name"), [this] { return QString::fromStdString(document().scenario().name); },
        [this](const QString& text, const QString& gesture) {
            document().perform(engine::SetDescription{text.toStdString(), document().scenario().about},
                               gesture);
        },
        this);
    section->addRow(name);
    onRefresh([name] { name->refresh(); });
    auto* about = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
    about->setWordWrap(true);
    about->setContentsMargins(14, 4, 14, 4);
    section->addRow(about);
    onRefresh([this, about] {
        about->setText(QString::fromStdString(document().scenario().about));
        about->setVisible(!about->text().isEmpty());
    });
}

} // namespace heteroscape::widgets

#include "moc_design_page.cpp"
