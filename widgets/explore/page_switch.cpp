// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explore/page_switch.h"

#include "engine/plotting/ticks.h"
#include "widgets/explore/source_forms.h"
#include "widgets/plots/surface.h"
#include "widgets/theme/layouts.h"
#include "widgets/theme/text_label.h"

#include <QFrame>
#include <QHBoxLayout>
#include <QLabel>
#include <QPushButton>
#include <QStackedWidget>
#include <algorithm>

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
    m_heading = new TextLabel({}, TextSize::Heading, ColorRole::Text, QFont::DemiBold, this);
    m_heading->setAlignment(Qt::AlignCenter);
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
    column->addWidget(m_heading);
    column->addLayout(centred);
    column->addSpacing(8);
    column->addWidget(m_run, 0, Qt::AlignHCenter);
    column->addStretch(3);
}

void EmptyStudyPage::showForm(SourceForm& form, bool running) {
    const auto study = form.study();
    m_run->setEnabled(study && !running);
    m_run->setText(
        study ? tr("Run %1 points")
                    .arg(QString::fromStdString(engine::tickText(static_cast<double>(study->pointCount()))))
              : tr("Run"));
    m_heading->setText(form.emptyHeading());
    m_text->setText(form.emptyWords(study.has_value()));
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

int PageSwitch::addPage(const QString& name, QWidget* page, QWidget* tools) {
    const auto number = static_cast<int>(m_entries.size());
    auto* button = new QPushButton(name, m_bar);
    button->setCheckable(true);
    button->setChecked(number == 0);
    button->setProperty("chip", true);
    button->setAccessibleName(tr("Explore: %1").arg(name));
    m_entries.push_back({button, page});
    m_row->addWidget(button);
    if (m_pages->indexOf(page) < 0)
        m_pages->addWidget(page);
    m_tools->addWidget(tools ? tools : new QWidget(m_tools));
    m_bar->setVisible(number > 0);
    showRule();
    connect(button, &QPushButton::clicked, this, [this, number] { setPage(number); });
    return number;
}

void PageSwitch::setPage(const QWidget* page) {
    const auto found = std::find_if(m_entries.begin(), m_entries.end(),
                                    [page](const auto& one) { return one.page == page; });
    if (found == m_entries.end())
        return;
    const bool shown = m_entries[static_cast<std::size_t>(m_number)].page == page;
    setPage(shown ? m_number : static_cast<int>(found - m_entries.begin()));
}

void PageSwitch::setPage(int number) {
    m_number = number;
    for (std::size_t i = 0; i < m_entries.size(); ++i)
        m_entries[i].button->setChecked(static_cast<int>(i) == number);
    m_pages->setCurrentWidget(m_entries[static_cast<std::size_t>(number)].page);
    m_tools->setCurrentIndex(number);
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
