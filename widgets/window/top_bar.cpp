// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/window/top_bar.h"

#include "widgets/theme/layouts.h"
#include "widgets/theme/plain_text.h"
#include "widgets/theme/text_label.h"
#include "widgets/window/command_registry.h"

#include <QLayout>
#include <QMenuBar>
#include <QPainter>
#include <QPushButton>
#include <QStyle>
#include <QTabBar>
#include <QToolButton>

namespace heteroscape::widgets {

namespace {

constexpr int kTopBarHeight = 40;
constexpr int kLogo = 20;
const char* const kTabIcons[kWorkspaceCount] = {"design", "explore", "roofline", "compare"};

} // namespace

TopBar::TopBar(const CommandRegistry& commands, QWidget* parent)
    : QWidget(parent), m_brand(new TextLabel(TextSize::Body, ColorRole::Text, this, QFont::DemiBold)),
      m_menus(new QMenuBar(this)), m_tabs(new QTabBar(this)), m_search(new QPushButton(this)) {
    setFixedHeight(kTopBarHeight);
    m_brand->setText(tr("Heteroscape"));
    m_menus->setNativeMenuBar(false);
    m_menus->setSizePolicy(QSizePolicy::Minimum, QSizePolicy::Preferred);

    for (const auto& name : {tr("Design"), tr("Explore"), tr("Roofline"), tr("Compare")})
        m_tabs->addTab(name);
    m_tabs->setAccessibleName(tr("Workspaces"));
    m_tabs->setObjectName(QStringLiteral("workspaces"));
    m_tabs->setExpanding(false);
    m_tabs->setDrawBase(false);
    m_tabs->setIconSize({16, 16});
    connect(m_tabs, &QTabBar::currentChanged, this,
            [this](int index) { emit workspaceChosen(static_cast<Workspace>(index)); });

    connect(m_tabs, &QTabBar::tabBarClicked, this, [this](int index) {
        if (m_none && index == m_tabs->currentIndex()) // no change of the tab, but of what is shown
            emit workspaceChosen(static_cast<Workspace>(index));
    });

    auto* search = commands.action(QStringLiteral("help.commands"));
    m_search->setToolTip(plainTip(
        tr("Search or run a command (%1)").arg(search->shortcut().toString(QKeySequence::NativeText))));
    m_search->setAccessibleName(tr("Search or run a command"));
    m_search->setFocusPolicy(Qt::TabFocus);
    connect(m_search, &QPushButton::clicked, search, &QAction::trigger);

    auto* row = makeRow(this, {12 + kLogo + 8, 0, 12, 0}, 4);
    row->addWidget(m_brand);
    row->addSpacing(8);
    row->addWidget(m_menus, 0, Qt::AlignVCenter);
    row->addStretch(1);
    row->addWidget(m_tabs, 0, Qt::AlignBottom);
    row->addStretch(1);
    row->addWidget(m_search);
    row->addSpacing(4);
    for (const auto* id : {"edit.undo", "edit.redo", "edit.history", "view.theme"})
        row->addWidget(addButton(commands.action(QString::fromLatin1(id))));
    connect(&Theme::instance(), &Theme::changed, this, &TopBar::recolour);
    connect(m_tabs, &QTabBar::currentChanged, this, &TopBar::recolour);
    setCompact(false);
    recolour();
}

QToolButton* TopBar::addButton(QAction* action) {
    auto* button = new QToolButton(this);
    button->setDefaultAction(action);
    button->setToolButtonStyle(Qt::ToolButtonIconOnly);
    button->setFixedSize(28, 28);
    button->setIconSize({16, 16});
    button->setFocusPolicy(Qt::TabFocus);
    return button;
}

void TopBar::setWorkspace(Workspace workspace) {
    setNone(false);
    m_tabs->setCurrentIndex(static_cast<int>(workspace));
}

void TopBar::showNoWorkspace() {
    setNone(true);
}

void TopBar::setNone(bool none) {
    if (none == m_none)
        return;
    m_none = none;
    m_tabs->setProperty("none", none);
    m_tabs->update();
    recolour();
}

void TopBar::setCompact(bool compact) {
    m_compact = compact;
    m_search->setText(compact ? QString() : tr("Search or run a command"));
    fitBrand();
}

void TopBar::recolour() {
    auto& theme = Theme::instance();
    for (int i = 0; i < kWorkspaceCount; ++i)
        m_tabs->setTabIcon(
            i, theme.icon(QString::fromLatin1(kTabIcons[i]),
                          !m_none && i == m_tabs->currentIndex() ? ColorRole::Accent : ColorRole::Text2));
    m_search->setIcon(theme.icon(QStringLiteral("search"), ColorRole::Muted));
    m_tabs->updateGeometry();
    update();
}

void TopBar::showEvent(QShowEvent* event) {
    m_tabs->updateGeometry(); // a style set while hidden changes their size, which a QTabBar tells nobody
    QWidget::showEvent(event);
}

void TopBar::resizeEvent(QResizeEvent* event) {
    QWidget::resizeEvent(event);
    fitBrand();
}

/// The program's name goes before a tab would be cut.
void TopBar::fitBrand() {
    m_brand->setHidden(false);
    layout()->invalidate();
    m_brand->setHidden(layout()->sizeHint().width() > width());
}

void TopBar::paintEvent(QPaintEvent*) {
    auto& theme = Theme::instance();
    QPainter painter(this);
    painter.fillRect(rect(), theme.color(ColorRole::Panel));
    painter.setPen(theme.color(ColorRole::Border));
    painter.drawLine(0, height() - 1, width(), height() - 1);
    painter.drawPixmap(
        QPoint(12, (height() - kLogo) / 2),
        theme.pixmap(QStringLiteral("logo"), theme.color(ColorRole::Accent), kLogo, devicePixelRatioF()));
}

} // namespace heteroscape::widgets

#include "moc_top_bar.cpp"
