// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_list.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "widgets/document/document.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/default_axes.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/theme.h"

#include <QCoreApplication>
#include <QFontMetrics>
#include <QKeyEvent>
#include <QLineEdit>
#include <QListView>
#include <QPainter>
#include <QPushButton>
#include <QSortFilterProxyModel>
#include <QStandardItemModel>
#include <QVBoxLayout>
#include <algorithm>
#include <utility>

namespace heteroscape::widgets {

void TwoLineDelegate::paint(QPainter* painter, const QStyleOptionViewItem& option,
                            const QModelIndex& index) const {
    const auto& theme = Theme::instance();
    painter->save();
    if (index.data(kHeading).toBool()) {
        painter->setFont(theme.font(TextSize::Caption, QFont::DemiBold));
        painter->setPen(theme.color(ColorRole::Muted));
        painter->drawText(option.rect.adjusted(8, 4, -8, -2), Qt::AlignLeft | Qt::AlignBottom,
                          index.data().toString());
        painter->restore();
        return;
    }
    if (option.state.testFlag(QStyle::State_Selected))
        painter->fillRect(option.rect, theme.color(ColorRole::Selection));
    else if (option.state.testFlag(QStyle::State_MouseOver))
        painter->fillRect(option.rect, theme.color(ColorRole::Sunken));
    const auto first = theme.font(TextSize::Dense, QFont::Medium), second = theme.font(TextSize::Caption);
    const auto box = option.rect.adjusted(8, 4, -8, -4);
    const auto aside = index.data(kAside).toString();
    const int asideWidth = aside.isEmpty() ? 0 : QFontMetrics(second).horizontalAdvance(aside) + 6;
    painter->setFont(first);
    painter->setPen(theme.color(ColorRole::Text));
    painter->drawText(
        box, Qt::AlignLeft | Qt::AlignTop,
        QFontMetrics(first).elidedText(index.data().toString(), Qt::ElideRight, box.width() - asideWidth));
    painter->setFont(second);
    painter->setPen(theme.color(ColorRole::Muted));
    painter->drawText(box, Qt::AlignRight | Qt::AlignTop, aside);
    painter->drawText(
        box, Qt::AlignLeft | Qt::AlignBottom,
        QFontMetrics(second).elidedText(index.data(kSecondLine).toString(), Qt::ElideMiddle, box.width()));
    painter->restore();
}

void TwoLineDelegate::updateEditorGeometry(QWidget* editor, const QStyleOptionViewItem& option,
                                           const QModelIndex&) const {
    auto box = option.rect.adjusted(1, 1, -1, -1);
    box.setHeight(std::min(box.height(), std::max(26, editor->sizeHint().height())));
    editor->setGeometry(box);
}

QSize TwoLineDelegate::sizeHint(const QStyleOptionViewItem&, const QModelIndex& index) const {
    const auto& theme = Theme::instance();
    if (index.data(kHeading).toBool())
        return {160, QFontMetrics(theme.font(TextSize::Caption)).height() + 12};
    return {160, QFontMetrics(theme.font(TextSize::Dense)).height() +
                     QFontMetrics(theme.font(TextSize::Caption)).height() + 10};
}

namespace {

constexpr int kSearchedRole = Qt::UserRole + 10;

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
        const auto text = sourceModel()->index(row, 0, parent).data(kSearchedRole).toString();
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
        item->setData(group + u' ' + name + u' ' + path + u' ' + unit, kSearchedRole);
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

namespace {

/// Empty where the path is wrong: the row itself says so.
std::string valuesToStartFrom(const Document& document, const std::string& path) {
    try {
        return startingValues(document.scenario(), document.catalog(), path);
    } catch (const engine::Error&) {
        return {};
    }
}

} // namespace

AxisList::AxisList(Document* document, QWidget* parent)
    : QWidget(parent), m_document(document), m_picker(new AxisPicker(this)),
      m_add(new QPushButton(tr("Add"), this)), m_column(new QVBoxLayout(this)) {
    m_column->setContentsMargins(0, 0, 0, 0);
    m_column->setSpacing(4);
    m_add->setProperty("flat", true);
    m_add->setObjectName(QStringLiteral("addVariable"));
    m_add->setAccessibleName(tr("Add a variable"));
    connect(m_picker, &AxisPicker::picked, this, &AxisList::add);
    connect(m_add, &QPushButton::clicked, this, [this] {
        std::vector<std::string> taken;
        for (const auto& axis : axes())
            taken.push_back(axis.path);
        m_picker->open(m_document->scenario(), m_document->catalog(), taken, m_add);
    });
}

void AxisList::setAxes(const std::vector<AxisText>& axes) {
    for (auto* row : std::exchange(m_rows, {}))
        delete row;
    for (const auto& axis : axes)
        addRow(axis);
}

std::vector<AxisText> AxisList::axes() const {
    std::vector<AxisText> texts(m_rows.size());
    std::transform(m_rows.begin(), m_rows.end(), texts.begin(),
                   [](const AxisRow* row) { return row->text(); });
    return texts;
}

void AxisList::add(const QString& path) {
    const auto wanted = path.toStdString();
    const auto known = std::find_if(m_rows.begin(), m_rows.end(),
                                    [&](const AxisRow* row) { return row->text().path == wanted; });
    const bool isNew = known == m_rows.end();
    auto* row = isNew ? addRow({wanted, valuesToStartFrom(*m_document, wanted)}) : *known;
    if (isNew)
        emit edited(); // reads the row, which learns whether it is a choice
    row->field()->setFocus();
    row->field()->selectAll();
    if (isNew && row->isChoice() && row->text().values.find(',') == std::string::npos) {
        m_column->activate(); // its list opens where it will stand
        row->openChoices();
    }
}

AxisRow* AxisList::addRow(const AxisText& text) {
    auto* row = new AxisRow(text, this);
    m_rows.push_back(row);
    m_column->addWidget(row);
    row->show(); // at once: it may take the focus
    connect(row, &AxisRow::edited, this, &AxisList::edited);
    connect(row, &AxisRow::removeRequested, this, [this, row] { remove(row); });
    return row;
}

void AxisList::remove(AxisRow* row) {
    std::erase(m_rows, row);
    row->hide();
    row->deleteLater(); // its button is what was clicked
    m_add->setFocus();
    emit edited();
}

std::optional<std::vector<engine::Axis>> AxisList::read() {
    std::vector<engine::Axis> read;
    for (auto* row : m_rows) {
        row->check(m_document->shared(), m_document->catalog());
        if (row->axis())
            read.push_back(*row->axis());
    }
    if (read.empty() || read.size() < m_rows.size())
        return std::nullopt;
    return read;
}

} // namespace heteroscape::widgets
