// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/design_page.h"

#include "widgets/document/document.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <cmath>

namespace heteroscape::widgets {

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
