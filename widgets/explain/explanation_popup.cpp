// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/explanation_popup.h"

#include "engine/base/error.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/expected_error.h"
#include "engine/units/number_text.h"
#include "widgets/explain/decisive_list.h"
#include "widgets/inspector/provenance_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"
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
#include <set>

namespace heteroscape::widgets {

namespace {

constexpr int kWidth = 760;
constexpr int kHeight = 440;

QString valueText(const engine::Term& term) {
    const auto unit = QString::fromStdString(term.unit());
    return shortNumber(term.shown()) +
           (unit.isEmpty() || !std::isfinite(term.value()) ? QString() : QLatin1Char(' ') + unit);
}

/// Rows of a tree in which a term stands once with what is below it, and elsewhere alone.
void fill(QTreeWidgetItem* item, const engine::Term& term, double ratio, std::set<const void*>& told) {
    item->setText(0, QString::fromStdString(term.name()));
    item->setToolTip(0, plainTip(item->text(0)));
    item->setText(1, valueText(term));
    item->setToolTip(1, plainTip(QString::fromStdString(engine::exactText(term.shown()))));
    const bool again = !term.terms().empty() && !told.insert(term.identity()).second;
    QStringList how;
    if (again)
        how << ExplanationPopup::tr("as above");
    for (const auto& part : {again ? std::string() : term.formula(), term.source(), term.remark()})
        if (!part.empty())
            how << QString::fromStdString(part);
    if (term.expectedError())
        how << QString::fromStdString(term.expectedError().text());
    item->setText(2, how.join(QStringLiteral(" \u2013 ")));
    item->setToolTip(2, plainTip(item->text(2)));
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    if (const auto provenance = term.provenance()) {
        item->setIcon(2, Theme::instance().provenanceMark(*provenance, ratio));
        item->setToolTip(2, plainTip(provenanceLabel(*provenance) + QStringLiteral(": ") + item->text(2)));
    }
    if (!again)
        for (const auto& child : term.terms())
            fill(new QTreeWidgetItem(item), child, ratio, told);
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
    const bool simulated = spec && engine::isSimulated(spec->metric);
    if (!simulated) {
        present(work(scenario, metricKey));
        return;
    }
    m_heading->setText(tr("Simulating, to see how it comes about"));
    m_job.start([this, scenario = std::move(scenario), metricKey](JobRun& run) -> Job::Show {
        return [this, content = work(scenario, metricKey, run.stop())] { present(content); };
    });
}

ExplanationPopup::Content ExplanationPopup::work(const engine::Scenario& scenario,
                                                 const std::string& metricKey, const std::stop_token& stop) {
    Content content;
    try {
        content.explanation = engine::explain(scenario, metricKey, stop);
        if (engine::hasExpectedErrors(scenario))
            content.expected = engine::expectedError(content.explanation);
        if (const auto* spec = engine::findMetric(metricKey))
            content.decisive = engine::decisivePart(scenario, engine::evaluate(scenario), spec->metric);
    } catch (const std::exception& error) {
        content.explanation = engine::Term::counted(metricKey, engine::kUnset, {}, error.what());
    }
    return content;
}

void ExplanationPopup::present(Content content) {
    m_explanation = std::move(content.explanation);
    const auto value = std::isfinite(m_explanation.value()) ? valueText(m_explanation) : QString();
    const auto name = QString::fromStdString(m_explanation.name());
    m_heading->setText(value.isEmpty() ? tr("How %1 comes about").arg(name)
                       : content.expected
                           ? tr("How it comes about: %1 %2, %3")
                                 .arg(name, value, QString::fromStdString(content.expected.text()))
                           : tr("How it comes about: %1 %2").arg(name, value));
    m_decisive->setPart(std::move(content.decisive));
    m_tree->clear();
    auto* root = new QTreeWidgetItem(m_tree);
    std::set<const void*> told;
    fill(root, m_explanation, devicePixelRatioF(), told);
    root->setExpanded(true);
    for (int i = 0; i < root->childCount(); ++i)
        root->child(i)->setExpanded(true);
    m_tree->setCurrentItem(root);
}

QString ExplanationPopup::text() const {
    const auto decisive = m_decisive->text();
    return QString::fromStdString(engine::termText(m_explanation)) +
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
