// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_view.h"

#include "engine/base/csv.h"
#include "engine/units/number_text.h"
#include "engine/validation/validation.h"
#include "widgets/validation/validation_words.h"

#include <QStringList>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kStopEvery = 4096; // rows

/// Errors of some rows, and of a plain roofline on those of them that have one.
struct RowErrors {
    std::vector<double> models, rooflines;

    void add(const RowErrors& other) {
        models.insert(models.end(), other.models.begin(), other.models.end());
        rooflines.insert(rooflines.end(), other.rooflines.begin(), other.rooflines.end());
    }
    void add(double model, double roofline) {
        models.push_back(model);
        if (std::isfinite(roofline))
            rooflines.push_back(std::abs(roofline));
    }
};

ErrorGroup errorsOf(std::string label, RowErrors both) {
    auto& errors = both.models;
    ErrorGroup group{.label = std::move(label), .rows = errors.size()};
    if (errors.empty())
        return group;
    std::sort(errors.begin(), errors.end());
    group.bias = 100.0 * engine::quantile(errors, 0.5);
    std::size_t ten = 0, quarter = 0;
    for (auto& error : errors) {
        error = std::abs(error);
        ten += error <= 0.10 ? 1 : 0;
        quarter += error <= 0.25 ? 1 : 0;
    }
    std::sort(errors.begin(), errors.end());
    group.median = 100.0 * engine::quantile(errors, 0.5);
    group.p90 = 100.0 * engine::quantile(errors, 0.9);
    const auto percent = [&](std::size_t of) {
        return 100.0 * static_cast<double>(of) / static_cast<double>(errors.size());
    };
    group.within10 = percent(ten);
    group.within25 = percent(quarter);
    std::sort(both.rooflines.begin(), both.rooflines.end());
    if (!both.rooflines.empty())
        group.roofline = 100.0 * engine::quantile(both.rooflines, 0.5);
    return group;
}

std::size_t binOf(double error) {
    const double at = std::floor((error - ValidationView::kFirstBin) / ValidationView::kBin);
    return static_cast<std::size_t>(std::clamp(at, 0.0, static_cast<double>(ValidationView::kBins - 1)));
}

/// Which labels of a chunk are filtered out, by ordinal.
std::array<std::vector<bool>, kMeasuredKeys> offIn(const MeasuredChunk& chunk,
                                                   const ValidationChoice& choice) {
    std::array<std::vector<bool>, kMeasuredKeys> off;
    for (std::size_t key = 0; key < kMeasuredKeys; ++key)
        for (const auto& name : chunk.labels[key].names)
            off[key].push_back(choice.off[key].contains(name));
    return off;
}

/// A text as a cell that no program takes for a formula or a separator.
QString cellOf(const std::string& text) {
    return QString::fromStdString(engine::csvField(text));
}

QString numberCell(double value) {
    return std::isnan(value) ? QString() : QString::fromStdString(engine::exactText(value));
}

} // namespace

bool ValidationChoice::isFiltered() const {
    return std::any_of(off.begin(), off.end(), [](const auto& labels) { return !labels.empty(); });
}

void ValidationChoice::clearFilters() {
    for (auto& labels : off)
        labels.clear();
}

std::shared_ptr<const ValidationView> validationView(MeasuredChunks chunks, ValidationChoice choice,
                                                     const std::stop_token& stop) {
    auto view = std::make_shared<ValidationView>();
    view->chunks = std::move(chunks);
    view->choice = std::move(choice);
    std::array<std::map<std::string, std::size_t>, kMeasuredKeys> counts;
    std::map<std::string, RowErrors> byGroup;
    RowErrors all;
    for (std::size_t at = 0; at < view->chunks.size(); ++at) {
        const auto& chunk = *view->chunks[at];
        if (view->choice.sourcesOff.contains(chunk.source))
            continue;
        const auto off = offIn(chunk, view->choice);
        std::array<std::vector<std::size_t>, kMeasuredKeys> seen;
        for (std::size_t key = 0; key < kMeasuredKeys; ++key)
            seen[key].resize(chunk.labels[key].names.size());
        std::vector<RowErrors> groups(
            chunk.labels[static_cast<std::size_t>(view->choice.group)].names.size());
        for (std::size_t row = 0; row < chunk.size(); ++row) {
            if (row % kStopEvery == 0 && stop.stop_requested())
                return view;
            if (!std::isfinite(chunk.predicted[row])) {
                auto& reason = view->unanswered[chunk.reasons.at(row)];
                if (reason.rows++ == 0)
                    reason.first = chunk.source + u':' + QString::number(chunk.lines[row]);
                continue;
            }
            ++view->answered;
            bool kept = true;
            for (std::size_t key = 0; key < kMeasuredKeys; ++key) {
                const auto label = chunk.labels[key].of[row];
                ++seen[key][label];
                kept = kept && !off[key][label];
            }
            if (!kept)
                continue;
            const double error = chunk.error(row), roofline = chunk.rooflineError(row);
            view->rows.push_back({at, row});
            ++view->bins[binOf(error)];
            if (std::isfinite(roofline))
                ++view->rooflineBins[binOf(roofline)];
            groups[chunk.labels[static_cast<std::size_t>(view->choice.group)].of[row]].add(error, roofline);
        }
        for (std::size_t key = 0; key < kMeasuredKeys; ++key)
            for (std::size_t i = 0; i < seen[key].size(); ++i)
                counts[key][chunk.labels[key].names[i]] += seen[key][i];
        for (std::size_t i = 0; i < groups.size(); ++i) {
            byGroup[chunk.labels[static_cast<std::size_t>(view->choice.group)].names[i]].add(groups[i]);
            all.add(groups[i]);
        }
    }
    for (std::size_t key = 0; key < kMeasuredKeys; ++key) {
        for (const auto& [label, rows] : counts[key])
            if (rows > 0)
                view->labels[key].emplace_back(label, rows);
        std::stable_sort(view->labels[key].begin(), view->labels[key].end(),
                         [](const auto& a, const auto& b) { return a.second > b.second; });
    }
    for (auto& [label, errors] : byGroup)
        if (!errors.models.empty())
            view->groups.push_back(errorsOf(label, std::move(errors)));
    std::stable_sort(view->groups.begin(), view->groups.end(),
                     [](const ErrorGroup& a, const ErrorGroup& b) { return a.median > b.median; });
    view->all = errorsOf({}, std::move(all));
    return view;
}

QString validationRowsCsv(const ValidationView& view) {
    QStringList lines{QStringLiteral(
        "file,line,kind,device,framework,precision,bound,measured (s),predicted (s),roofline (s),error")};
    for (const auto place : view.rows) {
        const auto& chunk = view.chunkOf(place);
        QStringList cells{cellOf(chunk.source.toStdString()), QString::number(chunk.lines[place.row])};
        for (const auto& column : chunk.labels)
            cells << cellOf(column.at(place.row));
        for (const double value : {chunk.measured[place.row], chunk.predicted[place.row],
                                   chunk.roofline[place.row], view.error(place)})
            cells << numberCell(value);
        lines << cells.join(u',');
    }
    return QString::fromStdString(engine::csvFile((lines.join(u'\n') + u'\n').toStdString()));
}

QString validationGroupsCsv(const ValidationView& view) {
    QStringList lines{measuredKeyText(view.choice.group) +
                      QStringLiteral(",rows,median (%),90th percentile (%),bias (%),within 10 % (%),within "
                                     "25 % (%),roofline median (%)")};
    const auto add = [&](const QString& name, const ErrorGroup& group) {
        QStringList cells{name, QString::number(group.rows)};
        for (const double value :
             {group.median, group.p90, group.bias, group.within10, group.within25, group.roofline})
            cells << numberCell(value);
        lines << cells.join(u',');
    };
    for (const auto& group : view.groups)
        add(cellOf(group.label), group);
    add(QStringLiteral("all"), view.all);
    return QString::fromStdString(engine::csvFile((lines.join(u'\n') + u'\n').toStdString()));
}

} // namespace heteroscape::widgets
