// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_picker.h"

#include "engine/scenario/parameters.h"
#include "widgets/explore/parameter_text.h"
#include "widgets/explore/two_line_delegate.h"

#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QVBoxLayout>

#include <algorithm>

namespace heteroscape::widgets {

namespace {

constexpr int kSearched = Qt::UserRole + 10;

/// Every word typed must be somewhere in the name, the unit or the path.
class WordFilter : public QSortFilterProxyModel {
public:
    using QSortFilterProxyModel::QSortFilterProxyModel;

protected:
    bool filterAcceptsRow(int row, const QModelIndex& parent) const override {
        const auto text = sourceModel()->index(row, 0, parent).data(kSearched).toString();
        const auto words = filterRegularExpression().pattern().split(u' ', Qt::SkipEmptyParts);
        return std::all_of(words.begin(), words.end(),
                           [&](const QString& word) { return text.contains(word, Qt::CaseInsensitive); });
    }
};

} // namespace

AxisPicker::AxisPicker(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_search(new QLineEdit(this)), m_list(new QListView(this)),
      m_model(new QStandardItemModel(this)), m_filter(new WordFilter(this)) {
    setFrameShape(QFrame::StyledPanel);
    auto* column = new QVBoxLayout(this);
    column->setContentsMargins(8, 8, 8, 8);
    column->setSpacing(6);
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
        m_list->setCurrentIndex(m_filter->index(0, 0));
    });
    connect(m_list, &QListView::clicked, this, &AxisPicker::pick);
    connect(m_list, &QListView::activated, this, &AxisPicker::pick);
}

void AxisPicker::open(const engine::Scenario& scenario, const engine::Catalog& catalog,
                      const std::vector<std::string>& taken, const QWidget* anchor) {
    m_model->clear();
    for (const auto& parameter : engine::listParameters(scenario, catalog)) {
        if (std::find(taken.begin(), taken.end(), parameter.path) != taken.end())
            continue;
        const auto name = parameterName(scenario, parameter.path, parameter.spec);
        const auto unit = parameter.kind == engine::ParameterKind::Boolean ? tr("switch")
                          : parameter.kind == engine::ParameterKind::Choice
                              ? tr("choice")
                              : QString::fromUtf8(parameter.spec.unit.data(),
                                                  static_cast<qsizetype>(parameter.spec.unit.size()));
        const auto path = QString::fromStdString(parameter.path);
        auto* item = new QStandardItem(name);
        item->setData(path, TwoLineDelegate::kSecondLine);
        item->setData(unit, TwoLineDelegate::kAside);
        item->setData(name + u' ' + path + u' ' + unit, kSearched);
        item->setData(QStringLiteral("%1, %2").arg(name, path), Qt::AccessibleTextRole);
        m_model->appendRow(item);
    }
    m_search->clear();
    m_list->setCurrentIndex(m_filter->index(0, 0));
    resize(340, 380);
    move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    show();
    m_search->setFocus();
}

void AxisPicker::pick(const QModelIndex& index) {
    if (!index.isValid() || !isVisible())
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
            const int row = m_list->currentIndex().row() + (key->key() == Qt::Key_Down ? 1 : -1);
            if (row >= 0 && row < m_filter->rowCount())
                m_list->setCurrentIndex(m_filter->index(row, 0));
            return true;
        }
    }
    return QFrame::eventFilter(watched, event);
}

} // namespace heteroscape::widgets
