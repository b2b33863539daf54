// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/status_line.h"

#include "widgets/document/document.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/messages_panel.h"

#include <QLocale>

#include <cmath>

namespace heteroscape::widgets {

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
