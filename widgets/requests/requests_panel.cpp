// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/requests/requests_panel.h"

#include "engine/exporters/timeline_export.h"
#include "widgets/document/document.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/surface.h"
#include "widgets/requests/requests_painter.h"
#include "widgets/requests/requests_start.h"
#include "widgets/requests/requests_text.h"
#include "widgets/requests/requests_view.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QProgressBar>
#include <QRegularExpressionValidator>
#include <QStackedWidget>
#include <QStyle>
#include <QToolButton>

#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr int kLate = 300; // ms of work before it is shown
constexpr int kProgressSteps = 1000;
constexpr int kNumberWidth = 96;
constexpr int kProgressWidth = 96;

/// A text of the engine about the run that is shown; empty without one.
template <class Make>
std::function<QString()> textOf(const RequestsView* view, Make make) {
    return [view, make] {
        return view->lanes() ? QString::fromStdString(make(view->lanes()->run())) : QString();
    };
}

} // namespace

RequestsPanel::RequestsPanel(Document* document, SimulationRunner* runner, QWidget* parent)
    : DockPage(parent), m_document(document), m_runner(runner), m_progress(new QProgressBar(m_tools)),
      m_number(new QLineEdit(m_tools)), m_all(new QToolButton(m_tools)), m_view(new RequestsView(m_pages)),
      m_caption(new TextLabel(TextSize::Dense, ColorRole::Text, this, QFont::DemiBold)) {
    setExport(new ExportButton(
                  ExportButton::Picture([this](const QString& path, const ImageSize& size) {
                      if (m_view->lanes())
                          exportRequests(*m_view->lanes(),
                                         m_export->extent() == Extent::Shown ? m_view->view()
                                                                             : m_view->lanes()->whole(),
                                         m_view->marked(), m_view->requestsLayout().seen().first, path, size);
                  }),
                  {{tr("Segments (CSV)\u2026"), QStringLiteral("csv"),
                    textOf(m_view,
                           [this](const SimulationRun& run) {
                               return engine::servingSegmentsCsv(run.scenario, run.serving, exported());
                           })},
                   {tr("Requests (CSV)\u2026"), QStringLiteral("csv"),
                    textOf(m_view,
                           [this](const SimulationRun& run) {
                               return engine::servedRequestsCsv(run.serving, exported());
                           })},
                   {tr("Chrome trace (JSON)\u2026"), QStringLiteral("json"),
                    textOf(m_view,
                           [](const SimulationRun& run) {
                               return engine::servingTrace(run.scenario, run.serving);
                           })}},
                  QStringLiteral("requests"), m_tools),
              tr("Export the requests"));
    m_start = new RequestsStart(document, m_pages);
    makeBar();
    auto* shown = new Surface(ColorRole::Surface, false, m_pages);
    auto* head = new QHBoxLayout;
    head->setContentsMargins(12, 3, 12, 1);
    head->setSpacing(16);
    m_caption->setObjectName(QStringLiteral("caption"));
    m_caption->setElided(true);
    m_caption->setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Preferred);
    head->addWidget(m_caption, 1);
    head->addWidget(new RequestsLegend(shown));
    auto* lanes = makeColumn(shown);
    lanes->addLayout(head);
    lanes->addWidget(m_view, 1);
    m_pages->addWidget(shown);
    m_pages->addWidget(m_start);
    m_late.setSingleShot(true);
    m_late.setInterval(kLate);
    connect(&m_late, &QTimer::timeout, this, &RequestsPanel::showLate);
    connect(m_view, &RequestsView::requestMarked, this, [this](std::optional<std::uint32_t> request) {
        showCaption();
        emit requestMarked(request);
    });
    connect(document, &Document::reset, this, [this] { m_other = true; });
    connect(runner, &SimulationRunner::started, this, [this] {
        m_progress->setValue(0);
        m_late.start();
    });
    connect(runner, &SimulationRunner::progressed, this, [this](std::uint64_t done, std::uint64_t size) {
        const double share = size > 0 ? static_cast<double>(done) / static_cast<double>(size) : 0.0;
        m_progress->setValue(static_cast<int>(share * kProgressSteps));
        m_progress->setToolTip(
            plainTip(tr("%1 of %2 requests")
                         .arg(countText(static_cast<double>(done)), countText(static_cast<double>(size)))));
    });
    connect(runner, &SimulationRunner::finished, this, &RequestsPanel::finish);
    if (runner->isBusy())
        m_late.start();
    refreshNow();
}

void RequestsPanel::makeBar() {
    m_progress->setObjectName(QStringLiteral("progress"));
    m_progress->setRange(0, kProgressSteps);
    m_progress->setFixedWidth(kProgressWidth);
    m_progress->setTextVisible(false);
    m_progress->setAccessibleName(tr("Progress of the simulation"));
    m_progress->hide();
    m_number->setObjectName(QStringLiteral("requestNumber"));
    m_number->setPlaceholderText(tr("Request"));
    m_number->setAccessibleName(tr("Number of a request to show"));
    m_number->setToolTip(tr("Number of a request to show; the first is 0"));
    m_number->setFixedWidth(kNumberWidth);
    m_number->setFont(Theme::instance().font(TextSize::Dense));
    m_number->setClearButtonEnabled(false);
    m_number->setValidator(
        new QRegularExpressionValidator(QRegularExpression(QStringLiteral("[0-9]{0,9}")), m_number));
    m_all->setObjectName(QStringLiteral("showAll"));
    m_all->setText(tr("All"));
    m_all->setToolTip(tr("Show the whole run (Home)"));
    m_all->setFont(Theme::instance().font(TextSize::Dense));
    m_all->setMinimumHeight(24);
    auto* row = makeBarRow(4);
    row->addStretch(1);
    row->addWidget(m_progress);
    row->addWidget(m_number);
    row->addWidget(m_all);
    row->addWidget(m_export);
    connect(m_number, &QLineEdit::textEdited, this, &RequestsPanel::jump);
    connect(m_number, &QLineEdit::returnPressed, this, [this] { jump(m_number->text()); });
    connect(m_all, &QToolButton::clicked, m_view, &RequestsView::showAll);
}

void RequestsPanel::jump(const QString& text) {
    bool isNumber = false;
    const auto number = text.toUInt(&isNumber);
    m_unknown = isNumber ? text : QString(); // until it is found: what was typed stays in the field
    if (isNumber && m_view->showRequest(number))
        m_unknown.clear();
    else
        m_view->markRequest({});
    showCaption();
}

void RequestsPanel::markRequest(std::optional<std::uint32_t> request) {
    catchUp(); // what is asked about may be in a run that was not looked at yet
    if (request == markedRequest())
        return;
    if (!request || !m_view->showRequest(*request))
        m_view->markRequest({});
}

std::optional<std::uint32_t> RequestsPanel::markedRequest() const {
    return m_view->markedRequest();
}

QString RequestsPanel::reason() const {
    return m_pages->currentWidget() == m_start ? m_start->text() : QString();
}

void RequestsPanel::finish() {
    m_late.stop();
    follow();
}

bool RequestsPanel::refresh() {
    const bool ready = !m_runner->isBusy();
    if (!ready) { // what is shown stays until there is something else
        if (!m_view->lanes())
            m_start->present(tr("The requests are being simulated."), false); // for the first time
    } else {
        m_progress->hide();
        m_view->setDimmed(false);
        const auto run = m_runner->run();
        const bool other = std::exchange(m_other, false);
        m_view->setLanes(run ? std::make_shared<const RequestLanes>(run) : nullptr, !other);
        if (!run)
            m_start->present(m_runner->reason(), m_runner->isSteady());
        else if (m_view->lanes()->empty())
            m_start->present(
                tr("No request was served: none came, or none has room in the memory of a device."), false);
    }
    const bool there = m_view->lanes() && !m_view->lanes()->empty();
    m_pages->setCurrentIndex(there ? 0 : 1);
    for (auto* control : std::initializer_list<QWidget*>{m_number, m_all, m_export})
        control->setEnabled(there);
    m_unknown.clear();
    showCaption();
    return ready;
}

void RequestsPanel::showLate() {
    if (!m_runner->isBusy())
        return;
    m_progress->setVisible(true);
    if (m_other) // what is shown is of another design
        m_view->setLanes(nullptr, false);
    m_view->setDimmed(true);
    refreshNow();
}

engine::ServingSpan RequestsPanel::exported() const {
    if (m_export->extent() != Extent::Shown)
        return {};
    return {m_view->view().from, m_view->view().to};
}

void RequestsPanel::showCaption() {
    const auto* lanes = m_view->lanes();
    const auto marked = m_view->markedRequest();
    if (!lanes || lanes->empty())
        m_caption->setText({});
    else if (!m_unknown.isEmpty())
        m_caption->setText(tr("Request %1 is not among the %2 that are recorded")
                               .arg(m_unknown, countText(static_cast<double>(lanes->recorded()))));
    else
        m_caption->setText(marked ? storyText(*lanes, *marked) : runText(*lanes));
    if (m_unknown.isEmpty())
        m_number->setText(marked ? QString::number(*marked) : QString());
    if (m_number->property("invalid").toBool() != !m_unknown.isEmpty()) {
        m_number->setProperty("invalid", !m_unknown.isEmpty());
        m_number->update();
    }
}

} // namespace heteroscape::widgets

#include "moc_requests_panel.cpp"
