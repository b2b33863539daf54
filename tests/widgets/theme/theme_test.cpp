// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/widget_test.h"
#include "widgets/theme/text_label.h"
#include "widgets/theme/theme.h"
#include "widgets/theme/theme_icons.h"

#include <QApplication>
#include <QDir>
#include <QFile>
#include <QFontInfo>
#include <QPainter>
#include <QRegularExpression>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace heteroscape::widgets;
using heteroscape::engine::DeviceKind;
using heteroscape::engine::Provenance;

namespace {

double channel(double value) {
    return value <= 0.03928 ? value / 12.92 : std::pow((value + 0.055) / 1.055, 2.4);
}

double luminance(const QColor& color) {
    return 0.2126 * channel(color.redF()) + 0.7152 * channel(color.greenF()) +
           0.0722 * channel(color.blueF());
}

/// WCAG contrast ratio.
double contrast(const QColor& a, const QColor& b) {
    const auto high = std::max(luminance(a), luminance(b));
    const auto low = std::min(luminance(a), luminance(b));
    return (high + 0.05) / (low + 0.05);
}

bool paintsSomething(const QPixmap& pixmap) {
    const auto image = pixmap.toImage();
    for (int y = 0; y < image.height(); ++y)
        for (int x = 0; x < image.width(); ++x)
            if (image.pixelColor(x, y).alpha() > 128)
                return true;
    return false;
}

} // namespace

class ThemeTest : public QObject {
    Q_OBJECT

private slots:
    void init() { Theme::instance().setMode(ThemeMode::Light); }

    void aNumberIsNotTornFromItsPercent() {
        const auto picture = [](const QString& text) {
            TextLabel label(text, TextSize::Body, ColorRole::Text);
            label.setWordWrap(true);
            label.resize(label.fontMetrics().horizontalAdvance(QStringLiteral("Mean error 14.3")) + 2, 80);
            return label.grab().toImage();
        };
        QCOMPARE(picture(QStringLiteral("Mean error 14.3 %")), picture(QStringLiteral("Mean error\n14.3 %")));
        QVERIFY(picture(QStringLiteral("Mean error 14.3")) != picture(QStringLiteral("Mean error\n14.3")));
    }

    void aLabelKeepsItsMarginsWhenItIsStyled() {
        QWidget around;
        QWidget other;
        auto* label = new TextLabel(TextSize::Caption, ColorRole::Text, &around);
        const QMargins margins(14, 0, 14, 4);
        label->setContentsMargins(margins);
        label->resize(100, 4); // no room for contents
        label->ensurePolished();
        QCOMPARE(label->contentsMargins(), margins);
        QEvent styled(QEvent::StyleChange);
        QApplication::sendEvent(label, &styled);
        QCOMPARE(label->contentsMargins(), margins);
        label->setParent(&other);
        QCOMPARE(label->contentsMargins(), margins);
    }

    void rolesAreTheDesigns() {
        auto& theme = Theme::instance();
        QCOMPARE(theme.color(ColorRole::Accent), QColor("#1F5AD6"));
        QCOMPARE(theme.kind(DeviceKind::Fpga), QColor("#9B3F7F"));
        QCOMPARE(theme.kindTint(DeviceKind::Switch), QColor("#E8EBEE"));
        QCOMPARE(theme.series(8), QColor("#045DAB"));
        theme.setMode(ThemeMode::Dark);
        QCOMPARE(theme.color(ColorRole::Tooltip), QColor("#39434F"));
        QCOMPARE(theme.series(1), QColor("#F46827"));
        QCOMPARE(Theme::lightColor(ColorRole::Surface), QColor("#FFFFFF"));
    }

    void textIsReadable_data() {
        QTest::addColumn<bool>("dark");
        QTest::newRow("light") << false;
        QTest::newRow("dark") << true;
    }
    void textIsReadable() {
        QFETCH(bool, dark);
        for (const auto ground :
             {ColorRole::Window, ColorRole::Panel, ColorRole::Surface, ColorRole::Canvas}) {
            for (const auto ink : {ColorRole::Text, ColorRole::Text2, ColorRole::Muted, ColorRole::Error})
                QVERIFY2(contrast(roleColor(ink, dark), roleColor(ground, dark)) >= 4.5,
                         qPrintable(QString("ink %1 on %2").arg(int(ink)).arg(int(ground))));
        }
        QVERIFY(contrast(roleColor(ColorRole::OnAccent, dark), roleColor(ColorRole::Accent, dark)) >= 4.5);
        QVERIFY(contrast(roleColor(ColorRole::OnHot, dark), roleColor(ColorRole::Hot, dark)) >= 4.5);
        for (int kind = 0; kind < 7; ++kind)
            QVERIFY(contrast(kindColor(DeviceKind(kind), dark), roleColor(ColorRole::Surface, dark)) >= 3.0);
    }

    void heatRunsFromLowToHighAndTurnsInTheDark() {
        QCOMPARE(heatColor(0.0, false), QColor("#F3F7F1"));
        QCOMPARE(heatColor(1.0, false), QColor("#1D2B57"));
        QCOMPARE(heatColor(0.0, true), heatColor(1.0, false));
        QCOMPARE(heatColor(0.5, false), QColor("#4FA5AE"));
        QCOMPARE(heatColor(7.0, false), heatColor(1.0, false));
        QCOMPARE(heatColor(std::nan(""), false), heatColor(0.0, false));
    }

    void changingTheModeChangesThePaletteAndTells() {
        QSignalSpy changed(&Theme::instance(), &Theme::changed);
        const auto before = qApp->palette().color(QPalette::Window);
        Theme::instance().setMode(ThemeMode::Dark);
        QCOMPARE(changed.count(), 1);
        QVERIFY(Theme::instance().isDark());
        QVERIFY(qApp->palette().color(QPalette::Window).lightness() < before.lightness());
        QCOMPARE(qApp->palette().color(QPalette::Link), roleColor(ColorRole::Accent, true));
        QVERIFY(qApp->styleSheet().isEmpty()); // see ThemeStyle
    }

    void interIsBundledInThreeWeights() {
        const auto& theme = Theme::instance();
        QCOMPARE(QFontInfo(theme.font(TextSize::Body)).family(), QString("Inter"));
        QCOMPARE(QFontInfo(theme.font(TextSize::Metric, QFont::DemiBold)).weight(), int(QFont::DemiBold));
        QCOMPARE(theme.font(TextSize::Metric).pixelSize(), 19);
    }

    void everyIconOfTheResourcesIsPainted() {
        const auto files = QDir(":/heteroscape/icons").entryList();
        QVERIFY(files.size() > 50);
        for (const auto& file : files)
            QVERIFY2(paintsSomething(Theme::instance().pixmap(file.chopped(4), Qt::red, 20, 1.0)),
                     qPrintable(file));
        for (int kind = 0; kind < 7; ++kind)
            QVERIFY(files.contains(Theme::kindIcon(DeviceKind(kind)) + ".svg"));
    }

    void iconsFollowTheThemeAndTheScreen() {
        auto& theme = Theme::instance();
        const auto icon = theme.icon("undo", ColorRole::Text);
        const auto light = icon.pixmap(QSize(16, 16), 1.0).toImage();
        theme.setMode(ThemeMode::Dark);
        QVERIFY(icon.pixmap(QSize(16, 16), 1.0).toImage() != light);
        QCOMPARE(theme.pixmap("undo", Qt::red, 16, 2.0).size(), QSize(32, 32));
        QCOMPARE(theme.pixmap("undo", Qt::red, 16, 2.0).deviceIndependentSize(), QSizeF(16, 16));
    }

    void anUnknownIconIsToldOnce() {
        QTest::ignoreMessage(QtWarningMsg, "No icon \"no-such\" in the resources");
        QVERIFY(Theme::instance().pixmap("no-such", Qt::red, 16, 1.0).isNull());
    }

    void aPaintedIconIsAsLargeOnAFinerScreen() {
        const auto icon = paintedIcon([](QPainter& painter, const QRectF& square) {
            painter.fillRect(QRectF(square.center() - QPointF(5, 5), QSizeF(10, 10)), Qt::red);
        });
        for (const int scale : {1, 2}) {
            const auto image = icon.pixmap(QSize(16, 16), scale).toImage();
            QCOMPARE(image.size(), QSize(16, 16) * scale);
            int painted = 0;
            for (int x = 0; x < image.width(); ++x)
                painted += image.pixelColor(x, image.height() / 2) == QColor(Qt::red) ? 1 : 0;
            QCOMPARE(painted, 10 * scale);
        }
    }

    void provenanceMarksDiffer() {
        QList<QImage> marks;
        for (const auto kind : {Provenance::Datasheet, Provenance::Paper, Provenance::Calibrated,
                                Provenance::Assumed, Provenance::User}) {
            const auto mark = Theme::instance().provenanceMark(kind, 2.0);
            QCOMPARE(mark.size(), QSize(22, 22));
            QVERIFY(paintsSomething(mark));
            QVERIFY(!marks.contains(mark.toImage()));
            marks << mark.toImage();
        }
    }
};

WIDGET_TEST(ThemeTest)
#include "theme_test.moc"
