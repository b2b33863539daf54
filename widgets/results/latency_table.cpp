// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/results/latency_table.h"

#include "engine/units/number_text.h"
#include "widgets/document/duration_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QClipboard>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QKeyEvent>

#include <array>

namespace heteroscape::widgets {

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
