// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/empty_study_page.h"

#include "engine/plotting/ticks.h"
#include "widgets/theme/text_label.h"

#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>

namespace heteroscape::widgets {

EmptyStudyPage::EmptyStudyPage(QWidget* parent) : Surface(ColorRole::Surface, true, parent) {
    auto* column = new QVBoxLayout(this);
    column->setSpacing(8);
    auto* icon = new QLabel(this);
    Theme::instance().follow(icon, [icon] {
        const auto& theme = Theme::instance();
        icon->setPixmap(theme.pixmap(QStringLiteral("sweep"), theme.color(ColorRole::Accent), 40,
                                     icon->devicePixelRatioF()));
    });
    icon->setAlignment(Qt::AlignCenter);
    auto* heading = new TextLabel(tr("Sweep any parameter of this design"), TextSize::Heading,
                                  ColorRole::Text, QFont::DemiBold, this);
    heading->setAlignment(Qt::AlignCenter);
    m_text = new TextLabel({}, TextSize::Body, ColorRole::Text2, this);
    m_text->setAlignment(Qt::AlignCenter);
    m_text->setWordWrap(true);
    auto* centred = new QHBoxLayout;
    centred->addStretch(1);
    centred->addWidget(m_text, 4);
    centred->addStretch(1);
    m_run = new QPushButton(tr("Run"), this);
    m_run->setProperty("primary", true);
    m_run->setObjectName(QStringLiteral("emptyRun"));
    connect(m_run, &QPushButton::clicked, this, &EmptyStudyPage::runRequested);
    column->addStretch(2);
    column->addWidget(icon);
    column->addWidget(heading);
    column->addLayout(centred);
    column->addSpacing(8);
    column->addWidget(m_run, 0, Qt::AlignHCenter);
    column->addStretch(3);
}

void EmptyStudyPage::showStudy(const std::optional<engine::Study>& study, bool running) {
    m_run->setEnabled(study && !running);
    if (study) {
        const auto points =
            QString::fromStdString(engine::tickText(static_cast<double>(study->pointCount())));
        m_run->setText(tr("Run %1 points").arg(points));
        m_text->setText(
            tr("Each axis on the left is a parameter of the design and the values it takes; every "
               "combination is evaluated once, kept, and drawn here."));
    } else {
        m_run->setText(tr("Run"));
        m_text->setText(
            tr("Add an axis on the left: any parameter of the design, and the values it shall take."));
    }
}

} // namespace heteroscape::widgets
