// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/scenario/scenario_json.h"
#include "tests/engine/random_edits.h"
#include "tests/rounds.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/document/document.h"

#include <QTest>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {} // namespace

/// Random edits through the document and its undo stack, as people make them: what stands there is what the
/// steps say, every step back is exact, and what is drawn follows.
class RandomEditsTest : public QObject {
    Q_OBJECT

    /// Edits, undoes and redoes; keeps the text of the design after each step that is on the stack.
    void walk(Document& document, int steps, const std::function<void()>& after) {
        engine::test::RandomEdits edits(*shippedCatalog(), 7);
        auto* stack = document.undoStack();
        std::vector<std::size_t> hashes{hashOf(document)};
        int refused = 0;
        for (int i = 0; i < steps; ++i) {
            if (stack->canUndo() && edits.chance(0.3))
                stack->undo();
            else if (stack->canRedo() && edits.chance(0.4))
                stack->redo();
            else {
                const auto index = static_cast<std::size_t>(stack->index());
                const auto before = hashes[index];
                if (!document.perform(edits.next(document.scenario(), 8))) {
                    ++refused;
                    QCOMPARE(hashOf(document), before);
                } else if (static_cast<std::size_t>(stack->index()) > index) {
                    hashes.resize(index + 1);
                    hashes.push_back(hashOf(document));
                }
            }
            QCOMPARE(hashOf(document), hashes[static_cast<std::size_t>(stack->index())]);
            QVERIFY(!stack->canUndo() || !stack->undoText().isEmpty());
            after();
        }
        QVERIFY(refused > steps / 100);
        const auto end = engine::scenarioText(document.scenario());
        stack->setIndex(0);
        QCOMPARE(hashOf(document), hashes.front());
        stack->setIndex(stack->count());
        stack->setIndex(static_cast<int>(hashes.size()) - 1);
        QCOMPARE(hashOf(document), hashes.back());
        QVERIFY(!end.empty());
    }

    static std::size_t hashOf(const Document& document) {
        return std::hash<std::string>()(engine::scenarioText(document.scenario()));
    }

private slots:
    void theDocumentIsWhatItsStepsSay() {
        Document document(shippedCatalog());
        document.openPreset("glitches/a100-7u280");
        walk(document, engine::test::rounds(10000), [] {});
    }

    void theCanvasFollows() {
        Document document(shippedCatalog());
        document.openPreset("inf2/opt-30b-a100-16csd");
        CanvasView view(document);
        view.resize(900, 600);
        view.show();
        walk(document, engine::test::rounds(1500), [&] {
            QCOMPARE(view.canvasScene().nodes().size(), document.scenario().nodes.size());
            QCOMPARE(view.canvasScene().linkCount(), document.scenario().links.size());
            for (const auto& node : document.scenario().nodes)
                QCOMPARE(view.canvasScene().nodeItem(node.id)->pos(),
                         QPointF(node.position.x, node.position.y));
            view.viewport()->grab();
        });
    }
};

WIDGET_TEST(RandomEditsTest)
#include "random_edits_test.moc"
