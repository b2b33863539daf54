// SPDX-License-Identifier: GPL-3.0-or-later
// What is filtered out of a plot, which designs stand across, what their data says, and the bands of curves.
#include "engine/base/error.h"
#include "engine/exporters/study_csv.h"
#include "engine/plotting/grid_rows.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "engine/units/number_text.h"
#include "widgets/explore/plot_words.h"
#include "widgets/explore/plots/fronts.h"
#include "widgets/explore/study_plot_parts.h"

#include <algorithm>
#include <cmath>
#include <mutex>
#include <set>
#include <type_traits>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kMostBanded = 2000; // points of a cut: each is evaluated some dozen times

/// Bands are asked for again whenever a plot is drawn again; the last few are kept.
struct Known {
    std::weak_ptr<const LoadedStudy> study;
    std::string query;
    std::vector<engine::Band> bands;
};
constexpr std::size_t kMostKnown = 32;
std::mutex knownMutex;
std::vector<Known> known;

bool hasBands(const engine::StudyPlot& plot) {
    return plot.bands && plotForm(plot.kind).offers(&engine::StudyPlot::bands);
}

std::string textOf(const engine::SeriesQuery& query) {
    std::string text = query.x + '|' + query.curve + '|' + query.metric + '|';
    const auto add = [&text](const std::vector<engine::HeldAxis>& held) {
        for (const auto& [path, value] : held)
            text += path + '=' + engine::exactText(value) + ',';
        text += '|';
    };
    add(query.fixed);
    add({{query.gain.axis, query.gain.value}});
    add(query.gain.further);
    for (const auto& path : query.meanOver)
        text += path + ',';
    text += std::to_string(static_cast<int>(query.mean)) + '|';
    for (const auto& one : query.cases)
        add(one.at);
    if (query.baseline) {
        text += query.baseline->name;
        for (const auto& [key, value] : query.baseline->metrics)
            if (key == query.metric)
                text += engine::exactText(value);
    }
    return text;
}

/// Those that need no work; nothing when they must be worked out.
std::optional<std::vector<engine::Band>>
knownBands(const LoadedStudy& study, const engine::SeriesQuery& query, const std::string& text) {
    const std::vector<engine::Band> none;
    if (study.table.rows() < study.table.info.points || !engine::findMetric(query.metric) ||
        isSimulated(query.metric))
        return none;
    std::size_t points = 1;
    for (const auto& axis : engine::cutStudy(study.definition, query).axes)
        points *= axis.values.size();
    if (points > kMostBanded)
        return none;
    const auto self = study.weak_from_this().lock();
    const std::scoped_lock lock(knownMutex);
    for (const auto& one : known)
        if (self && one.study.lock() == self && one.query == text)
            return one.bands;
    return {};
}

std::vector<std::string_view> statusWords(const LoadedStudy& study, const engine::RowMask* kept,
                                          const std::vector<std::size_t>& rows) {
    const auto* feasible = study.table.find("feasible");
    std::vector<std::string_view> words;
    for (const auto row : rows)
        words.push_back(engine::pointStatusName(row == StudyChart::kNoRow ? engine::PointStatus::NotComputed
                                                : feasible && feasible->at(row) != 1.0
                                                    ? engine::PointStatus::Infeasible
                                                : isFilteredOut(kept, row) ? engine::PointStatus::Filtered
                                                                           : engine::PointStatus::Ok));
    return words;
}

/// The keys of a study's designs, one by one: often only some are drawn.
class DesignKeys {
public:
    explicit DesignKeys(const LoadedStudy& study) : m_table(study.table), m_setter(study.definition) {}

    QString operator()(std::size_t row) {
        return row == StudyChart::kNoRow ? QString()
                                         : QString::fromStdString(engine::keyText(
                                               engine::scenarioKeyBytes(m_setter.at(m_table.ordinal(row)))));
    }
    std::vector<QString> of(const std::vector<std::size_t>& rows) {
        std::vector<QString> keys;
        for (const auto row : rows)
            keys.push_back((*this)(row));
        return keys;
    }

private:
    const engine::StudyTable& m_table;
    engine::PointSetter m_setter;
};

/// A gap at each of these places that a curve does not have.
void addGaps(ChartLine& line, std::vector<std::size_t>& rows, const std::vector<double>& places) {
    std::vector<std::size_t> from; // of each place, where it was
    for (const double x : places) {
        const auto at = std::lower_bound(line.x.begin(), line.x.end(), x);
        from.push_back(at != line.x.end() && *at == x ? static_cast<std::size_t>(at - line.x.begin())
                                                      : line.x.size());
    }
    const auto spread = [&from](auto& values, const auto& gap) {
        if (values.empty())
            return;
        std::remove_reference_t<decltype(values)> all;
        for (const auto i : from)
            all.push_back(i < values.size() ? values[i] : gap);
        values = std::move(all);
    };
    line.x = places;
    for (auto* values : {&line.y, &line.low, &line.high})
        spread(*values, std::nan(""));
    spread(line.reasons, QString());
    spread(line.muted, std::uint8_t{0});
    spread(rows, StudyChart::kNoRow);
}

} // namespace

bool isFilteredOut(const engine::RowMask* kept, std::size_t row) {
    return kept && row < kept->size() && !(*kept)[row];
}

std::vector<std::string_view> statusOf(const LoadedStudy& study, const engine::RowMask* kept,
                                       const std::vector<std::size_t>& rows) {
    if (std::none_of(rows.begin(), rows.end(), [&](auto row) { return isFilteredOut(kept, row); }))
        return {};
    return statusWords(study, kept, rows);
}

void tellDesigns(StudyChart& drawn, const LoadedStudy& study, const engine::StudyPlot& plot,
                 const engine::RowMask* kept) {
    if (!plot.query.meanOver.empty())
        return;
    auto& chart = drawn.chart;
    const auto keys = std::make_shared<DesignKeys>(study);
    const bool isPartial = study.table.rows() < study.table.info.points && !study.table.info.isList;
    for (std::size_t i = 0; i < std::min(drawn.lineRows.size(), chart.lines.size()); ++i) {
        auto& line = chart.lines[i];
        auto& rows = drawn.lineRows[i];
        if (rows.size() != line.x.size())
            continue;
        if (isPartial)
            addGaps(line, rows, axisValues(study, plot.query.x));
        line.status = statusWords(study, kept, rows);
        line.keys = keys->of(rows);
    }
    if (chart.bars) {
        std::set<int> told; // what stands on each other is of the same designs
        for (std::size_t i = 0; i < std::min(drawn.areaRows.size(), chart.bars->series.size()); ++i)
            if (auto& series = chart.bars->series[i]; told.insert(series.bar).second) {
                series.status = statusWords(study, kept, drawn.areaRows[i]);
                series.keys = keys->of(drawn.areaRows[i]);
            }
    }
    if (chart.heatMap)
        chart.heatMap->keyOf = [keys, rows = drawn.areaRows](engine::Cell cell) {
            return (*keys)(rows[cell.row][cell.column]);
        };
    if (chart.cloud) // of all rows
        chart.cloud->keyOf = [all = engine::studyKeys(study.table, study.definition)](std::size_t row) {
            return QString::fromStdString(engine::keyText(all[row]));
        };
    for (std::size_t i = 0; i < std::min(drawn.markRows.size(), chart.marks.size()); ++i)
        chart.marks[i].key = (*keys)(drawn.markRows[i]);
}

QString filterReason(const LoadedStudy& study, const std::vector<engine::Limit>& limits, std::size_t row) {
    for (const auto& limit : limits) {
        const auto* column = study.table.find(limit.column);
        const double value = column ? column->at(row) : std::nan("");
        if (limit.holds(value))
            continue;
        if (!column || std::isnan(value) || limit.column == "feasible")
            return PlotWords::tr("Filtered out: a value of its limits is not there");
        const auto name = inSentence(QString::fromStdString(column->label));
        return value > limit.most ? PlotWords::tr("Filtered out: %1 over %2")
                                        .arg(name, study.textWithUnit(*column, limit.most))
                                  : PlotWords::tr("Filtered out: %1 under %2")
                                        .arg(name, study.textWithUnit(*column, limit.least));
    }
    return PlotWords::tr("Filtered out: outside of what is brushed");
}

bool isFeasible(const LoadedStudy& study, std::size_t row) {
    return row != StudyChart::kNoRow && study.table.find("feasible")->values[row] == 1.0;
}

void checkStop(const PlotDrawing& of) {
    if (of.stop.stop_requested())
        throw engine::Error(engine::ErrorCode::Cancelled, "study \"" + of.study.table.info.name + "\"",
                            "cancelled", {});
}

void brushPlaces(std::vector<engine::Limit>& stretches, const LoadedStudy& study, const std::string& path,
                 double from, double to) {
    const auto values = axisValues(study, path);
    const auto last = static_cast<double>(values.size()) - 1;
    const double least = std::max(std::round(from), 0.0), most = std::min(std::round(to), last);
    if (least <= most)
        stretches.push_back(
            {path, values[static_cast<std::size_t>(least)], values[static_cast<std::size_t>(most)]});
}

void brushMetric(std::vector<engine::Limit>& stretches, const engine::StudyPlot& plot,
                 const std::string& metric, const QRectF& box) {
    if (plot.query.gain.axis.empty() && plot.query.meanOver.empty())
        stretches.push_back({metric, box.top(), box.bottom()});
}

std::vector<AcrossRow> rowsAcross(const LoadedStudy& study, const engine::SeriesQuery& query) {
    const auto* x = query.x.empty() ? nullptr : study.table.find(query.x);
    std::vector<double> values;
    std::vector<AcrossRow> across;
    if (x) {
        values = axisValues(study, query.x);
        for (const double value : values)
            across.push_back({study.textWithUnit(*x, value)});
    } else {
        across.push_back({QString::fromStdString(study.definition.base->name)});
    }
    auto held = query.fixed;
    std::erase_if(held, [&](const auto& one) { return !study.table.find(one.first); });
    for (const auto row : engine::rowsAt(study.table, held)) {
        const auto at =
            x ? std::lower_bound(values.begin(), values.end(), x->values[row]) - values.begin() : 0;
        if (static_cast<std::size_t>(at) < across.size() &&
            across[static_cast<std::size_t>(at)].row == StudyChart::kNoRow)
            across[static_cast<std::size_t>(at)].row = row;
    }
    return across;
}

std::vector<engine::Band> bandsOf(const LoadedStudy& study, const engine::SeriesQuery& query,
                                  const std::stop_token& stop) {
    const auto text = textOf(query);
    if (const auto ready = knownBands(study, query, text))
        return *ready;
    const auto self = study.weak_from_this().lock();
    auto bands = engine::seriesBands(study.definition, query, stop);
    if (self) {
        const std::scoped_lock lock(knownMutex);
        std::erase_if(known, [](const Known& one) { return one.study.expired(); });
        if (known.size() >= kMostKnown)
            known.erase(known.begin());
        known.push_back({self, text, bands});
    }
    return bands;
}

namespace {

/// Whether its bands are those of fronts.
bool isOfFronts(const LoadedStudy& study, const engine::StudyPlot& plot) {
    return plotForm(plot.kind).isOfEveryPoint() && plot.groupFronts && plot.metrics.size() > 1 &&
           study.table.rows() == study.table.info.points;
}

} // namespace

void prepareBands(const LoadedStudy& study, const engine::StudyPlot& plot, const std::stop_token& stop,
                  const engine::RowMask* kept) {
    if (!hasBands(plot))
        return;
    if (plotForm(plot.kind).isOfEveryPoint()) {
        if (isOfFronts(study, plot))
            prepareFronts(study, plot, kept, stop);
        return;
    }
    for (const auto& metric : plot.metrics) {
        auto query = plot.query;
        query.metric = metric;
        bandsOf(study, query, stop);
    }
}

bool bandsReady(const LoadedStudy& study, const engine::StudyPlot& plot, const engine::RowMask* kept) {
    if (!hasBands(plot))
        return true;
    if (plotForm(plot.kind).isOfEveryPoint())
        return !isOfFronts(study, plot) || frontsReady(study, plot, kept);
    return std::all_of(plot.metrics.begin(), plot.metrics.end(), [&](const std::string& metric) {
        auto query = plot.query;
        query.metric = metric;
        return knownBands(study, query, textOf(query)).has_value();
    });
}

} // namespace heteroscape::widgets
