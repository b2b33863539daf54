// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/page_switch.h"

#include "engine/plotting/ticks.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>

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

PageSwitch::PageSwitch(QWidget* parent)
    : QWidget(parent), m_bar(new Surface(ColorRole::Surface, false, this)), m_rule(new QFrame(m_bar)),
      m_row(new QHBoxLayout), m_tools(new QStackedWidget(m_bar)), m_pages(new QStackedWidget(this)) {
    m_rule->setFrameShape(QFrame::VLine);
    auto* bar = makeRow(m_bar, {12, 8, 12, 8}, 10);
    m_row->setSpacing(6);
    bar->addLayout(m_row);
    bar->addWidget(m_rule);
    bar->addWidget(m_tools, 1);
    m_bar->hide();
    auto* whole = makeColumn(this);
    whole->addWidget(m_bar);
    whole->addWidget(m_pages, 1);
}

QWidget* PageSwitch::room() const {
    return m_pages;
}

void PageSwitch::addPage(const QString& name, QWidget* page, QWidget* tools) {
    auto* button = new QPushButton(name, m_bar);
    button->setCheckable(true);
    button->setChecked(m_pages->count() == 0);
    button->setProperty("chip", true);
    button->setAccessibleName(tr("Explore: %1").arg(name));
    m_buttons.push_back(button);
    m_row->addWidget(button);
    m_pages->addWidget(page);
    m_tools->addWidget(tools ? tools : new QWidget(m_tools));
    m_bar->setVisible(m_pages->count() > 1);
    showRule();
    connect(button, &QPushButton::clicked, this, [this, page] { setPage(page); });
}

void PageSwitch::setPage(const QWidget* page) {
    for (int i = 0; i < m_pages->count(); ++i) {
        const bool shown = m_pages->widget(i) == page;
        m_buttons[static_cast<std::size_t>(i)]->setChecked(shown);
        if (!shown)
            continue;
        m_pages->setCurrentIndex(i);
        m_tools->setCurrentIndex(i);
    }
    showRule();
    emit pageChanged();
}

void PageSwitch::showRule() {
    const auto* tools = m_tools->currentWidget();
    m_rule->setVisible(tools && !tools->children().isEmpty());
}

QWidget* PageSwitch::page() const {
    return m_pages->currentWidget();
}

} // namespace heteroscape::widgets

#include "moc_page_switch.cpp"
