// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/parts_flow.h"

#include "part_window.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/parts/device_editor.h"
#include "widgets/parts/part_dialog.h"
#include "widgets/parts/quantity_entry.h"
#include "widgets/window/command_registry.h"
#include "widgets/window/status_line.h"

#include <QCheckBox>
#include <QClipboard>
#include <QPushButton>
#include <QRadioButton>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

constexpr auto kConfig = R"({"model_type": "qwen2", "_name_or_path": "Qwen/Own-7B", "hidden_size": 3584,
    "intermediate_size": 18944, "num_attention_heads": 28, "num_key_value_heads": 4,
    "num_hidden_layers": 28, "vocab_size": 152064, "tie_word_embeddings": false})";

} // namespace

/// Own workloads, models by import, and what choosing a part of the palette does.
class PartsFlowTest : public PartFixture {
    Q_OBJECT

    void tick(QAbstractButton* button) {
        QTest::mouseClick(button, Qt::LeftButton, {}, QPoint(8, button->height() / 2));
    }

private slots:
    void aWorkloadOfOnesOwn() {
        const auto before = m_at->scenario().workload;
        auto* editor = m_at->window->parts()->newWorkload();
        replaceText(child<QLineEdit>(editor, "name"), "Long chats");
        QCOMPARE(editor->id(), std::string("long-chats"));
        replaceText(editor->entry("prompt_tokens")->value(), "0");
        QVERIFY(!editor->entry("prompt_tokens")->problem().isEmpty());
        QVERIFY(!okOf(editor)->isEnabled());
        replaceText(editor->entry("prompt_tokens")->value(), "");
        QVERIFY(editor->entry("prompt_tokens")->problem().contains("must be set"));
        replaceText(editor->entry("prompt_tokens")->value(), "20000");
        replaceText(editor->entry("output_tokens")->value(), "1.5");
        QVERIFY(!okOf(editor)->isEnabled());
        replaceText(editor->entry("output_tokens")->value(), "700");
        replaceText(editor->entry("batch")->value(), "4");
        QVERIFY(child<QCheckBox>(editor, "use")->isChecked());
        press(okOf(editor));
        QCOMPARE(m_at->library->parts().workloads.size(), std::size_t{1});
        QCOMPARE(m_at->scenario().workload.promptTokens.value, 20000.0);
        QCOMPARE(m_at->scenario().workload.batch.value, 4.0);
        QCOMPARE(m_at->row("long-chats")->detail, QString("4 \u00d7 20,000 \u2192 700 tokens"));
        m_at->document().undoStack()->undo();
        QCOMPARE(m_at->scenario().workload, before);
        QVERIFY(m_at->row("long-chats")); // the library is no part of the design
    }

    void aWorkloadWithoutABatchKeepsTheDesigns() {
        QVERIFY(m_at->document().set("workload.batch", "12"));
        auto* editor = m_at->window->parts()->newWorkload();
        replaceText(editor->entry("batch")->value(), "");
        QVERIFY(okOf(editor)->isEnabled());
        tick(child<QRadioButton>(editor, "inDesign"));
        press(okOf(editor));
        QVERIFY(!m_at->scenario().own.workloads.front().batch.isSet());
        QCOMPARE(m_at->scenario().workload.batch.value, 12.0);
    }

    void pastingAConfigServesIt() {
        const auto before = m_at->scenario().model;
        QApplication::clipboard()->setText(kConfig);
        m_at->list().setFocus();
        QTest::keyClick(&m_at->list(), Qt::Key_V, Qt::ControlModifier);
        QCOMPARE(m_at->scenario().model.id, std::string("own-7b"));
        QVERIFY(m_at->row("own-7b")->origin == PartOrigin::Design);
        auto* summary = m_at->window->findChild<ModelSummary*>();
        QVERIFY(summary);
        QVERIFY(summary->isVisible());
        QVERIFY(summary->facts().contains("Layers: 28"));
        QVERIFY(summary->facts().contains("Parameters: 7.62 B"));
        QVERIFY(summary->facts().join('\n').contains("28 for queries, 4 for keys and values, 128 elements"));
        // Undo takes part and model back at once.
        m_at->document().undoStack()->undo();
        QCOMPARE(m_at->scenario().model, before);
        QVERIFY(m_at->scenario().own.empty());
        m_at->document().undoStack()->redo();

        replaceText(child<QLineEdit>(summary, "name"), "Qwen of mine");
        tick(child<QRadioButton>(summary, "inLibrary"));
        press(okOf(summary));
        QCOMPARE(m_at->library->parts().models.front().name, std::string("Qwen of mine"));
        QCOMPARE(m_at->scenario().model.name, std::string("Qwen of mine"));
        QVERIFY(m_at->row("own-7b")->origin == PartOrigin::Library);

        // The same again replaces it.
        QVERIFY(m_at->window->parts()->pasteModel());
        QCOMPARE(m_at->scenario().model.id, std::string("own-7b"));
    }

    void aShippedModelStaysBesideAnImportOfItsName() {
        QApplication::clipboard()->setText(QString(kConfig).replace("Own-7B", "Llama2-7B"));
        QVERIFY(m_at->window->parts()->pasteModel());
        QVERIFY(m_at->scenario().model.id != "llama2-7b");
        QVERIFY(m_at->row("llama2-7b")->origin == PartOrigin::Shipped);
    }

    void badPastesSayWhatToDoAndChangeNothing_data() {
        QTest::addColumn<QString>("text");
        QTest::addColumn<QString>("said");
        QTest::newRow("no text") << "  "
                                 << "Copy the text";
        QTest::newRow("no json") << "hello"
                                 << "clipboard";
        QTest::newRow("key missing") << QString(kConfig).remove("\"num_hidden_layers\": 28,")
                                     << "num_hidden_layers";
        QTest::newRow("wrong kind") << QString(kConfig).replace("3584", "\"wide\"") << "hidden_size";
        QTest::newRow("architecture") << R"({"model_type": "mamba"})"
                                      << "mamba";
    }
    void badPastesSayWhatToDoAndChangeNothing() {
        QFETCH(QString, text);
        QFETCH(QString, said);
        const auto before = m_at->scenario();
        QApplication::clipboard()->setText(text);
        auto* action = m_at->window->commands()->action("part.pasteModel");
        action->trigger();
        QCOMPARE(m_at->errors.size(), 1);
        QVERIFY2(m_at->errors.front().contains(said), qPrintable(m_at->errors.front()));
        QVERIFY(m_at->scenario() == before);
        QVERIFY(!m_at->document().isModified());
        QVERIFY(!m_at->window->findChild<ModelSummary*>());
    }

    void aFileDroppedOnThePaletteIsImported() {
        const auto path = writeFile(m_at->file("config.json"), kConfig);
        // The palette takes no drops, so the window below it gets them.
        const auto place = child<PalettePanel>(m_at->window)->mapTo(m_at->window.get(), QPoint(100, 200));
        QVERIFY(!child<PalettePanel>(m_at->window)->acceptDrops());
        QVERIFY(dropFiles(m_at->window.get(), {path}, place));
        QCOMPARE(m_at->scenario().model.id, std::string("own-7b"));
        QVERIFY(m_at->window->findChild<ModelSummary*>());
    }

    void choosingModelAndWorkloadServesThem() {
        m_at->choose("llama3-70b models");
        QCOMPARE(m_at->scenario().model.id, std::string("llama3-70b"));
        QVERIFY(m_at->document().set("workload.batch", "3"));
        m_at->choose("64k sequence");
        QCOMPARE(m_at->scenario().workload.id, std::string("s64k"));
        QCOMPARE(m_at->scenario().workload.batch.value, 3.0);
        QVERIFY(child<StatusLine>(m_at->window)->currentMessage().contains("served"));
        m_at->document().undoStack()->undo();
        m_at->document().undoStack()->undo();
        m_at->document().undoStack()->undo();
        QVERIFY(m_at->scenario().model.id != "llama3-70b");
    }

    void layoutsActOnTheSelectedAccelerators() {
        m_at->choose("tensor parallel layout");
        QVERIFY(child<StatusLine>(m_at->window)->currentMessage().contains("place an accelerator"));
        QVERIFY(m_at->document().undoStack()->count() == 0);
        m_at->choose("A100 80GB");
        m_at->choose("H100 SXM");
        const auto first = m_at->scenario().nodes[0].id;
        const auto second = m_at->scenario().nodes[1].id;
        QVERIFY(m_at->document().set("nodes." + first.value + ".count", "4"));
        m_at->document().select({});
        m_at->choose("tensor parallel layout");
        QVERIFY(child<StatusLine>(m_at->window)->currentMessage().contains("select the accelerators"));
        QVERIFY(!m_at->scenario().nodes[0].replicas.isSet());
        m_at->document().select({{first, second}, {}});
        m_at->choose("tensor parallel layout");
        QCOMPARE(m_at->scenario().nodes[0].replicas.value, 1.0);
        QCOMPARE(m_at->scenario().nodes[1].replicas.value, 1.0);
        m_at->document().undoStack()->undo(); // one step
        QVERIFY(!m_at->scenario().nodes[0].replicas.isSet());
        QVERIFY(!m_at->scenario().nodes[1].replicas.isSet());
        m_at->document().undoStack()->redo();
        m_at->document().select({{first}, {}});
        m_at->choose("replicated layout");
        QVERIFY(!m_at->scenario().nodes[0].replicas.isSet());
        QCOMPARE(m_at->scenario().nodes[1].replicas.value, 1.0);
    }

    void removingFromTheDesignIsUndone() {
        QVERIFY(m_at->document().perform(engine::PutPart{shippedCatalog()->model("llama2-7b", "test")}));
        QVERIFY(m_at->row("llama2-7b")->origin == PartOrigin::Design);
        m_at->window->parts()->removePart({PartKind::Model, "llama2-7b"});
        QVERIFY(m_at->row("llama2-7b")->origin == PartOrigin::Shipped);
        m_at->document().undoStack()->undo();
        QVERIFY(m_at->row("llama2-7b")->origin == PartOrigin::Design);
    }
};

WIDGET_TEST(PartsFlowTest)
#include "parts_flow_test.moc"
