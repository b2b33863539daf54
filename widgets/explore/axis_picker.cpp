// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_picker.h"

#include "engine/scenario/parameters.h"
#include "widgets/explore/parameter_text.h"
#include "widgets/explore/two_line_delegate.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/lookup.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>

#include <QCoreApplication>
#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kSearched = Qt::UserRole + 10;

/// Every word typed must be somewhere in the group, the name, the unit or the path. A heading stays while
/// something below it does.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto isHeading = [&](int at) {
            return sourceModel()->index(at, 0, parent).data(TwoLineDelegate::kHeading).toBool();
        };
        if (!isHeading(row))
            return matches(row, parent);
        for (int below = row + 1; below < sourceModel()->rowCount(parent) && !isHeading(below); ++below)
            if (matches(below, parent))
                return true;
        return false;
    }

private:
    bool matches(int row, const QModelIndex& parent) const {
        const auto text = sourceModel()->index(row, 0, parent).data(kSearched).toString();
        const auto words = filterRegularExpression().pattern().split(u' ', Qt::SkipEmptyParts);
        return std::all_of(words.begin(), words.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }
};

struct AxisGroups {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::AxisPicker)
public:
    static constexpr auto kWorkload = QT_TR_NOOP("Workload");
    static constexpr Word<std::string_view> kNames[]{{"links", QT_TR_NOOP("Links")},
                                                     {"serving", QT_TR_NOOP("Requests")},
                                                     {"techniques", QT_TR_NOOP("Techniques")},
                                                     {"cost", QT_TR_NOOP("Cost of tokens")},
                                                     {"system", QT_TR_NOOP("Shipped designs")},
                                                     {"model", QT_TR_NOOP("Model")}};
};

/// What a parameter belongs to: "Requests", "Techniques", a node's or link's name.
QString groupName(const engine::Scenario& scenario, const std::string& path) {
    const auto section = path.substr(0, path.find('.'));
    const auto rest = path.substr(std::min(path.size(), section.size() + 1));
    const auto id = rest.substr(0, rest.find('.'));
    if (section == "nodes") {
        const auto* node = scenario.findNode({id});
        return QString::fromStdString(node ? node->shownName() : id);
    }
    return AxisPicker::tr(lookUp(AxisGroups::kNames, section, AxisGroups::kWorkload));
}

QStandardItem* headingItem(const QString& text) {
    auto* item = new QStandardItem(text);
    item->setFlags(Qt::NoItemFlags);
    item->setData(true, TwoLineDelegate::kHeading);
    return item;
}

} // namespace

AxisPicker::AxisPicker(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_search(new QLineEdit(this)), m_list(new QListView(this)),
      m_model(new QStandardItemModel(this)), m_filter(new WordFilter(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto* column = makeColumn(this, {8, 8, 8, 8}, 6);
    column->addWidget(m_search);
    column->addWidget(m_list);
    m_search->setPlaceholderText(tr("Find a parameter"));
    m_search->setAccessibleName(tr("Find a parameter"));
    m_search->installEventFilter(this);
    m_filter->setSourceModel(m_model);
    m_list->setModel(m_filter);
    m_list->setItemDelegate(new TwoLineDelegate(m_list));
    m_list->setEditTriggers(QAbstractItemView::NoEditTriggers);
    m_list->setMouseTracking(true);
    m_list->setAccessibleName(tr("Parameters"));
    connect(m_search, &QLineEdit::textChanged, this, [this](const QString& text) {
        m_filter->setFilterRegularExpression(text);
        step(-1, 1);
    });
    connect(m_list, &QListView::clicked, this, &AxisPicker::pick);
    connect(m_list, &QListView::activated, this, &AxisPicker::pick);
}

void AxisPicker::open(const engine::Scenario& scenario, const engine::Catalog& catalog,
                      const std::vector<std::string>& taken, const QWidget* anchor) {
    m_model->clear();
    QString group;
    for (const auto& parameter : engine::listParameters(scenario, catalog)) {
        if (std::find(taken.begin(), taken.end(), parameter.path) != taken.end())
            continue;
        const auto name = parameterName(scenario, parameter.path, parameter.spec);
        const auto unit = parameter.kind == engine::ParameterKind::Boolean ? tr("switch")
                          : parameter.kind == engine::ParameterKind::Choice
                              ? tr("choice")
                              : QString::fromUtf8(parameter.spec.unit);
        const auto path = QString::fromStdString(parameter.path);
        if (const auto of = groupName(scenario, parameter.path); of != group) {
            group = of;
            m_model->appendRow(headingItem(group));
        }
        auto* item = new QStandardItem(name);
        item->setData(path, TwoLineDelegate::kSecondLine);
        item->setData(unit, TwoLineDelegate::kAside);
        item->setData(group + u' ' + name + u' ' + path + u' ' + unit, kSearched);
        item->setData(QStringLiteral("%1, %2").arg(name, path), Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_search->clear();
    m_filter->invalidate(); // a heading came before what it stands above
    step(-1, 1);
    resize(340, 380);
    move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    show();
    m_search->setFocus();
}

void AxisPicker::step(int from, int by) {
    for (int row = from + by; row >= 0 && row < m_filter->rowCount(); row += by)
        if (const auto index = m_filter->index(row, 0); index.flags().testFlag(Qt::ItemIsSelectable)) {
            m_list->setCurrentIndex(index);
            return;
        }
}

void AxisPicker::pick(const QModelIndex& index) {
    if (!index.flags().testFlag(Qt::ItemIsSelectable) || !isVisible())
        return;
    hide();
    emit picked(index.data(TwoLineDelegate::kSecondLine).toString());
}

bool AxisPicker::eventFilter(QObject* watched, QEvent* event) {
    if (watched == m_search && event->type() == QEvent::KeyPress) {
        const auto* key = static_cast<QKeyEvent*>(event);
        if (key->key() == Qt::Key_Return || key->key() == Qt::Key_Enter) {
            pick(m_list->currentIndex());
            return true;
        }
        if (key->key() == Qt::Key_Down || key->key() == Qt::Key_Up) {
            step(m_list->currentIndex().row(), key->key() == Qt::Key_Down ? 1 : -1);
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
