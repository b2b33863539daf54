// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/compare_designs.h"
#include "engine/evaluation/decisive.h"
#include "widgets/timeline/timeline_track.h"

#include <QString>
#include <functional>
#include <memory>
#include <optional>
#include <stop_token>
#include <vector>

class QPushButton;
class QTableView;

namespace heteroscape::widgets {

/// A design as it is put into a comparison.
struct DesignInput {
    QString name;
    engine::Scenario scenario;
    bool operator==(const DesignInput&) const = default;
};

/// A design with what comes of it. A value that nothing changes: any thread.
struct ComparedDesign {
    DesignInput input;
    engine::Evaluation evaluation;        ///< with the metrics of a simulation, where requests are simulated
    QString reason;                       ///< why it cannot run and what to do; empty: it can
    std::vector<engine::BatchPart> parts; ///< of the time of one batch; they add up to the latency
    std::optional<TimelineTrack> track;   ///< one decode step, named after the design

    bool runs() const { return reason.isEmpty(); }
    double metric(const engine::MetricSpec& spec) const; ///< in the shown unit; NaN where there is none
};

using ComparedDesigns = std::vector<std::shared_ptr<const ComparedDesign>>;

/// Evaluates one design; a simulation ends early when `stop` is requested. Any thread.
std::shared_ptr<const ComparedDesign> compareDesign(DesignInput input, const std::stop_token& stop = {});

/// How a value stands to the reference's.
enum class Standing { None, Same, Better, Worse, Other };

struct RatioText {
    QString text; ///< "1.28× better", "0.78×"; empty without a value
    Standing standing = Standing::None;
};
/// Of a metric; Other where neither more nor less is better.
RatioText ratioText(const engine::MetricSpec& spec, double value, double reference);

/// All metrics that any design has, one row each: key, name, unit, then a column of exact values and one of
/// ratios to the reference for each design.
QString metricsCsv(const ComparedDesigns& designs, std::size_t reference);
/// All properties in which they differ, one row each.
QString differencesCsv(const ComparedDesigns& designs, const std::vector<engine::PropertyComparison>& rows);
/// The parts of the time of one batch, one row each.
QString partsCsv(const ComparedDesigns& designs);

class NoticeBar;

inline constexpr int kTileGutter = 10;
inline constexpr int kLeastNameWidth = 110; ///< px, of a design's name above its column

/// Columns as wide as they need, the first at most `first` px, the others at most `other`.
void fitColumns(QTableView* table, int first, int other);
/// The same, and what room is left goes to these columns, until their heads are `names` wide. Returns how
/// wide a name may be above each of them.
int fitNames(QTableView* table, int first, int other, const std::vector<int>& columns, int names);
/// How wide the longest name is above its column.
int longestName(const ComparedDesigns& designs);
/// A name cut in its middle: designs that are named alike differ at the end.
QString cutName(const QString& name, int width);
/// Puts a text on the clipboard and says so.
QPushButton* copyButton(const QString& accessibleName, NoticeBar* notice, std::function<QString()> text);

} // namespace heteroscape::widgets
