// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/parallel_painter.h"

#include <QColor>
#include <QFontMetricsF>
#include <QLineF>
#include <QPainter>
#include <QPainterPath>
#include <algorithm>
#include <array>
#include <cmath>
#include <cstdlib>
#include <map>

namespace heteroscape::widgets {

namespace {
constexpr int kFraction = 16; // bits
} // namespace

LineDensity::LineDensity(int width, int height)
    : m_width(std::max(1, width)), m_height(std::max(1, height)),
      m_counts(static_cast<std::size_t>(m_width) * static_cast<std::size_t>(m_height)) {}

void LineDensity::add(double from, double to) {
    const auto row = [this](double y) {
        return static_cast<std::int64_t>(std::clamp(std::floor(y), 0.0, m_height - 1.0));
    };
    const std::int64_t y1 = row(from), y2 = row(to);
    // A pixel a step along the longer side, so that a steep line has no gaps.
    const auto steps = std::max<std::int64_t>({m_width - 1, std::abs(y2 - y1), 1});
    constexpr std::int64_t kHalf = 1LL << (kFraction - 1);
    const std::int64_t stepX = ((m_width - 1LL) << kFraction) / steps;
    const std::int64_t stepY = ((y2 - y1) * (1LL << kFraction)) / steps;
    std::int64_t x = kHalf, y = (y1 << kFraction) + kHalf;
    for (std::int64_t i = 0; i <= steps; ++i, x += stepX, y += stepY)
        ++m_counts[static_cast<std::size_t>((y >> kFraction) * m_width + (x >> kFraction))];
}

QImage LineDensity::image(const QColor& color) const {
    std::array<QRgb, 65> shades{}; // after so many lines one more is not seen
    const double rest = 1 - color.alphaF();
    for (std::size_t n = 1; n < shades.size(); ++n)
        shades[n] = qPremultiply(
            qRgba(color.red(), color.green(), color.blue(),
                  static_cast<int>(std::lround(255 * (1 - std::pow(rest, static_cast<double>(n)))))));
    QImage image(m_width, m_height, QImage::Format_ARGB32_Premultiplied);
    const auto* count = m_counts.data();
    for (int y = 0; y < m_height; ++y) {
        auto* line = reinterpret_cast<QRgb*>(image.scanLine(y));
        for (int x = 0; x < m_width; ++x)
            line[x] = shades[std::min<std::size_t>(*count++, shades.size() - 1)];
    }
    return image;
}

namespace {

constexpr double kSide = 46; // room for ticks left of the first axis
constexpr double kRight = 18;
constexpr double kHead = 24; // the names
constexpr double kFoot = 10;
constexpr double kReach = 9; // px either side of an axis that are the axis
constexpr double kBrushWidth = 12;
constexpr std::size_t kManyBundles = 3000; // above, lines are counted, not painted

double share(std::uint16_t place) {
    return static_cast<double>(place) / (engine::kParallelPlaces - 1);
}

} // namespace

ParallelLayout::ParallelLayout(QRectF whole, std::size_t axes)
    : area(whole), count(axes), left(whole.left() + kSide), right(whole.right() - kRight),
      top(whole.top() + kHead), bottom(whole.bottom() - kFoot) {
    const double half = std::min(80.0, whole.width() / 7); // names are centred on their axes
    left = std::max(left, whole.left() + half);
    right = std::min(right, whole.right() - half);
}

double ParallelLayout::spacing() const {
    return count > 1 ? (right - left) / static_cast<double>(count - 1) : right - left;
}

double ParallelLayout::x(std::size_t axis) const {
    return count > 1 ? left + spacing() * static_cast<double>(axis) : (left + right) / 2;
}

double ParallelLayout::shareAt(double at) const {
    return std::clamp((bottom - at) / std::max(1.0, bottom - top), 0.0, 1.0);
}

std::optional<std::size_t> ParallelLayout::axisAt(QPointF at) const {
    if (at.y() < top - kHead || at.y() > bottom + kFoot)
        return {};
    for (std::size_t i = 0; i < count; ++i)
        if (std::fabs(at.x() - x(i)) <= kReach)
            return i;
    return {};
}

void ParallelPainter::paintBundles(QPainter& painter) const {
    std::size_t all = 0;
    for (const auto& gap : m_picture.bundles)
        all += gap.size();
    auto kept = m_style.color(ChartColor::series(0));
    kept.setAlphaF(0.3F);
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    for (const bool keptOnes : {false, true}) {
        const auto color = keptOnes ? kept : m_style.role(ColorRole::Grid);
        painter.setPen(QPen(color, m_style.lineWidth(1)));
        for (std::size_t gap = 0; gap < m_picture.bundles.size(); ++gap) {
            std::vector<QLineF> lines;
            const double from = m_layout.x(gap), to = m_layout.x(gap + 1);
            for (const auto& bundle : m_picture.bundles[gap])
                if (keptOnes == (bundle.kept > 0)) // where some are kept they lie above the others
                    lines.emplace_back(from, m_layout.y(share(bundle.from)), to,
                                       m_layout.y(share(bundle.to)));
            if (m_style.exported || all <= kManyBundles)
                painter.drawLines(lines.data(), static_cast<int>(lines.size()));
            else
                paintDense(painter, lines, color);
        }
    }
    painter.restore();
}

/// Lines that all lead from one axis to the next.
void ParallelPainter::paintDense(QPainter& painter, const std::vector<QLineF>& lines,
                                 const QColor& color) const {
    if (lines.empty())
        return;
    const double ratio = painter.device()->devicePixelRatioF();
    const QRectF strip(QPointF(lines.front().x1(), m_layout.top),
                       QPointF(lines.front().x2(), m_layout.bottom));
    LineDensity density(static_cast<int>(std::lround(strip.width() * ratio)),
                        static_cast<int>(std::lround(strip.height() * ratio)));
    for (const auto& line : lines)
        density.add((line.y1() - strip.top()) * ratio, (line.y2() - strip.top()) * ratio);
    painter.drawImage(strip, density.image(color));
}

void ParallelPainter::paintRow(QPainter& painter, std::size_t row, const QColor& color, double width) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::RoundCap, Qt::RoundJoin));
    std::optional<QPointF> before;
    for (std::size_t i = 0; i < m_picture.axes.size(); ++i) {
        const auto& places = m_picture.axes[i].axis->places;
        const auto place = row < places.size() ? places[row] : engine::kNoPlace;
        if (place == engine::kNoPlace) {
            before.reset();
            continue;
        }
        const QPointF at(m_layout.x(i), m_layout.y(share(place)));
        if (before)
            painter.drawLine(*before, at);
        painter.setBrush(color);
        painter.drawEllipse(at, width, width);
        before = at;
    }
    painter.restore();
}

void ParallelPainter::paintAxes(QPainter& painter) const {
    painter.save();
    painter.setRenderHint(QPainter::Antialiasing);
    const auto ground = m_style.role(ColorRole::Surface);
    const QFontMetricsF measure(m_style.font()), bold(m_style.font(QFont::DemiBold));
    for (std::size_t i = 0; i < m_picture.axes.size(); ++i) {
        const auto& axis = m_picture.axes[i];
        const double x = m_layout.x(i);
        painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1)));
        painter.drawLine(QPointF(x, m_layout.top), QPointF(x, m_layout.bottom));
        const bool focused = m_picture.focused == i;
        const double room = std::min(m_layout.spacing() - 8,
                                     2 * std::min(x - m_layout.area.left(), m_layout.area.right() - x));
        painter.setFont(m_style.font(QFont::DemiBold));
        painter.setPen(m_style.role(focused ? ColorRole::Accent : ColorRole::Text));
        painter.drawText(QRectF(x - room / 2, m_layout.area.top(), room, bold.height()), Qt::AlignCenter,
                         bold.elidedText(axis.label, Qt::ElideRight, room));
        painter.setFont(m_style.font());
        const double widest = // a number is shown whole, a name as far as it has room
            std::max(36.0, std::min(i == 0 ? x - m_layout.area.left() : m_layout.spacing() * 0.6,
                                    m_layout.spacing() * 0.6) -
                               8);
        for (const auto& [share, text] : axis.ticks) {
            const double y = m_layout.y(share);
            const auto shown = measure.elidedText(text, Qt::ElideRight, widest);
            const QRectF box(x - 10 - measure.horizontalAdvance(shown), y - measure.height() / 2,
                             measure.horizontalAdvance(shown), measure.height());
            auto back = ground;
            back.setAlphaF(0.8F);
            painter.setPen(Qt::NoPen);
            painter.setBrush(back);
            painter.drawRoundedRect(box.adjusted(-2, 0, 2, 0), 2, 2);
            painter.setPen(QPen(m_style.role(ColorRole::BorderControl), m_style.lineWidth(1)));
            painter.drawLine(QPointF(x - 4, y), QPointF(x, y));
            painter.setPen(m_style.role(ColorRole::Text2));
            painter.drawText(box, Qt::AlignCenter | Qt::TextDontClip, shown);
        }
        if (axis.brush) {
            const QRectF box(x - kBrushWidth / 2, m_layout.y(axis.brush->second), kBrushWidth,
                             m_layout.y(axis.brush->first) - m_layout.y(axis.brush->second));
            auto fill = m_style.role(ColorRole::Accent);
            painter.setPen(QPen(fill, 1.5));
            fill.setAlphaF(0.25F);
            painter.setBrush(fill);
            painter.drawRoundedRect(box, 2, 2);
        }
        if (focused) {
            painter.setPen(QPen(m_style.role(ColorRole::Focus), 2));
            painter.setBrush(Qt::NoBrush);
            painter.drawRoundedRect(
                QRectF(x - kReach, m_layout.top - 3, 2 * kReach, m_layout.bottom - m_layout.top + 6), 4, 4);
        }
    }
    painter.restore();
}

std::vector<engine::ParallelBundle> coarsened(std::vector<engine::ParallelBundle> bundles, std::size_t most) {
    for (unsigned shift = 1; bundles.size() > most && shift <= 4; ++shift) {
        const auto round = [shift](std::uint16_t place) { // places at the ends stay at the ends
            const double steps = (engine::kParallelPlaces >> shift) - 1.0;
            const double width = (engine::kParallelPlaces - 1) / steps;
            return static_cast<std::uint16_t>(std::lround(std::round(place / width) * width));
        };
        std::map<std::pair<std::uint16_t, std::uint16_t>, engine::ParallelBundle> merged;
        for (const auto& bundle : bundles) {
            const auto from = round(bundle.from), to = round(bundle.to);
            auto& one = merged.try_emplace({from, to}, engine::ParallelBundle{from, to, 0, 0}).first->second;
            one.kept += bundle.kept;
            one.all += bundle.all;
        }
        bundles.clear();
        for (const auto& [places, bundle] : merged)
            bundles.push_back(bundle);
    }
    return bundles;
}

} // namespace heteroscape::widgets
