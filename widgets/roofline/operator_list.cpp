// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/operator_list.h"

#include "engine/units/number_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/marker_path.h"
#include "widgets/theme/painted_icon.h"
#include "widgets/theme/plain_text.h"

#include <QHeaderView>
#include <QPainter>
#include <QSignalBlocker>
#include <QStyledItemDelegate>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kPoint = Qt::UserRole, kShare = Qt::UserRole + 1, kKind = Qt::UserRole + 2;
enum Column { Name, Share, Time, OfRoof };

/// The share as a bar on a track, in the hue of its device.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto share = index.data(kShare);
        if (!share.isValid())
            return;
        const auto& theme = Theme::instance();
        QRectF track(option.rect.left() + 4, option.rect.center().y() - 2, option.rect.width() - 12, 6);
        painter->save();
        painter->setRenderHint(QPainter::Antialiasing);
        painter->setPen(Qt::NoPen);
        painter->setBrush(theme.color(ColorRole::Track));
        painter->drawRoundedRect(track, 3, 3);
        track.setWidth(std::max(3.0, track.width() * std::clamp(share.toDouble(), 0.0, 1.0)));
        painter->setBrush(theme.kind(static_cast<engine::DeviceKind>(index.data(kKind).toInt())));
        painter->drawRoundedRect(track, 3, 3);
        painter->restore();
    }
};

QIcon markerIcon(ChartMarker marker, const QColor& color, bool ringed) {
    return paintedIcon([=](QPainter& painter, const QRectF& square) {
        auto fill = color;
        fill.setAlphaF(0.35F);
        painter.setPen(QPen(color, 1.3));
        painter.setBrush(ringed ? QBrush(Qt::NoBrush) : QBrush(fill));
        painter.drawPath(markerPath(marker, square.center(), 9));
        if (ringed) {
            painter.setBrush(color);
            painter.drawPath(markerPath(marker, square.center(), 3.5));
        }
    });
}

} // namespace

OperatorList::OperatorList(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(4);
    setHeaderLabels({tr("Operator"), tr("Share"), tr("ms"), tr("of roof")});
    for (int column = 0; column < columnCount(); ++column)
        setTerm(headerItem(), column, "intensity");
    headerItem()->setTextAlignment(Time, Qt::AlignRight | Qt::AlignVCenter);
    headerItem()->setTextAlignment(OfRoof, Qt::AlignRight | Qt::AlignVCenter);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(30);
    header()->setSectionResizeMode(Name, QHeaderView::Stretch);
    for (const auto column : {Share, Time, OfRoof})
        header()->setSectionResizeMode(column, QHeaderView::Fixed);
    header()->resizeSection(Share, 50);
    header()->resizeSection(Time, 64);
    header()->resizeSection(OfRoof, 60);
    setIndentation(0);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setUniformRowHeights(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegateForColumn(Share, new BarDelegate(this));
    setFont(Theme::instance().font(TextSize::Dense));
    setAccessibleName(tr("Operators"));
    connect(&Theme::instance(), &Theme::changed, this, &OperatorList::restyle);
    connect(this, &QTreeWidget::currentItemChanged, this, [this](QTreeWidgetItem* item) {
        const auto point = item ? item->data(Name, kPoint) : QVariant();
        emit pointSelected(point.isValid() ? point.toInt() : -1);
    });
}

void OperatorList::restyle() {
    setRooflines(std::vector(m_rooflines), std::set(m_hidden));
}

void OperatorList::setRooflines(const std::vector<engine::Roofline>& rooflines,
                                const std::set<std::size_t>& hidden) {
    const QSignalBlocker quiet(this);
    m_rooflines = rooflines;
    m_hidden = hidden;
    clear();
    const auto& theme = Theme::instance();
    const auto points = rooflinePoints(m_rooflines);
    std::vector<std::pair<int, const RooflinePoint*>> sorted;
    for (std::size_t i = 0; i < points.size(); ++i)
        sorted.emplace_back(static_cast<int>(i), &points[i]);
    std::stable_sort(sorted.begin(), sorted.end(), [](const auto& a, const auto& b) {
        return a.second->roofline != b.second->roofline ? a.second->roofline < b.second->roofline
                                                        : a.second->seconds > b.second->seconds;
    });
    QTreeWidgetItem* group = nullptr;
    std::size_t groupOf = RooflinePoint::kWholeStep;
    for (const auto& [index, point] : sorted) {
        if (m_hidden.contains(point->roofline))
            continue;
        const auto& roofline = m_rooflines[point->roofline];
        if (groupOf != point->roofline) {
            groupOf = point->roofline;
            group = new QTreeWidgetItem(this, {rooflineName(roofline)});
            group->setIcon(Name, theme.icon(Theme::kindIcon(roofline.kind)));
            group->setFlags(Qt::ItemIsEnabled);
            group->setFirstColumnSpanned(true);
            group->setFont(Name, theme.font(TextSize::Dense, QFont::DemiBold));
            group->setExpanded(true);
        }
        const bool whole = point->operatorIndex == RooflinePoint::kWholeStep;
        if (!whole && !m_filter.isEmpty() &&
            !QString::fromStdString(point->name).contains(m_filter, Qt::CaseInsensitive))
            continue;
        auto* item = new QTreeWidgetItem(group);
        item->setText(Name, QString::fromStdString(point->name));
        item->setIcon(Name, markerIcon(roofline.phase == engine::Phase::Prefill ? ChartMarker::Circle
                                                                                : ChartMarker::Diamond,
                                       theme.kind(rooflineKind(roofline, *point)), whole));
        item->setData(Name, kPoint, index);
        item->setData(Share, kShare, point->share);
        item->setData(Share, kKind, static_cast<int>(rooflineKind(roofline, *point)));
        const double ms = point->seconds * 1e3;
        item->setText(Time, ms > 0 && ms < 0.001 ? QStringLiteral("< 0.001")
                                                 : QString::fromStdString(engine::shortText(ms)));
        item->setText(OfRoof,
                      point->drawable()
                          ? tr("%1 %").arg(QString::fromStdString(engine::shortText(100 * point->ofRoof)))
                          : QStringLiteral("–"));
        for (const auto column : {Time, OfRoof})
            item->setTextAlignment(column, Qt::AlignRight | Qt::AlignVCenter);
        item->setToolTip(Name, plainTip(item->text(Name)));
        const bool flow = point->operatorIndex == RooflinePoint::kFlow;
        item->setToolTip(Share,
                         plainTip((flow ? tr("%1 % of the step, beside other flows") : tr("%1 % of the step"))
                                      .arg(QString::fromStdString(engine::shortText(100 * point->share)))));
        item->setToolTip(Time, plainTip(QString::fromStdString(engine::exactText(point->seconds * 1e3))));
        if (whole)
            for (const auto column : {Name, Time, OfRoof})
                item->setFont(column, theme.font(TextSize::Dense, QFont::DemiBold));
    }
    expandAll();
}

void OperatorList::setFilter(const QString& text) {
    m_filter = text.trimmed();
    restyle();
}

void OperatorList::selectPoint(int point) {
    for (QTreeWidgetItemIterator it(this); *it; ++it)
        if (const auto held = (*it)->data(Name, kPoint); held.isValid() && held.toInt() == point) {
            setCurrentItem(*it);
            return;
        }
    setCurrentItem(nullptr);
}

} // namespace heteroscape::widgets
