// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/find/found_search.h"
#include "widgets/plots/chart.h"

#include <QWidget>
#include <utility>
#include <vector>

namespace heteroscape::widgets {

/// The best of the first goal that each value of the group axis reaches within the limits, as bars; a value
/// that reaches none says so. UI thread.
class ReachedBars : public QWidget {
    Q_OBJECT
public:
    explicit ReachedBars(QWidget* parent = nullptr);

    void show(const FoundSearch& search);
    static QString heading(const FoundSearch& search); ///< "Best each device reaches"
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override { return {150, 40}; }

protected:
    void paintEvent(QPaintEvent* event) override;

private:
    struct Bar {
        QString name;
        double value = 0.0;
        QString text;
        std::size_t position = 0;     ///< on the axis: as in the front's legend
        bool pale = false;            ///< of an ideal design among others
        double low = 0.0, high = 0.0; ///< 80 % lie between; the value itself where it is not known
    };
    std::vector<Bar> m_bars;
};

/// What of the front is marked in its chart: a letter beside a design.
struct FoundMark {
    std::uint64_t ordinal = 0;
    QString letter;
    bool chosen = false;
};

/// A limit on a goal as a line of the chart, what is out of bounds hatched.
struct LimitLine {
    std::size_t limit = 0; ///< of those given
    bool isMost = false;   ///< which end of it
    ChartReference line;
};
/// Of limits on the first two goals, in the order of the chart's lines; none where there is a single goal.
std::vector<LimitLine> limitLines(const FoundSearch& search, const std::vector<engine::Limit>& limits);

/// The front: the first goal over the second, `limits` as lines that can be moved; other designs pale, so are
/// ideal ones on it among others, those
/// outside of the limits that were searched grey; what a point has of a third goal is read out. Of a single
/// goal the best that each value of the longest variable reaches. A point of the cloud is one of
/// search.cloud, in its order.
Chart frontChart(const std::shared_ptr<const FoundSearch>& search, const std::vector<FoundMark>& marks,
                 const std::vector<engine::Limit>& limits);
ChartColor groupColor(std::size_t position);   ///< of a value of the axis that colours are about
QString frontTitle(const FoundSearch& search); ///< "Throughput against price"

/// Designs on the front over points that were tried, of `total`.
using FrontGrowth = std::vector<std::pair<std::uint64_t, std::size_t>>;
Chart growthChart(const FrontGrowth& growth, std::uint64_t total);

} // namespace heteroscape::widgets
