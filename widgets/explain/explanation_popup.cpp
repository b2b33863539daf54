// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/explanation_popup.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/units/number_text.h"
#include "widgets/explain/decisive_list.h"
#include "widgets/inspector/provenance_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QApplication>
#include <QClipboard>
#include <QHBoxLayout>
#include <QHeaderView>
#include <QKeyEvent>
#include <QPushButton>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr int kWidth = 760;
constexpr int kHeight = 440;

QString valueText(const engine::Explanation& explanation) {
    if (!std::isfinite(explanation.value))
        return explanation.terms.empty() ? shortNumber(explanation.value) : QString(); // a heading has none
    const auto unit = QString::fromStdString(explanation.unit);
    return shortNumber(explanation.value) + (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit);
}

void fill(QTreeWidgetItem* item, const engine::Explanation& explanation, double ratio) {
    item->setText(0, QString::fromStdString(explanation.name));
    item->setToolTip(0, item->text(0));
    item->setText(1, valueText(explanation));
    item->setToolTip(1, QString::fromStdString(engine::exactText(explanation.value)));
    const auto formula = QString::fromStdString(explanation.formula);
    const auto source = QString::fromStdString(explanation.source);
    item->setText(2, formula.isEmpty()  ? source
                     : source.isEmpty() ? formula
                                        : formula + QStringLiteral(" \u2013 ") + source);
    item->setToolTip(2, item->text(2));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    if (explanation.provenance) {
        item->setIcon(2, Theme::instance().provenanceMark(*explanation.provenance, ratio));
        item->setToolTip(2, provenanceLabel(*explanation.provenance) + QStringLiteral(": ") + source);
    }
    for (const auto& term : explanation.terms)
        fill(new QTreeWidgetItem(item), term, ratio);
}

} // namespace

ExplanationPopup::ExplanationPopup(engine::Scenario scenario, const std::string& metricKey, QWidget* parent)
    : QFrame(parent, Qt::Popup), m_heading(new TextLabel(tr("How it comes about"), TextSize::Body,
                                                         ColorRole::Text, QFont::DemiBold, this)),
      m_decisive(new DecisiveList(this)), m_tree(new QTreeWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    setAccessibleName(m_heading->text());
    m_heading->setElided(true);
    m_decisive->hide();
    m_tree->setHeaderLabels({tr("Term"), tr("Value"), tr("Formula or source")});
    m_tree->setAccessibleName(m_heading->text());
    m_tree->header()->setStretchLastSection(true);
    m_tree->setColumnWidth(0, 260);
    m_tree->setColumnWidth(1, 110);
    auto* copyText = new QPushButton(tr("Copy as text"), this);
    connect(copyText, &QPushButton::clicked, this, &ExplanationPopup::copy);
    auto* head = new QHBoxLayout;
    head->addWidget(m_heading, 1);
    head->addWidget(copyText);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addLayout(head);
    column->addWidget(m_decisive);
    column->addWidget(m_tree, 1);
    resize(kWidth, kHeight);

    const auto* spec = engine::findMetric(metricKey);
    const bool simulated = spec && spec->metric >= engine::Metric::ServedThroughput;
    if (!simulated) {
        present(work(scenario, metricKey));
        return;
    }
    m_heading->setText(tr("Simulating, to see how it comes about"));
    m_job.start([this, scenario = std::move(scenario), metricKey](JobRun&) -> Job::Show {
        return [this, content = work(scenario, metricKey)] { present(content); };
    });
}

ExplanationPopup::Content ExplanationPopup::work(const engine::Scenario& scenario,
                                                 const std::string& metricKey) {
    Content content;
    try {
        content.explanation = engine::explain(scenario, metricKey);
        if (const auto* spec = engine::findMetric(metricKey))
            content.decisive = engine::decisivePart(scenario, engine::evaluate(scenario), spec->metric);
    } catch (const std::exception& error) {
        content.explanation = {};
        content.explanation.name = metricKey;
        content.explanation.source = error.what();
    }
    return content;
}

void ExplanationPopup::present(Content content) {
    m_explanation = std::move(content.explanation);
    const auto value = valueText(m_explanation);
    const auto name = QString::fromStdString(m_explanation.name);
    m_heading->setText(value.isEmpty() ? tr("How %1 comes about").arg(name)
                                       : tr("How it comes about: %1 %2").arg(name, value));
    m_decisive->setPart(std::move(content.decisive));
    m_tree->clear();
    auto* root = new QTreeWidgetItem(m_tree);
    fill(root, m_explanation, devicePixelRatioF());
    root->setExpanded(true);
    for (int i = 0; i < root->childCount(); ++i)
        root->child(i)->setExpanded(true);
    m_tree->setCurrentItem(root);
}

QString ExplanationPopup::text() const {
    const auto decisive = m_decisive->text();
    return QString::fromStdString(engine::explanationText(m_explanation)) +
           (decisive.isEmpty() ? QString() : u'\n' + decisive);
}

void ExplanationPopup::copy() {
    QApplication::clipboard()->setText(text());
}

void ExplanationPopup::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        copy();
    else
        QFrame::keyPressEvent(event);
}

void ExplanationPopup::show(const engine::Scenario& scenario, const std::string& metricKey, QWidget* anchor) {
    show(scenario, metricKey, anchor->mapToGlobal(QPoint(0, anchor->height())), anchor);
}

void ExplanationPopup::show(const engine::Scenario& scenario, const std::string& metricKey,
                            QPoint globalPoint, QWidget* parent) {
    auto* popup = new ExplanationPopup(scenario, metricKey, parent->window());
    if (const auto* screen = parent->screen()) {
        const auto room = screen->availableGeometry();
        const auto within = [](int at, int low, int high) { return std::max(low, std::min(at, high)); };
        globalPoint = {within(globalPoint.x(), room.left(), room.right() - kWidth),
                       within(globalPoint.y(), room.top(), room.bottom() - kHeight)};
    }
    popup->move(globalPoint);
    popup->QFrame::show();
    popup->m_tree->setFocus();
}

} // namespace heteroscape::widgets
