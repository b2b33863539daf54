// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/limit_list.h"

#include "engine/base/error.h"
#include "engine/search/search_problem.h"
#include "widgets/explore/limit_row.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QCheckBox>
#include <QLineEdit>
#include <QSignalBlocker>
#include <QStyle>
#include <QToolButton>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

constexpr const char* kFeasible = "feasible";
/// What is limited first, in this order; then it starts again.
constexpr const char* kUsual[] = {"ttft_s", "tpot_s", "price_usd", "power_w", "throughput_tok_s"};

} // namespace

LimitList::LimitList(QWidget* parent, bool devices)
    : QWidget(parent), m_devices(devices), m_feasible(new QCheckBox(tr("Fits and runs"), this)),
      m_column(new QVBoxLayout), m_typed(new QLineEdit(this)),
      m_error(new TextLabel({}, TextSize::Caption, ColorRole::Error, this)) {
    auto* add = new QToolButton(this);
    Theme::instance().follow(
        add, [add] { add->setIcon(Theme::instance().icon(QStringLiteral("plus"), ColorRole::Accent)); });
    add->setObjectName(QStringLiteral("addLimit"));
    add->setToolTip(tr("Add a limit"));
    add->setAccessibleName(tr("Add a limit"));
    m_feasible->setObjectName(QStringLiteral("feasible"));
    m_feasible->setToolTip(tr("Keeps only points whose design fits into memory and runs"));
    m_typed->setObjectName(QStringLiteral("typedLimit"));
    m_typed->setPlaceholderText(QStringLiteral("ttft_s<=1"));
    m_typed->setToolTip(
        tr("A limit as metric<=number, metric>=number, metric=from:to or feasible; Enter adds it"));
    m_typed->setAccessibleName(tr("Type a limit"));
    m_typed->setMaxLength(400);
    m_error->setWordWrap(true);
    m_error->hide();

    auto* column = makeColumn(this, {}, 4);
    column->addWidget(
        new TextLabel(tr("Keep only"), TextSize::Dense, ColorRole::Text, QFont::DemiBold, this));
    column->addWidget(m_feasible);
    m_column->setSpacing(2);
    column->addLayout(m_column);
    auto* entry = new QHBoxLayout;
    entry->setSpacing(4);
    entry->addWidget(m_typed, 1);
    entry->addWidget(add);
    column->addLayout(entry);
    column->addWidget(m_error);

    connect(m_feasible, &QCheckBox::toggled, this, &LimitList::tell);
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
    if (m_feasible->isChecked())
        limits.push_back({kFeasible, 1});
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
    const QSignalBlocker quiet(m_feasible);
    m_feasible->setChecked(false);
    for (const auto& limit : limits)
        if (limit == engine::Limit{kFeasible, 1})
            m_feasible->setChecked(true);
        else
            addRow(limit);
    m_told = this->limits();
}

void LimitList::setLimit(std::size_t index, const engine::Limit& limit, bool done) {
    std::size_t at = m_feasible->isChecked() ? 1 : 0; // as in limits()
    for (auto* row : m_rows)
        if (row->limit() && at++ == index)
            row->setLimit(limit);
    if (done)
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
        for (const auto& piece : m_typed->text().split(u',', Qt::SkipEmptyParts))
            read.push_back(m_devices ? engine::parseSearchLimit(piece.trimmed().toStdString())
                                     : engine::parseLimit(piece.trimmed().toStdString()));
    } catch (const engine::Error& error) {
        message = QString::fromUtf8(error.what());
    }
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    m_typed->setProperty("invalid", !message.isEmpty());
    m_typed->style()->unpolish(m_typed);
    m_typed->style()->polish(m_typed);
    if (!message.isEmpty())
        return;
    m_typed->clear();
    {
        const QSignalBlocker quiet(m_feasible);
        for (const auto& limit : read)
            if (limit == engine::Limit{kFeasible, 1})
                m_feasible->setChecked(true);
            else
                addRow(limit);
    }
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
