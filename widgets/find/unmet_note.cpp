// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/find/unmet_note.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QPushButton>

namespace heteroscape::widgets {

UnmetNote::UnmetNote(QWidget* parent)
    : QWidget(parent), m_closest(new TextLabel(TextSize::Body, ColorRole::Error, this, QFont::DemiBold)),
      m_why(new TextLabel(TextSize::Caption, ColorRole::Muted, this)), m_relax(new QPushButton(this)) {
    m_closest->setObjectName(QStringLiteral("closest"));
    m_why->setObjectName(QStringLiteral("unmet"));
    m_relax->setObjectName(QStringLiteral("relax"));
    m_relax->setToolTip(tr("Sets the limit so that this design keeps it; then search again"));
    m_relax->setSizePolicy(QSizePolicy::Fixed, QSizePolicy::Fixed);
    for (auto* label : {m_closest, m_why})
        label->setWordWrap(true);
    auto* row = makeRow(this, {12, 0, 12, 4}, 8);
    auto* words = new QVBoxLayout;
    words->setSpacing(2);
    words->addWidget(m_closest);
    words->addWidget(m_why);
    row->addLayout(words, 1);
    row->addWidget(m_relax, 0, Qt::AlignTop);
    connect(m_relax, &QPushButton::clicked, this, [this] { emit relaxRequested(m_relaxed); });
    hide();
}

void UnmetNote::show(const FoundSearch* search) {
    setVisible(search && !search->unmet.isEmpty());
    if (isHidden())
        return;
    m_closest->setText(search->nearest ? tr("No design. Closest: %1").arg(search->nearest->words)
                                       : tr("No design."));
    m_why->setText(search->unmet);
    m_relaxed = search->nearest ? search->nearest->relaxed : std::vector<engine::Limit>();
    m_relax->setText(search->nearest ? search->nearest->remedy : QString());
    m_relax->setVisible(!m_relaxed.empty());
}

} // namespace heteroscape::widgets
