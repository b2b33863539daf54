// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/device_editor.h"

#include "engine/base/error.h"
#include "part_window.h"
#include "tests/widgets/document/save_and_wait.h"
#include "tests/widgets/widget_test.h"
#include "widgets/inspector/inspector.h"
#include "widgets/parts/parts_flow.h"
#include "widgets/parts/quantity_entry.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QFile>
#include <QListWidget>
#include <QMenu>
#include <QMessageBox>
#include <QPushButton>
#include <QRadioButton>
#include <QSignalSpy>

using namespace heteroscape;
using namespace heteroscape::widgets;

class DeviceEditorTest : public PartFixture {
    Q_OBJECT

    /// Opens the editor by the entry of a palette row's menu.
    DeviceEditor* byMenu(const char* id, const QString& text) {
        const auto* row = m_at->row(id);
        if (!row)
            return nullptr;
        const auto menu = child<PalettePanel>(m_at->window)->makeMenu(*row);
        for (auto* action : menu->actions())
            if (action->text() == text)
                action->trigger();
        return m_at->window->findChild<DeviceEditor*>();
    }

private slots:
    void aCopyOfTheA100FromPaletteToFile() {
        auto* editor = byMenu("a100-80gb", "Duplicate and edit\u2026");
        QVERIFY(editor);
        QVERIFY(editor->isVisible());
        QCOMPARE(child<QLineEdit>(editor, "name")->text(), QString("A100 80GB copy"));
        replaceText(child<QLineEdit>(editor, "name"), "A100 fast memory");
        QCOMPARE(editor->id(), std::string("a100-fast-memory"));

        // A value out of range is refused at its field, and the button says so.
        auto* bandwidth = editor->entry("memory_bandwidth_gbps");
        QVERIFY(bandwidth->isVisibleTo(editor));
        replaceText(bandwidth->value(), "fast");
        QVERIFY(bandwidth->problem().contains("not a number"));
        QVERIFY(bandwidth->value()->property("invalid").toBool());
        QVERIFY(!okOf(editor)->isEnabled());
        QVERIFY(okOf(editor)->toolTip().contains("Memory bandwidth"));
        replaceText(bandwidth->value(), "-3");
        QVERIFY(bandwidth->problem().contains("-3 is not allowed"));
        press(okOf(editor));
        QVERIFY(m_at->scenario().own.empty());
        replaceText(bandwidth->value(), "3000");
        QVERIFY(bandwidth->problem().isEmpty());
        QVERIFY(okOf(editor)->isEnabled());
        QCOMPARE(editor->device().memoryBandwidth.value, 3e12);
        QCOMPARE(editor->device().memoryBandwidth.provenance, engine::Provenance::User);
        QTest::keyClicks(bandwidth->source(), "my own guess");
        bandwidth->provenance()->setFocus();
        QTest::keyClicks(bandwidth->provenance(), "Assumed");

        auto* inDesign = child<QRadioButton>(editor, "inDesign");
        QTest::mouseClick(inDesign, Qt::LeftButton, {}, QPoint(8, inDesign->height() / 2));
        QVERIFY(inDesign->isChecked());
        press(okOf(editor));
        QCOMPARE(m_at->scenario().own.devices.size(), std::size_t{1});
        QVERIFY(m_at->library->parts().devices.empty());
        const auto& own = m_at->scenario().own.devices.front();
        QCOMPARE(own.memoryBandwidth.value, 3e12);
        QCOMPARE(own.memoryBandwidth.provenance, engine::Provenance::Assumed);
        QCOMPARE(own.memoryBandwidth.source, std::string("my own guess"));
        QCOMPARE(own.peakFp16, shippedCatalog()->device("a100-80gb", "test").peakFp16); // source and all
        QVERIFY(m_at->row("a100-fast-memory")->origin == PartOrigin::Design);

        m_at->choose("A100 fast memory");
        QCOMPARE(m_at->scenario().nodes.size(), std::size_t{1});
        QCOMPARE(m_at->scenario().nodes.front().device.memoryBandwidth.value, 3e12);

        // The file carries the part: it is there again where the library is empty.
        const auto path = m_at->file("own.hscape");
        saveAndWait(m_at->document(), path);
        m_at->reopen("another-library");
        QVERIFY(!m_at->row("a100-fast-memory"));
        QVERIFY(m_at->window->files()->openPath(path));
        QVERIFY(m_at->row("a100-fast-memory"));
        QVERIFY(m_at->row("a100-fast-memory")->origin == PartOrigin::Design);
        QCOMPARE(m_at->scenario().nodes.front().device.name, std::string("A100 fast memory"));
        m_at->choose("A100 fast memory");
        QCOMPARE(m_at->scenario().nodes.size(), std::size_t{2});
    }

    void keepingInTheDesignIsUndone() {
        auto* editor = byMenu("u280", "Duplicate and edit\u2026");
        auto* inDesign = child<QRadioButton>(editor, "inDesign");
        QTest::mouseClick(inDesign, Qt::LeftButton, {}, QPoint(8, inDesign->height() / 2));
        press(okOf(editor));
        QVERIFY(m_at->row("alveo-u280-copy"));
        QVERIFY(m_at->document().undoStack()->undoText().contains("Alveo U280 copy"));
        m_at->document().undoStack()->undo();
        QVERIFY(!m_at->row("alveo-u280-copy"));
        m_at->document().undoStack()->redo();
        QVERIFY(m_at->row("alveo-u280-copy"));
    }

    void theLibraryIsSharedAndOutlivesTheWindow() {
        MainWindow::Options options{m_at->file("store2.sqlite")};
        options.settingsFile = m_at->file("settings2.ini");
        options.library = m_at->library.get();
        MainWindow other(shippedCatalog(), options);
        auto* editor = byMenu("u280", "Duplicate and edit\u2026");
        QVERIFY(child<QRadioButton>(editor, "inLibrary")->isChecked());
        press(okOf(editor));
        QVERIFY(!m_at->document().isModified()); // the design has nothing to do with it
        QVERIFY(m_at->row("alveo-u280-copy")->origin == PartOrigin::Library);
        QVERIFY(other.document()->catalog().device("alveo-u280-copy", "test").name == "Alveo U280 copy");
        m_at->reopen("library");
        QVERIFY(m_at->row("alveo-u280-copy")->origin == PartOrigin::Library);
    }

    void whatAnotherProgramWritesIsSeen() {
        auto device = shippedCatalog()->device("u280", "test");
        device.id = "from-elsewhere";
        device.name = "From elsewhere";
        engine::saveToLibrary(m_at->library->folder().toStdString(), device);
        QTRY_VERIFY(m_at->row("from-elsewhere"));
        writeFile(m_at->library->folder() + "/devices/broken.json", "{");
        QTRY_COMPARE(m_at->library->problems().size(), 1);
        QVERIFY(m_at->library->problems().first().contains("broken.json"));
        QVERIFY(m_at->row("from-elsewhere"));
    }

    void theNodesOfADeviceAreUpdated() {
        m_at->choose("Alveo U280");
        m_at->choose("Alveo U280");
        QCOMPARE(m_at->scenario().nodes.size(), std::size_t{2});
        auto* editor = byMenu("u280", "Duplicate and edit\u2026");
        QVERIFY(child<QCheckBox>(editor, "use")->isVisible());
        QVERIFY(child<QCheckBox>(editor, "use")->text().contains("2 nodes"));
        QVERIFY(!child<QCheckBox>(editor, "use")->isChecked()); // a copy is another device
        child<QCheckBox>(editor, "use")->setFocus();
        QTest::keyClick(child<QCheckBox>(editor, "use"), Qt::Key_Space);
        replaceText(editor->entry("memory_gb")->value(), "16");
        press(okOf(editor));
        for (const auto& node : m_at->scenario().nodes) {
            QCOMPARE(node.device.id, std::string("alveo-u280-copy"));
            QCOMPARE(node.device.memoryCapacity.value, 16e9);
            QVERIFY(node.runtime.has_value());
        }
        m_at->document().undoStack()->undo(); // both at once
        for (const auto& node : m_at->scenario().nodes)
            QCOMPARE(node.device.id, std::string("u280"));
    }

    void ownPartsAreEditedAndRemoved() {
        press(okOf(byMenu("u280", "Duplicate and edit\u2026")));
        QTRY_VERIFY(!m_at->window->findChild<DeviceEditor*>());
        m_at->choose("Alveo U280 copy");
        auto* editor = byMenu("alveo-u280-copy", "Edit\u2026");
        QVERIFY(editor);
        replaceText(child<QLineEdit>(editor, "name"), "Card of mine");
        QCOMPARE(editor->id(), std::string("alveo-u280-copy")); // it stays the same part
        QVERIFY(child<QCheckBox>(editor, "use")->isChecked());
        press(okOf(editor));
        QCOMPARE(m_at->library->parts().devices.size(), std::size_t{1});
        QCOMPARE(m_at->library->parts().devices.front().name, std::string("Card of mine"));
        QCOMPARE(m_at->scenario().nodes.front().device.name, std::string("Card of mine"));

        m_at->window->parts()->removePart({PartKind::Device, "alveo-u280-copy"});
        auto* box = m_at->window->findChild<QMessageBox*>();
        QVERIFY(box);
        QTest::keyClick(box, Qt::Key_Escape);
        QCOMPARE(m_at->library->parts().devices.size(), std::size_t{1});
        QTRY_VERIFY(!m_at->window->findChild<QMessageBox*>());
        m_at->window->parts()->removePart({PartKind::Device, "alveo-u280-copy"});
        box = m_at->window->findChild<QMessageBox*>();
        for (auto* button : box->buttons())
            if (button->text() == "Remove")
                QTest::mouseClick(button, Qt::LeftButton);
        QVERIFY(m_at->library->parts().devices.empty());
        QVERIFY(!m_at->row("alveo-u280-copy"));
        QCOMPARE(m_at->scenario().nodes.front().device.name, std::string("Card of mine")); // its own copy
    }

    void fromTheInspectorOfANode() {
        m_at->choose("Alveo U280");
        const auto id = m_at->scenario().nodes.front().id;
        QVERIFY(m_at->document().set("nodes." + id.value + ".device.memory_gb", "32"));
        QPushButton* save = nullptr;
        m_at->window->inspector()->finish();
        for (auto* button : m_at->window->inspector()->findChildren<QPushButton*>())
            if (button->text().startsWith("Save as own device"))
                save = button;
        QVERIFY(save);
        save->setFocus();
        QTest::keyClick(save, Qt::Key_Space);
        auto* editor = m_at->window->findChild<DeviceEditor*>();
        QVERIFY(editor);
        QCOMPARE(editor->device().memoryCapacity.value, 32e9); // as it stands in the node
        QVERIFY(child<QCheckBox>(editor, "use")->isChecked());
        press(okOf(editor));
        QCOMPARE(m_at->library->parts().devices.size(), std::size_t{1});
        QCOMPARE(m_at->scenario().nodes.front().device.id, std::string("alveo-u280-copy"));
    }

    void theKindDecidesWhichQuantitiesThereAre() {
        auto* editor = m_at->window->parts()->newDevice();
        QVERIFY(editor->entry("peak_fp16_tflops")->isVisibleTo(editor));
        QVERIFY(!editor->entry("small_write_ms")->isVisibleTo(editor));
        child<QComboBox>(editor, "kind")->setFocus();
        QTest::keyClicks(child<QComboBox>(editor, "kind"), "CSD");
        QVERIFY(editor->entry("small_write_ms")->isVisibleTo(editor));
        QVERIFY(!editor->entry("peak_fp16_tflops")->isVisibleTo(editor));
        QVERIFY(!child<QComboBox>(editor, "runtime")->isEnabled());
        QCOMPARE(editor->device().kind, engine::DeviceKind::Csd);
    }

    void portsAreTicked() {
        auto* editor = byMenu("u280", "Duplicate and edit\u2026");
        const auto before = editor->device();
        auto* ports = child<QListWidget>(editor);
        for (int i = 0; i < ports->count(); ++i)
            if (ports->item(i)->data(Qt::UserRole).toString() == "network-400g")
                ports->setCurrentRow(i);
        ports->setFocus();
        QTest::keyClick(ports, Qt::Key_Space);
        auto wanted = before.ports;
        wanted.push_back("network-400g");
        QCOMPARE(editor->device().ports, wanted);
        QTest::keyClick(ports, Qt::Key_Space);
        QCOMPARE(editor->device().ports, before.ports);
        QCOMPARE(editor->device().morePorts, before.morePorts);
    }

    void aNameIsNeeded() {
        auto* editor = m_at->window->parts()->newDevice();
        child<QLineEdit>(editor, "name")->selectAll();
        QTest::keyClick(child<QLineEdit>(editor, "name"), Qt::Key_Delete);
        QVERIFY(!okOf(editor)->isEnabled());
        QVERIFY(editor->problem().contains("name"));
        QApplication::clipboard()->setText(QString::fromUtf8("Größte Karte!"));
        QTest::keyClick(child<QLineEdit>(editor, "name"), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(editor->id(), std::string("grote-karte"));
        QVERIFY(okOf(editor)->isEnabled());
        replaceText(child<QLineEdit>(editor, "name"), "A100 80GB"); // taken by a shipped device
        QCOMPARE(editor->id(), std::string("a100-80gb-2"));
        replaceText(child<QLineEdit>(editor, "name"), "#!");
        QCOMPARE(editor->id(), std::string("device"));
    }

    void whenTheLibraryRefusesNothingIsLost() {
        auto* editor = byMenu("u280", "Duplicate and edit\u2026");
        QVERIFY(QDir(m_at->library->folder() + "/devices").removeRecursively());
        writeFile(m_at->library->folder() + "/devices", {});
        press(okOf(editor));
        QVERIFY(editor->isVisible());
        QVERIFY(m_at->library->parts().devices.empty());
    }

    void everyControlHasAName() {
        auto* editor = byMenu("smartssd", "Duplicate and edit\u2026");
        for (const auto* widget : editor->findChildren<QWidget*>()) {
            if (widget->focusPolicy() == Qt::NoFocus || !widget->isVisible() ||
                widget->objectName().startsWith("qt_"))
                continue;
            const auto* button = qobject_cast<const QAbstractButton*>(widget);
            QVERIFY2(!widget->accessibleName().isEmpty() || (button && !button->text().isEmpty()),
                     widget->metaObject()->className());
        }
        // Tab goes from the name through everything to the buttons and back.
        child<QLineEdit>(editor, "name")->setFocus();
        bool reached = false;
        for (int i = 0; i < 300 && !reached; ++i) {
            QTest::keyClick(editor->focusWidget(), Qt::Key_Tab);
            reached = editor->focusWidget() == okOf(editor);
        }
        QVERIFY(reached);
    }
};

WIDGET_TEST(DeviceEditorTest)
#include "device_editor_test.moc"
