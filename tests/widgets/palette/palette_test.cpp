// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/palette/palette_panel.h"

#include "engine/scenario/technique.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/document/document.h"
#include "widgets/palette/palette_row_paint.h"
#include "widgets/palette/palette_rows.h"
#include "widgets/settings/settings.h"

#include <QApplication>
#include <QClipboard>
#include <QImage>
#include <QLabel>
#include <QMenu>
#include <QMimeData>
#include <QPainter>
#include <QPushButton>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {} // namespace

class PaletteTest : public QObject {
    Q_OBJECT

    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<PartLibrary> m_library;
    std::unique_ptr<Settings> m_settings;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<PalettePanel> m_panel;

    PaletteList& list() { return *m_panel->findChild<PaletteList*>(); }
    QLineEdit& search() { return *m_panel->findChild<PaletteSearch*>(); }

    QStringList shown(PartKind kind) {
        QStringList names;
        for (int i = 0; i < list().count(); ++i)
            if (const auto* row = list().row(i); row->part && row->part->kind == kind)
                names << row->name;
        return names;
    }
    QStringList headings() {
        QStringList names;
        for (int i = 0; i < list().count(); ++i)
            if (list().row(i)->isHeading())
                names << list().row(i)->name;
        return names;
    }
    /// The first row of a part in a section; -1 when it is not shown.
    int rowOf(const char* id, const QString& section = {}) {
        for (int i = 0; i < list().count(); ++i)
            if (const auto* row = list().row(i);
                row->part && row->part->id == id && (section.isEmpty() || row->section == section))
                return i;
        return -1;
    }
    int headingOf(const QString& section) {
        for (int i = 0; i < list().count(); ++i)
            if (list().row(i)->isHeading() && list().row(i)->section == section)
                return i;
        return -1;
    }
    QPoint centre(int row) {
        list().scrollToItem(list().item(row));
        return list().visualItemRect(list().item(row)).center();
    }
    QStringList inSection(const QString& section) {
        QStringList names;
        for (int i = 0; i < list().count(); ++i)
            if (const auto* row = list().row(i); row->part && row->section == section)
                names << row->name;
        return names;
    }
    void makePanel() {
        m_settings = std::make_unique<Settings>(m_folder->filePath("settings.ini"));
        m_panel = std::make_unique<PalettePanel>(m_document.get(), m_settings.get(), m_library.get());
        m_panel->setPresets({{"glitches/a100-7u280", "1 × A100 + 7 × U280", "GPU reads, FPGA writes"}});
        expose(*m_panel, {224, 560});
    }
    /// Everything of every section is shown.
    void unfoldAll() {
        m_settings->setFoldedSections({QStringLiteral("none")});
        m_panel->setPresets({{"glitches/a100-7u280", "1 × A100 + 7 × U280", "GPU reads, FPGA writes"}});
    }
    void drag(int row) {
        const auto from = centre(row);
        QTest::mousePress(list().viewport(), Qt::LeftButton, {}, from);
        for (int i = 1; i <= 4; ++i) {
            QMouseEvent move(QEvent::MouseMove, from + QPoint(10 * i, 0),
                             list().viewport()->mapToGlobal(from + QPoint(10 * i, 0)), Qt::NoButton,
                             Qt::LeftButton, {});
            QApplication::sendEvent(list().viewport(), &move);
        }
        QTest::mouseRelease(list().viewport(), Qt::LeftButton, {}, from + QPoint(40, 0));
    }
    static engine::Device ownDevice(const char* id, const char* name) {
        auto device = shippedCatalog()->device("a100-80gb", "test");
        device.id = id;
        device.name = name;
        return device;
    }

private slots:
    void init() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_library = std::make_unique<PartLibrary>(m_folder->filePath("library"));
        m_document = std::make_unique<Document>(shippedCatalog());
        makePanel();
    }
    void cleanup() {
        m_panel.reset();
        m_settings.reset();
        m_document.reset();
        m_library.reset();
        m_folder.reset();
    }

    void listsEveryPartInItsSection() {
        unfoldAll();
        QCOMPARE(headings(),
                 (QStringList{"Servers", "GPU", "NPU", "FPGA", "CPU", "Storage", "Fabric", "Models",
                              "Workloads", "Runtimes", "Techniques", "Layout", "Presets"}));
        const auto size = [](const auto& parts) { return static_cast<qsizetype>(parts.size()); };
        QCOMPARE(shown(PartKind::Group).size(), size(shippedCatalog()->groups));
        QCOMPARE(shown(PartKind::Device).size(), size(shippedCatalog()->devices));
        QCOMPARE(shown(PartKind::Model).size(), size(shippedCatalog()->models));
        QCOMPARE(shown(PartKind::Workload).size(), size(shippedCatalog()->workloads));
        QCOMPARE(shown(PartKind::Runtime).size(), size(shippedCatalog()->runtimes));
        QCOMPARE(shown(PartKind::Technique).size(), static_cast<qsizetype>(engine::techniqueKinds().size()));
        QCOMPARE(shown(PartKind::Layout).size(), 2);
        QVERIFY(inSection("fpga").contains("Alveo U280"));
        QVERIFY(inSection("storage").contains("SmartSSD"));
    }

    void rowsTellTheirQuantities() {
        unfoldAll();
        const auto detail = [this](const char* id) { return list().row(rowOf(id))->detail; };
        QCOMPARE(detail("a100-80gb"), QString("312 TFLOP/s \u00b7 1,935 GB/s"));
        QCOMPARE(detail("nvme-ssd"), QString("3.84 TB \u00b7 3.25 GB/s"));
        QCOMPARE(detail("smartssd"), QString("3.84 TB \u00b7 kernel 1.8 GB/s"));
        QCOMPARE(detail("xeon-6342-host"), QString("512 GiB \u00b7 128 lanes"));
        QCOMPARE(detail("llama2-7b"), QString("6.74 B, 32 layers"));
        QCOMPARE(detail("mixtral-8x7b"), QString("46.7 B, 32 layers, 8 experts"));
        QCOMPARE(detail("p128-d512"), QString("1 \u00d7 128 \u2192 512 tokens"));
        QCOMPARE(detail("s1k"), QString("682 \u2192 342 tokens"));
        QVERIFY(list().row(rowOf("p128-d512"))->tooltip.contains("a prompt of 128 tokens, then 512"));
    }

    void typingFiltersAtOnce() {
        QTest::keyClicks(&search(), "u280");
        QCOMPARE(shown(PartKind::Device), QStringList{"Alveo U280"});
        QCOMPARE(shown(PartKind::Preset).size(), 1);
        QTest::keyClicks(&search(), "zzz");
        QCOMPARE(list().count(), 0);
        const auto labels = m_panel->findChildren<QLabel*>();
        QVERIFY(std::any_of(labels.begin(), labels.end(), [](const QLabel* label) {
            return label->isVisible() && label->text().contains("u280zzz");
        }));
        QTest::keyClick(&search(), Qt::Key_Escape);
        QCOMPARE(shown(PartKind::Device).size(), static_cast<qsizetype>(shippedCatalog()->devices.size()));
    }

    void kindVendorAndSectionAreFoundToo() {
        QTest::keyClicks(&search(), "fpga xilinx");
        QVERIFY(shown(PartKind::Device).contains("Alveo U280"));
        QVERIFY(!shown(PartKind::Device).contains("A100 80GB"));
        search().clear();
        QTest::keyClicks(&search(), "mixtral models");
        QCOMPARE(shown(PartKind::Model).size(), 2);
        QCOMPARE(shown(PartKind::Device).size(), 0);
    }

    void manyPartsAreNarrowed() {
        auto large = std::make_shared<engine::Catalog>(*shippedCatalog());
        for (int i = 0; i < 150; ++i)
            large->devices.push_back(ownDevice(qPrintable(QString("own-%1").arg(i)), "A100 variant"));
        m_document->setCatalog(large);
        QVERIFY(list().count() > 200);
        QTest::keyClicks(&search(), "a100 variant");
        QCOMPARE(shown(PartKind::Device).size(), 150);
    }

    void enterInTheSearchPlacesTheFirstMatch() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::useRequested);
        QTest::keyClicks(&search(), "alveo");
        QTest::keyClick(&search(), Qt::Key_Return);
        QCOMPARE(placed.count(), 1);
        QCOMPARE(placed.front().front().value<PartRef>(), (PartRef{PartKind::Device, "u280"}));
    }

    void enterPrefersWhatIsCalledSo() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::useRequested);
        QTest::keyClicks(&search(), "smartssd"); // the NVMe SSD before it speaks of SmartSSDs
        QVERIFY(shown(PartKind::Device).size() > 1);
        QTest::keyClick(&search(), Qt::Key_Return);
        QCOMPARE(placed.front().front().value<PartRef>(), (PartRef{PartKind::Device, "smartssd"}));
    }

    void enterChoosesEachKind_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("id");
        QTest::newRow("group") << int(PartKind::Group) << "hgx-h100";
        QTest::newRow("device") << int(PartKind::Device) << "h100-sxm";
        QTest::newRow("model") << int(PartKind::Model) << "llama3-8b";
        QTest::newRow("workload") << int(PartKind::Workload) << "s4k";
        QTest::newRow("runtime") << int(PartKind::Runtime) << "flexgen";
        QTest::newRow("technique") << int(PartKind::Technique) << "x_cache";
        QTest::newRow("layout") << int(PartKind::Layout) << "tensor_parallel";
        QTest::newRow("preset") << int(PartKind::Preset) << "glitches/a100-7u280";
    }
    void enterChoosesEachKind() {
        QFETCH(int, kind);
        QFETCH(QString, id);
        unfoldAll();
        const PartRef part{static_cast<PartKind>(kind), id.toStdString()};
        QSignalSpy spy(m_panel.get(), &PalettePanel::useRequested);
        const auto row = rowOf(qPrintable(id));
        QVERIFY(row >= 0);
        list().setCurrentRow(row);
        QTest::keyClick(&list(), Qt::Key_Return);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.takeFirst().front().value<PartRef>(), part);
        QTRY_COMPARE(headings().first(), QString("Recent"));
        const auto place = centre(rowOf(qPrintable(id), list().row(list().currentRow())->section));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, place);
        QTest::mouseDClick(list().viewport(), Qt::LeftButton, {}, place);
        QCOMPARE(spy.count(), 1);
        QCOMPARE(spy.front().front().value<PartRef>(), part);
    }

    void draggingEachKindCarriesIt_data() {
        QTest::addColumn<int>("kind");
        QTest::addColumn<QString>("id");
        const std::pair<PartKind, const char*> parts[] = {
            {PartKind::Group, "hgx-h200"},    {PartKind::Device, "u280"},
            {PartKind::Model, "llama2-7b"},   {PartKind::Workload, "p128-d512"},
            {PartKind::Runtime, "hf-eager"},  {PartKind::Technique, "gpu_assist"},
            {PartKind::Layout, "replicated"}, {PartKind::Preset, "glitches/a100-7u280"}};
        for (const auto& [kind, id] : parts)
            QTest::newRow(id) << static_cast<int>(kind) << id;
    }
    void draggingEachKindCarriesIt() {
        QFETCH(int, kind);
        QFETCH(QString, id);
        unfoldAll();
        std::optional<PartRef> dragged;
        m_panel->setDragStarter([&](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
            dragged = decodePart(*data, *shippedCatalog());
            return !picture.isNull();
        });
        const auto row = rowOf(qPrintable(id));
        QVERIFY(row >= 0);
        drag(row);
        QVERIFY(dragged.has_value());
        QCOMPARE(static_cast<int>(dragged->kind), kind);
        QCOMPARE(QString::fromStdString(dragged->id), id);
        QTRY_COMPARE(inSection("recent").size(), 1); // it was taken where it was dropped
    }

    void whatIsDroppedNowhereIsNotRecent() {
        int drags = 0;
        m_panel->setDragStarter([&](std::unique_ptr<QMimeData>, const QPixmap&) {
            ++drags;
            return false;
        });
        drag(rowOf("u280"));
        QVERIFY(drags >= 1);
        QCoreApplication::processEvents();
        QVERIFY(inSection("recent").isEmpty());
    }

    void headingsFoldAndStayFolded() {
        QVERIFY(headingOf("workloads") >= 0);
        QVERIFY(shown(PartKind::Workload).isEmpty()); // folded at first
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, centre(headingOf("workloads")));
        QTRY_COMPARE(shown(PartKind::Workload).size(),
                     static_cast<qsizetype>(shippedCatalog()->workloads.size()));
        list().setCurrentRow(headingOf("gpu"));
        QTest::keyClick(&list(), Qt::Key_Left);
        QTRY_VERIFY(inSection("gpu").isEmpty());
        QVERIFY(list().row(headingOf("gpu"))->folded);
        QVERIFY(list().row(headingOf("gpu"))->size > 0);
        makePanel(); // another start
        QVERIFY(inSection("gpu").isEmpty());
        QVERIFY(!inSection("workloads").isEmpty());
        QTest::keyClicks(&search(), "a100"); // a search looks into folded sections
        QVERIFY(inSection("gpu").contains("A100 80GB"));
        search().clear();
        list().setCurrentRow(headingOf("gpu"));
        QTest::keyClick(&list(), Qt::Key_Return);
        QTRY_VERIFY(inSection("gpu").contains("A100 80GB"));
        list().setCurrentRow(rowOf("a100-80gb"));
        QTest::keyClick(&list(), Qt::Key_Left); // from a part to its heading
        QCOMPARE(list().currentRow(), headingOf("gpu"));
    }

    void headingsAreNoParts() {
        QSignalSpy placed(m_panel.get(), &PalettePanel::useRequested);
        int drags = 0;
        m_panel->setDragStarter([&](std::unique_ptr<QMimeData>, const QPixmap&) {
            ++drags;
            return true;
        });
        drag(0);
        QCOMPARE(drags, 0);
        QCOMPARE(placed.count(), 0);
    }

    void favouritesByKeyAndClickPersist() {
        list().setCurrentRow(rowOf("u280"));
        QTest::keyClick(&list(), Qt::Key_Asterisk);
        QTRY_COMPARE(inSection("favourites"), QStringList{"Alveo U280"});
        QCOMPARE(headings().first(), QString("Favourites"));
        QVERIFY(list().row(rowOf("u280", "fpga"))->favourite);
        QCOMPARE(list().row(list().currentRow())->part->id, std::string("u280"));

        const auto star = [this](const char* id, const char* section) {
            const int row = rowOf(id, section);
            list().scrollToItem(list().item(row));
            return list().starRect(row).center();
        };
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, star("llama2-7b", "models"));
        QTRY_COMPARE(inSection("favourites"), (QStringList{"Alveo U280", "LLaMA2-7B"}));
        makePanel();
        QCOMPARE(inSection("favourites"), (QStringList{"Alveo U280", "LLaMA2-7B"}));
        QTest::mouseClick(list().viewport(), Qt::LeftButton, {}, star("u280", "favourites"));
        QTRY_COMPARE(inSection("favourites"), QStringList{"LLaMA2-7B"});
        makePanel();
        QCOMPARE(inSection("favourites"), QStringList{"LLaMA2-7B"});
    }

    void favouritesByTheMenu() {
        const auto menu = m_panel->makeMenu(*list().row(rowOf("u280")));
        const auto action = [](const QMenu& of, const QString& text) -> QAction* {
            for (auto* one : of.actions())
                if (one->text() == text)
                    return one;
            return nullptr;
        };
        QVERIFY(action(*menu, "Place on the canvas"));
        QVERIFY(!action(*menu, "Edit\u2026")); // shipped
        auto* add = action(*menu, "Add to favourites");
        QVERIFY(add);
        add->trigger();
        QTRY_COMPARE(inSection("favourites"), QStringList{"Alveo U280"});
        QSignalSpy duplicated(m_panel.get(), &PalettePanel::duplicateRequested);
        action(*menu, "Duplicate and edit\u2026")->trigger();
        QCOMPARE(duplicated.count(), 1);
        QContextMenuEvent key(QContextMenuEvent::Keyboard, QPoint(5, 5), list().mapToGlobal(QPoint(5, 5)));
        list().setCurrentRow(rowOf("u280"));
        QApplication::sendEvent(list().viewport(), &key);
        QTRY_VERIFY(QApplication::activePopupWidget());
        QApplication::activePopupWidget()->close();
    }

    void theLastEightUsedAreOnTop() {
        for (const auto* id : {"h100-sxm", "h200-sxm", "u280", "vhk158", "v100s", "tpu-v5e", "tpu-v5p",
                               "a100-40gb", "a100-80gb"}) {
            list().setCurrentRow(rowOf(id));
            QTest::keyClick(&list(), Qt::Key_Return);
            QTRY_COMPARE(inSection("recent").value(0),
                         QString::fromStdString(shippedCatalog()->device(id, "test").name));
        }
        QCOMPARE(inSection("recent").size(), 8);
        QVERIFY(!inSection("recent").contains(
            QString::fromStdString(shippedCatalog()->device("h100-sxm", "test").name)));
        const auto last = inSection("recent");
        makePanel();
        QCOMPARE(inSection("recent"), last);
    }

    void aRowStaysWhereItIsWhenRowsComeAboveIt() {
        const int row = rowOf("u280");
        list().setCurrentRow(row);
        list().scrollToItem(list().item(row), QAbstractItemView::PositionAtCenter);
        const int top = list().visualItemRect(list().item(row)).top();
        QTest::keyClick(&list(), Qt::Key_Return);
        QTRY_COMPARE(headings().first(), QString("Recent"));
        QCOMPARE(list().row(list().currentRow())->section, QString("fpga"));
        QCOMPARE(list().visualItemRect(list().currentItem()).top(), top);
    }

    void ownPartsAreMarkedAndFirst() {
        m_library->save(ownDevice("zz-mine", "Zz mine"));
        m_document->setCatalog(m_library->over(shippedCatalog()));
        m_document->perform(engine::PutPart{ownDevice("zz-here", "Zz here")});
        QCOMPARE(inSection("gpu").mid(0, 2), (QStringList{"Zz here", "Zz mine"}));
        const auto* here = list().row(rowOf("zz-here"));
        QVERIFY(here->origin == PartOrigin::Design);
        QVERIFY(here->tooltip.contains("Part of this design"));
        QVERIFY(list().row(rowOf("zz-mine"))->origin == PartOrigin::Library);
        QVERIFY(list().item(rowOf("zz-mine"))->data(Qt::AccessibleTextRole).toString().contains("your own"));

        // The mark is really painted: the same row without it looks otherwise.
        const auto painted = [](PaletteRow row, PartOrigin origin) {
            row.origin = origin;
            QImage image(220, 40, QImage::Format_ARGB32_Premultiplied);
            image.fill(Qt::transparent);
            QPainter painter(&image);
            paintPaletteRow(painter, image.rect(), row, {});
            return image;
        };
        QVERIFY(painted(*here, PartOrigin::Design) != painted(*here, PartOrigin::Shipped));

        QSignalSpy removed(m_panel.get(), &PalettePanel::removeRequested);
        list().setCurrentRow(rowOf("zz-mine"));
        QTest::keyClick(&list(), Qt::Key_Delete);
        QCOMPARE(removed.count(), 1);
        list().setCurrentRow(rowOf("u280"));
        QTest::keyClick(&list(), Qt::Key_Delete); // not the user's
        QCOMPARE(removed.count(), 1);
        m_document->undoStack()->undo();
        QCOMPARE(inSection("gpu").first(), QString("Zz mine"));
        m_library->remove(engine::PartKind::Device, "zz-mine");
        m_document->setCatalog(m_library->over(shippedCatalog()));
        QCOMPARE(rowOf("zz-mine"), -1);
    }

    void pastingJsonAsksForAnImport() {
        QSignalSpy paste(m_panel.get(), &PalettePanel::pasteRequested);
        QApplication::clipboard()->setText("{\"model_type\": \"llama\"}");
        list().setFocus();
        QTest::keyClick(&list(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(paste.count(), 1);
        QTest::keyClick(&search(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(paste.count(), 2);
        QVERIFY(search().text().isEmpty());
        QApplication::clipboard()->setText("u280");
        QTest::keyClick(&search(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(paste.count(), 2);
        QCOMPARE(search().text(), QString("u280"));
    }

    void everythingIsReachedByKey() {
        search().setFocus();
        QTest::keyClick(&search(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), &list());
        QTest::keyClick(&list(), Qt::Key_Tab);
        QCOMPARE(QApplication::focusWidget(), m_panel->findChild<QPushButton*>());
        for (const auto* widget : m_panel->findChildren<QWidget*>())
            if (widget->focusPolicy() != Qt::NoFocus && widget->isVisible()) {
                const auto* button = qobject_cast<const QAbstractButton*>(widget);
                QVERIFY(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()));
            }
    }

    void theRailTellsPartsApart() {
        QTest::keyClicks(&search(), "u280");
        m_panel->setCompact(true);
        QCOMPARE(m_panel->minimumWidth(), 72);
        QCOMPARE(m_panel->maximumWidth(), 72);
        QVERIFY(!search().isVisible());
        // What was typed hides nothing in the rail.
        QCOMPARE(shown(PartKind::Device).size(), static_cast<qsizetype>(shippedCatalog()->devices.size()));
        QVERIFY(list().item(rowOf("u280"))->toolTip().contains("Alveo U280<br>"));
        QVERIFY(!shown(PartKind::Group).empty());
        m_panel->resize(72, 2000);
        std::vector<QImage> looks;
        for (const char* id : {"h100-sxm", "h200-sxm", "h100-pcie"}) {
            const auto rect = list().visualItemRect(list().item(rowOf(id)));
            looks.push_back(list().viewport()->grab(rect).toImage());
        }
        QVERIFY(looks[0] != looks[1] && looks[1] != looks[2] && looks[0] != looks[2]);
        m_panel->setCompact(false);
        QVERIFY(search().isVisible());
        QCOMPARE(shown(PartKind::Device), QStringList{"Alveo U280"});
    }
};

WIDGET_TEST(PaletteTest)
#include "palette_test.moc"
