// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/theme/theme.h"

#include "widgets/theme/theme_icons.h"
#include "widgets/theme/theme_style.h"

#include <QApplication>
#include <QFile>
#include <QFontDatabase>
#include <QPalette>
#include <QToolTip>
#include <algorithm>
#include <array>
#include <cmath>
#include <optional>
#include <utility>

namespace heteroscape::widgets {

namespace {

struct RoleEntry {
    ColorRole role;
    QRgb light;
    QRgb dark;
};

constexpr std::array kRoles{
    RoleEntry{ColorRole::Window, 0xffE6E9EE, 0xff11151A},
    RoleEntry{ColorRole::Panel, 0xffF6F7F9, 0xff1A1F26},
    RoleEntry{ColorRole::Surface, 0xffFFFFFF, 0xff21272F},
    RoleEntry{ColorRole::Canvas, 0xffEFF2F5, 0xff151A20},
    RoleEntry{ColorRole::Sunken, 0xffEBEEF2, 0xff161B21},
    RoleEntry{ColorRole::Border, 0xffD3D9E0, 0xff333C47},
    RoleEntry{ColorRole::BorderControl, 0xff828D9B, 0xff6F7B8A},
    RoleEntry{ColorRole::Grid, 0xffE3E7EC, 0xff2A313A},
    RoleEntry{ColorRole::Dot, 0xffCBD2DB, 0xff2B333D},
    RoleEntry{ColorRole::Wire, 0xffC2CAD4, 0xff3A4450},
    RoleEntry{ColorRole::Track, 0xffE1E5EA, 0xff323B46},
    RoleEntry{ColorRole::Text, 0xff18202A, 0xffE9EDF2},
    RoleEntry{ColorRole::Text2, 0xff3B4653, 0xffC3CBD5},
    RoleEntry{ColorRole::Muted, 0xff566271, 0xff9AA5B3},
    RoleEntry{ColorRole::Accent, 0xff1F5AD6, 0xff7FABFF},
    RoleEntry{ColorRole::AccentSoft, 0xffE2EBFC, 0xff20314F},
    RoleEntry{ColorRole::OnAccent, 0xffFFFFFF, 0xff0E1726},
    RoleEntry{ColorRole::Focus, 0xff1F5AD6, 0xff7FABFF},
    RoleEntry{ColorRole::Selection, 0xffD5E3FB, 0xff23395F},
    RoleEntry{ColorRole::Ok, 0xff1B6B3A, 0xff6FCF95},
    RoleEntry{ColorRole::OkSoft, 0xffDDF1E4, 0xff19352A},
    RoleEntry{ColorRole::Warning, 0xff7F4C00, 0xffF2B84B},
    RoleEntry{ColorRole::WarningSoft, 0xffFFEFD0, 0xff3A2E16},
    RoleEntry{ColorRole::Error, 0xffB3261E, 0xffFF958B},
    RoleEntry{ColorRole::ErrorSoft, 0xffFCE4E2, 0xff432322},
    RoleEntry{ColorRole::Hot, 0xffB04000, 0xffFF9A5C},
    RoleEntry{ColorRole::HotSoft, 0xffFCE8DC, 0xff43291B},
    RoleEntry{ColorRole::OnHot, 0xffFFFFFF, 0xff221003},
    RoleEntry{ColorRole::Baseline, 0xff4A5766, 0xffA9B4C0},
    RoleEntry{ColorRole::Tooltip, 0xff18202A, 0xff39434F},
    RoleEntry{ColorRole::TooltipText, 0xffF4F6F8, 0xffF4F6F8},
    RoleEntry{ColorRole::TooltipMuted, 0xffB9C2CD, 0xffC3CBD5},
};

struct KindEntry {
    QRgb light, lightTint, dark, darkTint;
};

// In the order of engine::DeviceKind.
constexpr std::array kKinds{
    KindEntry{0xff076F4D, 0xffDFF1EB, 0xff33D7A2, 0xff173A31}, // GPU
    KindEntry{0xff076D9E, 0xffDEEFF7, 0xff7CBCE8, 0xff17364A}, // NPU
    KindEntry{0xff9B3F7F, 0xffF7E6F0, 0xffDA84B6, 0xff41283A}, // FPGA
    KindEntry{0xff494999, 0xffE9E9F2, 0xffA298E4, 0xff2E2F4A}, // CPU
    KindEntry{0xff534B04, 0xffF2F0D9, 0xffE8DE73, 0xff363318}, // SSD
    KindEntry{0xffA25500, 0xffFBEBD8, 0xffEE8B2C, 0xff402E16}, // CSD
    KindEntry{0xff3E454B, 0xffE8EBEE, 0xffCFD7DF, 0xff2E353E}, // Switch
};

constexpr std::array<QRgb, 8> kSeriesLight{0xff045DAB, 0xffC15003, 0xff048C5B, 0xffB15093,
                                           0xffD28201, 0xff479ADA, 0xff524A04, 0xff414E5D};
constexpr std::array<QRgb, 8> kSeriesDark{0xff2D89E4, 0xffF46827, 0xff28C98F, 0xffDD65AA,
                                          0xffF8BE2A, 0xff90C9F0, 0xffCCC461, 0xffD6DCE1};
constexpr std::array<QRgb, 7> kHeat{0xffF3F7F1, 0xffCFE5DC, 0xff94CBC4, 0xff4FA5AE,
                                    0xff2B7896, 0xff254E7C, 0xff1D2B57};

const KindEntry& kindEntry(engine::DeviceKind kind) {
    return kKinds[static_cast<std::size_t>(kind)];
}

} // namespace

QColor roleColor(ColorRole role, bool dark) {
    const auto& entry = kRoles[static_cast<std::size_t>(role)];
    Q_ASSERT(entry.role == role);
    return QColor::fromRgb(dark ? entry.dark : entry.light);
}

QColor seriesColor(int index, bool dark) {
    const auto slot = static_cast<std::size_t>(((index % 8) + 8) % 8);
    return QColor::fromRgb(dark ? kSeriesDark[slot] : kSeriesLight[slot]);
}

QColor kindColor(engine::DeviceKind kind, bool dark) {
    return QColor::fromRgb(dark ? kindEntry(kind).dark : kindEntry(kind).light);
}

QColor kindTintColor(engine::DeviceKind kind, bool dark) {
    return QColor::fromRgb(dark ? kindEntry(kind).darkTint : kindEntry(kind).lightTint);
}

QColor heatColor(double share, bool dark) {
    auto place = std::isnan(share) ? 0.0 : std::clamp(share, 0.0, 1.0);
    if (dark)
        place = 1.0 - place;
    const auto steps = static_cast<double>(kHeat.size() - 1);
    const auto low = std::min(static_cast<std::size_t>(place * steps), kHeat.size() - 2);
    const auto part = place * steps - static_cast<double>(low);
    const auto a = QColor::fromRgb(kHeat[low]);
    const auto b = QColor::fromRgb(kHeat[low + 1]);
    const auto mix = [part](int from, int to) {
        return static_cast<int>(std::lround(from + (to - from) * part));
    };
    return QColor(mix(a.red(), b.red()), mix(a.green(), b.green()), mix(a.blue(), b.blue()));
}

} // namespace heteroscape::widgets

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
    std::optional<bool> worn; ///< the application's palette is the dark one
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
    application.setStyle(new ThemeStyle);
    application.setFont(font(TextSize::Body));
    QApplication::setFont(font(TextSize::Body, QFont::Medium), "QTabBar");
    QApplication::setFont(font(TextSize::Dense), "QTableView");
    QApplication::setFont(font(TextSize::Caption, QFont::Medium), "QHeaderView");
    QApplication::setFont(font(TextSize::Caption), "QStatusBar");
    application.setWindowIcon(icon(QStringLiteral("app")));
    m_impl->worn.reset();
    setMode(m_impl->mode);
}

ThemeMode Theme::mode() const {
    return m_impl->mode;
}

void Theme::setMode(ThemeMode mode) {
    if (std::exchange(m_impl->mode, mode) == mode && m_impl->worn == isDark())
        return;
    if (auto* application = m_impl->application) {
        m_impl->worn = isDark();
        const auto palette = makePalette(isDark());
        application->setPalette(palette);
        QToolTip::setPalette(palette);
        QToolTip::setFont(font(TextSize::Dense));
        auto muted = palette;
        muted.setColor(QPalette::WindowText, color(ColorRole::Muted));
        QApplication::setPalette(muted, "QStatusBar"); // and of what lies in it
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

#include "moc_theme.cpp"
