// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/plots/cloud_layer.h"

#include "engine/base/parallel.h"
#include "widgets/plots/marker_path.h"
#include "widgets/plots/plot_lines.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

namespace heteroscape::widgets {

namespace {

constexpr auto kOutside = std::numeric_limits<std::uint32_t>::max(); // no bin, no cell
constexpr std::size_t kMostCircles = 12000;                          // more points are binned to pixels
constexpr double kCell = 8; // px: of the cells that a point is found by
constexpr double kLeastCircle = 4.0, kMostCircle = 18.0;
constexpr double kVectorRatio = 300.0 / 96.0; // of a raster within a vector file
constexpr double kRingGap = 5;                // px between the rings of a front
constexpr float kCircleAlpha = 0.55F;
constexpr float kPaleAlpha = 0.38F;
constexpr double kPaleShare = 0.6; // of the diameter of the others
constexpr std::size_t kRanks = 3;
constexpr std::size_t kBinGrain = 200000; // points that one thread bins
constexpr int kBinThreads = 4;

std::vector<double> logarithms(const std::vector<double>& values) {
    std::vector<double> logs(values.size());
    std::transform(values.begin(), values.end(), logs.begin(),
                   [](double v) { return v > 0 ? std::log(v) : std::numeric_limits<double>::quiet_NaN(); });
    return logs;
}

/// What falls on one pixel.
struct Bin {
    std::uint32_t count = 0;
    std::uint32_t red = 0, green = 0, blue = 0; ///< sums
    std::uint32_t radius = 0;                   ///< device px, of the largest
};

/// Lays a disc over a premultiplied picture.
void stamp(QImage& image, int x, int y, int radius, QRgb color, int alpha) {
    const int reach = radius * radius + radius;
    for (int dy = -radius; dy <= radius; ++dy) {
        if (y + dy < 0 || y + dy >= image.height())
            continue;
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y + dy));
        for (int dx = -radius; dx <= radius; ++dx) {
            if (x + dx < 0 || x + dx >= image.width() || dx * dx + dy * dy > reach)
                continue;
            auto& pixel = line[x + dx];
            const int rest = 255 - alpha;
            const auto mix = [&](int over, int under) { return (over * alpha + under * rest) / 255; };
            pixel = qRgba(mix(qRed(color), qRed(pixel)), mix(qGreen(color), qGreen(pixel)),
                          mix(qBlue(color), qBlue(pixel)), mix(255, qAlpha(pixel)));
        }
    }
}

/// Denser pixels are more solid, in steps of doublings.
int alphaOf(std::uint32_t count) {
    return std::min(235, 120 + 22 * static_cast<int>(std::log2(static_cast<double>(count))));
}

} // namespace

CloudLayer::CloudLayer(QCustomPlot* plot) : QCPAbstractItem(plot) {
    setLayer(QStringLiteral("main"));
    setSelectable(false);
    setAntialiased(true);
}

void CloudLayer::set(const Chart* chart, ChartStyle style) {
    m_chart = chart;
    m_style = style;
    m_image = {};
    m_groupHidden.clear();
    if (!chart->cloud) {
        m_points.reset();
        m_u = {};
        m_v = {};
        m_order = {};
        m_indexed = {};
        m_binned = {};
        m_binOf = {};
        return;
    }
    const auto& cloud = *chart->cloud;
    for (const auto& group : cloud.groups)
        m_groupHidden.push_back(chart->isHidden(group.name));
    const bool same = m_points == cloud.points;
    if (!same || m_logX != chart->x.log)
        m_u = chart->x.log ? logarithms(cloud.points->x) : std::vector<double>();
    if (!same || m_logY != chart->y.log)
        m_v = chart->y.log ? logarithms(cloud.points->y) : std::vector<double>();
    if (!same || m_logX != chart->x.log || m_logY != chart->y.log) {
        m_indexed = {};
        m_binned = {};
    }
    m_points = cloud.points;
    m_logX = chart->x.log;
    m_logY = chart->y.log;
}

CloudLayer::View CloudLayer::view() const {
    const QRectF area = mParentPlot->axisRect()->rect();
    const auto x = mParentPlot->xAxis->range(), y = mParentPlot->yAxis->range();
    const auto at = [](double value, bool log) { return log ? std::log(value) : value; };
    View view{area.left(), area.top(), area.width(), area.height(), at(x.lower, m_logX), at(y.lower, m_logY)};
    view.perU = area.width() / (at(x.upper, m_logX) - view.u);
    view.perV = area.height() / (at(y.upper, m_logY) - view.v);
    return view;
}

QPointF CloudLayer::place(const View& view, std::size_t point) const {
    const double u = m_u.empty() ? m_points->x[point] : m_u[point];
    const double v = m_v.empty() ? m_points->y[point] : m_v[point];
    return {view.left + (u - view.u) * view.perU, view.top + view.height - (v - view.v) * view.perV};
}

QPointF CloudLayer::pixel(std::size_t point) const {
    return place(view(), point);
}

bool CloudLayer::isDrawn(std::size_t point) const {
    return !m_groupHidden[std::min(m_chart->cloud->groupOf(point), m_groupHidden.size() - 1)];
}

std::size_t CloudLayer::rank(std::size_t point) const {
    return !m_chart->cloud->isKept(point) ? 0 : m_chart->cloud->isPale(point) ? 1 : 2;
}

double CloudLayer::diameter(std::size_t point) const {
    const auto& sizes = m_points->size;
    if (sizes.empty() && !m_chart->cloud->pale.empty() && rank(point) < 2)
        return kPaleShare * m_chart->cloud->diameter;
    if (sizes.empty() || !std::isfinite(sizes[point]))
        return sizes.empty() ? m_chart->cloud->diameter : kLeastCircle;
    const double least = m_points->sizeExtremes.front(), most = m_points->sizeExtremes.back();
    const double share = most > least ? (sizes[point] - least) / (most - least) : 0.5;
    // The area follows the value.
    return std::sqrt(kLeastCircle * kLeastCircle +
                     share * (kMostCircle * kMostCircle - kLeastCircle * kLeastCircle));
}

/// The points in view by their ranks; cut off one after `most`.
std::vector<std::size_t> CloudLayer::seen(const View& view, std::size_t most) const {
    const auto& u = m_u.empty() ? m_points->x : m_u;
    const auto& v = m_v.empty() ? m_points->y : m_v;
    const double right = view.u + view.width / view.perU, top = view.v + view.height / view.perV;
    std::vector<std::size_t> points;
    for (std::size_t i = 0; i < u.size() && points.size() <= most; ++i) // a million times; NaN is nowhere
        if (u[i] >= view.u && u[i] <= right && v[i] >= view.v && v[i] <= top && isDrawn(i))
            points.push_back(i);
    if (points.size() <= most)
        std::stable_sort(points.begin(), points.end(),
                         [this](std::size_t a, std::size_t b) { return rank(a) < rank(b); });
    return points;
}

void CloudLayer::putEach(const View& view, const std::vector<std::size_t>& points, const Put& put) const {
    const auto& cloud = *m_chart->cloud;
    const bool hasPale = !cloud.pale.empty();
    std::vector<QColor> fills, pale;
    for (const auto& group : cloud.groups) {
        fills.push_back(m_style.color(group.color));
        pale.push_back(fills.back());
        pale.back().setAlphaF(kPaleAlpha);
        if (!hasPale)
            fills.back().setAlphaF(kCircleAlpha);
    }
    const auto muted = m_style.role(hasPale ? ColorRole::Wire : ColorRole::Track);
    const QPen outline(m_style.role(ColorRole::Text), m_style.lineWidth(1)), none(Qt::NoPen);
    for (const auto i : points) {
        const auto group = std::min(cloud.groupOf(i), fills.size() - 1);
        const auto over = rank(i);
        put(cloud.groups[group].marker, place(view, i), diameter(i), hasPale && over == 2 ? outline : none,
            over == 0   ? muted
            : over == 1 ? pale[group]
                        : fills[group]);
    }
}

QImage CloudLayer::each(const View& view, double ratio, const std::vector<std::size_t>& points) const {
    QImage image(QSize(static_cast<int>(std::ceil(view.width * ratio)),
                       static_cast<int>(std::ceil(view.height * ratio))),
                 QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    MarkerStamps stamps(image, ratio);
    const QPointF corner(view.left, view.top);
    putEach(view, points,
            [&](ChartMarker marker, QPointF at, double size, const QPen& pen, const QColor& fill) {
                stamps.lay(marker, at - corner, size, pen, fill);
            });
    return image;
}

/// Where each point falls: the same as long as the view is, whatever is filtered out meanwhile.
void CloudLayer::bin(const View& view, double ratio, int width, int height) const {
    if (m_binned == Drawn{view, ratio} && m_binOf.size() == m_points->x.size())
        return;
    m_binOf.resize(m_points->x.size());
    const auto* u = (m_u.empty() ? m_points->x : m_u).data();
    const auto* v = (m_v.empty() ? m_points->y : m_v).data();
    auto* binOf = m_binOf.data();
    const double perU = view.perU * ratio, perV = view.perV * ratio, bottom = view.height * ratio;
    const auto binRange = [=](std::size_t begin, std::size_t end) {
        for (std::size_t i = begin; i < end; ++i) { // a million times; NaN is outside
            const double x = (u[i] - view.u) * perU, y = bottom - (v[i] - view.v) * perV;
            binOf[i] = x >= 0 && x < width && y >= 0 && y < height
                           ? static_cast<std::uint32_t>(y) * static_cast<std::uint32_t>(width) +
                                 static_cast<std::uint32_t>(x)
                           : kOutside;
        }
    };
    engine::inParallel(m_binOf.size(), kBinGrain, binRange, std::min(kBinThreads, engine::coreCount()));
    m_binned = {view, ratio};
}

QImage CloudLayer::binned(const View& view, double ratio) const {
    const auto& cloud = *m_chart->cloud;
    const int width = static_cast<int>(std::ceil(view.width * ratio));
    const int height = static_cast<int>(std::ceil(view.height * ratio));
    QImage image(width, height, QImage::Format_ARGB32_Premultiplied);
    image.fill(Qt::transparent);
    struct Ink {
        std::uint32_t red, green, blue;
        bool hidden;
    };
    std::vector<Ink> inks;
    for (std::size_t k = 0; k < cloud.groups.size(); ++k) {
        const auto color = m_style.color(cloud.groups[k].color);
        inks.push_back({static_cast<std::uint32_t>(color.red()), static_cast<std::uint32_t>(color.green()),
                        static_cast<std::uint32_t>(color.blue()), m_groupHidden[k]});
    }
    const auto grey = m_style.role(ColorRole::Track).rgb();
    const auto plain = static_cast<std::uint32_t>(std::max(1L, std::lround(ratio)));
    std::vector<Bin> keptBins(static_cast<std::size_t>(width) * static_cast<std::size_t>(height));
    std::vector<std::uint32_t> mutedBins(cloud.kept.empty() ? 0 : keptBins.size());
    bin(view, ratio, width, height);
    const bool sized = !m_points->size.empty();
    for (std::size_t i = 0; i < m_binOf.size(); ++i) { // a million times
        const auto bin = m_binOf[i];
        const auto& ink = inks[std::min(cloud.groupOf(i), inks.size() - 1)];
        if (bin == kOutside || ink.hidden)
            continue;
        if (!cloud.isKept(i)) {
            ++mutedBins[bin];
            continue;
        }
        auto& here = keptBins[bin];
        ++here.count;
        here.red += ink.red;
        here.green += ink.green;
        here.blue += ink.blue;
        here.radius =
            std::max(here.radius, sized ? static_cast<std::uint32_t>(diameter(i) * ratio / 3) : plain);
    }
    for (std::size_t i = 0; i < mutedBins.size(); ++i)
        if (mutedBins[i] > 0)
            stamp(image, static_cast<int>(i) % width, static_cast<int>(i) / width, static_cast<int>(plain),
                  grey, 255);
    for (std::size_t i = 0; i < keptBins.size(); ++i)
        if (const auto& bin = keptBins[i]; bin.count > 0)
            stamp(image, static_cast<int>(i) % width, static_cast<int>(i) / width,
                  static_cast<int>(bin.radius),
                  qRgb(static_cast<int>(bin.red / bin.count), static_cast<int>(bin.green / bin.count),
                       static_cast<int>(bin.blue / bin.count)),
                  alphaOf(bin.count));
    return image;
}

void CloudLayer::draw(QCPPainter* painter) {
    if (!m_points || m_groupHidden.empty())
        return;
    const bool vector = painter->modes().testFlag(QCPPainter::pmVectorized);
    const auto now = view();
    if (!(now.width > 0 && now.height > 0))
        return;
    painter->save();
    painter->setAntialiasing(true);
    const double scale = painter->transform().m11();
    const auto* device = painter->device();
    const double ratio =
        vector ? kVectorRatio : std::max(1.0, scale * (device ? device->devicePixelRatioF() : 1));
    if (m_image.isNull() || m_drawn != Drawn{now, ratio}) {
        const auto few = seen(now, kMostCircles);
        if (few.size() > kMostCircles) {
            m_image = binned(now, ratio);
        } else if (vector) {
            putEach(now, few,
                    [&](ChartMarker marker, QPointF at, double size, const QPen& pen, const QColor& fill) {
                        painter->setPen(pen);
                        painter->setBrush(fill);
                        painter->drawPath(markerPath(marker, at, size));
                    });
            drawFront(*painter, now);
            painter->restore();
            return;
        } else {
            m_image = each(now, ratio, few);
        }
        m_drawn = {now, ratio};
    }
    painter->drawImage(QRectF(now.left, now.top, m_image.width() / ratio, m_image.height() / ratio), m_image);
    drawFront(*painter, now);
    painter->restore();
}

void CloudLayer::drawFront(QPainter& painter, const View& view) const {
    const auto& cloud = *m_chart->cloud;
    const auto ink = m_style.role(ColorRole::Text);
    const auto seen = QRectF(mParentPlot->axisRect()->rect()).adjusted(-1, -1, 1, 1);
    if (!cloud.frontX.empty()) {
        QPolygonF line;
        for (std::size_t i = 0; i < cloud.frontX.size(); ++i)
            line << QPointF(mParentPlot->xAxis->coordToPixel(cloud.frontX[i]),
                            mParentPlot->yAxis->coordToPixel(cloud.frontY[i]));
        painter.setPen(QPen(ink, m_style.lineWidth(1.6), Qt::SolidLine, Qt::FlatCap, Qt::MiterJoin));
        for (const auto& part : cutLine(line, seen)) // an SVG is not clipped
            painter.drawPolyline(QPolygonF(part));
    }
    std::optional<QPointF> last; // a dense front is a line, not a band of rings
    for (const auto i : cloud.front) {
        const auto at = place(view, i);
        if (!isDrawn(i) || !seen.contains(at) || (last && QLineF(*last, at).length() < kRingGap))
            continue;
        last = at;
        const auto& group = cloud.groups[std::min(cloud.groupOf(i), cloud.groups.size() - 1)];
        painter.setPen(QPen(ink, m_style.lineWidth(1.4)));
        painter.setBrush(m_style.color(group.color));
        painter.drawPath(markerPath(group.marker, at, diameter(i) + 1.4));
    }
}

void CloudLayer::index(const View& view) const {
    if (m_indexed == view)
        return;
    m_columns = static_cast<int>(view.width / kCell) + 1;
    const auto rows = static_cast<std::size_t>(view.height / kCell) + 1;
    const auto cells = static_cast<std::size_t>(m_columns) * rows;
    std::vector<std::uint32_t> cellOf(m_points->x.size(), kOutside);
    m_starts.assign(cells + 1, 0);
    for (std::size_t i = 0; i < cellOf.size(); ++i) {
        const auto at = place(view, i) - QPointF(view.left, view.top);
        if (!(at.x() >= 0 && at.x() <= view.width && at.y() >= 0 && at.y() <= view.height))
            continue;
        cellOf[i] = static_cast<std::uint32_t>(at.y() / kCell) * static_cast<std::uint32_t>(m_columns) +
                    static_cast<std::uint32_t>(at.x() / kCell);
        ++m_starts[cellOf[i] + 1];
    }
    for (std::size_t cell = 0; cell < cells; ++cell)
        m_starts[cell + 1] += m_starts[cell];
    auto next = m_starts;
    m_order.resize(m_starts.back());
    for (std::size_t i = 0; i < cellOf.size(); ++i)
        if (cellOf[i] != kOutside)
            m_order[next[cellOf[i]]++] = static_cast<std::uint32_t>(i);
    m_indexed = view;
}

std::optional<std::size_t> CloudLayer::nearest(QPointF at, double within) const {
    const auto now = m_points ? view() : View{};
    if (!m_points || !(now.width > 0 && now.height > 0))
        return {};
    index(now);
    const auto from = at - QPointF(now.left, now.top);
    const auto cellAt = [](double px, int count) {
        return std::clamp(static_cast<int>(std::floor(px / kCell)), 0, count - 1);
    };
    const int rows = static_cast<int>((m_starts.size() - 1) / static_cast<std::size_t>(m_columns));
    std::array<double, kRanks> least;
    least.fill(within * within);
    std::array<std::optional<std::size_t>, kRanks> found;
    const int right = cellAt(from.x() + within, m_columns), bottom = cellAt(from.y() + within, rows);
    for (int row = cellAt(from.y() - within, rows); row <= bottom; ++row)
        for (int column = cellAt(from.x() - within, m_columns); column <= right; ++column) {
            const auto cell = static_cast<std::size_t>(row) * static_cast<std::size_t>(m_columns) +
                              static_cast<std::size_t>(column);
            for (auto k = m_starts[cell]; k < m_starts[cell + 1]; ++k) {
                const std::size_t i = m_order[k];
                const auto away = place(now, i) - at;
                const double squared = QPointF::dotProduct(away, away);
                const auto over = rank(i);
                if (squared < least[over] && isDrawn(i)) {
                    least[over] = squared;
                    found[over] = i;
                }
            }
        }
    const auto best =
        std::find_if(found.rbegin(), found.rend(), [](const auto& one) { return one.has_value(); });
    return best == found.rend() ? std::nullopt : *best;
}

} // namespace heteroscape::widgets
