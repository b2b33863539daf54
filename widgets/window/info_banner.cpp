// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/info_banner.h"

#include "widgets/document/document.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QPainter>
#include <QPushButton>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

/// What the reason tells of.
engine::Diagnostic firstError(const Document& document) {
    const auto& findings = document.diagnostics();
    const auto found = std::find_if(findings.begin(), findings.end(), [](const auto& finding) {
        return finding.severity == engine::Severity::Error;
    });
    if (found != findings.end())
        return *found;
    const auto& nodes = document.results().scenario->nodes;
    const auto node = document.evaluation().shortNode;
    return RemedyFinder::shortfallAt(node < nodes.size() ? nodes[node].id : engine::NodeId{});
}

} // namespace

InfoBanner::InfoBanner(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_text(new TextLabel(TextSize::Dense, ColorRole::Error, this)),
      m_remedy(new QPushButton(this)) {
    m_text->setWordWrap(true);
    auto* row = new QHBoxLayout(this);
    row->setContentsMargins(36, 6, 12, 6);
    row->addWidget(m_text, 1);
    row->addWidget(m_remedy);
    m_remedy->hide();
    connect(m_remedy, &QPushButton::clicked, this, &InfoBanner::apply);
    connect(&RemedyFinder::of(*document), &RemedyFinder::found, this, &InfoBanner::refresh);
    connect(document, &Document::changed, this, &InfoBanner::refresh);
    connect(document, &Document::evaluated, this, &InfoBanner::refresh);
    connect(&Theme::instance(), &Theme::changed, this, qOverload<>(&QWidget::update));
    refresh();
}

QString InfoBanner::text() const {
    return m_text->text();
}

void InfoBanner::refresh() {
    const auto& evaluation = m_document->evaluation();
    m_text->setText(QString::fromStdString(evaluation.reason));
    // An empty canvas says itself what to do.
    const bool stuck = !evaluation.feasible && !m_document->scenario().nodes.empty();
    const auto* known = stuck ? RemedyFinder::of(*m_document).ask(firstError(*m_document)) : nullptr;
    m_remedy->setVisible(known && !known->empty());
    if (known && !known->empty()) {
        const auto label = QString::fromStdString(known->front().label);
        m_remedy->setText(label);
        m_remedy->setToolTip(tr("Do this; the messages have other remedies"));
    }
    setVisible(stuck);
}

void InfoBanner::apply() {
    const auto* known = RemedyFinder::of(*m_document).known(firstError(*m_document));
    if (known && !known->empty())
        m_document->perform(engine::GraphEdit(known->front().edit)); // a copy: performing forgets them
}

void InfoBanner::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::ErrorSoft));
    painter.drawPixmap(
        QPoint(12, (height() - 16) / 2),
        theme.pixmap(QStringLiteral("warning"), theme.color(ColorRole::Error), 16, devicePixelRatioF()));
}

} // namespace heteroscape::widgets
