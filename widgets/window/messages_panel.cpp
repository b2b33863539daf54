// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/messages_panel.h"

#include "widgets/document/document.h"
#include "widgets/theme/theme.h"

namespace heteroscape::widgets {

namespace {

using engine::Severity;

QIcon severityIcon(Severity severity) {
    auto& theme = Theme::instance();
    switch (severity) {
    case Severity::Error:
        return theme.icon(QStringLiteral("warning"), ColorRole::Error);
    case Severity::Warning:
        return theme.icon(QStringLiteral("warning"), ColorRole::Warning);
    case Severity::Note:
        break;
    }
    return theme.icon(QStringLiteral("info"), ColorRole::Muted);
}

} // namespace

MessagesPanel::MessagesPanel(Document* document, QWidget* parent)
    : QListWidget(parent), m_document(document) {
    setAccessibleName(tr("Messages"));
    setFont(Theme::instance().font(TextSize::Dense));
    setWordWrap(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    connect(this, &QListWidget::itemClicked, this, [this](QListWidgetItem* item) { choose(row(item)); });
    connect(this, &QListWidget::itemActivated, this, [this](QListWidgetItem* item) { choose(row(item)); });
    connect(document, &Document::changed, this, &MessagesPanel::refresh);
    connect(document, &Document::evaluated, this, &MessagesPanel::refresh);
    connect(&Theme::instance(), &Theme::changed, this, &MessagesPanel::refresh);
    refresh();
}

void MessagesPanel::refresh() {
    clear();
    for (const auto& found : m_document->diagnostics()) {
        auto text = QString::fromStdString(found.message);
        if (!found.remedy.empty())
            text += QStringLiteral(". ") + QString::fromStdString(found.remedy);
        addItem(new QListWidgetItem(severityIcon(found.severity), text + QLatin1Char('.')));
    }
    const auto& evaluation = m_document->evaluation();
    if (!evaluation.feasible && !engine::hasErrors(m_document->diagnostics()))
        addItem(
            new QListWidgetItem(severityIcon(Severity::Error), QString::fromStdString(evaluation.reason)));
    if (count() == 0)
        addItem(new QListWidgetItem(Theme::instance().icon(QStringLiteral("check"), ColorRole::Ok),
                                    tr("Nothing to report: the design runs.")));
}

void MessagesPanel::choose(int row) {
    const auto& found = m_document->diagnostics();
    if (row < 0 || row >= static_cast<int>(found.size()))
        return;
    const auto subject = found[static_cast<std::size_t>(row)].subject;
    const auto& scenario = m_document->evaluatedScenario();
    if (scenario.findNode(engine::NodeId{subject}))
        m_document->select({{engine::NodeId{subject}}, {}});
    else if (scenario.findLink(engine::LinkId{subject}))
        m_document->select({{}, {engine::LinkId{subject}}});
    else if (!subject.empty())
        emit figureRequested(subject);
}

QString messagesSummary(const Document& document) {
    if (document.scenario().nodes.empty())
        return {}; // a fresh canvas is no mistake
    int errors = 0, warnings = 0, notes = 0;
    for (const auto& found : document.diagnostics())
        ++(found.severity == Severity::Error     ? errors
           : found.severity == Severity::Warning ? warnings
                                                 : notes);
    if (!document.evaluation().feasible && errors == 0)
        ++errors;
    QStringList parts;
    if (errors)
        parts << (errors == 1 ? MessagesPanel::tr("1 error") : MessagesPanel::tr("%1 errors").arg(errors));
    if (warnings)
        parts << (warnings == 1 ? MessagesPanel::tr("1 warning")
                                : MessagesPanel::tr("%1 warnings").arg(warnings));
    if (notes)
        parts << (notes == 1 ? MessagesPanel::tr("1 note") : MessagesPanel::tr("%1 notes").arg(notes));
    return parts.join(QStringLiteral(", "));
}

} // namespace heteroscape::widgets
