// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/study_table_model.h"

#include "engine/evaluation/metric_path.h"
#include "engine/evaluation/rates.h"
#include "engine/plotting/series.h"
#include "engine/units/number_text.h"
#include "widgets/document/metric_text.h"
#include "widgets/glossary/glossary.h"
#include "widgets/plots/chart.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme_icons.h"

#include <QPainter>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace heteroscape::widgets {

namespace {

constexpr std::size_t kAtOnce = 100000; ///< rows that are sorted, or listed, before anybody sees it

/// All rows by a column, or by their bottleneck where it is none; what has no value comes last, whichever the
/// order, and equals in ordinal order.
StudyTableModel::Order sortedRows(const engine::StudyTable& table, std::optional<std::size_t> column,
                                  bool up) {
    // A key beside each row: one pass through the columns, then nothing but neighbours in memory.
    std::vector<std::pair<double, std::uint32_t>> keys(table.rows());
    const double sign = up ? 1.0 : -1.0;
    if (!column) {
        std::vector<std::size_t> names(table.boundNames.size());
        std::iota(names.begin(), names.end(), std::size_t{0});
        std::ranges::sort(names, {}, [&](auto i) -> const std::string& { return table.boundNames[i]; });
        std::vector<double> rank(names.size());
        for (std::size_t i = 0; i < names.size(); ++i)
            rank[names[i]] = static_cast<double>(i);
        for (std::uint32_t row = 0; row < keys.size(); ++row)
            keys[row] = {sign * rank[table.bounds[row]], row};
    } else {
        const engine::FeasibleValues value(table, table.columns[*column]);
        for (std::uint32_t row = 0; row < keys.size(); ++row) {
            const double key = sign * value(row);
            keys[row] = {std::isnan(key) ? std::numeric_limits<double>::infinity() : key, row};
        }
    }
    std::sort(keys.begin(), keys.end());
    StudyTableModel::Order order(keys.size());
    for (std::size_t i = 0; i < keys.size(); ++i)
        order[i] = keys[i].second;
    return order;
}

} // namespace

StudyTableModel::StudyTableModel(QObject* parent)
    : QAbstractTableModel(parent), m_listing([this] { return listSome(); }) {
    m_asking.setSingleShot(true);
    connect(&m_asking, &QTimer::timeout, this, &StudyTableModel::judge);
}

bool StudyTableModel::listSome() {
    const auto next = std::min(m_listed + kAtOnce, shown());
    if (next > m_listed) {
        beginInsertRows({}, static_cast<int>(m_listed), static_cast<int>(next) - 1);
        m_listed = next;
        endInsertRows();
    }
    return m_listed < shown();
}

void StudyTableModel::setStudy(std::shared_ptr<const LoadedStudy> study,
                               const std::vector<std::string>& leading, const engine::RowMask& kept) {
    m_sorting.drop();
    beginResetModel();
    m_study = std::move(study);
    m_columns.clear();
    m_order = {};
    m_best.reset();
    m_hovered.reset();
    m_judging.drop();
    m_bands.clear();
    m_unsure.clear();
    if (m_study) {
        const auto& table = m_study->table;
        for (std::size_t i = 0; i < table.columns.size(); ++i)
            if (table.columns[i].name != "feasible")
                m_columns.push_back(i);
        const auto place = [&](std::size_t column) {
            if (table.columns[column].isAxis ||
                table.columns[column].isChoice()) // what points are and rest on
                return std::size_t{0};
            const auto found = std::find(leading.begin(), leading.end(), table.columns[column].name);
            return 1 + static_cast<std::size_t>(found - leading.begin());
        };
        std::stable_sort(m_columns.begin(), m_columns.end(),
                         [&place](auto a, auto b) { return place(a) < place(b); });
    }
    m_kept = kept;
    filter();
    m_listed = std::min(kAtOnce, shown());
    endResetModel();
    if (m_listed < shown())
        m_listing.start();
}

void StudyTableModel::filter() {
    m_filtered = std::find(m_kept.begin(), m_kept.end(), 0) != m_kept.end();
    m_shown = {};
    for (std::size_t i = 0; m_filtered && i < rows(); ++i)
        if (const auto row = m_order.empty() ? static_cast<std::uint32_t>(i) : m_order[i]; isKept(row))
            m_shown.push_back(row);
}

std::size_t StudyTableModel::rowAt(int viewRow) const {
    const auto at = static_cast<std::size_t>(viewRow);
    if (m_filtered)
        return m_shown[at];
    return m_order.empty() ? at : m_order[at];
}

void StudyTableModel::setKept(const engine::RowMask& kept) {
    beginResetModel();
    m_kept = kept;
    filter();
    m_listed = std::min(kAtOnce, shown());
    findBest();
    endResetModel();
    if (m_listed < shown())
        m_listing.start();
}

void StudyTableModel::setBaseline(std::shared_ptr<const engine::Baseline> baseline) {
    m_baseline = std::move(baseline);
    if (!m_study)
        return;
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
    if (rowCount() > 0)
        emit dataChanged(index(0, 0), index(rowCount() - 1, columnCount() - 1));
}

void StudyTableModel::setHovered(std::optional<std::size_t> row) {
    for (const auto& one : {std::exchange(m_hovered, row), row})
        if (const int place = one ? viewRowOf(*one) : -1; place >= 0)
            emit dataChanged(index(place, 0), index(place, columnCount() - 1), {Qt::BackgroundRole});
}

void StudyTableModel::reorder(Order order) {
    emit layoutAboutToBeChanged();
    const auto before = persistentIndexList();
    std::vector<std::size_t> rows;
    for (const auto& index : before)
        rows.push_back(rowAt(index.row()));
    m_order = std::move(order);
    filter();
    if (isBestFirst())
        findBest();
    QModelIndexList after;
    for (qsizetype i = 0; i < before.size(); ++i)
        after << index(viewRowOf(rows[static_cast<std::size_t>(i)]), before[i].column());
    changePersistentIndexList(before, after);
    emit layoutChanged();
    emit headerDataChanged(Qt::Horizontal, 0, columnCount() - 1);
}

bool StudyTableModel::isBestFirst() const {
    return m_sortColumn >= 0 && m_sortColumn == columnOf(m_bestBy) &&
           m_sortOrder == (engine::betterOf(m_bestBy) < 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
}

/// Row by row as they lie in memory where they are ordered by something else.
void StudyTableModel::findBest() {
    m_best.reset();
    const int column = m_study ? columnOf(m_bestBy) : -1;
    if (column < 0)
        return;
    const double sign = engine::betterOf(m_bestBy) < 0 ? -1.0 : 1.0;
    const engine::FeasibleValues value(m_study->table,
                                       m_study->table.columns[m_columns[static_cast<std::size_t>(column)]]);
    if (isBestFirst() && !m_order.empty()) {
        if (rowCount() > 0 && !std::isnan(value(rowAt(0))))
            m_best = rowAt(0);
        return;
    }
    double most = -std::numeric_limits<double>::infinity();
    for (std::uint32_t row = 0; row < rows(); ++row)
        if (const double v = sign * value(row); v > most && isKept(row)) {
            most = v;
            m_best = row;
        }
}

void StudyTableModel::sortBestFirst(const std::string& metric) {
    m_bestBy = metric;
    if (!m_study || columnOf(metric) < 0)
        return;
    m_best.reset(); // known once they are sorted
    sort(columnOf(metric), engine::betterOf(metric) < 0 ? Qt::AscendingOrder : Qt::DescendingOrder);
}

void StudyTableModel::sort(int column, Qt::SortOrder order) {
    if (!m_study || column < 0 || column >= columnCount())
        return;
    m_sortColumn = column;
    m_sortOrder = order;
    const bool up = order == Qt::AscendingOrder;
    const auto at = static_cast<std::size_t>(column);
    const auto by = at < m_columns.size() ? std::optional(m_columns[at]) : std::nullopt;
    m_sorting.drop();
    if (rows() <= kAtOnce) {
        reorder(sortedRows(m_study->table, by, up));
        return;
    }
    m_sorting.start([this, study = m_study, by, up](JobRun&) -> Job::Show {
        const auto rows = std::make_shared<Order>(sortedRows(study->table, by, up));
        return [this, rows] { reorder(std::move(*rows)); };
    });
}

int StudyTableModel::viewRowOf(std::size_t row) const {
    if (row >= rows() || !isKept(row))
        return -1;
    const auto& order = m_filtered ? m_shown : m_order;
    const auto found = std::find(order.begin(), order.end(), row);
    const auto at = found == order.end() ? row : static_cast<std::size_t>(found - order.begin());
    return at < m_listed ? static_cast<int>(at) : -1;
}

bool StudyTableModel::hasValues(int column) const {
    const auto at = static_cast<std::size_t>(column);
    return m_study && (at >= m_columns.size() || !m_study->table.columns[m_columns[at]].values.empty());
}

bool StudyTableModel::isRatio(const engine::StudyColumn& column) const {
    return m_baseline && !column.isAxis && m_baseline->metrics.contains(column.name);
}

/// A metric, or how many times the baseline's it is.
QString StudyTableModel::numberText(const engine::StudyColumn& column, double value) const {
    if (column.isAxis || column.isChoice())
        return m_study->text(column, value);
    return QString::fromStdString(engine::shortText(
        isRatio(column) ? m_baseline->ratio(column.name, value) : value * m_study->shownUnit(column).factor,
        4));
}

QString StudyTableModel::bandOf(std::size_t row, std::size_t column) const {
    const auto& truths = m_study->truths;
    if (!truths.anyMeasured() && !truths.has(engine::Truth::Class))
        return {};
    if (const auto known = m_bands.find(row); known != m_bands.end())
        return column < known->second.size() ? known->second[column] : QString();
    constexpr std::size_t kMostKept = 5000;
    if (m_bands.size() > kMostKept)
        m_bands.clear();
    if (std::find(m_unsure.begin(), m_unsure.end(), row) == m_unsure.end())
        m_unsure.push_back(row);
    if (!m_asking.isActive() && !m_judging.isBusy())
        m_asking.start(0);
    return {};
}

void StudyTableModel::judge() {
    constexpr std::size_t kAtOnceJudged = 64; // those seen last: the others were scrolled past
    if (m_unsure.size() > kAtOnceJudged)
        m_unsure.erase(m_unsure.begin(), m_unsure.end() - kAtOnceJudged);
    m_judging.start([this, rows = std::exchange(m_unsure, {}), study = m_study,
                     columns = m_columns](JobRun&) -> Job::Show {
        std::vector<std::vector<QString>> found;
        for (const auto row : rows)
            found.push_back(study->bandTexts(row, columns));
        return [this, rows, found = std::move(found)] {
            for (std::size_t i = 0; i < rows.size(); ++i) {
                m_bands[rows[i]] = found[i];
                if (const int at = viewRowOf(rows[i]); at >= 0)
                    emit dataChanged(index(at, 0), index(at, columnCount() - 1), {Qt::DisplayRole});
            }
            emit judged();
            if (!m_unsure.empty())
                m_asking.start(0);
        };
    });
}

std::string StudyTableModel::columnName(int column) const {
    const auto at = static_cast<std::size_t>(column);
    return m_study && at < m_columns.size() ? m_study->table.columns[m_columns[at]].name : std::string();
}

int StudyTableModel::columnOf(const std::string& name) const {
    for (std::size_t i = 0; i < m_columns.size(); ++i)
        if (m_study->table.columns[m_columns[i]].name == name)
            return static_cast<int>(i);
    return -1;
}

int StudyTableModel::rowCount(const QModelIndex& parent) const {
    return parent.isValid() ? 0 : static_cast<int>(m_listed);
}

int StudyTableModel::columnCount(const QModelIndex& parent) const {
    return parent.isValid() || !m_study ? 0 : static_cast<int>(m_columns.size()) + 1;
}

QVariant StudyTableModel::data(const QModelIndex& index, int role) const {
    if (!index.isValid())
        return {};
    const auto row = rowAt(index.row());
    const auto& table = m_study->table;
    const auto column = static_cast<std::size_t>(index.column());
    if (role == Qt::BackgroundRole)
        return m_hovered == row ? QVariant(Theme::instance().color(ColorRole::AccentSoft)) : QVariant();
    if (role == Qt::ForegroundRole) // a bound stands behind what was measured
        return m_study->isIdeal(row) ? QVariant(Theme::instance().color(ColorRole::Muted)) : QVariant();
    if (column == m_columns.size()) {
        if (role != Qt::DisplayRole && role != Qt::ToolTipRole)
            return {};
        const auto* feasible = table.find("feasible");
        const auto shown = feasible && feasible->values[row] != 1.0
                               ? tr("not feasible")
                               : QString::fromStdString(table.bound(row));
        return role == Qt::ToolTipRole ? plainTip(shown) : shown;
    }
    const auto& values = table.columns[m_columns[column]];
    const double value = engine::feasibleValue(table, values, row);
    switch (role) {
    case Qt::DisplayRole:
        if (const auto band = isMetric(values) && !isRatio(values) && std::isfinite(value)
                                  ? bandOf(row, column)
                                  : QString();
            !band.isEmpty())
            return QString(numberText(values, value) + u' ' + band);
        return numberText(values, value);
    case Qt::ToolTipRole:
        if (values.isChoice())
            return plainTip(values.isAxis ? QString::fromStdString(values.text(value))
                            : m_study->isIdeal(row)
                                ? upperBoundText() + QStringLiteral(". ") + upperBoundTip()
                                : m_study->text(values, value));
        return std::isnan(value) ? tr("No value: not feasible, or a quantity it needs is not set")
                                 : withUnit(QString::fromStdString(engine::exactText(value)),
                                            QString::fromStdString(values.unit));
    case Qt::TextAlignmentRole:
        return QVariant::fromValue(
            Qt::Alignment((values.isChoice() ? Qt::AlignLeft : Qt::AlignRight) | Qt::AlignVCenter));
    case Qt::DecorationRole:
        if (column == 0 && m_best == row)
            return paintedIcon([](QPainter& painter, const QRectF& square) {
                const auto& theme = Theme::instance();
                const auto star = theme.pixmap(QStringLiteral("star"), theme.series(1), 14,
                                               painter.device()->devicePixelRatioF());
                painter.drawPixmap(square.center() - QPointF(7, 7), star);
            });
        return {};
    default:
        return {};
    }
}

QVariant StudyTableModel::headerData(int section, Qt::Orientation orientation, int role) const {
    if (orientation != Qt::Horizontal || !m_study)
        return {};
    const auto column = static_cast<std::size_t>(section);
    const bool last = column >= m_columns.size();
    if (role == Qt::TextAlignmentRole)
        return QVariant::fromValue(Qt::Alignment(
            (last || m_study->table.columns[m_columns[column]].isChoice() ? Qt::AlignLeft : Qt::AlignRight) |
            Qt::AlignVCenter));
    if (role == Qt::WhatsThisRole)
        return Glossary::instance().whatsThis(
            last ? QStringLiteral("bound")
                 : QString::fromStdString(m_study->table.columns[m_columns[column]].name));
    if (role == Qt::ToolTipRole && !last) {
        const auto& name = m_study->table.columns[m_columns[column]].name;
        const auto* spec = engine::findMetric(name);
        const auto rate = engine::rateAbout(name);
        return spec            ? QString::fromUtf8(spec->about)
               : !rate.empty() ? QString::fromUtf8(rate)
                               : plainTip(QString::fromStdString(name));
    }
    if (role != Qt::DisplayRole)
        return {};
    // The arrow is part of the words: Qt's own would lie over right-aligned ones.
    const auto arrow = section != m_sortColumn             ? QString()
                       : m_sortOrder == Qt::AscendingOrder ? QStringLiteral(" ▴")
                                                           : QStringLiteral(" ▾");
    if (last)
        return tr("Bottleneck") + arrow;
    const auto& values = m_study->table.columns[m_columns[column]];
    return quantityLabel(QString::fromStdString(values.label),
                         isRatio(values) ? QStringLiteral("×")
                                         : QString::fromStdString(m_study->shownUnit(values).name)) +
           arrow;
}

} // namespace heteroscape::widgets

#include "moc_study_table_model.cpp"
