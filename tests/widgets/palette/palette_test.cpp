// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_panel.h"

#include "engine/catalog/catalog.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/palette/palette_list.h"
#include "widgets/theme/theme.h"

#include <QApplication>
#include <QLabel>
#include <QLineEdit>
#include <QMimeData>
#include <QSignalSpy>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

class PaletteTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::unique_ptr<PalettePanel> m_panel;

    PaletteList& list() { return *m_panel->findChild<PaletteList*>(); }
    QLineEdit& search() { return *m_panel->findChild<QLineEdit*>(); }

    QStringList shown(PaletteRow::Kind kind) {
        QStringList names;
        for (int i = 0; i < list().count(); ++i)
            if (list().row(i)->kind == kind)
                names << list().row(i)->name;
        return names;
    }
    int rowOf(const QString& id) {
        for (int i = 0; i < list().count(); ++i)
            if (list().row(i)->id == id)
                return i;
        return -1;
    }
    QPoint centre(int row) { return list().visualItemRect(list().item(row)).center(); }

private slots:
    void initTestCase() {
        Theme::instance().install(*qApp);
        m_catalog = std::make_shared<engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
    }
    void init() {
        m_panel = std::make_unique<PalettePanel>(m_catalog);
        m_panel->setPresets({{"glitches/a100-7u280", "1 × A100 + 7 × U280", "GPU reads, FPGA writes"}});
        m_panel->resize(224, 560);
        m_panel->show();
        QVERIFY(QTest::qWaitForWindowExposed(m_panel.get()));
    }
    void cleanup() { m_panel.reset(); }

    void listsEveryDeviceInGroupsThatHaveEntries() {
        QCOMPARE(shown(PaletteRow::Kind::Device).size(), static_cast<qsizetype>(m_catalog->devices.size()));
        const auto headings = shown(PaletteRow::Kind::Heading);
        QVERIFY(headings.contains("Compute"));
        QCOMPARE(headings.last(), QString("Presets"));
        bool storage = false;
        for (const auto& device : m_catalog->devices)
            storage =
                storage || device.kind == engine::DeviceKind::Ssd || device.kind == engine::DeviceKind::Csd;
        QCOMPARE(headings.contains("Storage"), storage);
        QCOMPARE(list().row(rowOf("a100-80gb"))->detail, QString("312 TFLOP/s \u00b7 1,935 GB/s"));
    }

    void typingFiltersAtOnce() {
        QTest::keyClicks(&search(), "u280");
        QCOMPARE(shown(PaletteRow::Kind::Device), QStringList{"Alveo U280"});
        QCOMPARE(shown(PaletteRow::Kind::Preset).size(), 1);
        QTest::keyClicks(&search(), "zzz");
        QCOMPARE(list().count(), 0);
        const auto labels = m_panel->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains("u280zzz");
        }));
        QTest::keyClick(&search(), Qt::Key_Escape);
        QCOMPARE(shown(PaletteRow::Kind::Device).size(), static_cast<qsizetype>(m_catalog->devices.size()));
    }

    void kindIsFoundToo() {
        QTest::keyClicks(&search(), "fpga xilinx");
        QVERIFY(shown(PaletteRow::Kind::Device).contains("Alveo U280"));
        QVERIFY(!shown(PaletteRow::Kind::Device).contains("A100 80GB"));
    }

    void enterInTheSearchPlacesTheFirstMatch() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::placeRequested);
        QTest::keyClicks(&search(), "alveo");
        QTest::keyClick(&search(), Qt::Key_Return);
        QCOMPARE(placed.count(), 1);
        QCOMPARE(placed.front().front().toString(), QString("u280"));
    }

    void enterPrefersWhatIsCalledSo() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::placeRequested);
        QTest::keyClicks(&search(), "smartssd"); // the NVMe SSD before it speaks of SmartSSDs
        QVERIFY(shown(PaletteRow::Kind::Device).size() > 1);
        QTest::keyClick(&search(), Qt::Key_Return);
        QCOMPARE(placed.front().front().toString(), QString("smartssd"));
    }

    void enterAndDoubleClickOnARow() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::placeRequested);
        QSignalSpy opened(m_panel.get(), &PalettePanel::presetRequested);
        list().setCurrentRow(rowOf("a100-80gb"));
        QTest::keyClick(&list(), Qt::Key_Return);
        QCOMPARE(placed.count(), 1);
        const auto preset = rowOf("glitches/a100-7u280");
        list().scrollToItem(list().item(preset));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, centre(preset));
        QTest::mouseDClick(list().viewport(), Qt::LeftButton, {}, centre(preset));
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened.front().front().toString(), QString("glitches/a100-7u280"));
        QCOMPARE(placed.count(), 1);
    }

    void storageTellsItsFigures() {
        QCOMPARE(list().row(rowOf("nvme-ssd"))->detail, QString("3.84 TB \u00b7 3.25 GB/s"));
        QCOMPARE(list().row(rowOf("smartssd"))->detail, QString("3.84 TB \u00b7 kernel 1.8 GB/s"));
        QCOMPARE(list().row(rowOf("xeon-6342-host"))->detail, QString("512 GiB \u00b7 128 lanes"));
    }

    void runtimesAndTechniquesAreChosenToo() {
        QSignalSpy runtime(m_panel.get(), &PalettePanel::runtimeRequested);
        QSignalSpy technique(m_panel.get(), &PalettePanel::techniqueRequested);
        QCOMPARE(shown(PaletteRow::Kind::Runtime).size(), static_cast<qsizetype>(m_catalog->runtimes.size()));
        QTest::keyClicks(&search(), "flexgen runtimes");
        QTest::keyClick(&search(), Qt::Key_Return);
        QCOMPARE(runtime.count(), 1);
        QCOMPARE(runtime.takeFirst().front().toString(), QString("flexgen"));
        search().clear();
        QTest::keyClicks(&search(), "x-cache techniques");
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, centre(rowOf("x_cache")));
        QTest::mouseDClick(list().viewport(), Qt::LeftButton, {}, centre(rowOf("x_cache")));
        QCOMPARE(technique.count(), 1);
        QCOMPARE(technique.takeFirst().front().toString(), QString("x_cache"));
    }

    void headingsCannotBeChosen() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::placeRequested);
        QTest::mouseDClick(list().viewport(), Qt::LeftButton, {}, centre(0));
        QCOMPARE(placed.count(), 0);
        QVERIFY(!list().item(0)->isSelected());
    }

    void draggingADeviceOutCarriesItsId() {
        QString dragged;
        int drags = 0;
        m_panel->setDragStarter([&](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
            ++drags;
            const auto part = decodePart(*data, *m_catalog);
            dragged = part ? QString::fromStdString(part->id) : QString();
            QVERIFY(!picture.isNull());
        });
        const auto from = centre(rowOf("u280"));
        QTest::mousePress(list().viewport(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i) {
            QMouseEvent move(QEvent::MouseMove, from + QPoint(10 * i, 0),
                             list().viewport()->mapToGlobal(from + QPoint(10 * i, 0)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(list().viewport(), &move);
        }
        QTest::mouseRelease(list().viewport(), Qt::LeftButton, {}, from + QPoint(40, 0));
        QVERIFY(drags >= 1);
        QCOMPARE(dragged, QString("u280"));
    }

    void theRailShowsIconsOnly() {
        QTest::keyClicks(&search(), "u280");
        m_panel->setCompact(true);
        QCOMPARE(m_panel->minimumWidth(), 48);
        QCOMPARE(m_panel->maximumWidth(), 48);
        QVERIFY(!search().isVisible());
        // What was typed hides nothing in the rail.
        QCOMPARE(shown(PaletteRow::Kind::Device).size(), static_cast<qsizetype>(m_catalog->devices.size()));
        QVERIFY(list().item(rowOf("u280"))->toolTip().contains("Alveo U280<br>"));
        m_panel->setCompact(false);
        QVERIFY(search().isVisible());
        QCOMPARE(shown(PaletteRow::Kind::Device), QStringList{"Alveo U280"});
    }
};

QTEST_MAIN(PaletteTest)
#include "palette_test.moc"
