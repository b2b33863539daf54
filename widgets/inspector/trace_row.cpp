// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/trace_row.h"

#include "engine/plotting/ticks.h"
#include "widgets/document/document.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/serving_view.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QFileDialog>
#include <QFileInfo>
#include <QMimeData>
#include <QPushButton>
#include <QUrl>

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kTraceLabelWidth = 66; // as of the other rows

QString countText(double count) {
    return QString::fromStdString(engine::tickText(count));
}

} // namespace

TraceRow::TraceRow(Document& document, QWidget* parent)
    : QWidget(parent), m_document(document), m_line(new QWidget(this)),
      m_name(new TextLabel(TextSize::Dense, ColorRole::Text, m_line)),
      m_button(new QPushButton(tr("Choose\u2026"), m_line)),
      m_summary(new TextLabel(TextSize::Caption, ColorRole::Text2, this)),
      m_error(new TextLabel(TextSize::Caption, ColorRole::Error, this)),
      m_allow(new QPushButton(tr("Read it"), this)) {
    auto* label = new TextLabel(TextSize::Dense, ColorRole::Text2, m_line);
    label->setText(tr("Trace"));
    label->setMinimumWidth(kTraceLabelWidth);
    label->setBuddy(m_button);
    m_name->setElided(true);
    m_name->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    m_button->setObjectName(QStringLiteral("chooseTrace"));
    m_button->setFont(Theme::instance().font(TextSize::Dense));
    m_button->setAccessibleName(tr("Choose a trace"));
    m_button->setToolTip(tr("A CSV file with the columns arrival_s, prompt_tokens, output_tokens, or "
                            "TIMESTAMP, ContextTokens, GeneratedTokens. It can be dropped here too."));
    auto* line = makeRow(m_line, {14, 2, 12, 2}, 6);
    line->addWidget(label);
    line->addWidget(m_name, 1);
    line->addWidget(m_button);
    auto* column = makeColumn(this);
    column->addWidget(m_line);
    auto* allow = new QHBoxLayout;
    allow->setContentsMargins(14, 0, 12, 4);
    allow->addWidget(m_allow);
    allow->addStretch(1);
    m_allow->setFont(Theme::instance().font(TextSize::Dense));
    m_allow->hide();
    for (auto* note : {m_summary, m_error}) {
        note->setWordWrap(true);
        note->setContentsMargins(14, 0, 14, 4);
        note->hide();
        column->addWidget(note);
    }
    column->addLayout(allow);
    m_error->setTextFormat(Qt::PlainText);
    m_error->setTextInteractionFlags(Qt::TextSelectableByMouse);
    connect(m_button, &QPushButton::clicked, this, &TraceRow::choose);
    m_allow->setObjectName(QStringLiteral("allowTrace"));
    m_allow->setToolTip(
        tr("The file lies outside the folder of the design, which may come from a stranger: it "
           "is read only when you say so."));
    connect(m_allow, &QPushButton::clicked, this, [this] {
        m_refused.clear();
        m_document.traces().read(engine::TraceRights::Anywhere);
        refresh();
    });
    connect(&m_document, &Document::reset, this, [this] { m_refused.clear(); });
    connect(&m_document.traces(), &TraceReader::refused, this,
            [this](const QString& why) { m_refused = why; });
    connect(&m_document.traces(), &TraceReader::done, this, &TraceRow::refresh);
    refresh();
}

QString TraceRow::fileIn(const QMimeData* data) {
    const auto urls = data->urls();
    if (urls.size() != 1 || !urls.first().isLocalFile())
        return {};
    const auto path = urls.first().toLocalFile();
    return path.endsWith(QStringLiteral(".csv"), Qt::CaseInsensitive) ? path : QString();
}

QString TraceRow::message() const {
    return m_refused;
}

void TraceRow::choose() {
    const auto known = QString::fromStdString(m_document.scenario().serving.trace.path);
    auto* dialog = new QFileDialog(window(), tr("Choose a trace of requests"), QFileInfo(known).path(),
                                   tr("Traces of requests (*.csv *.tsv *.jsonl);;All files (*)"));
    dialog->setAttribute(Qt::WA_DeleteOnClose);
    dialog->setFileMode(QFileDialog::ExistingFile);
    connect(dialog, &QFileDialog::fileSelected, this, &TraceRow::load);
    dialog->open();
}

void TraceRow::load(const QString& path) {
    m_refused.clear();
    m_document.traces().choose(path);
    refresh();
}

QString TraceRow::summary() const {
    const auto& serving = m_document.scenario().serving;
    if (!m_known || m_known->requests.empty())
        return {};
    const auto size = static_cast<double>(m_known->requests.size());
    const double requested = serving[engine::kRequestsParameter.spec.key].value;
    const auto count = requested < size
                           ? tr("The first %1 of %2 requests").arg(countText(requested), countText(size))
                           : tr("%1 requests").arg(countText(size));
    return tr("%1 in %2; on average %3 prompt and %4 output tokens")
        .arg(count, durationText(m_known->seconds()), shortNumber(m_prompt), shortNumber(m_output));
}

void TraceRow::refresh() {
    const auto& serving = m_document.scenario().serving;
    const auto& trace = serving.trace;
    const bool shown = serving.arrivals->readsTrace();
    if (std::exchange(m_arrivals, serving.arrivals) != serving.arrivals)
        m_refused.clear(); // what was refused is no longer what is wanted
    if (trace.requests != m_known) {
        m_known = trace.requests;
        m_prompt = m_output = 0.0;
        for (std::size_t i = 0; m_known && i < m_known->requests.size(); ++i) {
            m_prompt += m_known->requests[i].prompt;
            m_output += m_known->requests[i].output;
        }
        if (m_known && !m_known->requests.empty()) {
            m_prompt /= static_cast<double>(m_known->requests.size());
            m_output /= static_cast<double>(m_known->requests.size());
        }
    }
    const auto path = QString::fromStdString(trace.path);
    m_name->setText(path.isEmpty() ? tr("none") : QFileInfo(path).fileName());
    m_line->setToolTip(plainTip(path));
    m_line->setVisible(shown);
    const bool missing = shown && !m_known && !trace.problem.empty();
    const bool reading = m_document.traces().isReading();
    const auto problem = missing ? QString::fromStdString(trace.problem) : QString();
    m_error->setText(reading || !m_refused.isEmpty() ? m_refused : problem);
    m_error->setVisible(!m_error->text().isEmpty());
    m_summary->setText(reading ? tr("Reading\u2026") : summary());
    m_summary->setVisible((shown || reading) && !m_summary->text().isEmpty());
    m_allow->setVisible(missing && trace.isOutside && !reading);
}

} // namespace heteroscape::widgets

#include "moc_trace_row.cpp"
