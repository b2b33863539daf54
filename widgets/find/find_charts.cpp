// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/find_charts.h"

#include "engine/study/truths.h"
#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/document/truth_text.h"
#include "widgets/explore/run_row.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QPainter>
#include <QStringList>
#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {
constexpr int kTrackHeight = 9;
constexpr int kSpace = 8;
constexpr int kLine = 24;
} // namespace

ReachedBars::ReachedBars(QWidget* parent) : QWidget(parent) {
    setFont(Theme::instance().font(TextSize::Dense));
    Theme::instance().follow(this, [this] { update(); });
}

QString ReachedBars::heading(const FoundSearch& search) {
    const auto axis = search.groupAxis();
    return axis ? tr("Best each reaches: %1").arg(search.axisName(*axis)) : tr("Best each value reaches");
}

void ReachedBars::show(const FoundSearch& search) {
    m_bars.clear();
    QStringList told;
    if (const auto axis = search.groupAxis()) {
        const auto& reached = search.reached;
        const auto& goal = search.problem().goals[0];
        engine::PointTruths truths(search.problem().study);
        for (std::size_t i = 0; i < reached.size(); ++i) {
            const bool none = std::isnan(reached[i].value);
            const bool pale = !none && search.truths.areIdealAmongOthers() &&
                              truths.at(reached[i].ordinal) == engine::Truth::Ideal;
            auto text = none ? tr("none within the limits")
                             : columnValue(search.problem().study.base, goal.column, reached[i].value);
            const auto& error = search.reachedErrors[i];
            if (const auto band = bandText(error); !none && !band.isEmpty())
                text += u' ' + band;
            const auto [below, above] = error.band();
            m_bars.push_back({search.valueText(*axis, i), reached[i].value,
                              pale ? tr("%1, ideal").arg(text) : text, i, pale,
                              reached[i].value * std::exp(-below), reached[i].value * std::exp(above)});
        }
        std::stable_sort(m_bars.begin(), m_bars.end(), [&](const Bar& a, const Bar& b) {
            return !std::isnan(a.value) &&
                   (std::isnan(b.value) || goal.better * a.value > goal.better * b.value);
        });
        for (const auto& bar : m_bars)
            told << bar.name + u' ' + bar.text;
    }
    setAccessibleName(told.join(QStringLiteral(", ")));
    updateGeometry();
    update();
}

QSize ReachedBars::sizeHint() const {
    return {240, static_cast<int>(m_bars.size()) * kLine};
}

void ReachedBars::paintEvent(QPaintEvent*) {
    const auto& theme = Theme::instance();
    QPainter painter(this);
    const auto metrics = fontMetrics();
    int names = 0, numbers = 0;
    double most = 0.0;
    for (const auto& bar : m_bars) {
        names = std::max(names, metrics.horizontalAdvance(bar.name) + 2);
        if (std::isnan(bar.value))
            continue;
        numbers = std::max(numbers, metrics.horizontalAdvance(bar.text));
        most = std::max({most, std::fabs(bar.value), std::fabs(bar.high)});
    }
    names = std::min(names, width() / 2);
    const int track = std::max(0, width() - names - numbers - 2 * kSpace);
    for (std::size_t i = 0; i < m_bars.size(); ++i) {
        const auto& bar = m_bars[i];
        const QRect line(0, static_cast<int>(i) * kLine, width(), kLine);
        painter.setPen(theme.color(bar.pale ? ColorRole::Muted : ColorRole::Text));
        painter.drawText(QRect(0, line.top(), names, kLine), Qt::AlignLeft | Qt::AlignVCenter,
                         metrics.elidedText(bar.name, Qt::ElideRight, names));
        if (std::isnan(bar.value)) {
            painter.setPen(theme.color(ColorRole::Muted));
            painter.drawText(line.adjusted(names + kSpace, 0, 0, 0), Qt::AlignLeft | Qt::AlignVCenter,
                             metrics.elidedText(bar.text, Qt::ElideRight, width() - names - kSpace));
            continue;
        }
        const QRect ground(names + kSpace, line.top() + (kLine - kTrackHeight) / 2, track, kTrackHeight);
        painter.fillRect(ground, theme.color(ColorRole::Track));
        const auto filled = most > 0.0 ? static_cast<int>(std::fabs(bar.value) / most * track) : 0;
        painter.fillRect(QRect(ground.topLeft(), QSize(filled, kTrackHeight)),
                         (bar.pale ? ChartColor::role(kIdealInk) : groupColor(bar.position)).resolve(false));
        if (bar.high > bar.low && most > 0.0) { // a whisker over what 80 % lie in
            const auto at = [&](double v) { return ground.left() + static_cast<int>(v / most * track); };
            const int middle = ground.center().y();
            painter.setPen(theme.color(ColorRole::Text));
            painter.drawLine(at(bar.low), middle, at(bar.high), middle);
            for (const double end : {bar.low, bar.high})
                painter.drawLine(at(end), ground.top(), at(end), ground.bottom());
        }
        painter.drawText(QRect(width() - numbers, line.top(), numbers, kLine),
                         Qt::AlignRight | Qt::AlignVCenter, bar.text);
    }
}

namespace {

struct FindChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::FindPage)
};

constexpr std::size_t kMostHues = 8;
constexpr double kFrontPoint = 7.0; // px
constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                              ChartMarker::Triangle};

ChartAxis axisOf(const FoundSearch& search, const std::string& column, const std::vector<double>& values) {
    const auto words = columnWords(search.problem().study.base, column);
    ChartAxis axis;
    axis.label = quantityLabel(words.label, words.unit);
    double decisive = engine::kUnset;
    for (const double value : values)
        if (std::isfinite(value))
            decisive = decidesUnit(column, decisive, std::fabs(value));
    axis.shown = engine::shownUnit(words.unit.toStdString(), std::isnan(decisive) ? 0.0 : decisive);
    return axis;
}

void addGroupsOf(ChartCloud& cloud, CloudPoints& points, const FoundSearch& search) {
    const auto axis = search.groupAxis();
    if (!axis) {
        cloud.groups = {{QString(), ChartColor::series(0)}};
        return;
    }
    const auto length = search.problem().study.axes[*axis].values.size();
    for (const auto& entry : search.cloud)
        points.group.push_back(
            static_cast<std::uint8_t>(std::min(search.positionOf(entry.ordinal, *axis), kMostHues)));
    for (std::size_t i = 0; i < std::min(length, kMostHues); ++i)
        cloud.groups.push_back({search.valueText(*axis, i), groupColor(i), kMarkers[i % kMarkers.size()]});
    if (length > kMostHues)
        cloud.groups.push_back({FindChartWords::tr("others"), groupColor(kMostHues)});
}

/// What an axis shows: the front and the other designs within the limits, and a limit that lies near them,
/// with some of what lies beyond.
std::vector<double> shownExtremes(const std::vector<double>& values, std::size_t within,
                                  const std::vector<LimitLine>& lines, bool vertical) {
    constexpr double kNear = 2.0, kBeyond = 1.15;
    auto shown = values;
    if (within > 0)
        shown.resize(within);
    auto extremes = CloudPoints::extremes(shown);
    for (const auto& [limit, isMost, line] : lines) {
        if (line.vertical != vertical || extremes.empty())
            continue;
        const bool near = isMost ? line.at <= kNear * extremes.back() : line.at >= extremes.front() / kNear;
        if (within == 0 || near)
            extremes.push_back(isMost ? line.at * kBeyond : line.at / kBeyond);
        std::sort(extremes.begin(), extremes.end());
    }
    return extremes;
}

/// The best of the first goal at each price, whatever the third goal is.
void addBestLine(ChartCloud& cloud, const FoundSearch& search) {
    const auto& goals = search.problem().goals;
    const auto& points = *cloud.points;
    std::vector<std::size_t> order(search.front.size());
    for (std::size_t i = 0; i < order.size(); ++i)
        order[i] = i;
    const int across = goals[1].better, up = goals[0].better;
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {
        return points.x[a] != points.x[b] ? across * points.x[a] > across * points.x[b]
                                          : up * points.y[a] > up * points.y[b];
    });
    for (const auto i : order) {
        if (!cloud.front.empty() && up * points.y[i] <= up * points.y[cloud.front.back()])
            continue;
        if (!cloud.front.empty()) {
            cloud.frontX.push_back(points.x[i]);
            cloud.frontY.push_back(points.y[cloud.front.back()]);
        }
        cloud.front.push_back(i);
        cloud.frontX.push_back(points.x[i]);
        cloud.frontY.push_back(points.y[i]);
    }
    if (across > 0) { // from the left
        std::reverse(cloud.front.begin(), cloud.front.end());
        std::reverse(cloud.frontX.begin(), cloud.frontX.end());
        std::reverse(cloud.frontY.begin(), cloud.frontY.end());
    }
}

/// The best of the only goal over the longest variable.
Chart reachedChart(const FoundSearch& search) {
    const auto& axes = search.problem().study.axes;
    const engine::SearchSpace space(search.problem());
    std::size_t longest = 0;
    for (std::size_t i = 0; i < axes.size(); ++i)
        if (!axes[i].isChoice() &&
            (axes[longest].isChoice() || axes[i].values.size() > axes[longest].values.size()))
            longest = i;
    const auto walked = static_cast<std::size_t>(
        std::find(space.order().begin(), space.order().end(), longest) - space.order().begin());
    ChartLine line;
    line.color = ChartColor::series(0);
    line.marker = ChartMarker::Circle;
    line.width = 2.6;
    const auto reached = search.tally().reached(0, walked);
    for (std::size_t i = 0; i < reached.size(); ++i) {
        line.x.push_back(axes[longest].values[i]);
        line.y.push_back(reached[i].value);
    }
    Chart chart;
    chart.x = axisOf(search, axes[longest].path, line.x);
    chart.y = axisOf(search, search.problem().goals[0].column, line.y);
    if (axes[longest].isChoice())
        for (std::size_t i = 0; i < reached.size(); ++i)
            chart.x.categories.push_back(search.valueText(longest, i));
    if (search.tally().kept() > 0)
        chart.lines.push_back(std::move(line));
    return chart;
}

QString emptyWords(const FoundSearch& search) {
    return search.isDone() ? FindChartWords::tr("No design is within the limits.")
                           : FindChartWords::tr("No design is within the limits so far.");
}

} // namespace

ChartColor groupColor(std::size_t position) {
    return position < kMostHues ? ChartColor::series(static_cast<int>(position))
                                : ChartColor::role(ColorRole::Muted);
}

std::vector<LimitLine> limitLines(const FoundSearch& search, const std::vector<engine::Limit>& limits) {
    const auto& goals = search.problem().goals;
    std::vector<LimitLine> lines;
    for (std::size_t i = 0; goals.size() > 1 && i < limits.size(); ++i)
        for (std::size_t g = 0; g < 2; ++g)
            for (const bool isMost : {false, true}) {
                const double end = isMost ? limits[i].most : limits[i].least;
                if (goals[g].column != limits[i].column || !std::isfinite(end))
                    continue;
                ChartReference line;
                line.label = FindChartWords::tr("limit: %1")
                                 .arg(columnValue(search.problem().study.base, limits[i].column, end));
                line.at = end;
                line.color = ChartColor::role(ColorRole::Error);
                line.dash = ChartDash::Solid;
                line.vertical = g == 1;
                line.outside = isMost ? 1 : -1;
                line.pill = true;
                line.movable = true;
                lines.push_back({i, isMost, std::move(line)});
            }
    return lines;
}

QString frontTitle(const FoundSearch& search) {
    const auto& base = *search.problem().study.base;
    const auto& goals = search.problem().goals;
    if (goals.size() == 1)
        return FindChartWords::tr("Best that each value reaches");
    const auto against = columnWords(base, goals[1].column).label;
    return FindChartWords::tr("%1 against %2")
        .arg(columnWords(base, goals[0].column).label, against.left(1).toLower() + against.mid(1));
}

Chart frontChart(const std::shared_ptr<const FoundSearch>& search, const std::vector<FoundMark>& marks,
                 const std::vector<engine::Limit>& limits) {
    const auto& goals = search->problem().goals;
    if (goals.size() == 1) {
        auto chart = reachedChart(*search);
        chart.title = frontTitle(*search);
        chart.emptyText = emptyWords(*search);
        return chart;
    }
    Chart chart;
    chart.title = FindChartWords::tr("Front of the search");
    chart.emptyText = emptyWords(*search);
    auto points = std::make_shared<CloudPoints>();
    for (const auto& entry : search->cloud) {
        points->x.push_back(entry.values[1]);
        points->y.push_back(entry.values[0]);
    }
    const auto lines = limitLines(*search, limits);
    for (const auto& line : lines)
        chart.references.push_back(line.line);
    points->xExtremes = shownExtremes(points->x, search->within, lines, true);
    points->yExtremes = shownExtremes(points->y, search->within, lines, false);
    chart.x = axisOf(*search, goals[1].column, points->xExtremes);
    chart.y = axisOf(*search, goals[0].column, points->yExtremes);
    auto& cloud = chart.cloud.emplace();
    cloud.diameter = kFrontPoint;
    cloud.filteredWord = FindChartWords::tr("Outside of the limits");
    addGroupsOf(cloud, *points, *search);
    for (std::size_t i = 0; i < search->cloud.size(); ++i) {
        cloud.kept.push_back(i < search->within ? 1 : 0);
        cloud.pale.push_back((i >= search->front.size() && i < search->within) || search->ideal[i] ? 1 : 0);
    }
    points->facts = [weak = std::weak_ptr(search)](std::size_t at) {
        std::vector<std::pair<QString, QString>> facts;
        const auto held = weak.lock();
        if (!held || at >= held->cloud.size())
            return facts;
        const auto& entry = held->cloud[at];
        for (std::size_t i = 0; i < held->problem().study.axes.size(); ++i)
            facts.emplace_back(held->axisName(i), held->valueText(i, held->positionOf(entry.ordinal, i)));
        if (held->ideal[at])
            facts.emplace_back(columnWords(held->problem().study.base, "truth").label,
                               truthWords(engine::Truth::Ideal));
        const auto& base = *held->problem().study.base;
        for (std::size_t g = 2; g < held->problem().goals.size(); ++g) {
            const auto& column = held->problem().goals[g].column;
            facts.emplace_back(columnWords(base, column).label, columnValue(base, column, entry.values[g]));
        }
        return facts;
    };
    cloud.points = points;
    addBestLine(cloud, *search);
    if (!search->front.empty()) {
        const auto count = countText(search->front.size());
        cloud.frontLabel = search->isDone() ? FindChartWords::tr("Pareto front, %1 designs").arg(count)
                                            : FindChartWords::tr("Front so far, %1 designs").arg(count);
        if (search->idealLeads()) // they are the first of the cloud
            cloud.frontLabel =
                FindChartWords::tr("%1, %2 of them ideal")
                    .arg(cloud.frontLabel)
                    .arg(std::count(search->ideal.begin(),
                                    search->ideal.begin() + static_cast<std::ptrdiff_t>(search->front.size()),
                                    1));
    }
    for (const auto& mark : marks)
        for (std::size_t i = 0; i < search->cloud.size(); ++i)
            if (search->cloud[i].ordinal == mark.ordinal) {
                ChartMark star;
                star.name = search->nameOf(mark.ordinal);
                star.label = mark.letter;
                star.x = points->x[i];
                star.y = points->y[i];
                star.diameter = 14;
                star.shape = ChartMarker::Star;
                star.color = mark.chosen ? ChartColor::role(ColorRole::Accent) : ChartColor::series(1);
                chart.marks.push_back(std::move(star));
                break;
            }
    return chart;
}

Chart growthChart(const FrontGrowth& growth, std::uint64_t total) {
    Chart chart;
    chart.title = FindChartWords::tr("Designs on the front over points that were tried");
    const bool many = !growth.empty() && total >= 1'000'000;
    const double unit = many ? 1e6 : 1.0;
    chart.x.label = many ? FindChartWords::tr("Points tried (millions)") : FindChartWords::tr("Points tried");
    chart.y.label = FindChartWords::tr("Designs");
    chart.y.integer = true;
    chart.emptyText = FindChartWords::tr("Shown while a search runs");
    ChartLine line;
    line.color = ChartColor::series(0);
    line.width = 2.2;
    for (const auto& [done, front] : growth) {
        line.x.push_back(static_cast<double>(done) / unit);
        line.y.push_back(static_cast<double>(front));
    }
    if (!line.x.empty()) {
        chart.x.range = engine::AxisRange{0.0, std::max(static_cast<double>(total) / unit, line.x.back())};
        ChartMark last;
        last.x = line.x.back();
        last.y = line.y.back();
        last.diameter = 8;
        last.color = line.color;
        chart.marks.push_back(std::move(last));
        if (growth.back().first < total)
            chart.references.push_back({.label = FindChartWords::tr("now"),
                                        .at = line.x.back(),
                                        .color = ChartColor::role(ColorRole::Muted),
                                        .vertical = true});
    }
    if (!growth.empty())
        chart.lines.push_back(std::move(line));
    return chart;
}

} // namespace heteroscape::widgets

#include "moc_find_charts.cpp"
