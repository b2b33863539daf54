// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/messages_panel.h"

#include "widgets/document/document.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/theme/theme.h"

#include <map>

namespace heteroscape::widgets {

namespace {

using engine::Severity;

constexpr int kMostWithRemedies = 60; ///< lines; who has more problems begins with these

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

/// What is said of one subject, or of many alike.
struct Finding {
    const engine::Diagnostic* first;
    std::vector<engine::NodeId> alike; ///< the subjects; empty for one alone
};

/// In their order; what is found of more nodes than anybody reads of is one finding.
std::vector<Finding> findingsOf(const Document& document) {
    constexpr std::size_t kMostAlike = 8;
    std::map<std::string, std::vector<const engine::Diagnostic*>> byCode;
    for (const auto& found : document.diagnostics())
        if (!found.code.empty())
            byCode[found.code].push_back(&found);
    std::vector<Finding> findings;
    for (const auto& found : document.diagnostics()) {
        const auto alike = byCode.find(found.code);
        if (alike == byCode.end() || alike->second.size() <= kMostAlike) {
            findings.push_back({&found, {}});
        } else if (alike->second.front() == &found) {
            findings.push_back({&found, {}});
            for (const auto* one : alike->second)
                findings.back().alike.push_back({one->subject});
        }
    }
    return findings;
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
    connect(&RemedyFinder::of(*document), &RemedyFinder::found, this, &MessagesPanel::refresh);
    connect(document, &Document::changed, this, &MessagesPanel::refresh);
    connect(document, &Document::evaluated, this, &MessagesPanel::refresh);
    Theme::instance().follow(this, [this] { refresh(); });
}

void MessagesPanel::showEvent(QShowEvent* event) {
    QListWidget::showEvent(event);
    refresh(); // remedies are looked for while they are seen only
}

void MessagesPanel::addLine(const QIcon& icon, const QString& text, Line line) {
    auto* item = new QListWidgetItem(icon, text);
    if (line.edit) {
        auto font = Theme::instance().font(TextSize::Dense, QFont::Medium);
        item->setFont(font);
        item->setForeground(Theme::instance().color(ColorRole::Accent));
        item->setToolTip(tr("Do this"));
    }
    addItem(item);
    m_lines.push_back(std::move(line));
}

void MessagesPanel::addRemedies(const engine::Diagnostic& finding) {
    auto& finder = RemedyFinder::of(*m_document);
    const auto* known =
        isVisible() && count() < kMostWithRemedies ? finder.ask(finding) : finder.known(finding);
    if (!known)
        return;
    for (const auto& remedy : *known)
        addLine(Theme::instance().icon(QStringLiteral("bulb"), ColorRole::Accent),
                QString::fromStdString(remedy.label), {{}, remedy.edit});
}

void MessagesPanel::refresh() {
    const int chosen = currentRow();
    clear();
    m_lines.clear();
    for (const auto& finding : findingsOf(*m_document)) {
        const auto& found = *finding.first;
        auto text = QString::fromStdString(found.message);
        if (!finding.alike.empty())
            text += QLatin1Char(' ') + tr("(and %1 more like it)").arg(finding.alike.size() - 1);
        if (!found.remedy.empty())
            text += QStringLiteral(". ") + QString::fromStdString(found.remedy);
        addLine(severityIcon(found.severity), text + QLatin1Char('.'), {found.subject, {}, finding.alike});
        addRemedies(found);
    }
    const auto& evaluation = m_document->evaluation();
    if (!evaluation.feasible && !engine::hasErrors(m_document->diagnostics())) {
        const auto& nodes = m_document->results().scenario->nodes;
        addLine(
            severityIcon(Severity::Error), QString::fromStdString(evaluation.reason),
            {evaluation.shortNode < nodes.size() ? nodes[evaluation.shortNode].id.value : std::string(), {}});
        if (evaluation.shortNode < nodes.size())
            addRemedies(RemedyFinder::shortfallAt(nodes[evaluation.shortNode].id));
    }
    if (const auto letIn = engine::letInText(*m_document->results().scenario, evaluation); !letIn.empty())
        addLine(severityIcon(Severity::Note), QString::fromStdString(letIn) + QLatin1Char('.'), {});
    if (count() == 0)
        addLine(Theme::instance().icon(QStringLiteral("check"), ColorRole::Ok),
                tr("Nothing to report: the design runs."), {});
    if (chosen >= 0 && chosen < count())
        setCurrentRow(chosen); // who walks over the lines by keyboard stays there
}

void MessagesPanel::choose(int row) {
    if (row < 0 || row >= static_cast<int>(m_lines.size()))
        return;
    const auto line = m_lines[static_cast<std::size_t>(row)]; // a copy: what it does makes new lines
    const auto& scenario = m_document->scenario();
    if (line.edit)
        m_document->perform(*line.edit);
    else if (!line.alike.empty())
        m_document->select({line.alike, {}});
    else if (scenario.findNode(engine::NodeId{line.subject}))
        m_document->select({{engine::NodeId{line.subject}}, {}});
    else if (scenario.findLink(engine::LinkId{line.subject}))
        m_document->select({{}, {engine::LinkId{line.subject}}});
    else if (!line.subject.empty())
        emit quantityRequested(line.subject);
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

#include "moc_messages_panel.cpp"
