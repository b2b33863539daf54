// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_page.h"

#include "engine/plotting/ticks.h"
#include "engine/servers/served_plan.h"
#include "engine/validation/measured_table.h"
#include "engine/validation/serving_validation.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/theme/text_label.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/kernel_panel.h"
#include "widgets/validation/measured_chunk.h"
#include "widgets/validation/measured_tables.h"
#include "widgets/validation/validation_charts.h"
#include "widgets/validation/validation_words.h"

#include <QComboBox>
#include <QDragEnterEvent>
#include <QFileInfo>
#include <QHBoxLayout>
#include <QMimeData>
#include <QPushButton>
#include <QTableView>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

QString numberOf(std::size_t rows) {
    return QString::fromStdString(engine::tickText(static_cast<double>(rows)));
}

/// The chart without the names of its groups: the filters beside it have them.
Chart unnamed(Chart chart) {
    for (auto& group : chart.cloud->groups)
        group.name.clear();
    chart.legendTitle.clear();
    return chart;
}

} // namespace

ValidationPage::ValidationPage(QString presetsFolder, QWidget* parent)
    : LatePage(parent), m_presets(std::move(presetsFolder)), m_filters(new FilterPanel(this)),
      m_unanswered(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_scatter(new PlotView(this)),
      m_errors(new PlotView(this)), m_errorsNote(new TextLabel(TextSize::Caption, ColorRole::Muted, this)),
      m_kernel(new KernelPanel(this)), m_groups(new ErrorGroupModel(this)),
      m_rows(new MeasuredRowsModel(this)) {
    setExport(new ExportButton([this] { return m_named; },
                               {{tr("Rows that are shown (CSV)…"), QStringLiteral("csv"),
                                 [this] { return m_view ? validationRowsCsv(*m_view) : QString(); }},
                                {tr("Groups with their errors (CSV)…"), QStringLiteral("csv"),
                                 [this] { return m_view ? validationGroupsCsv(*m_view) : QString(); }}},
                               QStringLiteral("measured"), this));
    takeDroppedCsv(this, [this](const QString& path) { addFile(path); });
    setProperty("takesFiles", true); // from the window, which takes a CSV for a trace
    setTerm(this, "measured.md");
    makeTools();
    layOut();
    connect(m_notice, &NoticeBar::acted, this,
            [this] { showLeftOut(this, m_leftOut->source, m_leftOut->unread); });
    connect(&m_reading, &Job::failed, m_notice, &NoticeBar::showError);
    connect(&m_simulating, &Job::failed, m_notice, &NoticeBar::showError);
    connect(&m_counting, &Job::failed, m_notice, &NoticeBar::showError);
    connect(m_filters, &FilterPanel::toggled, this,
            [this](MeasuredKey key, const std::string& label, bool on) {
                if (on)
                    m_choice.offOf(key).erase(label);
                else
                    m_choice.offOf(key).insert(label);
                refresh();
            });
    connect(m_filters, &FilterPanel::allRequested, this, [this](MeasuredKey key) {
        m_choice.offOf(key).clear();
        refresh();
    });
    const auto pick = [this](ChartPoint point) {
        if (point.kind == ChartPoint::Kind::Cloud && point.index >= 0)
            choose(static_cast<std::size_t>(point.index));
    };
    connect(m_scatter, &PlotView::pointClicked, this, pick);
    connect(m_scatter, &PlotView::pointActivated, this, pick);
    connect(m_kernel, &KernelPanel::likeRequested, this, &ValidationPage::keepLike);
    connect(m_kernel, &KernelPanel::openDesignRequested, this, &ValidationPage::openDesignRequested);
}

void ValidationPage::begin() {
    m_count->setText(tr("Reading…"));
    m_reading.start([this, folder = m_presets.toStdString()](JobRun&) -> Job::Show {
        return [this, files = engine::shippedMeasured(folder), servers = engine::shippedServing(folder)] {
            // What the rows of the first table are about comes first: kernels before what few models have.
            for (auto file = files.rbegin(); file != files.rend(); ++file)
                read(QString::fromStdString(*file), {}, m_reading);
            for (const auto& file : servers)
                m_servers.push_back(QString::fromStdString(file));
            if (!m_servers.empty()) {
                m_sources.emplace_back(serversSource(), false);
                m_choice.sourcesOff.insert(serversSource());
            }
            if (m_wanted)
                putServersAlone();
        };
    });
}

void ValidationPage::put(const QString& source, bool in) {
    if (in)
        m_choice.sourcesOff.erase(source);
    else
        m_choice.sourcesOff.insert(source);
    if (in && source == serversSource()) // simulated when they are asked for, and shown as they come
        for (const auto& file : std::exchange(m_servers, {}))
            read(file, {}, m_simulating);
    refresh();
}

void ValidationPage::showServedRun(std::size_t line) {
    m_wanted = line;
    load();
    if (std::any_of(m_sources.begin(), m_sources.end(),
                    [](const auto& source) { return source.first == serversSource(); }))
        putServersAlone();
}

void ValidationPage::putServersAlone() {
    m_choice.clearFilters();
    for (const auto& [name, own] : m_sources)
        m_choice.sourcesOff.insert(name);
    put(serversSource(), true);
}

void ValidationPage::chooseWanted() {
    for (std::size_t i = 0; m_wanted && i < m_view->rows.size(); ++i) {
        const auto& chunk = *m_view->chunks[m_view->rows[i].chunk];
        if (chunk.source == serversSource() && chunk.lines[m_view->rows[i].row] == *m_wanted) {
            m_wanted.reset();
            choose(i);
        }
    }
}

void ValidationPage::addFile(const QString& path) {
    load();
    const auto name = QFileInfo(path).fileName();
    read(path, name, m_reading);
}

void ValidationPage::read(const QString& path, const QString& source, Job& job) {
    job.start([this, path, source](JobRun& run) -> Job::Show {
        bool first = !source.isEmpty(); // of the user's own: in place of what was read before
        readMeasuredFile(
            path, source,
            [&](std::shared_ptr<const MeasuredChunk> chunk) {
                run.tell([this, source, chunk = std::move(chunk), replaces = std::exchange(first, false)] {
                    if (replaces)
                        std::erase_if(m_chunks, [&](const auto& one) { return one->source == source; });
                    take(chunk);
                    if (replaces)
                        showAlone(source);
                });
            },
            run.stop());
        return [this, path, own = !source.isEmpty()] {
            if (own)
                m_ownFile = path;
        };
    });
}

void ValidationPage::take(const std::shared_ptr<const MeasuredChunk>& chunk) {
    const auto known = std::find_if(m_sources.begin(), m_sources.end(),
                                    [&](const auto& source) { return source.first == chunk->source; });
    if (known == m_sources.end()) {
        // Of the shipped tables the first is shown, so that there are few kinds at a time.
        if (!m_chunks.empty() || m_wanted)
            m_choice.sourcesOff.insert(chunk->source);
        m_sources.emplace_back(chunk->source, false);
    }
    m_chunks.push_back(chunk);
    if (!chunk->unread.empty()) {
        m_leftOut = chunk;
        m_notice->showWarning(leftOutText(chunk->source, chunk->unread), tr("Show"));
    }
    refresh();
}

void ValidationPage::showAlone(const QString& source) {
    for (auto& [name, own] : m_sources) {
        own = own || name == source;
        if (name == source)
            m_choice.sourcesOff.erase(name);
        else
            m_choice.sourcesOff.insert(name);
    }
    m_choice.clearFilters();
    refresh();
}

bool ValidationPage::isBusy() const {
    return m_reading.isBusy() || m_counting.isBusy() || m_kernel->isBusy();
}

void ValidationPage::setChoice(ValidationChoice choice) {
    m_choice = std::move(choice);
    m_colour->setCurrentIndex(static_cast<int>(m_choice.colour));
    m_group->setCurrentIndex(static_cast<int>(m_choice.group));
    refresh();
}

void ValidationPage::refresh() {
    showSources();
    m_counting.start([this, chunks = m_chunks, choice = m_choice](JobRun& run) -> Job::Show {
        auto view = validationView(chunks, choice, run.stop());
        if (run.isStopped())
            return {};
        return [this, view, scatter = scatterChart(view), errors = errorsChart(*view)] {
            present(view, scatter, errors);
        };
    });
}

void ValidationPage::present(std::shared_ptr<const ValidationView> view, Chart scatter, const Chart& errors) {
    m_view = std::move(view);
    m_filters->setView(m_view);
    m_groups->setView(m_view);
    m_groupTable->resizeColumnsToContents();
    m_rows->setView(m_view);
    m_named = std::move(scatter);
    m_scatter->setChart(unnamed(m_named));
    m_errors->setChart(errors);
    showSummary();
    showChosen();
    chooseWanted();
}

void ValidationPage::showSummary() {
    const auto& all = m_view->all;
    m_summary->setVisible(all.rows > 0);
    m_summary->setText(tr("Median error %1 · 90th percentile %2 · Bias %3 · Within 10 % %4 · Within 25 % %5")
                           .arg(errorPercent(all.median), errorPercent(all.p90),
                                signedPercent(all.bias / 100.0), errorPercent(all.within10),
                                errorPercent(all.within25)));
    m_count->setText(tr("%1 of %2 rows").arg(numberOf(m_view->rows.size()), numberOf(m_view->answered)));
    m_clear->setVisible(m_choice.isFiltered());
    m_errorsNote->setText(tr("%1 rows, bins of 5 %").arg(numberOf(m_view->rows.size())));
    QStringList reasons;
    constexpr qsizetype kMost = 3;
    for (const auto& [why, of] : m_view->unanswered)
        if (reasons.size() < kMost)
            reasons << (of.rows == 1 ? tr("No answer for %1: %2").arg(of.first, QString::fromStdString(why))
                                     : tr("No answer for %1 rows, first %2: %3")
                                           .arg(numberOf(of.rows), of.first, QString::fromStdString(why)));
    m_unanswered->setText(reasons.join(u'\n'));
    m_unanswered->setVisible(!reasons.isEmpty());
}

void ValidationPage::choose(std::size_t point) {
    if (!m_view || point >= m_view->rows.size())
        return;
    const auto place = m_view->rows[point];
    m_chosen = m_view->chunks[place.chunk];
    m_chosenRow = place.row;
    m_kernel->open(m_chosen, m_chosenRow);
    showChosen();
}

void ValidationPage::showChosen() {
    std::optional<std::size_t> point;
    for (std::size_t i = 0; m_chosen && i < m_view->rows.size() && !point; ++i)
        if (m_view->rows[i].row == m_chosenRow && m_view->chunks[m_view->rows[i].chunk] == m_chosen)
            point = i;
    if (m_chosen && !point) { // it is filtered out
        m_chosen.reset();
        m_kernel->close();
    }
    m_scatter->select(point ? std::optional(ChartPoint{0, static_cast<int>(*point), ChartPoint::Kind::Cloud})
                            : std::nullopt);
    const int row = point ? m_rows->rowOf(*point) : -1;
    if (row >= 0 && m_rowTable->currentIndex().row() != row)
        m_rowTable->selectRow(row);
}

void ValidationPage::keepOnly(MeasuredKey key, const std::string& label) {
    auto& off = m_choice.offOf(key);
    off.clear();
    for (const auto& [name, rows] : m_view->labels[static_cast<std::size_t>(key)])
        if (name != label)
            off.insert(name);
}

void ValidationPage::keepLike() {
    if (!m_chosen || !m_view)
        return;
    for (const auto key :
         {MeasuredKey::Kind, MeasuredKey::Device, MeasuredKey::Framework, MeasuredKey::Precision})
        keepOnly(key, m_chosen->label(key, m_chosenRow));
    refresh();
}

} // namespace heteroscape::widgets

#include "moc_validation_page.cpp"
