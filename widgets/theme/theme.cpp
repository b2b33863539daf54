// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/theme_colors.h"
#include "widgets/theme/theme_icons.h"
#include "widgets/theme/theme_style.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QToolTip>

// Resources of a static library are dropped by the linker unless something names them; the macro must stand
// outside of any namespace.
static void initResources() {
    Q_INIT_RESOURCE(heteroscape);
}

namespace heteroscape::widgets {

struct Theme::Impl {
    QApplication* application = nullptr;
    ThemeMode mode = ThemeMode::System;
    bool systemDark = false;
    QString sheet; ///< the template
    bool dark() const { return mode == ThemeMode::Dark || (mode == ThemeMode::System && systemDark); }
};

namespace {

QPalette makePalette(bool dark) {
    const auto color = [dark](ColorRole role) { return roleColor(role, dark); };
    QPalette palette;
    palette.setColor(QPalette::Window, color(ColorRole::Panel));
    palette.setColor(QPalette::WindowText, color(ColorRole::Text));
    palette.setColor(QPalette::Base, color(ColorRole::Surface));
    palette.setColor(QPalette::AlternateBase, color(ColorRole::Panel));
    palette.setColor(QPalette::Text, color(ColorRole::Text));
    palette.setColor(QPalette::Button, color(ColorRole::Surface));
    palette.setColor(QPalette::ButtonText, color(ColorRole::Text));
    palette.setColor(QPalette::BrightText, color(ColorRole::Error));
    palette.setColor(QPalette::Highlight, color(ColorRole::Selection));
    palette.setColor(QPalette::HighlightedText, color(ColorRole::Text));
    palette.setColor(QPalette::PlaceholderText, color(ColorRole::Muted));
    palette.setColor(QPalette::Link, color(ColorRole::Accent));
    palette.setColor(QPalette::LinkVisited, color(ColorRole::Accent));
    palette.setColor(QPalette::ToolTipBase, color(ColorRole::Tooltip));
    palette.setColor(QPalette::ToolTipText, color(ColorRole::TooltipText));
    palette.setColor(QPalette::Light, color(ColorRole::Surface));
    palette.setColor(QPalette::Midlight, color(ColorRole::Border));
    palette.setColor(QPalette::Mid, color(ColorRole::Border));
    palette.setColor(QPalette::Dark, color(ColorRole::BorderControl));
    palette.setColor(QPalette::Shadow, color(ColorRole::BorderControl));
    for (const auto role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText})
        palette.setColor(QPalette::Disabled, role, color(ColorRole::BorderControl));
    palette.setColor(QPalette::Disabled, QPalette::Base, color(ColorRole::Panel));
    palette.setColor(QPalette::Disabled, QPalette::Button, color(ColorRole::Panel));
    return palette;
}

} // namespace

Theme::Theme() : m_impl(new Impl) {
    initResources();
}

Theme& Theme::instance() {
    // Never destroyed: icons and pixmaps may be asked for while static objects go away.
    static Theme* theme = new Theme;
    return *theme;
}

void Theme::install(QApplication& application) {
    m_impl->application = &application;
    // Qt 6.4 does not tell the system's colour scheme; the palette it starts with shows it.
    m_impl->systemDark = application.palette().color(QPalette::Window).lightness() < 128;
    for (const auto* face : {"Regular", "Medium", "SemiBold"})
        if (QFontDatabase::addApplicationFont(
                QStringLiteral(":/heteroscape/fonts/Inter-%1.otf").arg(QLatin1String(face))) < 0)
            qWarning("The bundled font Inter %s cannot be loaded; another one is used", face);
    QFile sheet(QStringLiteral(":/heteroscape/themes/heteroscape.qss"));
    if (sheet.open(QIODevice::ReadOnly))
        m_impl->sheet = QString::fromUtf8(sheet.readAll());
    application.setStyle(new ThemeStyle);
    application.setFont(font(TextSize::Body));
    application.setWindowIcon(icon(QStringLiteral("app")));
    setMode(m_impl->mode);
}

ThemeMode Theme::mode() const {
    return m_impl->mode;
}

void Theme::setMode(ThemeMode mode) {
    m_impl->mode = mode;
    if (auto* application = m_impl->application) {
        const auto palette = makePalette(isDark());
        application->setPalette(palette);
        QToolTip::setPalette(palette);
        QToolTip::setFont(font(TextSize::Dense));
        application->setStyleSheet(filledStyleSheet(m_impl->sheet, isDark()));
    }
    emit changed();
}

bool Theme::isDark() const {
    return m_impl->dark();
}

QColor Theme::color(ColorRole role) const {
    return roleColor(role, isDark());
}

QColor Theme::series(int index) const {
    return seriesColor(index, isDark());
}

QColor Theme::kind(engine::DeviceKind kind) const {
    return kindColor(kind, isDark());
}

QColor Theme::kindTint(engine::DeviceKind kind) const {
    return kindTintColor(kind, isDark());
}

QColor Theme::heat(double share) const {
    return heatColor(share, isDark());
}

QColor Theme::lightColor(ColorRole role) {
    return roleColor(role, false);
}

QColor Theme::lightSeries(int index) {
    return seriesColor(index, false);
}

QColor Theme::lightKind(engine::DeviceKind kind) {
    return kindColor(kind, false);
}

QColor Theme::lightHeat(double share) {
    return heatColor(share, false);
}

QFont Theme::font(TextSize size, QFont::Weight weight) const {
    static constexpr int kPixels[] = {11, 12, 13, 15, 19, 24};
    QFont font;
    font.setFamilies({QStringLiteral("Inter"), QStringLiteral("Segoe UI"), QStringLiteral("SF Pro Text"),
                      QStringLiteral("Noto Sans"), QStringLiteral("DejaVu Sans")});
    font.setPixelSize(kPixels[static_cast<int>(size)]);
    font.setWeight(weight);
    return font;
}

QString Theme::kindIcon(engine::DeviceKind kind) {
    const auto name = engine::deviceKindName(kind);
    return QString::fromUtf8(name);
}

} // namespace heteroscape::widgets
