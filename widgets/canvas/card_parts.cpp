// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/card_parts.h"

#include "widgets/canvas/canvas_metrics.h"
#include "widgets/canvas/layout_chips.h"
#include "widgets/canvas/node_card_paint.h"
#include "widgets/canvas/node_item.h"
#include "widgets/canvas/part_edits.h"
#include "widgets/canvas/tier_card_paint.h"
#include "widgets/theme/theme.h"

#include <QFontMetricsF>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

std::vector<TechniqueChip> techniqueChips(const engine::Scenario& scenario,
                                          const std::vector<const engine::Technique*>& kinds) {
    std::vector<TechniqueChip> chips;
    for (const auto* kind : kinds)
        chips.push_back({std::string(kind->id()),
                         QString::fromStdString(kind->mark(scenario.techniques[*kind])),
                         techniqueLabel(kind->id())});
    return chips;
}

QString fabricWord(const engine::Device& device) {
    switch (device.kind) {
    case engine::DeviceKind::Cpu:
        return device.hostMemory.isSet() ? tr("Host") : tr("Host, scheduler");
    case engine::DeviceKind::Switch:
        return tr("Switch");
    case engine::DeviceKind::Ssd:
        return tr("Storage");
    case engine::DeviceKind::Csd:
        return tr("Storage, computes");
    default:
        return tr("%1, carries data only").arg(QString::fromUtf8(engine::deviceKindLabel(device.kind)));
    }
}

void addProblems(NodeCard& card, const DesignIndex& index, const engine::Node& node) {
    QStringList notes;
    for (const auto& problem : problemsAt(index, node.id)) {
        if (problem.severity == engine::Severity::Note) {
            notes << problem.sentence();
        } else if (card.problem.isEmpty()) {
            card.problem = problem.isShortfall ? problem.message : problem.sentence();
            card.problemIsError = problem.severity == engine::Severity::Error;
        }
    }
    card.note = notes.join(QLatin1Char('\n'));
}

namespace {

constexpr double kQuantitiesEnd = 90; ///< where the parts below the quantities begin
constexpr double kBottom = 12;
constexpr double kBarHeight = 25; ///< label and bar
constexpr double kChipHeight = 20;
constexpr double kChipRow = 24;
constexpr double kRemedyHeight = 24;
constexpr double kRemedyGap = 6;
constexpr double kMoreWidth = 32;

std::vector<QRectF> techniqueRects(const NodeCard& card, double top) {
    const QFontMetricsF metrics(Theme::instance().font(TextSize::Caption, QFont::Medium));
    std::vector<QRectF> rects;
    double x = kCardMargin;
    for (const auto& chip : card.techniques) {
        const auto width = std::min(kCardInner, metrics.horizontalAdvance(chip.text) + 16);
        if (x > kCardMargin && x + width > kCardMargin + kCardInner) {
            x = kCardMargin;
            top += kChipRow;
        }
        rects.emplace_back(x, top, width, kChipHeight);
        x += width + kCardChipGap;
    }
    return rects;
}

/// A pill as high as its words take within this room.
QSizeF pillSize(const QString& words, double room) {
    const QFontMetricsF metrics(Theme::instance().font(TextSize::Caption, QFont::DemiBold));
    const auto width = std::min(room, metrics.horizontalAdvance(words) + 22);
    const QRectF inside(0, 0, width - 2 * kCardPillMargin, 1e4);
    const auto lines = metrics.boundingRect(inside, Qt::AlignHCenter | Qt::TextWordWrap, words).height();
    return {width, std::max(kRemedyHeight, std::ceil(lines + kCardPillMargin))};
}

} // namespace

CardLayout cardLayout(const NodeCard& card) {
    CardLayout layout;
    double top = kQuantitiesEnd;
    if (!card.layout.empty()) {
        layout.degrees = layoutChipRects(card.layout, top);
        top = layout.degrees.back().top() + kChipRow + 4;
    }
    if (!card.chips.empty()) {
        layout.chips = top - 4;
        top += kChipsHeight;
    }
    if (!card.techniques.empty()) {
        layout.techniques = techniqueRects(card, top - 2);
        top = layout.techniques.back().top() + 2 + kChipRow + 2;
    }
    layout.path = top;
    if (card.path)
        top += kPathHeight;
    layout.bars = top;
    // A problem stands in place of the bar: a card does not shrink for it.
    double bars = card.memory ? tierBarHeight(*card.memory) : kBarHeight;
    if (!card.problem.isEmpty()) {
        bars = std::max(bars, kProblemHeight + (card.memory ? 12.0 : 0.0));
        if (!card.remedies.isEmpty()) {
            const double y = top + kProblemHeight + (card.memory ? 14.0 : 2.0);
            const bool others = card.remedies.size() > 1;
            const auto size =
                pillSize(card.remedies.front(), kCardInner - (others ? kMoreWidth + kCardChipGap : 0.0));
            layout.remedy = {{kCardMargin, y}, size};
            if (others)
                layout.more = {layout.remedy.right() + kCardChipGap, y, kMoreWidth, size.height()};
            bars = std::max(bars, y - top + size.height() + kRemedyGap - 4);
        }
    }
    if (!card.proposal.isEmpty() && card.problem.isEmpty()) {
        layout.proposal = {{kCardMargin, top + bars + kRemedyGap}, pillSize(card.proposal, kCardInner)};
        bars += kRemedyGap + layout.proposal.height();
    }
    layout.height = std::max(kCardHeight, top + bars + kBottom);
    return layout;
}

QRectF roleRect(const NodeCard& card) {
    if (!card.switchesRole)
        return {};
    const QFontMetricsF metrics(Theme::instance().font(TextSize::Caption));
    const double room = countBadgeRect(card.count).left() - 46;
    return {38, 22, std::min(room, metrics.horizontalAdvance(card.role) + 4), 18};
}

CardPart cardPartAt(const NodeCard& card, QPointF point) {
    // Rows of words are low: a little above and below them counts.
    if (roleRect(card).adjusted(0, -1, 4, 4).contains(point) && card.switchesRole)
        return {CardPart::Kind::Role, 0};
    const auto layout = cardLayout(card);
    for (std::size_t i = 0; i < layout.techniques.size(); ++i)
        if (layout.techniques[i].adjusted(-2, -2, 2, 2).contains(point))
            return {CardPart::Kind::Technique, i};
    if (layout.remedy.contains(point))
        return {CardPart::Kind::Remedy, 0};
    if (layout.more.contains(point))
        return {CardPart::Kind::MoreRemedies, 0};
    if (layout.proposal.contains(point))
        return {CardPart::Kind::Proposal, 0};
    return {};
}

QRectF partRect(const NodeCard& card, const CardPart& part) {
    const auto layout = cardLayout(card);
    switch (part.kind) {
    case CardPart::Kind::Role:
        return roleRect(card);
    case CardPart::Kind::Technique:
        return part.index < layout.techniques.size() ? layout.techniques[part.index] : QRectF();
    case CardPart::Kind::Remedy:
        return layout.remedy;
    case CardPart::Kind::MoreRemedies:
        return layout.more;
    case CardPart::Kind::Proposal:
        return layout.proposal;
    case CardPart::Kind::None:
        break;
    }
    return {};
}

QString partTip(const NodeCard& card, const CardPart& part) {
    switch (part.kind) {
    case CardPart::Kind::Role:
        return card.roleNote.isEmpty() ? tr("Switch the role (R)")
                                       : tr("%1.\nSwitch the role (R)").arg(card.roleNote);
    case CardPart::Kind::Technique:
        return part.index < card.techniques.size() ? tr("%1 acts here.\nDel or a right click switches it off")
                                                         .arg(card.techniques[part.index].label)
                                                   : QString();
    case CardPart::Kind::Remedy:
        return tr("%1 (Q)").arg(card.remedies.front());
    case CardPart::Kind::MoreRemedies:
        return tr("Other remedies: %1").arg(card.remedies.mid(1).join(QStringLiteral(", ")));
    case CardPart::Kind::Proposal:
        return tr("%1 of throughput (Q). The inspector compares the best layouts").arg(card.proposal);
    case CardPart::Kind::None:
        break;
    }
    return {};
}

} // namespace heteroscape::widgets
