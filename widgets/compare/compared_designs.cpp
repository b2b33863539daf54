// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/compared_designs.h"

#include "engine/base/csv.h"
#include "engine/base/error.h"
#include "engine/evaluation/simulate.h"
#include "engine/scenario/diagnostics.h"
#include "engine/units/number_text.h"
#include "widgets/compare/designs_page.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/theme.h"
#include "widgets/timeline/timeline_source.h"

#include <QClipboard>
#include <QCoreApplication>
#include <QFontMetrics>
#include <QGuiApplication>
#include <QHeaderView>
#include <QPushButton>
#include <QTableView>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

void fitColumns(QTableView* table, int first, int other) {
    table->resizeColumnsToContents();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        table->setColumnWidth(i, std::min(table->columnWidth(i), i == 0 ? first : other));
}

int fitNames(QTableView* table, int first, int other, const std::vector<int>& columns, int names) {
    table->horizontalHeader()->setStretchLastSection(false); // it would take what is left
    fitColumns(table, first, other);
    int left = table->viewport()->width();
    for (int i = 0; i < table->model()->columnCount(); ++i)
        left -= table->columnWidth(i);
    const int each = std::max(0, left) / std::max(1, static_cast<int>(columns.size()));
    const int more = std::clamp(names - kLeastNameWidth, 0, each);
    for (const int column : columns)
        if (column >= 0 && column < table->model()->columnCount())
            table->setColumnWidth(column, table->columnWidth(column) + more);
    table->horizontalHeader()->setStretchLastSection(true);
    return kLeastNameWidth + more;
}

int longestName(const ComparedDesigns& designs) {
    const QFontMetrics metrics(Theme::instance().font(TextSize::Dense));
    int longest = 0;
    for (const auto& design : designs)
        longest = std::max(longest, metrics.horizontalAdvance(design->input.name));
    return longest;
}

QString cutName(const QString& name, int width) {
    return QFontMetrics(Theme::instance().font(TextSize::Dense)).elidedText(name, Qt::ElideMiddle, width);
}

QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text) {
    auto* button = new QPushButton(DesignsPage::tr("Copy as CSV"));
    button->setAccessibleName(accessibleName);
    QObject::connect(button, &QPushButton::clicked, notice, [notice, text = std::move(text)] {
        QGuiApplication::clipboard()->setText(text());
        notice->showDone(DesignsPage::tr("The table is on the clipboard as CSV."));
    });
    return button;
}

namespace {

struct ComparedDesignsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ComparedDesigns)
};

/// A ratio this close to 1 is told as the same.
constexpr double kSame = 5e-4;

std::string field(const QString& text) {
    return engine::csvField(text.toStdString());
}

std::string number(double value) {
    return std::isfinite(value) ? engine::exactText(value) : std::string();
}

} // namespace

double ComparedDesign::metric(const engine::MetricSpec& spec) const {
    return engine::toEdge(evaluation.metric(spec.metric), spec.scale);
}

std::shared_ptr<const ComparedDesign> compareDesign(DesignInput input, const std::stop_token& stop) {
    auto design = std::make_shared<ComparedDesign>();
    design->input = std::move(input);
    const auto& scenario = design->input.scenario;
    const auto diagnostics = engine::validate(scenario);
    design->evaluation = engine::evaluate(scenario);
    auto source = timelineSource(scenario, design->evaluation, diagnostics,
                                 {engine::NodeId{}, engine::Phase::Decode, std::nullopt});
    if (!design->evaluation.feasible)
        design->reason =
            source.reason.isEmpty() ? QString::fromStdString(design->evaluation.reason) : source.reason;
    if (!design->runs())
        return design;
    if (!source.tracks.empty() && source.shown.phase == engine::Phase::Decode)
        design->track.emplace(design->input.name, source.tracks.front().step());
    try {
        design->parts = engine::batchParts(scenario, design->evaluation);
        engine::simulateInto(scenario, design->evaluation, {.stop = stop});
    } catch (const engine::Error& error) {
        design->reason = QString::fromStdString(error.what());
    }
    return design;
}

RatioText ratioText(const engine::MetricSpec& spec, double value, double reference) {
    const double ratio = value / reference;
    if (!std::isfinite(ratio))
        return {};
    if (std::fabs(ratio - 1.0) < kSame)
        return {ComparedDesignsText::tr("same"), Standing::Same};
    const auto number = shortNumber(ratio) + QChar(0x00d7);
    if (spec.better == 0)
        return {number, Standing::Other};
    const bool better = spec.better * (ratio - 1.0) > 0.0;
    return better ? RatioText{ComparedDesignsText::tr("%1 better").arg(number), Standing::Better}
                  : RatioText{ComparedDesignsText::tr("%1 worse").arg(number), Standing::Worse};
}

QString metricsCsv(const ComparedDesigns& designs, std::size_t reference) {
    std::string text = "metric,name,unit";
    for (const auto& design : designs)
        text +=
            ',' + field(design->input.name) + ',' +
            field(ComparedDesignsText::tr("%1 / %2").arg(design->input.name, designs[reference]->input.name));
    text += '\n';
    for (const auto& spec : engine::metricSpecs()) {
        bool any = false;
        std::string row = std::string(spec.key) + ',' + engine::csvField(std::string(spec.label)) + ',' +
                          engine::csvField(std::string(spec.unit));
        for (const auto& design : designs) {
            const double value = design->metric(spec);
            any = any || std::isfinite(value);
            row += ',' + number(value) + ',' + number(value / designs[reference]->metric(spec));
        }
        if (any)
            text += row + '\n';
    }
    return QString::fromStdString(text);
}

QString differencesCsv(const ComparedDesigns& designs, const std::vector<engine::PropertyComparison>& rows) {
    std::string text = "group,subject,property,unit";
    for (const auto& design : designs)
        text += ',' + field(design->input.name);
    text += '\n';
    for (const auto& row : rows) {
        if (!row.differs)
            continue;
        text += std::string(engine::propertyGroupLabel(row.group)) + ',' + engine::csvField(row.subject) +
                ',' + engine::csvField(row.label) + ',' + engine::csvField(row.unit);
        for (const auto& value : row.values)
            text += ',' + engine::csvField(value);
        text += '\n';
    }
    return QString::fromStdString(text);
}

QString partsCsv(const ComparedDesigns& designs) {
    std::string text = "design,part,name,seconds\n";
    for (const auto& design : designs)
        for (const auto& part : design->parts)
            text += field(design->input.name) + ',' + part.key + ',' + engine::csvField(part.label) + ',' +
                    number(part.seconds) + '\n';
    return QString::fromStdString(text);
}

} // namespace heteroscape::widgets
