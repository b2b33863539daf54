// SPDX-License-Identifier: GPL-3.0-or-later
// Calibration to one's own measurements through the program's window.
#include "engine/evaluation/evaluate.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "engine/validation/row_detail.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/calibration/calibrate_dialog.h"
#include "widgets/calibration/constants_tree.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/document/remedy_finder.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/window/command_registry.h"

#include <QPushButton>

#include <cmath>
#include <sstream>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

const std::string kHeader = "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,"
                            "kv_dtype,window,ranks,bytes,measured_us\n";

/// GEMMs of a GPU that starts kernels slower and reaches less of its memory than the shipped constants say.
QByteArray slowerGemms() {
    auto kernels = engine::shippedKernels();
    for (auto& row : kernels.gemm.rows) {
        row.constants.launch *= 1.6;
        row.constants.memoryShare *= 0.8;
    }
    std::string rows;
    for (const int m : {1, 8, 64, 256, 1024, 4096, 16384})
        for (const int n : {1024, 4096, 10240})
            for (const int k : {2048, 8192})
                rows += "h100_sxm,vllm,1,gemm,bfloat16," + std::to_string(m) + "," + std::to_string(n) + "," +
                        std::to_string(k) + ",,,,,,,,,,1\n";
    std::istringstream in(kHeader + rows);
    const auto table = engine::parseMeasured(in, "shapes");
    std::string text = kHeader;
    int ordinal = 0;
    for (const auto& row : table.rows) {
        const double scatter =
            1.0 + 0.02 * ((++ordinal * 7) % 11 - 5) / 5.0; // of a measurement: 2 % either way
        text += "h100_sxm,vllm,1,gemm,bfloat16," + std::string(row.text("m")) + "," +
                std::string(row.text("n")) + "," + std::string(row.text("k")) + ",,,,,,,,,," +
                engine::exactText(scatter * engine::predictRow(kernels, row).us) + "\n";
    }
    return QByteArray::fromStdString(text);
}

} // namespace

class CalibrateDialogTest : public WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    QString fileOf(const QString& name, const QByteArray& text) {
        return writeFile(m_folder.filePath(name), text);
    }
    CalibrateDialog* dialog() const { return m_window->findChild<CalibrateDialog*>(); }
    void open(const char* preset) {
        present(m_window);
        document().openPreset(preset);
        m_window->commands()->action(QStringLiteral("study.calibrate"))->trigger();
        QTRY_VERIFY(dialog() && dialog()->isVisible());
    }
    void drop(const QString& path) const { QVERIFY(dropFiles(dialog(), {path})); }
    void fitted() const { QTRY_VERIFY_WITH_TIMEOUT(dialog()->outcome() && !dialog()->isBusy(), 60000); }
    const CalibratedConstant* constant(const char* symbol) const {
        auto* tree = child<ConstantsTree>(dialog());
        for (const auto& one : dialog()->outcome()->constants) {
            const auto* item =
                tree->topLevelItem(static_cast<int>(one.group))->child(static_cast<int>(one.constant));
            if (item->text(ConstantsTree::Name).endsWith(QLatin1String(symbol)))
                return &one;
        }
        return nullptr;
    }
    QTreeWidgetItem* item(const char* symbol) const {
        auto* tree = child<ConstantsTree>(dialog());
        for (int i = 0; i < tree->topLevelItem(0)->childCount(); ++i)
            if (tree->topLevelItem(0)->child(i)->text(ConstantsTree::Name).endsWith(QLatin1String(symbol)))
                return tree->topLevelItem(0)->child(i);
        return nullptr;
    }

private slots:
    void constantsAreRecoveredAcceptedAndUndone() {
        open("preserve/llama3-70b-8h100");
        const auto node = "nodes." + document().scenario().nodes.front().id.value;
        QVERIFY(
            document().set(node + ".device", "h100-sxm")); // the paper's own is not one of measured kernels
        QVERIFY(document().set(node + ".runtime", "vllm"));
        const auto before = document().scenario();
        drop(fileOf(QStringLiteral("mine.csv"), slowerGemms()));
        fitted();
        const auto& outcome = *dialog()->outcome();
        // The rows are the model's own, with other constants: these are found again.
        const auto kernels = engine::shippedKernels();
        const auto& shipped = kernels.gemm.require({"hopper", "vllm", "bfloat16"}).constants;
        const auto *launch = constant("t_launch"), *memory = constant("e_m");
        QVERIFY(launch && memory);
        QVERIFY2(std::abs(launch->value - 1.6 * shipped.launch) < 3 * launch->error,
                 qPrintable(QString::number(launch->value)));
        QVERIFY(launch->error < 0.05 * launch->value);
        QVERIFY(std::abs(memory->value - 0.8 * shipped.memoryShare) < 3 * memory->error);
        QVERIFY(memory->error < 0.05 * memory->value);
        QVERIFY(outcome.fittedBefore.medianPercent > 5.0);
        QVERIFY(outcome.fittedAfter.medianPercent < 2.0);
        QVERIFY(outcome.heldAfter.rows > 0 && outcome.heldAfter.medianPercent < 2.5);
        QCOMPARE(outcome.points.size(), std::size_t{42});
        QVERIFY(outcome.says.startsWith(QStringLiteral("calibrated on mine.csv")));
        QVERIFY(child<PlotView>(dialog())->chart().cloud->points->x.size() == 84); // before and after
        QVERIFY(item("t_launch")->text(ConstantsTree::Fitted).contains(QStringLiteral("±")));
        QCOMPARE(document().scenario(), before); // not yet accepted

        const int steps = document().undoStack()->count();
        QTest::mouseClick(child<QPushButton>(dialog(), "accept"), Qt::LeftButton);
        QVERIFY2(!dialog()->isVisible(), qPrintable(child<NoticeBar>(dialog())->text()));
        QTRY_VERIFY(!dialog());
        QCOMPARE(document().undoStack()->count(), steps + 1);
        const auto& runtime = document().scenario().nodes.front().runtime;
        QVERIFY(runtime && runtime->ownKernels);
        QVERIFY(runtime->ownKernels->text().starts_with("calibrated on mine.csv"));
        settle();
        auto& sure = ExpectedErrorFinder::of(document());
        QTRY_VERIFY_WITH_TIMEOUT(!sure.note(engine::Metric::TimePerToken).isEmpty(), 30000);
        QVERIFY(sure.tip(engine::Metric::TimePerToken).contains(QStringLiteral("alibrated on mine.csv")));
        document().undoStack()->undo();
        QCOMPARE(document().scenario(), before);
    }

    void whatIsFittedAndItsBoundsAreChosen() {
        open("preserve/llama3-70b-8h100");
        drop(fileOf(QStringLiteral("mine.csv"), slowerGemms()));
        fitted();
        item("t_launch")->setCheckState(ConstantsTree::Name, Qt::Unchecked);
        fitted();
        QVERIFY(!constant("t_launch"));
        QCOMPARE(item("t_launch")->text(ConstantsTree::Fitted), QStringLiteral("kept"));
        item("e_m")->setText(ConstantsTree::Bounds, QStringLiteral("0.01 to 0.2"));
        fitted();
        QVERIFY(constant("e_m"));
        QVERIFY(constant("e_m")->standing == engine::Standing::AtBound);
        QVERIFY(std::abs(constant("e_m")->value - 0.2) < 1e-6);
        item("e_m")->setText(ConstantsTree::Bounds, QStringLiteral("wide"));
        QVERIFY(child<NoticeBar>(dialog())->isVisible());
        fitted();
        QVERIFY(constant("e_m")->standing != engine::Standing::AtBound);
        // Nothing is accepted of what was cancelled.
        const auto before = document().scenario();
        dialog()->reject();
        QTRY_VERIFY(!dialog());
        QCOMPARE(document().scenario(), before);
    }

    void hostileFilesAreRefusedByName_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("told");
        const auto row = [](const char* m, const char* us) {
            return QByteArray::fromStdString(kHeader) + "h100_sxm,vllm,1,gemm,bfloat16," + m +
                   ",1024,1024,,,,,,,,,," + us + "\n";
        };
        QTest::newRow("one row") << row("64", "20") << QStringLiteral("bad.csv:2");
        QTest::newRow("text") << row("x", "20") << QStringLiteral("column m");
        QTest::newRow("zero") << row("64", "0") << QStringLiteral("out of range");
        QTest::newRow("no columns") << QByteArray("a,b\n1,2\n") << QStringLiteral("bad.csv");
        QTest::newRow("a setting that is none")
            << QByteArray("workload.colour,tpot_s\n4,0.01\n5,0.02\n6,0.03\n")
            << QStringLiteral("workload.colour");
    }
    void hostileFilesAreRefusedByName() {
        QFETCH(QByteArray, text);
        QFETCH(QString, told);
        open("preserve/llama3-70b-8h100");
        drop(fileOf(QStringLiteral("bad.csv"), text));
        QTRY_VERIFY_WITH_TIMEOUT(child<NoticeBar>(dialog())->isVisible(), 30000);
        QVERIFY2(child<NoticeBar>(dialog())->text().contains(told),
                 qPrintable(child<NoticeBar>(dialog())->text()));
        QTRY_VERIFY(!dialog()->isBusy());
        QVERIFY(!dialog()->outcome());
        QVERIFY(!child<QPushButton>(dialog(), "accept")->isEnabled());
    }

    void quantitiesOfTheDesignAreFittedToServedTimes() {
        open("preserve/llama3-70b-8h100");
        // Times of the same design, whose decode reaches four fifths of the memory that it is thought to
        // reach.
        auto design = document().scenario();
        const std::string path =
            "nodes." + design.nodes.front().id.value + ".timing.decode.memory_efficiency";
        const double share = engine::resolveQuantity(design, path).in(design).value;
        QByteArray csv = "workload.batch,tpot_s\n";
        for (const double batch : {1.0, 2.0, 4.0, 8.0, 12.0, 16.0}) {
            auto slower = design;
            engine::resolveQuantity(slower, path).access(slower).value = 0.8 * share;
            slower.workload.batch.value = batch;
            const auto evaluation = engine::evaluate(slower);
            QVERIFY2(evaluation.feasible, evaluation.reason.c_str());
            csv += QByteArray::number(batch) + "," +
                   QByteArray::fromStdString(
                       engine::exactText(evaluation.metric(engine::Metric::TimePerToken))) +
                   "\n";
        }
        drop(fileOf(QStringLiteral("served.csv"), csv));
        QTRY_VERIFY_WITH_TIMEOUT(
            !dialog()->isBusy() && child<ConstantsTree>(dialog())->topLevelItemCount() == 1, 60000);
        auto* top = child<ConstantsTree>(dialog())->topLevelItem(0);
        for (int i = 0; i < top->childCount(); ++i)
            top->child(i)->setCheckState(
                ConstantsTree::Name,
                top->child(i)->text(0) == QString::fromStdString(path) ? Qt::Checked : Qt::Unchecked);
        fitted();
        QCOMPARE(dialog()->outcome()->constants.size(), std::size_t{1});
        const double found = dialog()->outcome()->constants.front().value;
        QVERIFY2(std::abs(found / (0.8 * share) - 1) < 1e-3, qPrintable(QString::number(found / share)));
        QTest::mouseClick(child<QPushButton>(dialog(), "accept"), Qt::LeftButton);
        QTRY_VERIFY(!dialog());
        const auto& quantity = engine::resolveQuantity(document().scenario(), path).in(document().scenario());
        QCOMPARE(quantity.provenance, engine::Provenance::Calibrated);
        QVERIFY(quantity.source.str().starts_with("calibrated on served.csv"));
        document().undoStack()->undo();
        QCOMPARE(document().scenario(), design);
    }
};

WIDGET_TEST(CalibrateDialogTest)
#include "calibrate_dialog_test.moc"
