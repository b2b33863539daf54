// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/limit_list.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/search/search_problem.h"
#include "engine/study/truths.h"
#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QComboBox>
#include <QLineEdit>
#include <QRegularExpression>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>
#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

/// `devices`: their number may be limited too.
engine::Limit limitFrom(const std::string& text, bool devices) {
    return devices ? engine::parseSearchLimit(text, decimalsHere())
                   : engine::parseLimit(text, decimalsHere());
}

} // namespace

LimitRow::LimitRow(const engine::Limit& limit, bool devices, QWidget* parent)
    : QWidget(parent), m_devices(devices), m_on(new QCheckBox(this)), m_metric(new QComboBox(this)),
      m_sign(new QComboBox(this)), m_value(new QLineEdit(this)),
      m_unit(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_note(new TextLabel({}, TextSize::Caption, ColorRole::Muted, this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)) {
    auto* remove = new QToolButton(this);
    Theme::instance().follow(remove, [remove] {
        remove->setIcon(Theme::instance().icon(QStringLiteral("close"), ColorRole::Muted));
    });
    remove->setObjectName(QStringLiteral("removeLimit"));
    remove->setToolTip(tr("Remove this limit"));
    remove->setAccessibleName(tr("Remove this limit"));
    m_on->setChecked(true);
    m_on->setToolTip(tr("Whether this limit counts"));
    m_on->setAccessibleName(tr("This limit counts"));
    for (const auto& spec : engine::metricSpecs())
        m_metric->addItem(QString::fromUtf8(spec.label), QString::fromUtf8(spec.key));
    if (devices)
        m_metric->addItem(tr("Devices"), QStringLiteral("devices"));
    // The names of some metrics are longer than the sidebar is wide.
    m_metric->setSizeAdjustPolicy(QComboBox::AdjustToMinimumContentsLengthWithIcon);
    m_metric->setMinimumContentsLength(6);
    m_metric->setMaxVisibleItems(20);
    m_metric->setAccessibleName(tr("What is limited"));
    m_sign->addItem(QStringLiteral("\u2264"));
    m_sign->addItem(QStringLiteral("\u2265"));
    m_sign->addItem(tr("in"));
    m_sign->setItemData(0, tr("at most"), Qt::ToolTipRole);
    m_sign->setItemData(1, tr("at least"), Qt::ToolTipRole);
    m_sign->setItemData(2, tr("within from:to"), Qt::ToolTipRole);
    m_sign->setItemData(0, tr("at most"), Qt::AccessibleTextRole);
    m_sign->setItemData(1, tr("at least"), Qt::AccessibleTextRole);
    m_sign->setItemData(2, tr("within from:to"), Qt::AccessibleTextRole);
    m_sign->setAccessibleName(tr("At most, at least or within"));
    m_value->setMaxLength(200);

    auto* head = new QHBoxLayout;
    head->setSpacing(4);
    head->addWidget(m_on);
    head->addWidget(m_metric, 1);
    head->addWidget(remove);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(4);
    entry->addWidget(m_sign);
    entry->addWidget(m_value, 1);
    entry->addWidget(m_unit);
    entry->addWidget(m_note);
    m_note->setToolTip(tr("Of the designs that run so many are outside of this limit"));
    m_note->hide();
    auto* column = makeColumn(this, {0, 0, 0, 4}, 2);
    column->addLayout(head);
    column->addLayout(entry);
    column->addWidget(m_error);
    m_error->setWordWrap(true);
    m_error->hide();

    setLimit(limit);
    const auto changed = [this] {
        read();
        emit edited();
    };
    connect(m_on, &QCheckBox::toggled, this, changed);
    connect(m_metric, &QComboBox::currentIndexChanged, this, changed);
    connect(m_sign, &QComboBox::currentIndexChanged, this, changed);
    connect(m_value, &QLineEdit::textEdited, this, changed);
    connect(m_value, &QLineEdit::editingFinished, this, [this] {
        // A whole limit, or one with a unit, is taken over when it is complete, not at its first digit.
        if (m_limit && m_value->text().contains(QRegularExpression(QStringLiteral("[^0-9.eE:+-]")))) {
            setLimit(*m_limit);
            emit edited();
        }
    });
    connect(remove, &QToolButton::clicked, this, &LimitRow::removeRequested);
}

void LimitRow::setLimit(const engine::Limit& limit) {
    const QSignalBlocker metricQuiet(m_metric), signQuiet(m_sign);
    const auto column = QString::fromStdString(limit.column);
    int index = m_metric->findData(column);
    if (index < 0) { // an axis, or a metric of a node
        m_metric->addItem(column, column);
        index = m_metric->count() - 1;
    }
    m_metric->setCurrentIndex(index);
    const bool above = std::isfinite(limit.least), below = std::isfinite(limit.most);
    const auto sign = above && below ? Sign::Within : above ? Sign::AtLeast : Sign::AtMost;
    m_sign->setCurrentIndex(static_cast<int>(sign));
    std::string value;
    if (above)
        value = engine::exactText(limit.least);
    if (below)
        value += (above ? ":" : "") + engine::exactText(limit.most);
    m_value->setText(QString::fromStdString(value));
    read();
}

std::optional<engine::Limit> LimitRow::limit() const {
    return m_on->isChecked() ? m_limit : std::nullopt;
}

void LimitRow::setNote(const QString& note, bool strong) {
    m_note->setText(note);
    m_note->setRole(strong ? ColorRole::Hot : ColorRole::Muted);
    m_note->setVisible(!note.isEmpty());
}

QString LimitRow::note() const {
    return m_note->text();
}

QString LimitRow::error() const {
    return m_error->text();
}

void LimitRow::showUnit() {
    const auto* spec = engine::findMetric(m_metric->currentData().toString().toStdString());
    m_unit->setText(spec ? QString::fromUtf8(spec->unit) : QString());
    m_unit->setVisible(!m_unit->text().isEmpty());
    m_metric->setToolTip(
        plainTip(spec ? QString::fromUtf8(spec->label) + QStringLiteral(": ") + QString::fromUtf8(spec->about)
                      : m_metric->currentText()));
    m_value->setAccessibleName(tr("Limit of %1").arg(m_metric->currentText()));
    m_value->setPlaceholderText(m_sign->currentIndex() == static_cast<int>(Sign::Within) ? tr("from:to")
                                                                                         : tr("number"));
    m_value->setToolTip(tr("A number, with a unit if you like (50 ms), or a whole limit such as ttft_s<=1"));
}

void LimitRow::read() {
    showUnit();
    setNote({}, false); // it was about the limit before
    m_limit.reset();
    QString message;
    const auto typed = m_value->text().trimmed();
    if (!typed.isEmpty())
        try {
            static const char* const signs[] = {"<=", ">=", "="};
            const bool whole = typed.contains(QRegularExpression(QStringLiteral("[<>=]")));
            const auto own = m_metric->currentData().toString() +
                             QLatin1String(signs[static_cast<std::size_t>(m_sign->currentIndex())]);
            const auto text = (whole ? typed : own + typed).toStdString();
            m_limit = limitFrom(text, m_devices);
        } catch (const engine::Error& error) {
            message = problemText(error);
        }
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    m_value->setProperty("invalid", !message.isEmpty());
    m_value->update();
    m_value->setAccessibleDescription(message);
}

namespace {

/// What is limited first, in this order; then it starts again.
constexpr const char* kUsual[] = {"ttft_s", "tpot_s", "price_usd", "power_w", "throughput_tok_s"};

} // namespace

LimitList::LimitList(QWidget* parent, bool devices)
    : QWidget(parent), m_devices(devices), m_column(new QVBoxLayout), m_typed(new QLineEdit(this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)) {
    auto* add = new QToolButton(this);
    Theme::instance().follow(
        add, [add] { add->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent)); });
    add->setObjectName(QStringLiteral("addLimit"));
    add->setToolTip(tr("Add a limit"));
    add->setAccessibleName(tr("Add a limit"));
    const auto addFlag = [this](const engine::Limit& limit, const QString& words) {
        auto* box = new QCheckBox(words, this);
        box->setObjectName(QString::fromStdString(engine::limitText(limit)));
        connect(box, &QCheckBox::toggled, this, &LimitList::tell);
        m_flags.emplace_back(limit, box);
        return box;
    };
    addFlag({"feasible", 1}, tr("Fits and runs"))
        ->setToolTip(tr("Keeps only points whose design fits into memory and runs"));
    addFlag(engine::measuredLimit(), tr("Measured kernels"))
        ->setToolTip(tr(
            "Keeps only points that are timed by measured kernels, with a server or without: no ideal ones"));
    m_typed->setObjectName(QStringLiteral("typedLimit"));
    m_typed->setPlaceholderText(QStringLiteral("ttft_s<=1"));
    m_typed->setToolTip(
        tr("A limit as metric<=number, metric>=number, metric=from:to, feasible or measured; Enter adds it"));
    m_typed->setAccessibleName(tr("Type a limit"));
    m_typed->setMaxLength(400);
    m_error->setWordWrap(true);
    m_error->hide();

    auto* column = makeColumn(this, {}, 4);
    column->addWidget(
        new TextLabel(tr("Keep only"), TextSize::Dense, ColorRole::Text, QFont::DemiBold, this));
    for (const auto& [limit, box] : m_flags)
        column->addWidget(box);
    m_column->setSpacing(2);
    column->addLayout(m_column);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(4);
    entry->addWidget(m_typed, 1);
    entry->addWidget(add);
    column->addLayout(entry);
    column->addWidget(m_error);

    connect(m_typed, &QLineEdit::returnPressed, this, &LimitList::addTyped);
    connect(m_typed, &QLineEdit::textEdited, this, [this] { m_error->hide(); });
    connect(add, &QToolButton::clicked, this, [this] {
        if (m_typed->text().trimmed().isEmpty())
            addNext();
        else
            addTyped();
    });
}

std::vector<engine::Limit> LimitList::limits() const {
    std::vector<engine::Limit> limits;
    for (const auto& [limit, box] : m_flags)
        if (box->isChecked())
            limits.push_back(limit);
    for (const auto* row : m_rows)
        if (const auto limit = row->limit())
            limits.push_back(*limit);
    return limits;
}

void LimitList::setLimits(const std::vector<engine::Limit>& limits) {
    if (limits == this->limits()) // what is being typed stays
        return;
    for (auto* row : m_rows) {
        row->hide();
        row->deleteLater();
    }
    m_rows.clear();
    for (const auto& [limit, box] : m_flags) {
        const QSignalBlocker quiet(box);
        box->setChecked(false);
    }
    for (const auto& limit : limits)
        put(limit);
    m_told = this->limits();
}

void LimitList::setLimit(std::size_t index, const engine::Limit& limit, bool done) {
    auto at = static_cast<std::size_t>( // as in limits()
        std::count_if(m_flags.begin(), m_flags.end(),
                      [](const auto& flag) { return flag.second->isChecked(); }));
    for (auto* row : m_rows)
        if (row->limit() && at++ == index)
            row->setLimit(limit);
    if (done)
        tell();
}

void LimitList::add(const engine::Limit& limit) {
    put(limit);
    tell();
}

void LimitList::showBinding(const std::vector<std::pair<engine::Limit, double>>& shares) {
    double most = 0.0;
    for (const auto& [limit, share] : shares)
        most = std::max(most, share);
    for (auto* row : m_rows) {
        const auto found = std::find_if(shares.begin(), shares.end(),
                                        [&](const auto& one) { return row->limit() == one.first; });
        if (found == shares.end())
            row->setNote({}, false);
        else
            row->setNote(tr("binds %1 %").arg(std::lround(100.0 * found->second)),
                         most > 0.0 && found->second == most);
    }
}

void LimitList::put(const engine::Limit& limit) {
    for (const auto& [flag, box] : m_flags)
        if (flag == limit) {
            const QSignalBlocker quiet(box);
            box->setChecked(true);
            return;
        }
    addRow(limit);
}

LimitRow* LimitList::addRow(const engine::Limit& limit) {
    auto* row = new LimitRow(limit, m_devices, this);
    m_rows.push_back(row);
    m_column->addWidget(row);
    row->show(); // at once: it may take the focus
    connect(row, &LimitRow::edited, this, &LimitList::tell);
    connect(row, &LimitRow::removeRequested, this, [this, row] {
        std::erase(m_rows, row);
        row->hide();
        row->deleteLater();
        m_typed->setFocus();
        tell();
    });
    return row;
}

void LimitList::addNext() {
    std::vector<std::string> taken;
    for (const auto& limit : limits())
        taken.push_back(limit.column);
    const char* next = kUsual[0];
    for (const auto* metric : kUsual)
        if (std::find(taken.begin(), taken.end(), metric) == taken.end()) {
            next = metric;
            break;
        }
    auto* row = addRow({next});
    row->field()->setFocus();
}

void LimitList::addTyped() {
    QString message;
    std::vector<engine::Limit> read;
    try {
        for (const auto& text : engine::limitTexts(m_typed->text().toStdString()))
            read.push_back(limitFrom(text, m_devices));
    } catch (const engine::Error& error) {
        message = QString::fromUtf8(error.what());
    }
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    m_typed->setProperty("invalid", !message.isEmpty());
    m_typed->update();
    if (!message.isEmpty())
        return;
    m_typed->clear();
    for (const auto& limit : read)
        put(limit);
    tell();
}

void LimitList::tell() {
    auto now = limits();
    if (now == m_told)
        return;
    m_told = std::move(now);
    emit changed();
}

} // namespace heteroscape::widgets

#include "moc_limit_list.cpp"
