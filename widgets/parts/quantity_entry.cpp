// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/quantity_entry.h"

#include "engine/units/number_text.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QComboBox>
#include <QGridLayout>
#include <QLineEdit>
#include <QStyle>

namespace heteroscape::widgets {

namespace {

constexpr int kLabelWidth = 126, kValueWidth = 92, kUnitWidth = 48, kKindWidth = 130;

QString shown(const engine::FieldSpec& spec, const engine::Quantity& quantity) {
    return quantity.isSet()
               ? QString::fromStdString(engine::exactText(engine::shownValue(quantity.value, spec.scale)))
               : QString();
}

QString sentence(const std::string& text) {
    auto made = QString::fromStdString(text);
    if (!made.isEmpty())
        made[0] = made[0].toUpper();
    return made;
}

} // namespace

QuantityEntry::QuantityEntry(const engine::FieldSpec& spec, const engine::Quantity& quantity, bool required,
                             QWidget* parent, bool sourced)
    : QWidget(parent), m_spec(spec), m_original(quantity), m_quantity(quantity), m_required(required),
      m_label(new TextLabel(TextSize::Dense, ColorRole::Text2, this)), m_value(new QLineEdit(this)),
      m_provenance(new QComboBox(this)), m_source(new QLineEdit(this)),
      m_note(new TextLabel(TextSize::Caption, ColorRole::Muted, this)) {
    using engine::Provenance;
    m_label->setWordWrap(true);
    m_label->setFixedWidth(kLabelWidth);
    m_label->setBuddy(m_value);
    m_value->setFixedWidth(kValueWidth);
    m_value->setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    m_value->setPlaceholderText(tr("not set"));
    m_value->setText(shown(m_spec, m_quantity));
    m_value->setCursorPosition(0);
    auto* unit = new TextLabel(TextSize::Caption, ColorRole::Muted, this);
    unit->setText(QString::fromUtf8(m_spec.unit));
    unit->setFixedWidth(kUnitWidth);
    for (const auto one : {Provenance::Datasheet, Provenance::Paper, Provenance::Calibrated,
                           Provenance::Assumed, Provenance::User})
        m_provenance->addItem(provenanceLabel(one));
    m_provenance->setFixedWidth(kKindWidth);
    m_provenance->setFocusPolicy(Qt::StrongFocus);
    m_source->setPlaceholderText(tr("where it is from"));
    m_source->setMaxLength(1000);
    m_note->setWordWrap(true);
    setLabel(QString::fromUtf8(m_spec.label));

    auto* grid = new QGridLayout(this);
    grid->setContentsMargins(0, 2, 0, 2);
    grid->setHorizontalSpacing(6);
    grid->setVerticalSpacing(1);
    grid->addWidget(m_label, 0, 0);
    grid->addWidget(m_value, 0, 1);
    grid->addWidget(unit, 0, 2, Qt::AlignLeft);
    grid->setColumnStretch(sourced ? 4 : 2, 1);
    if (sourced) {
        grid->addWidget(m_provenance, 0, 3);
        grid->addWidget(m_source, 0, 4);
        grid->addWidget(m_note, 1, 1, 1, 4);
    } else {
        m_provenance->hide();
        m_source->hide();
        m_note->hide();
    }

    connect(m_value, &QLineEdit::textChanged, this, &QuantityEntry::typed);
    connect(m_provenance, &QComboBox::activated, this, &QuantityEntry::sourceEdited);
    connect(m_source, &QLineEdit::textEdited, this, &QuantityEntry::sourceEdited);
    showSource();
    showProblem({});
}

QWidget* QuantityEntry::followInTabs(QWidget* previous) {
    setTabOrder(previous, m_value);
    setTabOrder(m_value, m_provenance);
    setTabOrder(m_provenance, m_source);
    return m_source;
}

QString QuantityEntry::label() const {
    return m_label->text();
}

void QuantityEntry::setLabel(const QString& text) {
    m_label->setText(text);
    m_value->setAccessibleName(text);
    m_provenance->setAccessibleName(tr("Kind of source of %1").arg(text));
    m_source->setAccessibleName(tr("Source of %1").arg(text));
    m_provenance->setToolTip(tr("What kind of source the quantity has"));
    const auto about = QString::fromUtf8(m_spec.about);
    m_value->setToolTip(plainTip(about));
    m_label->setToolTip(plainTip(about));
    m_source->setToolTip(tr("A data sheet, a paper and its table, a measurement"));
}

void QuantityEntry::typed(const QString& text) {
    QString problem;
    if (text.trimmed().isEmpty()) {
        m_quantity = {};
        if (m_required)
            problem = tr("It must be set. %1.").arg(sentence(engine::rangeText(m_spec)));
    } else if (text.trimmed() == shown(m_spec, m_original)) { // source and all
        m_quantity = m_original;
    } else {
        try {
            if (const double value = typedValue(m_spec, text) * m_spec.scale; value != m_quantity.value)
                m_quantity = {value, engine::Provenance::User, {}};
        } catch (const engine::Error& error) {
            problem = problemText(error);
        }
    }
    showSource();
    showProblem(problem);
    emit changed();
}

void QuantityEntry::sourceEdited() {
    m_quantity.provenance = static_cast<engine::Provenance>(m_provenance->currentIndex());
    m_quantity.source = m_source->text().trimmed().toStdString();
    emit changed();
}

void QuantityEntry::showSource() {
    m_provenance->setCurrentIndex(static_cast<int>(m_quantity.provenance));
    const auto source = QString::fromStdString(m_quantity.source);
    if (m_source->text().trimmed() != source) {
        m_source->setText(source);
        m_source->setCursorPosition(0);
    }
    const bool set = m_quantity.isSet();
    m_provenance->setEnabled(set);
    m_source->setEnabled(set);
}

void QuantityEntry::showProblem(const QString& problem) {
    m_problem = problem;
    m_note->setText(problem.isEmpty() ? sentence(engine::rangeText(m_spec)) : problem);
    m_note->setRole(problem.isEmpty() ? ColorRole::Muted : ColorRole::Error);
    m_value->setAccessibleDescription(m_note->text());
    if (m_value->property("invalid").toBool() == !problem.isEmpty())
        return;
    m_value->setProperty("invalid", !problem.isEmpty());
    m_value->update();
}

} // namespace heteroscape::widgets

#include "moc_quantity_entry.cpp"
