// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/explanation_popup.h"

#include "engine/base/error.h"
#include "engine/evaluation/explain.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"

#include <QHeaderView>
#include <QScreen>
#include <QTreeWidget>
#include <QVBoxLayout>

namespace heteroscape::widgets {

namespace {

constexpr int kWidth = 620;
constexpr int kHeight = 360;

void fill(QTreeWidgetItem* item, const engine::Explanation& explanation) {
    item->setText(0, QString::fromStdString(explanation.name));
    const auto unit = QString::fromStdString(explanation.unit);
    item->setText(1, shortNumber(explanation.value) + (unit.isEmpty() ? QString() : QLatin1Char(' ') + unit));
    item->setToolTip(1, QString::fromStdString(engine::exactText(explanation.value)));
    const auto origin =
        QString::fromStdString(explanation.formula.empty() ? explanation.source : explanation.formula);
    item->setText(2, origin);
    item->setToolTip(2, origin);
    item->setTextAlignment(1, Qt::AlignRight | Qt::AlignVCenter);
    for (const auto& term : explanation.terms)
        fill(new QTreeWidgetItem(item), term);
}

} // namespace

ExplanationPopup::ExplanationPopup(const engine::Scenario& scenario, const std::string& metricKey,
                                   QWidget* parent)
    : QFrame(parent, Qt::Popup), m_tree(new QTreeWidget(this)) {
    setAttribute(Qt::WA_DeleteOnClose);
    setFrameShape(QFrame::StyledPanel);
    const auto explanation = engine::explain(scenario, metricKey);
    auto* heading = new TextLabel(TextSize::Body, ColorRole::Text, this, QFont::DemiBold);
    heading->setText(tr("How it comes about"));
    m_tree->setHeaderLabels({tr("Term"), tr("Value"), tr("Formula or source")});
    m_tree->setAccessibleName(heading->text());
    m_tree->header()->setStretchLastSection(true);
    fill(m_tree->invisibleRootItem(), engine::Explanation{{}, 0.0, {}, {}, {}, {explanation}});
    m_tree->invisibleRootItem()->child(0)->setExpanded(true);
    for (int i = 0; i < m_tree->invisibleRootItem()->child(0)->childCount(); ++i)
        m_tree->invisibleRootItem()->child(0)->child(i)->setExpanded(true);
    m_tree->setColumnWidth(0, 270);
    m_tree->setColumnWidth(1, 120);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(10, 8, 10, 10);
    column->addWidget(heading);
    column->addWidget(m_tree);
    resize(kWidth, kHeight);
}

void ExplanationPopup::show(const engine::Scenario& scenario, const std::string& metricKey, QWidget* anchor) {
    auto* popup = new ExplanationPopup(scenario, metricKey, anchor->window());
    auto corner = anchor->mapToGlobal(QPoint(0, anchor->height()));
    if (const auto* screen = anchor->screen())
        corner.setX(std::max(screen->availableGeometry().left(),
                             std::min(corner.x(), screen->availableGeometry().right() - kWidth)));
    popup->move(corner);
    popup->QFrame::show();
    popup->m_tree->setFocus();
}

} // namespace heteroscape::widgets
