// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/axis_row.h"

#include "engine/base/error.h"
#include "engine/scenario/layout_choices.h"
#include "engine/units/number_text.h"
#include "widgets/document/choice_name.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/loaded_study.h"
#include "widgets/inspector/value_text.h"
#include "widgets/plots/chart.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QPushButton>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <limits>
#include <utility>

namespace heteroscape::widgets {

namespace {
constexpr int kChoicesWidth = 260;
constexpr int kMostHeight = 340;
} // namespace

ChoiceList::ChoiceList(QWidget* parent)
    : QFrame(parent, Qt::Popup), m_list(new QListWidget(this)), m_all(new QPushButton(tr("All"), this)),
      m_none(new QPushButton(tr("None"), this)) {
    setFrameShape(QFrame::StyledPanel);
    m_list->setAccessibleName(tr("Choices"));
    auto* row = new QHBoxLayout;
    row->addWidget(m_all);
    row->addWidget(m_none);
    row->addStretch(1);
    auto* column = makeColumn(this, {8, 8, 8, 8}, 6);
    column->addLayout(row);
    column->addWidget(m_list);
    connect(m_list, &QListWidget::itemChanged, this, [this] { emit picked(ids()); });
    connect(m_all, &QPushButton::clicked, this, [this] { setAll(true); });
    connect(m_none, &QPushButton::clicked, this, [this] { setAll(false); });
}

void ChoiceList::open(const std::vector<Entry>& entries, const QWidget* anchor) {
    const QSignalBlocker quiet(m_list);
    m_list->clear();
    for (const auto& entry : entries) {
        auto* item = new QListWidgetItem(entry.name, m_list);
        item->setData(Qt::UserRole, entry.id);
        item->setToolTip(plainTip(entry.id));
        item->setCheckState(entry.checked ? Qt::Checked : Qt::Unchecked);
    }
    m_list->setCurrentRow(0);
    const int rows = m_list->sizeHintForRow(0) * m_list->count();
    resize(kChoicesWidth, std::min(kMostHeight, rows + 64));
    move(anchor->mapToGlobal(QPoint(0, anchor->height() + 2)));
    show();
    m_list->setFocus();
}

QStringList ChoiceList::ids() const {
    QStringList ids;
    for (int row = 0; row < m_list->count(); ++row)
        if (m_list->item(row)->checkState() == Qt::Checked)
            ids << m_list->item(row)->data(Qt::UserRole).toString();
    return ids;
}

void ChoiceList::setAll(bool checked) {
    {
        const QSignalBlocker quiet(m_list); // one message, not one for each
        for (int row = 0; row < m_list->count(); ++row)
            m_list->item(row)->setCheckState(checked ? Qt::Checked : Qt::Unchecked);
    }
    emit picked(ids());
}

AxisRow::AxisRow(AxisText text, QWidget* parent)
    : QWidget(parent), m_path(std::move(text.path)),
      m_name(new TextLabel({}, TextSize::Dense, ColorRole::Text, QFont::Medium, this)),
      m_count(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_values(new QLineEdit(QString::fromStdString(text.values), this)), m_open(new QToolButton(this)),
      m_forms(new QToolButton(this)), m_menu(new QMenu(this)), m_list(new ChoiceList(this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)) {
    auto* remove = new QToolButton(this);
    Theme::instance().follow(remove, [this, remove] {
        remove->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted));
        for (auto* button : {m_open, m_forms})
            button->setIcon(Theme::instance().icon(QStringLiteral("chevron-down")));
    });
    remove->setToolTip(tr("Remove this axis"));
    remove->setAccessibleName(tr("Remove this axis"));
    connect(remove, &QToolButton::clicked, this, &AxisRow::removeRequested);

    auto* column = makeColumn(this, {0, 0, 0, 4}, 2);
    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(m_name, 1);
    head->addWidget(m_count);
    head->addWidget(remove);
    column->addLayout(head);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(4);
    entry->addWidget(m_values, 1);
    entry->addWidget(m_open);
    entry->addWidget(m_forms);
    column->addLayout(entry);
    column->addWidget(m_error);
    m_name->setWordWrap(true);
    m_error->setWordWrap(true);
    m_error->hide();
    m_open->setObjectName(QStringLiteral("openChoices"));
    m_open->setToolTip(tr("Choose from the list"));
    m_open->setAccessibleName(tr("Choose from the list"));
    m_open->hide();
    connect(m_open, &QToolButton::clicked, this, &AxisRow::openChoices);
    m_forms->setObjectName(QStringLiteral("valueForms"));
    m_forms->setToolTip(tr("Ways to spread the values"));
    m_forms->setAccessibleName(tr("Ways to spread the values"));
    m_forms->setPopupMode(QToolButton::InstantPopup);
    m_forms->setMenu(m_menu);
    m_forms->hide();
    connect(m_menu, &QMenu::aboutToShow, this, &AxisRow::fillForms);
    connect(m_list, &ChoiceList::picked, this,
            [this](const QStringList& ids) { m_values->setText(ids.join(u',')); });
    connect(m_values, &QLineEdit::textChanged, this, &AxisRow::edited);
}

AxisText AxisRow::text() const {
    return {m_path, m_values->text().trimmed().toStdString()};
}

void AxisRow::check(const engine::Shared<engine::Scenario>& base, const engine::Catalog& catalog) {
    m_axis.reset();
    m_count->clear();
    m_choices.clear();
    m_spec.reset();
    auto name = QString::fromStdString(m_path);
    QString message;
    try {
        const auto parameter = engine::findParameter(base, catalog, m_path);
        const auto& spec = parameter.spec;
        if (parameter.kind == engine::ParameterKind::Number) {
            m_spec = spec;
            const auto& quantity = engine::resolveQuantity(base, m_path).in(base);
            m_now = quantity.isSet() ? engine::shownValue(quantity.value, spec.scale)
                                     : std::numeric_limits<double>::quiet_NaN();
        }
        auto choices = parameter.choices;
        if (parameter.kind == engine::ParameterKind::Boolean)
            choices = {"false", "true"};
        for (const auto& id : choices)
            m_choices.emplace_back(id, choiceName(catalog, m_path, id));
        const auto unit = QString::fromUtf8(spec.unit);
        name = quantityLabel(parameterName(base, m_path, spec), unit);
        m_axis = engine::parseAxis(base, catalog, m_path + "=" + text().values);
        if (text().values == kValidLayouts && engine::isLayoutPath(m_path))
            m_count->setText(tr("all %1 valid").arg(m_axis->values.size()));
        else
            m_count->setText(m_axis->values.size() == 1 ? tr("1 value")
                                                        : tr("%1 values").arg(m_axis->values.size()));
    } catch (const engine::Error& error) {
        // The row names the parameter already.
        message = problemText(error);
    }
    m_name->setText(name);
    m_name->setToolTip(plainTip(QString::fromStdString(m_path)));
    m_open->setVisible(isChoice());
    m_forms->setVisible(m_spec.has_value());
    if (!m_values->hasFocus())
        m_values->setCursorPosition(0); // a long list shows its beginning
    m_values->setToolTip(plainTip(
        engine::isLayoutPath(m_path) ? tr("Layouts separated by commas, as \"tp 8 · dp 4 · ep 32\"; valid "
                                          "for all that divide the devices")
        : isChoice()                 ? tr("Names separated by commas; * for all of them")
                     : tr("Values separated by commas, or from:to:step; from:to:*2 doubles; from:to:log7 "
                          "is 7 values evenly on a log scale, from:to:lin7 on a linear one")));
    m_values->setAccessibleName(tr("Values of %1").arg(name));
    setError(message);
}

void AxisRow::fillForms() {
    m_menu->clear();
    if (!m_spec)
        return;
    const std::pair<ValueForm, QString> forms[] = {
        {ValueForm::HalfSameTwice, tr("Half, same, twice")},
        {ValueForm::PowersOfTwo, tr("Powers of two")},
        {ValueForm::Range, tr("Range")},
        {ValueForm::LogSteps, tr("Log steps")},
    };
    for (const auto& [form, name] : forms) {
        const auto values = QString::fromStdString(valueForm(form, *m_spec, m_now));
        // What stands after a tabulator is set apart on the right.
        auto* action = m_menu->addAction(values.isEmpty() ? name : name + u'\t' + values);
        action->setEnabled(!values.isEmpty());
        connect(action, &QAction::triggered, this, [this, values] {
            m_values->setText(values);
            m_values->setFocus();
        });
    }
}

bool AxisRow::isAll() const {
    const auto values = text().values;
    return values == "*" || (values == kValidLayouts && engine::isLayoutPath(m_path));
}

bool AxisRow::addChoice(const std::string& id) {
    const auto wanted = QString::fromStdString(id);
    QStringList chosen;
    for (const auto& name : m_values->text().split(u',', Qt::SkipEmptyParts))
        chosen << name.trimmed();
    if (chosen.contains(wanted) || isAll())
        return false;
    m_values->setText((chosen << wanted).join(u','));
    return true;
}

void AxisRow::openChoices() {
    const bool all = isAll();
    QStringList chosen;
    for (const auto& name : m_values->text().split(u','))
        chosen << name.trimmed();
    std::vector<ChoiceList::Entry> entries;
    for (const auto& [id, name] : m_choices) {
        const auto wanted = QString::fromStdString(id);
        entries.push_back({wanted, name, all || chosen.contains(wanted)});
    }
    m_list->open(entries, m_values);
}

void AxisRow::setError(const QString& message) {
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    if (!message.isEmpty())
        m_axis.reset();
    m_values->setProperty("invalid", !message.isEmpty());
    m_values->update();
    m_values->setAccessibleDescription(message);
}

QString AxisRow::error() const {
    return m_error->text();
}

} // namespace heteroscape::widgets

#include "moc_axis_row.cpp"
