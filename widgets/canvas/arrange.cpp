// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/arrange.h"

#include "widgets/canvas/canvas_words.h"
#include "widgets/theme/lookup.h"

#include <algorithm>

namespace heteroscape::widgets {

namespace {

struct AlignWords {
    Q_DECLARE_TR_FUNCTIONS(Canvas)
public:
    static constexpr Word<Align> kTable[]{
        {Align::Left, QT_TR_NOOP("Align left")},     {Align::Centre, QT_TR_NOOP("Align centre")},
        {Align::Right, QT_TR_NOOP("Align right")},   {Align::Top, QT_TR_NOOP("Align top")},
        {Align::Middle, QT_TR_NOOP("Align middle")}, {Align::Bottom, QT_TR_NOOP("Align bottom")}};
};

void addMove(engine::EditList& list, const ArrangeBox& box, QPointF topLeft) {
    if (topLeft != box.rect.topLeft())
        list.edits.push_back(engine::MoveNode{box.id, {topLeft.x(), topLeft.y()}});
}

QPointF aligned(const QRectF& rect, const QRectF& all, Align how) {
    switch (how) {
    case Align::Left:
        return {all.left(), rect.top()};
    case Align::Centre:
        return {all.center().x() - rect.width() / 2, rect.top()};
    case Align::Right:
        return {all.right() - rect.width(), rect.top()};
    case Align::Top:
        return {rect.left(), all.top()};
    case Align::Middle:
        return {rect.left(), all.center().y() - rect.height() / 2};
    case Align::Bottom:
        return {rect.left(), all.bottom() - rect.height()};
    }
    return rect.topLeft();
}

} // namespace

engine::EditList alignEdit(const std::vector<ArrangeBox>& boxes, Align how) {
    QRectF all;
    for (const auto& box : boxes)
        all |= box.rect;
    engine::EditList list;
    for (const auto& box : boxes)
        addMove(list, box, aligned(box.rect, all, how));
    return list;
}

engine::EditList distributeEdit(const std::vector<ArrangeBox>& boxes, Distribute how) {
    engine::EditList list;
    if (boxes.size() < 3)
        return list;
    const bool across = how == Distribute::Horizontally;
    const auto length = [across](const QRectF& rect) { return across ? rect.width() : rect.height(); };
    const auto start = [across](const QRectF& rect) { return across ? rect.left() : rect.top(); };
    auto sorted = boxes;
    std::stable_sort(sorted.begin(), sorted.end(), [across](const ArrangeBox& a, const ArrangeBox& b) {
        return across ? a.rect.center().x() < b.rect.center().x() : a.rect.center().y() < b.rect.center().y();
    });
    double taken = 0.0;
    for (const auto& box : sorted)
        taken += length(box.rect);
    const auto from = start(sorted.front().rect);
    const auto whole = start(sorted.back().rect) + length(sorted.back().rect) - from;
    const auto gap =
        (whole - taken) / static_cast<double>(sorted.size() - 1); // negative: they overlap evenly
    double at = from;
    for (std::size_t i = 0; i < sorted.size(); ++i) {
        const auto& rect = sorted[i].rect;
        const bool outermost = i == 0 || i + 1 == sorted.size(); // rounding must not move them
        if (!outermost)
            addMove(list, sorted[i], across ? QPointF(at, rect.top()) : QPointF(rect.left(), at));
        at += length(rect) + gap;
    }
    return list;
}

QString arrangeText(Align how) {
    return AlignWords::tr(lookUp(AlignWords::kTable, how));
}

QString arrangeText(Distribute how) {
    return how == Distribute::Horizontally ? tr("Distribute horizontally") : tr("Distribute vertically");
}

} // namespace heteroscape::widgets
