// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/limit_row.h"

#include "engine/base/error.h"
#include "engine/evaluation/metric.h"
#include "engine/search/search_problem.h"
#include "engine/units/number_text.h"
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

#include <cmath>

namespace heteroscape::widgets {

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
        // A whole limit is taken over when it is complete, not at its first digit.
        if (m_limit && m_value->text().contains(QRegularExpression(QStringLiteral("[<>=]")))) {
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
    m_value->setToolTip(tr("A number, or a whole limit such as ttft_s<=1"));
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
            m_limit = m_devices ? engine::parseSearchLimit(text) : engine::parseLimit(text);
        } catch (const engine::Error& error) {
            message = QString::fromStdString(error.message());
            if (!error.remedy().empty())
                message += QStringLiteral(". %1.").arg(QString::fromStdString(error.remedy()));
        }
    m_error->setText(message);
    m_error->setVisible(!message.isEmpty());
    m_value->setProperty("invalid", !message.isEmpty());
    m_value->style()->unpolish(m_value);
    m_value->style()->polish(m_value);
    m_value->setAccessibleDescription(message);
}

} // namespace heteroscape::widgets
