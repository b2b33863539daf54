// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/compare/design_card.h"

#include "engine/scenario/runtime_choice.h"
#include "widgets/document/upper_bound.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/pill.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"

#include <QPushButton>
#include <QToolButton>

namespace heteroscape::widgets {

DesignCard::DesignCard(const QString& name, bool isOpen, bool isReference, QWidget* parent)
    : Surface(ColorRole::Surface, true, parent),
      m_status(new TextLabel(tr("Evaluating"), TextSize::Caption, ColorRole::Muted, this)),
      m_ideal(upperBoundPill(this)), m_reference(new QPushButton(tr("Reference"), this)) {
    setSizePolicy(QSizePolicy::Expanding, QSizePolicy::Fixed);
    auto* title = new TextLabel(name, TextSize::Body, ColorRole::Text, QFont::DemiBold, this);
    title->setElided(true);
    m_status->setElided(true);
    m_reference->setCheckable(true);
    m_reference->setChecked(isReference);
    m_reference->setProperty("chip", true);
    m_reference->setToolTip(tr("Ratios are told against this design"));
    m_reference->setAccessibleName(tr("%1 is the reference").arg(name));
    connect(m_reference, &QPushButton::clicked, this, [this] {
        m_reference->setChecked(true); // there is always one
        emit referenceChosen();
    });
    auto* words = new QVBoxLayout;
    words->setSpacing(1);
    words->addWidget(title);
    words->addWidget(m_status);
    auto* row = makeRow(this, {12, 8, 8, 8}, 6);
    row->addLayout(words, 1);
    row->addWidget(m_ideal);
    row->addWidget(m_reference);
    if (isOpen) {
        setToolTip(tr("The open design"));
        return;
    }
    const auto button = [&](const QString& icon, const QString& what, auto then) {
        auto* made = new QToolButton(this);
        made->setAutoRaise(true);
        made->setToolTip(plainTip(what));
        made->setAccessibleName(tr("%1: %2").arg(what, name));
        Theme::instance().follow(made, [made, icon] { made->setIcon(Theme::instance().icon(icon)); });
        connect(made, &QToolButton::clicked, this, then);
        row->addWidget(made);
        return made;
    };
    m_open = button(QStringLiteral("canvas"), tr("Open on the canvas"), &DesignCard::opened);
    m_remove = button(QStringLiteral("close"), tr("Take out of the comparison"), &DesignCard::removed);
}

void DesignCard::setDesign(const ComparedDesign& design) {
    m_ideal->setVisible(design.runs() && engine::runsIdeal(design.input.scenario));
    m_status->setRole(design.runs() ? ColorRole::Muted : ColorRole::Error);
    m_status->setText(design.runs() ? tr("Limited by %1")
                                          .arg(QString::fromStdString(
                                              engine::boundLabel(design.input.scenario, design.evaluation)))
                                    : tr("Cannot run: %1").arg(design.reason));
}

QString DesignCard::status() const {
    return m_status->text();
}

} // namespace heteroscape::widgets
