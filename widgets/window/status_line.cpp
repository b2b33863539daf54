// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/status_line.h"

#include "widgets/document/document.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/messages_panel.h"

#include <QHBoxLayout>
#include <QLocale>
#include <QPainter>
#include <QPushButton>
#include <algorithm>
#include <cmath>

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
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(theme.color(ColorRole::Error));
    painter.setBrush(theme.color(ColorRole::ErrorSoft));
    painter.drawRoundedRect(QRectF(rect()).adjusted(0.5, 0.5, -0.5, -0.5), 6, 6);
    painter.drawPixmap(
        QPoint(12, (height() - 16) / 2),
        theme.pixmap(QStringLiteral("warning"), theme.color(ColorRole::Error), 16, devicePixelRatioF()));
}

namespace {

/// "73,000"
QString wholeNumber(double value) {
    return QLocale(QLocale::English).toString(value, 'f', 0);
}

QString counted(double devices, std::size_t links) {
    const auto count = wholeNumber(devices);
    const auto deviceText =
        devices == 1.0 ? StatusLine::tr("1 device") : StatusLine::tr("%1 devices").arg(count);
    const auto linkText = links == 1 ? StatusLine::tr("1 link") : StatusLine::tr("%1 links").arg(links);
    return deviceText + QStringLiteral(", ") + linkText;
}

} // namespace

StatusLine::StatusLine(Document* document, QWidget* parent)
    : QStatusBar(parent), m_document(document), m_live(new TextLabel(TextSize::Caption, ColorRole::Ok, this)),
      m_size(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_price(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_power(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_message(new TextLabel(TextSize::Caption, ColorRole::Muted, this)) {
    setSizeGripEnabled(false);
    setFixedHeight(24);
    setContentsMargins(8, 0, 8, 0);
    for (auto* label : {m_live, m_size, m_price, m_power}) {
        label->setContentsMargins(4, 0, 8, 0);
        addWidget(label);
    }
    m_message->setElided(true);
    m_message->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    addWidget(m_message, 1);
    connect(document, &Document::changed, this, &StatusLine::refresh);
    connect(document, &Document::evaluated, this, &StatusLine::refresh);
    connect(document, &Document::refused, this,
            [this](const QString& message) { showMessage(tr("Not done. %1.").arg(message), kRefusedMs); });
    connect(&RemedyFinder::of(*document), &RemedyFinder::failed, this, [this](const QString& message) {
        showMessage(tr("What helps was not found. %1.").arg(message), kRefusedMs);
    });
    refresh();
}

QString StatusLine::text() const {
    QStringList parts;
    for (const auto* label : {m_live, m_size, m_price, m_power, m_message})
        if (!label->text().isEmpty())
            parts << label->text();
    return parts.join(QStringLiteral(" \u00b7 "));
}

void StatusLine::showEvent(QShowEvent* event) {
    QStatusBar::showEvent(event);
    // A message that came while this was hidden has not made room for itself.
    if (const auto message = currentMessage(); !message.isEmpty()) {
        clearMessage();
        showMessage(message, kRefusedMs);
    }
}

void StatusLine::refresh() {
    clearMessage();
    const auto& scenario = *m_document->results().scenario;
    const auto& evaluation = m_document->evaluation();
    if (evaluation.feasible)
        m_live->setText(tr("Live: evaluated in %1").arg(secondsText(m_document->results().seconds)));
    else
        m_live->setText(scenario.nodes.empty() ? tr("Nothing to evaluate yet") : tr("Cannot run"));
    m_live->setRole(evaluation.feasible      ? ColorRole::Ok
                    : scenario.nodes.empty() ? ColorRole::Muted
                                             : ColorRole::Error);
    double devices = 0.0;
    for (const auto& node : scenario.nodes)
        devices += node.count.value;
    m_size->setText(counted(devices, scenario.links.size()));
    const double price = evaluation.metric(engine::Metric::Price);
    m_price->setText(std::isfinite(price) ? QStringLiteral("$") + wholeNumber(price) : QString());
    const double power = evaluation.feasible ? evaluation.metric(engine::Metric::Power) : engine::kUnset;
    m_power->setText(std::isfinite(power) ? wattsText(power) : QString());
    m_price->setVisible(!m_price->text().isEmpty());
    m_power->setVisible(!m_power->text().isEmpty());
    const auto summary = messagesSummary(*m_document);
    const auto& found = m_document->diagnostics();
    m_message->setText(found.empty()
                           ? summary
                           : QString::fromStdString(found.front().message) +
                                 (found.size() > 1 ? QStringLiteral(" (%1)").arg(summary) : QString()));
}

} // namespace heteroscape::widgets

#include "moc_status_line.cpp"
