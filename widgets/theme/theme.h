// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"
#include "engine/catalog/field.h"

#include <QColor>
#include <QFont>
#include <QIcon>
#include <QObject>
#include <QPixmap>
#include <QString>

class QApplication;

namespace heteroscape::widgets {

/// The named colours of the interface; no paint function uses any other.
enum class ColorRole {
    Window,
    Panel,
    Surface,
    Canvas,
    Sunken,
    Border,
    BorderControl,
    Grid,
    Dot,
    Wire,
    Track,
    Text,
    Text2,
    Muted,
    Accent,
    AccentSoft,
    OnAccent,
    Focus,
    Selection,
    Ok,
    OkSoft,
    Warning,
    WarningSoft,
    Error,
    ErrorSoft,
    Hot,
    HotSoft,
    OnHot,
    Baseline,
    Tooltip,
    TooltipText,
    TooltipMuted,
};

/// The text sizes of the interface (px): caption 11, dense 12, body 13, heading 15, metric 19, page 24.
enum class TextSize { Caption, Dense, Body, Heading, Metric, Page };

enum class ThemeMode { System, Light, Dark };

/// Colours, fonts and icons of the whole program; one object, UI thread only.
class Theme : public QObject {
    Q_OBJECT
public:
    static Theme& instance();

    /// Sets style, palette and fonts of the application; call once after QApplication is made.
    void install(QApplication& application);

    ThemeMode mode() const;
    void setMode(ThemeMode mode);
    bool isDark() const;

    QColor color(ColorRole role) const;
    QColor series(int index) const; ///< S1..S8 for 0..7, repeating
    QColor kind(engine::DeviceKind kind) const;
    QColor kindTint(engine::DeviceKind kind) const;
    QColor heat(double share) const; ///< 0..1, low to high

    /// The same roles in the light theme whatever is shown: for exports.
    static QColor lightColor(ColorRole role);
    static QColor lightSeries(int index);
    static QColor lightKind(engine::DeviceKind kind);
    static QColor lightHeat(double share);

    QFont font(TextSize size, QFont::Weight weight = QFont::Normal) const;

    /// An icon of resources/icons by name ("gpu", "undo"), in a role's colour; recoloured with the theme
    /// when fetched again.
    QIcon icon(const QString& name, ColorRole role = ColorRole::Text2) const;
    QPixmap pixmap(const QString& name, const QColor& color, int size, double devicePixelRatio) const;
    static QString kindIcon(engine::DeviceKind kind); ///< "gpu", ...

    /// The mark of a quantity's provenance, 11 px: circle, diamond, half circle, dashed ring, square.
    QPixmap provenanceMark(engine::Provenance provenance, double devicePixelRatio) const;

    /// Does it now, and again whenever the theme changes, as long as there is `context`.
    template <class Work>
    void follow(const QObject* context, Work work) {
        connect(this, &Theme::changed, context, work);
        work();
    }

signals:
    void changed(); ///< colours differ now: repaint, refetch icons

private:
    Theme();
    struct Impl;
    Impl* m_impl; ///< lives as long as the program
};

// The only place with literal colours: every role in both themes.

QColor roleColor(ColorRole role, bool dark);
QColor seriesColor(int index, bool dark); ///< S1..S8 for 0..7, repeating
QColor kindColor(engine::DeviceKind kind, bool dark);
QColor kindTintColor(engine::DeviceKind kind, bool dark);
QColor heatColor(double share, bool dark); ///< 0..1, low to high; high is dark on light and light on dark

} // namespace heteroscape::widgets
