// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/calibration/constants_tree.h"

#include "engine/units/number_text.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/theme.h"
#include "widgets/validation/validation_charts.h"

#include <QCoreApplication>
#include <QHeaderView>
#include <QRegularExpression>
#include <algorithm>
#include <cmath>
#include <set>

namespace heteroscape::widgets {

namespace {

class CalibrationChartWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::CalibrateDialog)
};

} // namespace

Chart calibrationChart(const std::vector<CalibrationPoint>& points, const QString& unit) {
    Chart chart;
    chart.title = CalibrationChartWords::tr("Rows before and after the fit");
    chart.x.label = quantityLabel(CalibrationChartWords::tr("Measured"), unit);
    chart.y.label = quantityLabel(CalibrationChartWords::tr("Model"), unit);
    chart.x.log = chart.y.log = true;
    auto cloud = std::make_shared<CloudPoints>();
    bool held = false;
    for (const bool after : {false, true})
        for (const auto& point : points) {
            cloud->x.push_back(point.measured);
            cloud->y.push_back(after ? point.after : point.before);
            cloud->group.push_back(!after ? 0 : point.heldOut ? 2 : 1);
            held = held || point.heldOut;
        }
    cloud->xExtremes = CloudPoints::extremes(cloud->x);
    cloud->yExtremes = CloudPoints::extremes(cloud->y);
    const auto range = decadesOf(cloud->x, cloud->y);
    chart.x.range = chart.y.range = range;
    chart.cloud.emplace();
    chart.cloud->diameter = 4.0;
    chart.cloud->groups = {{CalibrationChartWords::tr("before"), ChartColor::role(ColorRole::Baseline)},
                           {CalibrationChartWords::tr("after"), ChartColor::series(0)},
                           {held ? CalibrationChartWords::tr("after, held out") : QString(),
                            ChartColor::series(1), ChartMarker::Diamond}};
    chart.cloud->points = std::move(cloud);
    addIdentity(chart, range);
    return chart;
}

namespace {

constexpr int kNameWidth = 220; // px

QString shortOf(double value) {
    return QString::fromStdString(engine::shortText(value, 4));
}

QString boundsText(double minimum, double maximum) {
    return ConstantsTree::tr("%1 to %2")
        .arg(QString::number(minimum, 'g', 3), QString::number(maximum, 'g', 4));
}

/// The digits after the point that an error with two digits has.
int decimalsOf(double error) {
    return std::clamp(1 - static_cast<int>(std::floor(std::log10(error))), 0, 9);
}

QString fittedText(const CalibratedConstant& constant, const CalibrationConstant& shown) {
    switch (constant.standing) {
    case engine::Standing::Undetermined:
        return ConstantsTree::tr("not told by the rows");
    case engine::Standing::AtBound:
        return ConstantsTree::tr("%1, its bound").arg(shortOf(constant.value));
    case engine::Standing::Fitted:
        break;
    }
    if (!(constant.error > 0.0) || !std::isfinite(constant.error))
        return withUnit(shortOf(constant.value), shown.unit);
    const int decimals = decimalsOf(constant.error);
    auto text = QString::number(constant.value, 'f', decimals) + QStringLiteral(" ± ") +
                QString::number(constant.error, 'f', decimals);
    if (constant.tied)
        text += ConstantsTree::tr(", tied");
    return text;
}

} // namespace

ConstantsTree::ConstantsTree(QWidget* parent) : QTreeWidget(parent) {
    setColumnCount(kColumns);
    setHeaderLabels({tr("Constant"), tr("Start"), tr("Bounds"), tr("Fitted ± std. error")});
    setAccessibleName(tr("Constants to fit"));
    setEditTriggers(NoEditTriggers);
    setRootIsDecorated(true);
    setIndentation(14);
    setUniformRowHeights(true);
    setAlternatingRowColors(false);
    header()->setStretchLastSection(true);
    connect(this, &QTreeWidget::itemChanged, this, &ConstantsTree::edited);
    const auto edit = [this](QTreeWidgetItem* item, int column) {
        if (column == Bounds && item->parent() && !item->isDisabled())
            editItem(item, Bounds);
    };
    connect(this, &QTreeWidget::itemDoubleClicked, this, edit);
    connect(this, &QTreeWidget::itemActivated, this, edit);
}

template <class Do>
void ConstantsTree::eachItem(Do what) const {
    for (int i = 0; i < topLevelItemCount(); ++i)
        for (int j = 0; j < topLevelItem(i)->childCount(); ++j)
            what(topLevelItem(i)->child(j));
}

const CalibrationConstant& ConstantsTree::constantOf(const QTreeWidgetItem* item) const {
    return m_groups[static_cast<std::size_t>(indexOfTopLevelItem(item->parent()))]
        .constants[static_cast<std::size_t>(
            item->parent()->indexOfChild(const_cast<QTreeWidgetItem*>(item)))];
}

/// As resizeColumnToContents(), which asks the style for every item: here for the longest text alone.
int ConstantsTree::widthFor(int column) const {
    constexpr qsizetype kAlike = 3; // texts of about as many letters: any of them may be the widest
    qsizetype letters = 0;
    eachItem([&](const QTreeWidgetItem* item) { letters = std::max(letters, item->text(column).size()); });
    const QFontMetrics metrics(font());
    const QTreeWidgetItem* longest = nullptr;
    int most = 0;
    eachItem([&](const QTreeWidgetItem* item) {
        const auto text = item->text(column);
        if (text.size() < letters - kAlike)
            return;
        if (const int length = metrics.horizontalAdvance(text); !longest || length > most) {
            longest = item;
            most = length;
        }
    });
    const int own = longest ? sizeHintForIndex(indexFromItem(longest, column)).width() : 0;
    return std::max(own + (column == Name ? 2 * indentation() : 0), header()->sectionSizeHint(column));
}

void ConstantsTree::setGroups(const std::vector<CalibrationGroup>& groups) {
    m_filling = true;
    clear();
    m_groups = groups;
    m_bounds.clear();
    QList<QTreeWidgetItem*> items;
    for (const auto& group : m_groups) {
        auto* top = new QTreeWidgetItem;
        top->setText(Name, tr("%1 (%2 rows)").arg(group.title).arg(group.rows));
        top->setFont(Name, Theme::instance().font(TextSize::Dense, QFont::DemiBold));
        for (const auto& constant : group.constants) {
            auto* item = new QTreeWidgetItem(top);
            item->setText(Name, constant.symbol.isEmpty() || constant.symbol == constant.name
                                    ? constant.name
                                    : constant.name + QStringLiteral("  ") + constant.symbol);
            item->setText(Start, withUnit(shortOf(constant.start), constant.unit));
            item->setTextAlignment(Start, Qt::AlignRight | Qt::AlignVCenter);
            item->setFlags(constant.possible ? Qt::ItemIsEnabled | Qt::ItemIsSelectable |
                                                   Qt::ItemIsUserCheckable | Qt::ItemIsEditable
                                             : Qt::NoItemFlags);
            item->setCheckState(Name, constant.usual && constant.possible ? Qt::Checked : Qt::Unchecked);
            item->setText(Bounds, constant.possible ? boundsText(constant.minimum, constant.maximum)
                                                    : tr("no part of it"));
        }
        items << top;
    }
    addTopLevelItems(items);
    expandAll();
    for (int i = 0; i < topLevelItemCount(); ++i)
        setFirstColumnSpanned(i, {}, true);
    for (int column = 0; column < kColumns - 1; ++column)
        setColumnWidth(column, widthFor(column));
    setColumnWidth(Name, std::min(columnWidth(Name), kNameWidth));
    m_filling = false;
}

void ConstantsTree::edited(QTreeWidgetItem* item, int column) {
    if (m_filling || !item->parent())
        return;
    const auto& constant = constantOf(item);
    if (column == Bounds) {
        static const QRegularExpression form(
            QStringLiteral("^\\s*(\\S+?)\\s*(?:to|:|\u2013|-)\\s*(\\S+)\\s*$"));
        const auto match = form.match(item->text(Bounds));
        const auto low = engine::parseNumber(match.captured(1).toStdString());
        const auto high = engine::parseNumber(match.captured(2).toStdString());
        std::erase_if(m_bounds, [&](const auto& one) { return one.key == constant.key; });
        const bool fine = low && high && *low > 0.0 && *high > *low;
        if (fine)
            m_bounds.push_back({constant.key, *low, *high});
        m_filling = true;
        eachItem([&](QTreeWidgetItem* other) {
            const auto& of = constantOf(other);
            if (of.key == constant.key && of.possible)
                other->setText(Bounds, fine ? boundsText(*low, *high) : boundsText(of.minimum, of.maximum));
        });
        m_filling = false;
        if (!fine)
            emit refused(tr("Bounds are two positive numbers in order, like 0.5 to 1."));
        emit changed();
    } else if (column == Name) {
        m_filling = true;
        eachItem([&](QTreeWidgetItem* other) {
            const auto& of = constantOf(other);
            if (of.key == constant.key && of.possible)
                other->setCheckState(Name, item->checkState(Name));
        });
        m_filling = false;
        emit changed();
    }
}

std::vector<std::string> ConstantsTree::checked() const {
    std::set<std::string> keys;
    eachItem([&](const QTreeWidgetItem* item) {
        if (item->checkState(Name) == Qt::Checked)
            keys.insert(constantOf(item).key);
    });
    return {keys.begin(), keys.end()};
}

std::size_t ConstantsTree::possible() const {
    std::set<std::string> keys;
    for (const auto& group : m_groups)
        for (const auto& constant : group.constants)
            if (constant.possible)
                keys.insert(constant.key);
    return keys.size();
}

void ConstantsTree::checkAll(bool on) {
    m_filling = true;
    eachItem([&](QTreeWidgetItem* item) {
        const auto& constant = constantOf(item);
        if (constant.possible)
            item->setCheckState(Name, on || constant.usual ? Qt::Checked : Qt::Unchecked);
    });
    m_filling = false;
    emit changed();
}

void ConstantsTree::clearOutcome() {
    m_filling = true;
    eachItem([&](QTreeWidgetItem* item) {
        item->setText(Fitted, constantOf(item).possible && item->checkState(Name) != Qt::Checked ? tr("kept")
                                                                                                 : QString());
        item->setForeground(Fitted, Theme::instance().color(ColorRole::Muted));
    });
    m_filling = false;
}

void ConstantsTree::setOutcome(const CalibrationOutcome& outcome) {
    clearOutcome();
    m_filling = true;
    for (const auto& constant : outcome.constants) {
        auto* item =
            topLevelItem(static_cast<int>(constant.group))->child(static_cast<int>(constant.constant));
        item->setText(Fitted, fittedText(constant, constantOf(item)));
        const bool sure = constant.standing == engine::Standing::Fitted && !constant.tied;
        item->setForeground(Fitted, Theme::instance().color(sure ? ColorRole::Text : ColorRole::Warning));
    }
    m_filling = false;
}

} // namespace heteroscape::widgets

#include "moc_constants_tree.cpp"
