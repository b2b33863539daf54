// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/base/file.h"
#include "tests/widgets/document/save_and_wait.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/window/window_exports.h"

#include <QFile>
#include <QImage>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {
constexpr auto kFilePreset = "glitches/a100-7u280";
} // namespace

class FileFlowTest : public WindowFixture {
    Q_OBJECT

    /// Whether the design is in its file then: false when that was cancelled or refused.
    bool save() {
        return m_window->files()->save() &&
               QTest::qWaitFor([this] { return !document().file().isSaving(); }, 30000) &&
               !document().isModified();
    }

private slots:
    void aRefusedSaveLosesNothing() {
        document().set("nodes.fpga.count", "3");
        m_test->savePath = m_test->folder.filePath(QStringLiteral("no such folder/mine.hscape"));
        QVERIFY(!save());
        QCOMPARE(m_test->errors.size(), 1);
        QVERIFY(m_test->errors.first().contains(QStringLiteral("no such folder")));
        QVERIFY(document().path().isEmpty());
        m_test->answer = FilePrompts::Answer::Save;
        const auto before = document().scenario();
        QVERIFY(!m_window->files()->newDesign()); // it waits, and is told
        QCOMPARE(m_test->errors.size(), 2);
        QVERIFY(document().scenario() == before);
    }

    void unsavedChangesAreAskedAbout() {
        document().set("nodes.fpga.count", "3");
        m_test->answer = FilePrompts::Answer::Cancel;
        QVERIFY(!m_window->files()->newDesign());
        QCOMPARE(m_test->asked.size(), 1);
        QVERIFY(!document().scenario().nodes.empty());
        QVERIFY(!m_window->close());
        QCOMPARE(m_test->asked.size(), 2);
        m_test->answer = FilePrompts::Answer::Save;
        m_test->savePath = m_test->folder.filePath(QStringLiteral("kept"));
        QVERIFY(m_window->files()->newDesign());
        QVERIFY(QFile::exists(m_test->folder.filePath(QStringLiteral("kept.hscape"))));
        QVERIFY(document().scenario().nodes.empty());
        QVERIFY(m_window->files()->openPreset(kFilePreset)); // nothing to lose: no question
        QCOMPARE(m_test->asked.size(), 3);
        document().set("nodes.fpga.count", "3");
        m_test->answer = FilePrompts::Answer::Discard;
        QVERIFY(m_window->files()->openPreset("glitches/v100s-7u280"));
        QCOMPARE(m_test->asked.size(), 4);
    }

    void aCancelledSaveIsNotADiscard() {
        document().set("nodes.fpga.count", "3");
        m_test->answer = FilePrompts::Answer::Save;
        m_test->savePath.clear();
        const auto before = document().scenario();
        QVERIFY(!m_window->files()->newDesign());
        QVERIFY(document().scenario() == before);
    }

    void savesAndOpensAFile() {
        m_test->savePath = m_test->folder.filePath(QStringLiteral("mine.hscape"));
        document().set("nodes.fpga.count", "3");
        QTest::keyClick(m_window, Qt::Key_S, Qt::ControlModifier);
        QTRY_VERIFY(!document().isModified());
        QVERIFY(m_window->windowTitle().contains(QStringLiteral("mine.hscape")));
        m_window->files()->newDesign();
        m_test->openPath = m_test->savePath;
        QTest::keyClick(m_window, Qt::Key_O, Qt::ControlModifier);
        QCOMPARE(document().scenario().findNode(engine::NodeId{"fpga"})->count.value, 3.0);
        QCOMPARE(document().path(), m_test->savePath);
    }

    void aFileThatSomebodyElseSavedIsAskedAbout() {
        const auto path = m_test->folder.filePath(QStringLiteral("shared.hscape"));
        saveAndWait(document(), path);
        Document other(m_window->document()->sharedCatalog()); // as another process
        other.openFile(path);
        other.set("nodes.fpga.count", "5");
        saveAndWait(other, path);
        const auto theirs = engine::readFile(path.toStdString());
        document().set("nodes.fpga.count", "3");
        m_test->replace = FilePrompts::Replace::Cancel;
        QVERIFY(!save());
        QCOMPARE(m_test->replaced, QStringList{path});
        QCOMPARE(engine::readFile(path.toStdString()), theirs);
        QVERIFY(document().isModified());
        m_test->replace = FilePrompts::Replace::SaveAs;
        m_test->savePath = m_test->folder.filePath(QStringLiteral("mine too.hscape"));
        QVERIFY(save());
        QCOMPARE(engine::readFile(path.toStdString()), theirs);
        QCOMPARE(document().path(), m_test->savePath);
        QVERIFY(save()); // its own file now: no question
        QCOMPARE(m_test->replaced.size(), 2);
        m_window->files()->openPath(path);
        other.set("nodes.fpga.count", "6");
        saveAndWait(other, path);
        document().set("nodes.fpga.count", "4");
        m_test->replace = FilePrompts::Replace::Overwrite;
        QVERIFY(save());
        QCOMPARE(m_test->replaced.size(), 3);
        QVERIFY(engine::readFile(path.toStdString()) != theirs);
        QFile::remove(path); // nothing that could be lost
        document().set("nodes.fpga.count", "2");
        QVERIFY(save());
        QCOMPARE(m_test->replaced.size(), 3);
    }

    void aTruncatedFileKeepsTheDesignAndSaysWhy() {
        const auto path = m_test->folder.filePath(QStringLiteral("cut.hscape"));
        saveAndWait(document(), path);
        const auto text = engine::readFile(path.toStdString());
        engine::writeFileAtomically(path.toStdString(), text.substr(0, text.size() / 2));
        const auto before = document().scenario();
        QVERIFY(!m_window->files()->openPath(path));
        QVERIFY(document().scenario() == before);
        QCOMPARE(m_test->errors.size(), 1);
        QVERIFY2(m_test->errors.first().contains(QStringLiteral("cut.hscape")),
                 qPrintable(m_test->errors.first()));
    }

    void aDroppedDesignOpens() {
        const auto path = m_test->folder.filePath(QStringLiteral("dropped.hscape"));
        document().set("nodes.fpga.count", "2");
        saveAndWait(document(), path);
        m_window->files()->newDesign();
        QVERIFY(dropFiles(m_window, {path}, child<TopBar>(m_window)->rect().center()));
        QCOMPARE(document().path(), path);
    }

    void aDroppedConfigBecomesTheModel() {
        const auto path =
            writeFile(m_test->file("config.json"),
                      R"({"model_type": "qwen2", "_name_or_path": "Qwen/Own-7B", "hidden_size": 3584,
                       "intermediate_size": 18944, "num_attention_heads": 28, "num_key_value_heads": 4,
                       "num_hidden_layers": 28, "vocab_size": 152064})");
        const auto before = document().scenario().model.id;
        QVERIFY(dropFiles(m_window, {path}));
        QCOMPARE(document().scenario().model.id, std::string("own-7b"));
        QCOMPARE(document().scenario().model.kvHeads.value, 4.0);
        document().undoStack()->undo();
        QCOMPARE(document().scenario().model.id, before);

        writeFile(path, R"({"model_type": "mamba"})");
        QVERIFY(!m_window->files()->importModelFrom(path));
        QCOMPARE(m_test->errors.size(), 1);
        QVERIFY(m_test->errors.first().contains(QStringLiteral("mamba")));
        QCOMPARE(document().scenario().model.id, before);
    }

    void thePictureOfTheSystemIsLight() {
        Theme::instance().setMode(ThemeMode::Dark);
        for (const auto* suffix : {"png", "svg", "pdf"}) {
            const auto path =
                m_test->folder.filePath(QStringLiteral("system.") + QString::fromLatin1(suffix));
            exportCanvas(*m_window->canvas(), path);
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        QVERIFY(Theme::instance().isDark());
        const QImage picture(m_test->folder.filePath(QStringLiteral("system.png")));
        QVERIFY(picture.width() > 400);
        QVERIFY(picture.pixelColor(1, 1).lightness() > 200);
        Theme::instance().setMode(ThemeMode::Light);
    }
};

WIDGET_TEST(FileFlowTest)
#include "file_flow_test.moc"
