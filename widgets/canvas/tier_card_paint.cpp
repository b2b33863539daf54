// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/tier_card_paint.h"

#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/design_index.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>
#include <QPainterPath>
#include <QTextLayout>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString rate(double bytesPerSecond) {
    return tr("%1 GB/s").arg(QString::fromStdString(engine::shortText(bytesPerSecond / engine::units::giga)));
}

/// The runtime, and what its decode waits for.
std::vector<CardChip> chipsOf(const Document& document, const engine::Node& node,
                              const engine::NodeEvaluation& evaluated) {
    std::vector<CardChip> chips{{QString::fromStdString(node.runtime->name), false}};
    const auto word = boundWord(evaluated.decodeBusy >= evaluated.prefillBusy ? evaluated.decode.bound
                                                                              : evaluated.prefill.bound);
    if (document.evaluation().feasible && evaluated.busy() > 0.0 && !word.isEmpty())
        chips.push_back({word, evaluated.bottleneck});
    return chips;
}

TierBar barOf(const TierAt& tier) {
    TierBar bar;
    const auto& use = tier.use;
    bar.whole = std::max(use.capacity, use.used());
    bar.share = use.used() / use.capacity;
    bar.label = use.used() > 0.0 ? tr("%1 of %2 in use").arg(sizeText(use.used()), sizeText(use.capacity))
                                 : tr("Nothing lies here");
    bar.parts = tierParts(use);
    return bar;
}

QString partLines(const TierBar& bar) {
    QStringList lines{bar.label};
    for (const auto& part : bar.parts)
        lines << tr("%1: %2, %3").arg(part.label, sizeText(part.bytes), percentText(part.bytes / bar.whole));
    return lines.join(QLatin1Char('\n'));
}

QString pathLines(const CsdPath& path) {
    QStringList lines{
        tr("Inside one CSD: flash to kernel %1, kernel %2").arg(rate(path.flash), rate(path.kernel)),
        tr("One CSD attends to %1 of KV cache at %2 tokens, read and computed in turn; its "
           "port has %3")
            .arg(rate(path.delivered), QString::fromStdString(engine::plainText(std::round(path.tokens))),
                 rate(path.port))};
    lines << (path.pathLimits ? tr("The path from the flash takes longer than the kernel")
                              : tr("The kernel takes longer than the path from the flash"));
    return lines.join(QLatin1Char('\n'));
}

} // namespace

void addOffloading(NodeCard& card, const DesignIndex& index, const engine::Node& node) {
    const auto& document = index.document();
    const auto* evaluated = document.results().node(node.id);
    if (!evaluated)
        return;
    if (evaluated->offload.active && node.runtime)
        card.chips = chipsOf(document, node, *evaluated);
    if (const auto& tier = index.tierAt(node.id); tier && std::isfinite(tier->use.capacity)) {
        card.memory = barOf(*tier);
        card.bar.reset();
        card.details += QLatin1Char('\n') + partLines(*card.memory);
    }
    if (node.device.kind == engine::DeviceKind::Csd)
        card.path = csdPathOf(document, node.id);
    if (card.path && std::isfinite(card.path->delivered))
        card.details += QLatin1Char('\n') + pathLines(*card.path);
    else
        card.path.reset();
    for (const auto& missing : index.shortfallsAt(node.id)) {
        if (card.problem.isEmpty())
            card.problem = missing.brief;
        const bool said = engine::isAccelerator(node.device.kind) && !evaluated->offload.active;
        if (!said && !card.error.contains(missing.full))
            card.error += (card.error.isEmpty() ? QString() : QStringLiteral("\n")) + missing.full;
    }
}

namespace {

constexpr double kLegendLine = 15;
constexpr double kLabelLine = 16;
constexpr double kBar = 8;
constexpr double kSwatch = 12; ///< with its gap
constexpr int kKvSeries = 4;
constexpr int kXSeries = 3;

QColor tierColor(ColorRole which) {
    return Theme::instance().color(which);
}

QColor partColor(const TierPart& part) {
    return part.series == TierPart::kFree ? tierColor(ColorRole::Track)
                                          : Theme::instance().series(part.series);
}

QString gigabytes(double bytesPerSecond) {
    return QString::fromStdString(engine::shortText(bytesPerSecond / engine::units::giga));
}

/// "Weights 60 GB": as exact as half a card's width allows; the tooltip is exact.
QString legendText(const TierPart& part) {
    const double gb = part.bytes / engine::units::GB;
    const auto name = part.series == kKvSeries ? tr("KV") : part.series == kXSeries ? tr("X") : part.label;
    if (gb < 10.0 || gb >= 1e4)
        return QStringLiteral("%1 %2").arg(name, sizeText(part.bytes));
    return tr("%1 %2 GB").arg(name, QString::fromStdString(engine::plainText(std::round(gb))));
}

void paintArrow(QPainter& painter, double from, double to, double y, const QColor& color, double width) {
    painter.setPen(QPen(color, width, Qt::SolidLine, Qt::FlatCap));
    painter.drawLine(QPointF(from, y), QPointF(to - 4, y));
    painter.setPen(Qt::NoPen);
    painter.setBrush(color);
    painter.drawPolygon(QPolygonF({{to, y}, {to - 6, y - 4}, {to - 6, y + 4}}));
}

void paintBox(QPainter& painter, const QRectF& box, const QString& text, const QColor& line, bool hot) {
    painter.setPen(QPen(line, hot ? 2 : 1));
    painter.setBrush(hot ? tierColor(ColorRole::HotSoft) : tierColor(ColorRole::Surface));
    painter.drawRoundedRect(box.adjusted(0.5, 0.5, -0.5, -0.5), 4, 4);
    paintCardText(painter, box, text, Theme::instance().font(TextSize::Caption, QFont::Medium),
                  hot ? tierColor(ColorRole::Hot) : tierColor(ColorRole::Text), Qt::AlignCenter);
}

} // namespace

void paintCardText(QPainter& painter, const QRectF& rect, const QString& text, const QFont& font,
                   const QColor& color, Qt::Alignment alignment) {
    painter.setFont(font);
    painter.setPen(color);
    const auto shown = QFontMetricsF(font).elidedText(text, Qt::ElideRight, rect.width() + 0.5);
    painter.drawText(rect, static_cast<int>(alignment | Qt::TextSingleLine), shown);
}

void paintChips(QPainter& painter, const std::vector<CardChip>& chips, double top) {
    const auto font = Theme::instance().font(TextSize::Caption, QFont::Medium);
    const auto wanted = [&font](const CardChip& chip) {
        return QFontMetricsF(font).horizontalAdvance(chip.text) + 14;
    };
    double room = kCardInner; // a long name gives way to what stands after it
    for (std::size_t i = 1; i < chips.size(); ++i)
        room -= wanted(chips[i]) + kCardChipGap;
    double x = kCardMargin;
    for (const auto& chip : chips) {
        const auto width = &chip == &chips.front() ? std::min(room, wanted(chip)) : wanted(chip);
        const QRectF box(x, top + 2, width, 19);
        painter.setPen(Qt::NoPen);
        painter.setBrush(tierColor(chip.hot ? ColorRole::HotSoft : ColorRole::Sunken));
        painter.drawRoundedRect(box, 4, 4);
        paintCardText(painter, box.adjusted(6, 0, -6, 0), chip.text, font,
                      tierColor(chip.hot ? ColorRole::Hot : ColorRole::Text2), Qt::AlignCenter);
        x += width + kCardChipGap;
    }
}

void paintCsdPath(QPainter& painter, const CsdPath& path, engine::DeviceKind kind, double top) {
    const auto& theme = Theme::instance();
    const auto hue = theme.kind(kind);
    const auto quiet = theme.font(TextSize::Caption);
    const auto strong = theme.font(TextSize::Caption, QFont::DemiBold);
    const auto hot = tierColor(ColorRole::Hot);
    const bool flashLimits = path.inUse && path.pathLimits;
    const bool kernelLimits = path.inUse && !path.pathLimits;

    painter.setPen(QPen(tierColor(ColorRole::Border), 1));
    painter.setBrush(tierColor(ColorRole::Panel));
    const QRectF frame(kCardMargin - 4, top, kCardInner + 8, kPathHeight - 6);
    painter.drawRoundedRect(frame.adjusted(0.5, 0.5, -0.5, -0.5), 5, 5);

    // Flash and kernel meet at the CSD's own switch, and so does the port.
    const double y = top + 28;
    const QRectF flash(kCardMargin + 2, y - 10, 42, 20);
    const QRectF kernel(kCardWidth - kCardMargin - 50, y - 10, 48, 20);
    const QPointF middle((flash.right() + kernel.left()) / 2, y);
    const double r = 6;
    paintArrow(painter, flash.right(), middle.x() - r, y, flashLimits ? hot : hue, flashLimits ? 2.5 : 1.5);
    paintArrow(painter, middle.x() + r, kernel.left(), y, kernelLimits ? hot : hue, kernelLimits ? 2.5 : 1.5);
    painter.setPen(QPen(tierColor(ColorRole::BorderControl), 1.5));
    painter.drawLine(middle + QPointF(0, r), middle + QPointF(0, 20));
    painter.setBrush(tierColor(ColorRole::Surface));
    painter.drawRoundedRect(QRectF(middle - QPointF(r, r), middle + QPointF(r, r)), 2, 2);
    painter.drawEllipse(middle + QPointF(0, 22), 3.0, 3.0);
    paintBox(painter, flash, tr("Flash"), flashLimits ? hot : hue, flashLimits);
    paintBox(painter, kernel, tr("Kernel"), kernelLimits ? hot : hue, kernelLimits);

    const auto above = [&](double left, double right, double value, bool limits) {
        paintCardText(painter, {left, y - 24, right - left, 14}, gigabytes(value), strong,
                      limits ? hot : tierColor(ColorRole::Text), Qt::AlignCenter);
    };
    above(flash.right() - 4, middle.x() + 2, path.flash, flashLimits);
    above(middle.x() - 2, kernel.left() + 4, path.kernel, kernelLimits);
    paintCardText(painter, {middle.x() + 9, y + 14, kCardWidth - kCardMargin - middle.x() - 9, 14},
                  tr("port %1").arg(gigabytes(path.port)), quiet, tierColor(ColorRole::Muted));
    paintCardText(painter, {kCardMargin + 2, y + 14, middle.x() - kCardMargin - 12, 14}, tr("GB/s"), quiet,
                  tierColor(ColorRole::Muted));
    const QRectF line(kCardMargin + 2, top + 58, kCardInner - 4, 16);
    const auto delivered = tr("%1 GB/s").arg(gigabytes(path.delivered));
    const auto width = QFontMetricsF(strong).horizontalAdvance(delivered);
    paintCardText(painter, line.adjusted(0, 0, -width - 6, 0),
                  path.inUse ? tr("One delivers") : tr("One could deliver"), quiet,
                  tierColor(ColorRole::Text2));
    paintCardText(painter, line, delivered, strong, tierColor(ColorRole::Text),
                  Qt::AlignRight | Qt::AlignVCenter);
}

double tierBarHeight(const TierBar& bar) {
    const auto rows = (bar.parts.size() + 1) / 2;
    return kLabelLine + 3 + kBar + 5 + static_cast<double>(rows) * kLegendLine;
}

void paintTierParts(QPainter& painter, const TierBar& bar, const QRectF& track) {
    QPainterPath shape;
    shape.addRoundedRect(track, track.height() / 2, track.height() / 2);
    painter.fillPath(shape, tierColor(ColorRole::Track));
    painter.save();
    painter.setClipPath(shape, Qt::IntersectClip);
    double x = track.left();
    for (const auto& part : bar.parts) {
        const auto length = std::max(part.bytes / bar.whole * track.width(), 1.5); // a little is still seen
        painter.fillRect(QRectF(x, track.top(), length, track.height()), partColor(part));
        x += length;
    }
    painter.restore();
}

void paintTierBar(QPainter& painter, const TierBar& bar, bool hot, double top) {
    const auto& theme = Theme::instance();
    const auto caption = theme.font(TextSize::Caption);
    const QRectF line(kCardMargin, top, kCardInner, kLabelLine);
    paintCardText(painter, line.adjusted(0, 0, -40, 0), bar.label, caption, tierColor(ColorRole::Text2));
    paintCardText(painter, line, percentText(bar.share), theme.font(TextSize::Caption, QFont::DemiBold),
                  tierColor(hot ? ColorRole::Hot : ColorRole::Text), Qt::AlignRight | Qt::AlignVCenter);
    paintTierParts(painter, bar, {kCardMargin, top + kLabelLine + 3, kCardInner, kBar});
    const double legend = top + kLabelLine + 3 + kBar + 5;
    double column = kCardInner / 2; // as wide as the longer texts of the first need
    for (std::size_t i = 0; i < bar.parts.size(); i += 2)
        column = std::max(column,
                          kSwatch + 8 + QFontMetricsF(caption).horizontalAdvance(legendText(bar.parts[i])));
    for (std::size_t i = 0; i < bar.parts.size(); ++i) {
        const auto& part = bar.parts[i];
        const bool second = i % 2 == 1;
        const auto x = kCardMargin + (second ? column : 0.0);
        const auto row = i / 2;
        const auto y = legend + static_cast<double>(row) * kLegendLine;
        painter.setPen(part.series == TierPart::kFree ? QPen(tierColor(ColorRole::BorderControl), 1)
                                                      : QPen(Qt::NoPen));
        painter.setBrush(partColor(part));
        painter.drawRect(QRectF(x + 0.5, y + 4.5, 7, 7));
        const QRectF text(x + kSwatch, y, (second ? kCardInner - column : column) - kSwatch, kLegendLine);
        paintCardText(painter, text, legendText(part), caption, tierColor(ColorRole::Text2));
    }
}

void paintProblem(QPainter& painter, const QString& text, double top, ColorRole color) {
    const auto font = Theme::instance().font(TextSize::Caption, QFont::Medium);
    auto shown = text;
    shown.replace(QStringLiteral(" GB"), QStringLiteral("\u00a0GB")); // a number stays with its unit
    shown.replace(QStringLiteral(" TB"), QStringLiteral("\u00a0TB"));
    // Two lines; the tooltip has the rest.
    QTextLayout layout(shown, font);
    QTextOption option;
    option.setWrapMode(QTextOption::WordWrap);
    layout.setTextOption(option);
    layout.beginLayout();
    auto wrapped = layout.createLine();
    wrapped.setLineWidth(kCardInner);
    const auto split = wrapped.textLength();
    layout.endLayout();
    const auto height = kProblemHeight / 2;
    paintCardText(painter, {kCardMargin, top - 1, kCardInner, height}, shown.left(split).trimmed(), font,
                  tierColor(color));
    paintCardText(painter, {kCardMargin, top - 1 + height, kCardInner, height}, shown.mid(split).trimmed(),
                  font, tierColor(color));
}

} // namespace heteroscape::widgets
