// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/layout_chips.h"

#include "engine/scenario/layout_moves.h"
#include "engine/units/number_text.h"
#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/tier_card_paint.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <QPainter>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr double kLayoutChipHeight = 20;
constexpr double kLayoutChipRow = 24;
constexpr double kLayoutChipGap = 4;
constexpr double kLayoutChipMargin = 7;
constexpr double kLayoutChipWord = 4; ///< from the word to its number

QFont wordFont() {
    return Theme::instance().font(TextSize::Caption);
}
QFont numberFont() {
    return Theme::instance().font(TextSize::Caption, QFont::DemiBold);
}

QString degreeText(double value) {
    return QString::fromStdString(engine::plainText(value, 6));
}

} // namespace

std::vector<LayoutChip> layoutChips(const engine::Model& model, const engine::Node& node) {
    std::vector<LayoutChip> chips;
    if (!engine::isAccelerator(node.device.kind) || !(engine::tensorParallel(node) > 1.0))
        return chips;
    const auto [copies, layout] = engine::copiedLayoutOf(node);
    if (copies > 1.0)
        chips.push_back({QStringLiteral("\u00d7"), degreeText(copies)});
    using engine::LayerSide;
    for (const std::string_view key : {"tp", "pp", "dp", "cp", "ep"})
        if (const double degree = layout.*engine::layoutDegree(key).member;
            degree > 1.0 && layout.side != (key == "ep" ? LayerSide::Attention : LayerSide::Ffn))
            chips.push_back({QString::fromUtf8(key), degreeText(degree)});
    if (layout.etp > 1.0 && (layout.side == LayerSide::Ffn ||
                             (layout.ep > 1.0 && layout.side == LayerSide::Whole))) // else it follows
        chips.push_back({QStringLiteral("etp"), degreeText(layout.etp)});
    if (model.weights)
        chips.push_back({QString::fromUtf8(model.weights->label), {}});
    return chips;
}

QString sideLabel(const engine::Model& model, const engine::Node& node) {
    if (!engine::splitsLayers(node))
        return {};
    if (node.role == engine::Role::Attention)
        return tr("Attention: KV cache, norms, router, head");
    return model.isMixture() ? tr("Experts") : tr("FFN");
}

QString chipText(const LayoutChip& chip) {
    return chip.number.isEmpty() ? chip.word : chip.word + QLatin1Char(' ') + chip.number;
}

std::vector<QRectF> layoutChipRects(const std::vector<LayoutChip>& chips, double top) {
    constexpr double kLeft = 12;
    constexpr double kRight = kCardWidth - 12;
    const QFontMetricsF words(wordFont()), numbers(numberFont());
    std::vector<QRectF> rects;
    double x = kLeft;
    for (const auto& chip : chips) {
        const double wanted =
            words.horizontalAdvance(chip.word) + 2 * kLayoutChipMargin +
            (chip.number.isEmpty() ? 0.0 : kLayoutChipWord + numbers.horizontalAdvance(chip.number));
        const double width = std::min(std::ceil(wanted), kRight - kLeft);
        if (x > kLeft && x + width > kRight) {
            x = kLeft;
            top += kLayoutChipRow;
        }
        rects.emplace_back(x, top, width, kLayoutChipHeight);
        x += width + kLayoutChipGap;
    }
    return rects;
}

void paintLayoutChips(QPainter& painter, const std::vector<LayoutChip>& chips,
                      const std::vector<QRectF>& rects) {
    const auto& theme = Theme::instance();
    for (std::size_t i = 0; i < chips.size() && i < rects.size(); ++i) {
        painter.setPen(Qt::NoPen);
        painter.setBrush(theme.color(ColorRole::Sunken));
        painter.drawRoundedRect(rects[i], 4, 4);
        const auto inside = rects[i].adjusted(kLayoutChipMargin, 0, -kLayoutChipMargin + 1, 0);
        paintCardText(painter, inside, chips[i].word, wordFont(), theme.color(ColorRole::Text2));
        if (!chips[i].number.isEmpty())
            paintCardText(painter, inside, chips[i].number, numberFont(), theme.color(ColorRole::Text),
                          Qt::AlignRight | Qt::AlignVCenter);
    }
}

QString layoutProposal(Document& document, const engine::Node& node) {
    if (!LayoutFinder::isOpen(document.scenario(), node))
        return {};
    auto& finder = LayoutFinder::of(document);
    finder.ask(node.id, engine::Metric::Throughput);
    const auto* better = finder.proposal(node.id);
    if (!better)
        return {};
    const auto phrase = QString::fromStdString(engine::layoutPhrase(better->laid));
    const auto* ranking = finder.known(node.id, engine::Metric::Throughput);
    if (!ranking || !ranking->now.fits || !(ranking->now.value > 0.0))
        return tr("Use %1").arg(phrase);
    return tr("Use %1: +%2 %")
        .arg(phrase)
        .arg(std::lround((better->value / ranking->now.value - 1.0) * 100.0));
}

void takeProposal(Document& document, const engine::NodeId& id) {
    const auto* node = document.scenario().findNode(id);
    const auto* better = LayoutFinder::of(document).proposal(id);
    if (node && better)
        document.perform(engine::copiedLayoutEdit(*node, better->laid));
}

} // namespace heteroscape::widgets
