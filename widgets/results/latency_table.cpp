// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/latency_table.h"

#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>
#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

class QueueChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ServingPanel)
};

constexpr std::size_t kPoints = 256; ///< more than that is a smear

} // namespace

Chart queueChart(const SimulationRun& run) {
    const auto& depth = run.serving.result.depth;
    const auto unit = durationUnit(depth.seconds());
    ChartLine waiting, staged, running;
    waiting.name = QueueChartWords::tr("Waiting");
    waiting.color = ChartColor::series(1);
    waiting.width = 2.4;
    staged.name = QueueChartWords::tr("Staged");
    staged.color = ChartColor::series(4);
    staged.dash = ChartDash::Dashed;
    running.name = QueueChartWords::tr("Running");
    running.color = ChartColor::series(2);
    running.width = 1.3;
    // Spans are equally long: the mean over some of them is the mean of their means.
    const auto merged = (depth.size() + kPoints - 1) / kPoints;
    for (std::size_t first = 0; first < depth.size(); first += merged) {
        const auto past = std::min(first + merged, depth.size());
        const double begin = static_cast<double>(first) * depth.spanSeconds();
        const double end = std::min(static_cast<double>(past) * depth.spanSeconds(), depth.seconds());
        engine::Depth mean;
        for (auto i = first; i < past; ++i) {
            const auto one = depth.mean(i);
            const auto share = 1.0 / static_cast<double>(past - first);
            mean.waiting += share * one.waiting;
            mean.staged += share * one.staged;
            mean.running += share * one.running;
        }
        for (auto* line : {&waiting, &staged, &running})
            line->x.push_back(0.5 * (begin + end) / unit.seconds);
        waiting.y.push_back(mean.waiting);
        staged.y.push_back(mean.staged);
        running.y.push_back(mean.running);
    }
    Chart chart;
    chart.title = QueueChartWords::tr("Requests in the system over time");
    chart.x.label = quantityLabel(QueueChartWords::tr("Time"), unit.name);
    chart.y.label = QueueChartWords::tr("Requests");
    chart.emptyText = QueueChartWords::tr("No request came in");
    for (auto* line : {&running, &staged, &waiting}) // what waits is drawn over the others
        if (line == &waiting || std::any_of(line->y.begin(), line->y.end(), [](double y) { return y > 0.0; }))
            chart.lines.push_back(std::move(*line));
    return chart;
}

namespace {

constexpr int kRow = 24;                 // what stands below shall be in sight in a low dock
constexpr int kLimitRole = Qt::UserRole; // bool: beyond its limit

struct Row {
    const char* name;
    const char* about;
};
constexpr std::array<Row, 4> kRows{{
    {QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "Wait"),
     QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "From the arrival to the start of the prefill")},
    {QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "TTFT"),
     QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable",
                       "Time to first token: from the arrival to the end of the prefill")},
    {QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "TPOT"),
     QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable",
                       "Time per output token after the prefill, with interruptions")},
    {QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "End to end"),
     QT_TRANSLATE_NOOP("heteroscape::widgets::LatencyTable", "From the arrival to the last token")},
}};

} // namespace

LatencyTable::LatencyTable(QWidget* parent) : QTableWidget(static_cast<int>(kRows.size()), 6, parent) {
    setAccessibleName(tr("Latencies of the simulated requests"));
    setHorizontalHeaderLabels({tr("Unit"), tr("Mean"), tr("p50"), tr("p90"), tr("p99"), tr("Max")});
    const std::array<QString, 6> tips{QString(),
                                      tr("Mean of the finished requests"),
                                      tr("Half of the requests take at most so long"),
                                      tr("90 % of the requests take at most so long"),
                                      tr("99 % of the requests take at most so long"),
                                      tr("The longest of all")};
    for (int column = 0; column < columnCount(); ++column) {
        horizontalHeaderItem(column)->setToolTip(plainTip(tips[static_cast<std::size_t>(column)]));
        setTerm(horizontalHeaderItem(column), column == 0 ? "Unit" : "Percentile");
    }
    horizontalHeaderItem(0)->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
    for (int row = 0; row < rowCount(); ++row) {
        const auto& of = kRows[static_cast<std::size_t>(row)];
        auto* head = new QTableWidgetItem(tr(of.name));
        head->setToolTip(plainTip(tr(of.about)));
        setTerm(head, of.name);
        head->setTextAlignment(Qt::AlignLeft | Qt::AlignVCenter);
        setVerticalHeaderItem(row, head);
        for (int column = 0; column < columnCount(); ++column) {
            auto* item = new QTableWidgetItem;
            item->setTextAlignment((column == 0 ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter);
            item->setToolTip(plainTip(tr(of.about)));
            setItem(row, column, item);
        }
    }
    setEditTriggers(QAbstractItemView::NoEditTriggers);
    setSelectionMode(QAbstractItemView::ContiguousSelection);
    setFrameShape(QFrame::NoFrame);
    setShowGrid(false);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setVerticalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    verticalHeader()->setSectionResizeMode(QHeaderView::Fixed);
    horizontalHeader()->setSectionResizeMode(QHeaderView::Stretch);
    horizontalHeader()->setSectionResizeMode(0, QHeaderView::ResizeToContents);
    horizontalHeader()->setDefaultAlignment(Qt::AlignRight | Qt::AlignVCenter);
    horizontalHeader()->setHighlightSections(false);
    verticalHeader()->setHighlightSections(false);
    horizontalHeader()->setSectionsClickable(false);
    verticalHeader()->setSectionsClickable(false);
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    Theme::instance().follow(this, [this] { restyle(); });
}

std::optional<engine::Metric> LatencyTable::metricAt(int row, int column) {
    using engine::Metric;
    constexpr std::array kMeans{Metric::WaitMean, Metric::FirstTokenMean, Metric::TokenMean,
                                Metric::EndToEndMean};
    const bool isQuantile = column >= 2 && column <= 4; // p50, p90, p99: they follow the mean
    if (row < 0 || row >= static_cast<int>(kMeans.size()) || (column != 1 && !isQuantile) ||
        (row == 0 && isQuantile))
        return {};
    return static_cast<Metric>(static_cast<int>(kMeans[static_cast<std::size_t>(row)]) + column - 1);
}

void LatencyTable::restyle() {
    const auto& theme = Theme::instance();
    setFont(theme.font(TextSize::Dense));
    const int height = std::max(kRow, QFontMetrics(font()).height() + 8);
    verticalHeader()->setDefaultSectionSize(height);
    for (int row = 0; row < rowCount(); ++row)
        for (int column = 0; column < columnCount(); ++column) {
            auto* shown = item(row, column);
            const bool beyond = shown->data(kLimitRole).toBool();
            shown->setForeground(theme.color(beyond        ? ColorRole::Error
                                             : column == 0 ? ColorRole::Muted
                                                           : ColorRole::Text));
            shown->setFont(theme.font(TextSize::Dense, column == 4 ? QFont::DemiBold : QFont::Normal));
        }
    updateGeometry();
}

namespace {

/// Three digits, but no more than three digits after the point: the largest of the row sets the unit.
QString inUnit(double value) {
    constexpr double kLeast = 0.1;
    return value > 0.0 && value < kLeast ? QString::number(value, 'f', 3)
                                         : QString::fromStdString(engine::shortText(value));
}

} // namespace

void LatencyTable::setResult(const engine::ServingResult& result, double ttftLimit, double tpotLimit) {
    setRow(0, result.wait, engine::kEndless);
    setRow(1, result.ttft, ttftLimit);
    setRow(2, result.tpot, tpotLimit);
    setRow(3, result.latency, engine::kEndless);
    restyle();
}

void LatencyTable::setRow(int row, const engine::Distribution& of, double limit) {
    const std::array<double, 5> values{of.mean(), of.quantile(0.5), of.quantile(0.9), of.quantile(0.99),
                                       of.largest()};
    const auto unit = durationUnit(of.largest());
    item(row, 0)->setText(unit.name);
    for (int column = 1; column < columnCount(); ++column) {
        const double value = values[static_cast<std::size_t>(column - 1)];
        auto* shown = item(row, column);
        shown->setText(inUnit(value / unit.seconds));
        const bool beyond = value > limit;
        shown->setData(kLimitRole, beyond);
        const auto about = tr(kRows[static_cast<std::size_t>(row)].about);
        shown->setToolTip(
            plainTip(beyond ? tr("%1. Beyond the limit of %2").arg(about, durationText(limit)) : about));
    }
}

QString LatencyTable::text() const {
    QStringList lines;
    QStringList cells{QString()};
    for (int column = 0; column < columnCount(); ++column)
        cells << horizontalHeaderItem(column)->text();
    lines << cells.join(QLatin1Char('\t'));
    for (int row = 0; row < rowCount(); ++row) {
        cells = {verticalHeaderItem(row)->text()};
        for (int column = 0; column < columnCount(); ++column)
            cells << item(row, column)->text();
        lines << cells.join(QLatin1Char('\t'));
    }
    return lines.join(QLatin1Char('\n')) + QLatin1Char('\n');
}

void LatencyTable::keyPressEvent(QKeyEvent* event) {
    if (event->matches(QKeySequence::Copy))
        QGuiApplication::clipboard()->setText(text());
    else
        QTableWidget::keyPressEvent(event);
}

int LatencyTable::wantedWidth() const {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Dense, QFont::DemiBold));
    return verticalHeader()->sizeHint().width() + metrics.horizontalAdvance(QStringLiteral("min")) + 16 +
           5 * (metrics.horizontalAdvance(QStringLiteral("0.0000")) + 14);
}

QSize LatencyTable::sizeHint() const {
    return {wantedWidth(), horizontalHeader()->sizeHint().height() +
                               rowCount() * verticalHeader()->defaultSectionSize() + 2 * frameWidth()};
}

QSize LatencyTable::minimumSizeHint() const {
    return sizeHint();
}

} // namespace heteroscape::widgets

#include "moc_latency_table.cpp"
