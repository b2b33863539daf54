// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/roofline/operator_model.h"

#include "engine/units/number_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/marker_path.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/theme_icons.h"

#include <QHeaderView>
#include <QPainter>
#include <QStyledItemDelegate>
#include <algorithm>
#include <array>

namespace heteroscape::widgets {

namespace {

/// The share as a bar on a track, in the hue of its device.
class BarDelegate : public QStyledItemDelegate {
public:
    using QStyledItemDelegate::QStyledItemDelegate;
    void paint(QPainter* painter, const QStyleOptionViewItem& option,
               const QModelIndex& index) const override {
        QStyledItemDelegate::paint(painter, option, index);
        const auto share = index.data(OperatorModel::ShareRole);
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
        painter->setBrush(
            theme.kind(static_cast<engine::DeviceKind>(index.data(OperatorModel::KindRole).toInt())));
        painter->drawRoundedRect(track, 3, 3);
        painter->restore();
    }
};

} // namespace

OperatorList::OperatorList(QWidget* parent) : QTreeView(parent), m_model(new OperatorModel(this)) {
    setModel(m_model);
    header()->setStretchLastSection(false);
    header()->setMinimumSectionSize(30);
    header()->setSectionResizeMode(OperatorModel::Name, QHeaderView::Stretch);
    for (const auto& [column, width] :
         {std::pair{OperatorModel::Share, 50}, {OperatorModel::Time, 64}, {OperatorModel::OfRoof, 60}}) {
        header()->setSectionResizeMode(column, QHeaderView::Fixed);
        header()->resizeSection(column, width);
    }
    setIndentation(0);
    setRootIsDecorated(false);
    setItemsExpandable(false);
    setUniformRowHeights(true);
    setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
    setItemDelegateForColumn(OperatorModel::Share, new BarDelegate(this));
    setFont(Theme::instance().font(TextSize::Dense));
    setAccessibleName(tr("Operators"));
    connect(&Theme::instance(), &Theme::changed, viewport(), qOverload<>(&QWidget::update));
    connect(selectionModel(), &QItemSelectionModel::currentChanged, this, [this](const QModelIndex& current) {
        emit pointSelected(current.isValid() ? m_model->pointAt(current.row()) : -1);
    });
}

void OperatorList::setRooflines(const std::vector<engine::Roofline>& rooflines,
                                const std::set<std::size_t>& hidden) {
    m_model->setRooflines(rooflines, hidden);
    spanHeadings();
}

void OperatorList::setFilter(const QString& text) {
    m_model->setFilter(text.trimmed());
    spanHeadings();
}

void OperatorList::spanHeadings() {
    for (int row = 0; row < m_model->rowCount(); ++row)
        if (m_model->isHeading(row))
            setFirstColumnSpanned(row, {}, true);
}

void OperatorList::selectPoint(int point) {
    setCurrentIndex(m_model->index(m_model->rowOf(point), 0)); // no row: nothing is current
}

namespace {

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

bool isWhole(const RooflinePoint& point) {
    return point.operatorIndex == RooflinePoint::kWholeStep;
}

} // namespace

void OperatorModel::setRooflines(const std::vector<engine::Roofline>& rooflines,
                                 const std::set<std::size_t>& hidden) {
    remake([&] {
        m_rooflines = rooflines;
        m_hidden = hidden;
        m_points = rooflinePoints(rooflines);
        arrange();
    });
}

void OperatorModel::setFilter(const QString& text) {
    remake([&] {
        m_filter = text;
        arrange();
    });
}

void OperatorModel::arrange() {
    std::vector<Row> sorted;
    for (std::size_t i = 0; i < m_points.size(); ++i)
        if (!m_hidden.contains(m_points[i].roofline))
            sorted.push_back({m_points[i].roofline, i});
    std::stable_sort(sorted.begin(), sorted.end(), [this](const Row& a, const Row& b) {
        return a.roofline != b.roofline ? a.roofline < b.roofline
                                        : m_points[*a.point].seconds > m_points[*b.point].seconds;
    });
    m_rows.clear();
    for (const auto& row : sorted) {
        if (m_rows.empty() || m_rows.back().roofline != row.roofline)
            m_rows.push_back({row.roofline, std::nullopt});
        const auto& point = m_points[*row.point];
        if (m_filter.isEmpty() || isWhole(point) ||
            QString::fromStdString(point.name).contains(m_filter, Qt::CaseInsensitive))
            m_rows.push_back(row);
    }
}

int OperatorModel::pointAt(int row) const {
    const auto& point = m_rows[static_cast<std::size_t>(row)].point;
    return point ? static_cast<int>(*point) : -1;
}

int OperatorModel::rowOf(int point) const {
    for (int row = 0; row < rows(); ++row)
        if (point >= 0 && pointAt(row) == point)
            return row;
    return -1;
}

Qt::ItemFlags OperatorModel::flags(const QModelIndex& index) const {
    return index.isValid() && isHeading(index.row()) ? Qt::ItemIsEnabled : RowsModel::flags(index);
}

QVariant OperatorModel::heading(const engine::Roofline& roofline, int role) const {
    const auto& theme = Theme::instance();
    switch (role) {
    case Qt::DisplayRole:
        return rooflineName(roofline);
    case Qt::DecorationRole:
        return theme.icon(Theme::kindIcon(roofline.kind));
    case Qt::FontRole:
        return theme.font(TextSize::Dense, QFont::DemiBold);
    default:
        return {};
    }
}

QVariant OperatorModel::cell(int row, int column, int role) const {
    const auto& at = m_rows[static_cast<std::size_t>(row)];
    const auto& roofline = m_rooflines[at.roofline];
    if (!at.point)
        return column == Name ? heading(roofline, role) : QVariant();
    const auto& point = m_points[*at.point];
    const auto& theme = Theme::instance();
    switch (role) {
    case Qt::DisplayRole:
        return text(point, column);
    case Qt::DecorationRole:
        if (column != Name)
            return {};
        return markerIcon(roofline.phase == engine::Phase::Prefill ? ChartMarker::Circle
                                                                   : ChartMarker::Diamond,
                          theme.kind(rooflineKind(roofline, point)), isWhole(point));
    case Qt::FontRole:
        return isWhole(point) && column != Share ? QVariant(theme.font(TextSize::Dense, QFont::DemiBold))
                                                 : QVariant();
    case Qt::TextAlignmentRole:
        return aligned(column == Time || column == OfRoof);
    case Qt::ToolTipRole:
        return plainTip(toolTip(point, column));
    case ShareRole:
        return column == Share ? QVariant(point.share) : QVariant();
    case KindRole:
        return column == Share ? QVariant(static_cast<int>(rooflineKind(roofline, point))) : QVariant();
    default:
        return {};
    }
}

QString OperatorModel::text(const RooflinePoint& point, int column) const {
    const double ms = point.seconds * 1e3;
    switch (column) {
    case Name:
        return QString::fromStdString(point.name);
    case Time:
        return ms > 0 && ms < 0.001 ? QStringLiteral("< 0.001")
                                    : QString::fromStdString(engine::shortText(ms));
    case OfRoof:
        return point.drawable() ? OperatorList::tr("%1 %").arg(
                                      QString::fromStdString(engine::shortText(100 * point.ofRoof)))
                                : QStringLiteral("–");
    default:
        return {};
    }
}

QString OperatorModel::toolTip(const RooflinePoint& point, int column) const {
    const bool flow = point.operatorIndex == RooflinePoint::kFlow;
    switch (column) {
    case Name:
        return text(point, Name);
    case Share:
        return (flow ? OperatorList::tr("%1 % of the step, beside other flows")
                     : OperatorList::tr("%1 % of the step"))
            .arg(QString::fromStdString(engine::shortText(100 * point.share)));
    case Time:
        return QString::fromStdString(engine::exactText(point.seconds * 1e3));
    default:
        return {};
    }
}

QVariant OperatorModel::head(int column, int role) const {
    switch (role) {
    case Qt::DisplayRole:
        return std::array{OperatorList::tr("Operator"), OperatorList::tr("Share"), OperatorList::tr("ms"),
                          OperatorList::tr("of roof")}[static_cast<std::size_t>(column)];
    case Qt::TextAlignmentRole:
        return aligned(column == Time || column == OfRoof);
    case Qt::WhatsThisRole:
        return Glossary::instance().whatsThis(QStringLiteral("intensity"));
    default:
        return {};
    }
}

} // namespace heteroscape::widgets

#include "moc_operator_model.cpp"
