// SPDX-License-Identifier: GPL-3.0-or-later
// The page of measured times through the program's window.
#include "engine/validation/validation.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "tests/widgets/window/window_fixture.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/validation/filter_panel.h"
#include "widgets/validation/kernel_panel.h"
#include "widgets/validation/measured_tables.h"
#include "widgets/validation/validation_charts.h"
#include "widgets/validation/validation_page.h"
#include "widgets/window/bottom_dock.h"
#include "widgets/window/command_registry.h"

#include <QCheckBox>
#include <QClipboard>
#include <QComboBox>
#include <QLabel>
#include <QPlainTextEdit>
#include <QPushButton>
#include <QTableView>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

namespace {

const QByteArray kHeader = "device,framework,version,op,precision,m,n,k,batch,seq,heads,kv_heads,head_dim,"
                           "kv_dtype,window,ranks,bytes,measured_us\n";

} // namespace

class ValidationPageTest : public WindowFixture {
    Q_OBJECT

    QTemporaryDir m_folder;

    CompareWorkspace* compare() const { return m_window->findChild<CompareWorkspace*>(); }
    ValidationPage* page() const { return compare()->validationPage(); }
    std::size_t shown() const { return page()->view() ? page()->view()->rows.size() : 0; }
    QString fileOf(const QString& name, const QByteArray& text) {
        return writeFile(m_folder.filePath(name), text);
    }
    QPushButton* button(const QString& text) const { return buttonSaying(compare(), text); }
    QComboBox* combo(const QString& name) const {
        for (auto* found : page()->findChildren<QComboBox*>())
            if (found->accessibleName() == name)
                return found;
        return nullptr;
    }
    void open() {
        present(m_window);
        m_window->commands()->action(QStringLiteral("study.measured"))->trigger();
        QTRY_VERIFY_WITH_TIMEOUT(shown() > 0 && !page()->isBusy(), 60000);
    }
    void settled() const { QTRY_VERIFY_WITH_TIMEOUT(!page()->isBusy(), 60000); }
    void drop(const QString& path) const { QVERIFY(dropFiles(page(), {path})); }

public:
    ValidationPageTest() { share("whatIsWrongWithAFileIsToldByLineAndColumn"); }

private slots:
    void theShippedKernelsHaveTheErrorsOfTheCommandLine() {
        open();
        QCOMPARE(compare()->page(), CompareWorkspace::Page::Measured);
        const auto table =
            engine::readMeasured(std::string(heteroscape::places::kPresetsFolder) + "/measured/kernels.csv");
        QCOMPARE(shown(), table.rows.size());
        const std::vector<engine::MeasuredTable> tables{table};
        const auto rows = engine::validateKernels(engine::shippedKernels(), tables);
        const std::vector<std::string> byOp{"op"};
        for (const auto& group : engine::groupErrors(rows, byOp)) {
            const auto& groups = page()->view()->groups;
            const auto found = std::find_if(groups.begin(), groups.end(), [&](const ErrorGroup& one) {
                return one.label == group.labels.front();
            });
            QVERIFY(found != groups.end());
            QCOMPARE(found->rows, group.rows);
            QVERIFY(std::abs(found->median - group.medianPercent) < 1e-9);
            QVERIFY(std::abs(found->p90 - group.p90Percent) < 1e-9);
            QVERIFY(std::abs(found->bias - group.biasPercent) < 1e-9);
            QVERIFY(std::abs(found->roofline - group.rooflinePercent) < 1e-9);
        }
        // The worst stands first; the last row is of all.
        auto* groups = page()->findChild<ErrorGroupModel*>();
        QCOMPARE(groups->index(0, 0).data().toString(), QStringLiteral("Attention, decode"));
        QCOMPARE(groups->index(groups->rowCount() - 1, 0).data().toString(), QStringLiteral("All"));
        std::size_t sum = 0;
        for (const auto rowsIn : page()->view()->bins)
            sum += rowsIn;
        QCOMPARE(sum, shown());
        // Beside the bars a plain roofline, which is off by far more.
        const auto& errors = child<PlotView>(page(), "errors")->chart();
        QCOMPARE(errors.lines.size(), std::size_t{1});
        double roofline = 0;
        for (const double rowsIn : errors.lines.front().y)
            roofline += rowsIn;
        QCOMPARE(roofline, static_cast<double>(shown()));
        QVERIFY(page()->view()->all.roofline > 5 * page()->view()->all.median);
    }

    void thePublishedRunThatIsNearestIsAClickAway() {
        present(m_window);
        document().openPreset("served/gpt-oss-120b-h100");
        QVERIFY(document().set("serving.arrivals", "closed_loop"));
        auto* bottom = m_window->findChild<BottomDock*>();
        bottom->showPage(BottomDock::Page::Latency);
        auto* words = child<QLabel>(bottom, "publishedRun");
        QTRY_VERIFY_WITH_TIMEOUT(words->isVisible(), 60000);
        QVERIFY(words->text().contains(QStringLiteral("ms a token measured")));
        QVERIFY(words->text().contains(QStringLiteral("GPUs, here 1")));
        click(child<QPushButton>(bottom, "showPublishedRun"));
        QCOMPARE(compare()->page(), CompareWorkspace::Page::Measured);
        QTRY_VERIFY_WITH_TIMEOUT(shown() > 500, 60000); // servers
        auto* opened = child<QPushButton>(page()->findChild<KernelPanel*>(), "openServedDesign");
        QTRY_VERIFY_WITH_TIMEOUT(opened->isVisible(), 60000);
        // Of a design without a server there is none.
        document().openPreset("glitches/a100-7u280");
        m_window->setWorkspace(Workspace::Design);
        QVERIFY(document().set("serving.arrivals", "backlog"));
        QTRY_VERIFY_WITH_TIMEOUT(!words->isVisible(), 60000);
    }

    void aSourceIsPutInAndOut() {
        open();
        const auto kernels = shown();
        for (const auto& [name, rows] : {std::pair{"Experts and latent attention", std::size_t{2458}},
                                         std::pair{"Measured by ourselves", std::size_t{143}}}) {
            auto* chip = compare()->findChild<QPushButton*>(QString::fromLatin1(name));
            QVERIFY(chip && !chip->isChecked());
            QTest::mouseClick(chip, Qt::LeftButton);
            settled();
            QCOMPARE(shown(), kernels + rows);
            QTest::mouseClick(chip, Qt::LeftButton);
            settled();
            QCOMPARE(shown(), kernels);
        }
    }

    void itIsColouredByWhateverTellsRowsApart() {
        open();
        auto* colour = combo(QStringLiteral("Colour by"));
        QCOMPARE(child<PlotView>(page(), "scatter")->chart().cloud->groups.size(), std::size_t{9});
        colour->setFocus();
        QTest::keyClick(colour, Qt::Key_Down);
        settled();
        const auto& cloud = *child<PlotView>(page(), "scatter")->chart().cloud;
        QCOMPARE(cloud.groups.size(), std::size_t{5}); // devices
        for (std::size_t i = 0; i < shown(); ++i) {
            const auto place = page()->view()->rows[i];
            const auto& label = page()->view()->chunkOf(place).label(MeasuredKey::Device, place.row);
            QCOMPARE(page()->view()->labels[1][cloud.groupOf(i)].first, label);
        }
        QVERIFY(!child<QCheckBox>(page(), "h100_sxm")->icon().isNull());
        QVERIFY(child<QCheckBox>(page(), "gemm")->icon().isNull());
    }

    void filtersLeaveOutAndComeBack() {
        open();
        const auto all = shown();
        auto* gemm = child<QCheckBox>(page(), "gemm");
        QTest::mouseClick(gemm, Qt::LeftButton, {}, {20, gemm->height() / 2});
        settled();
        QCOMPARE(shown(), all - 1300);
        QVERIFY(button(QStringLiteral("Clear filters")));
        QTest::mouseClick(button(QStringLiteral("Clear filters")), Qt::LeftButton);
        settled();
        QCOMPARE(shown(), all);
        QVERIFY(gemm->isChecked());
        // A click on a group keeps it alone; on "All" brings the others back.
        auto* model = page()->findChild<ErrorGroupModel*>();
        QTableView* table = nullptr;
        for (auto* one : page()->findChildren<QTableView*>())
            if (one->model() == model)
                table = one;
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(model->index(0, 0)).center());
        settled();
        QCOMPARE(shown(), std::size_t{618});
        QTest::mouseClick(table->viewport(), Qt::LeftButton, {},
                          table->visualRect(model->index(1, 0)).center());
        settled();
        QCOMPARE(shown(), all);
        auto nothing = page()->choice();
        for (const auto& [label, rows] : page()->view()->labels[0])
            nothing.off[0].insert(label);
        page()->setChoice(nothing);
        settled();
        QCOMPARE(shown(), std::size_t{0});
        QVERIFY(!child<PlotView>(page(), "scatter")->chart().emptyText.isEmpty());
    }

    void aPointOpensItsKernel() {
        open();
        auto* scatter = child<PlotView>(page(), "scatter");
        std::size_t at = 0; // one that can be hit: its neighbours are far from it
        for (std::size_t i = 0; i < shown(); ++i)
            if (std::abs(page()->view()->error(page()->view()->rows[i])) >
                std::abs(page()->view()->error(page()->view()->rows[at])))
                at = i;
        const ChartPoint point{0, static_cast<int>(at), ChartPoint::Kind::Cloud};
        const auto pixel = scatter->pixelOf(point).toPoint();
        auto* hit = scatter->childAt(pixel);
        QTest::mouseClick(hit ? hit : scatter, Qt::LeftButton, {},
                          hit ? hit->mapFrom(scatter, pixel) : pixel);
        QTRY_VERIFY(child<KernelPanel>(page())->detail());
        QVERIFY(scatter->selected());
        const auto index = static_cast<std::size_t>(scatter->selected()->index);
        const auto& detail = *child<KernelPanel>(page())->detail();
        QVERIFY(!detail.shape.empty());
        QVERIFY(!detail.shares.empty());
        QVERIFY(child<KernelPanel>(page())->plot()->chart().hasData());
        // Those like it.
        const auto place = page()->view()->rows[index];
        const auto kind = page()->view()->chunkOf(place).label(MeasuredKey::Kind, place.row);
        QTest::mouseClick(button(QStringLiteral("Show those like it")), Qt::LeftButton);
        settled();
        QVERIFY(shown() > 0);
        for (const auto one : page()->view()->rows)
            QCOMPARE(page()->view()->chunkOf(one).label(MeasuredKey::Kind, one.row), kind);
        QVERIFY(child<KernelPanel>(page())->detail()); // it is one of them
    }

    void picturesAndTablesAreExported() {
        open();
        for (const auto* suffix : {"png", "svg", "pdf", "csv"}) {
            const auto path = m_folder.filePath(QStringLiteral("measured.") + QString::fromLatin1(suffix));
            QVERIFY(page()->exportButton()->exportTo(path));
            QVERIFY(QFileInfo(path).size() > 1000);
        }
        const auto lines = bytesOf(m_folder.filePath(QStringLiteral("measured.csv"))).split('\n');
        QCOMPARE(lines.size(), qsizetype(shown()) + 2); // a header, and the end of the last line
        const auto cells = lines[1].split(',');
        QCOMPARE(cells.size(), qsizetype{11});
        const double measured = cells[7].toDouble(), predicted = cells[8].toDouble();
        QVERIFY(cells[9].toDouble() > 0); // the roofline's
        QCOMPARE(predicted / measured - 1.0, cells[10].toDouble());
        QVERIFY(QTest::qWaitForWindowExposed(m_window));
        QTest::mouseClick(button(QStringLiteral("Copy as CSV")), Qt::LeftButton);
        QVERIFY(QGuiApplication::clipboard()->text().startsWith(QStringLiteral("Kind,rows,median (%)")));
    }

    void ownRowsAreDroppedAndShownAlone() {
        open();
        drop(fileOf(QStringLiteral("mine.csv"),
                    kHeader + "h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n"
                              "h100_sxm,trtllm,1,gemm,bfloat16,128,10240,8192,,,,,,,,,,70\n"
                              "h900,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n"));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), std::size_t{2}, 30000);
        settled();
        QCOMPARE(page()->view()->unanswered.size(), std::size_t{1});
        QCOMPARE(page()->view()->unanswered.begin()->second.first, QStringLiteral("mine.csv:4"));
        QVERIFY(page()->ownFile().endsWith(QStringLiteral("mine.csv")));
        // Read again it takes the place of what was read before.
        drop(fileOf(QStringLiteral("mine.csv"),
                    kHeader + "h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n"));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), std::size_t{1}, 30000);
    }

    void metricsOfServersAreShownAsTimesOrSayWhyNot() {
        open();
        const QByteArray server = "H100-SXM,1,llama3-1-8b,bf16,tp1,vLLM,512,64,users 2,";
        drop(fileOf(QStringLiteral("metrics.csv"),
                    "device,count,model,weight_format,layout,framework,isl,osl,concurrency_or_batch,metric,"
                    "measured\n" +
                        server + "tpot_ms,7\n" + server + "output_tok_s,250\n" + server +
                        "power_w_gpu,500\n"));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), std::size_t{2}, 30000);
        settled();
        const auto& chunk = page()->view()->chunkOf(page()->view()->rows.front());
        QCOMPARE(chunk.measured[0], 7e-3);
        QCOMPARE(chunk.measured[1], 1.0 / 250);
        QVERIFY(page()->view()->unanswered.begin()->first.starts_with("power and energy"));
    }

    void aRowThatCannotBeReadIsLeftOutAndCounted() {
        open();
        drop(fileOf(QStringLiteral("torn.csv"),
                    kHeader + "h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,64\n"
                              "h100_sxm,trtllm,1,gemm,bfloat16,many,10240,8192,,,,,,,,,,70\n"
                              "h100_sxm,trtllm,1\n"
                              "h100_sxm,trtllm,1,gemm,bfloat16,128,10240,8192,,,,,,,,,,70\n"));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), std::size_t{2}, 30000);
        settled();
        QCOMPARE(child<NoticeBar>(page())->text(),
                 QStringLiteral("2 rows of torn.csv cannot be read and are left out, the first in line 3."));
        QTest::mouseClick(button(QStringLiteral("Show")), Qt::LeftButton);
        auto* list = page()->findChild<QPlainTextEdit*>();
        QTRY_VERIFY(list && list->isVisible());
        const auto lines = list->toPlainText().split(u'\n');
        QCOMPARE(lines.size(), qsizetype{2});
        QVERIFY(lines[0].contains(QStringLiteral("torn.csv:3: column m: \"many\" is not a number")));
        QVERIFY(lines[1].contains(QStringLiteral("torn.csv:4: 3 cells where the header has 18 columns")));
        list->window()->close();
    }

    void whatIsWrongWithAFileIsToldByLineAndColumn_data() {
        QTest::addColumn<QByteArray>("text");
        QTest::addColumn<QString>("told");
        QTest::newRow("text for a number")
            << QByteArray(kHeader + "h100_sxm,trtllm,1,gemm,bfloat16,many,10240,8192,,,,,,,,,,64\n")
            << QStringLiteral("bad.csv:2: column m");
        QTest::newRow("a time of zero")
            << QByteArray(kHeader + "h100_sxm,trtllm,1,gemm,bfloat16,64,10240,8192,,,,,,,,,,0\n")
            << QStringLiteral("measured_us");
        QTest::newRow("missing columns")
            << QByteArray("op,measured_us\ngemm,5\n") << QStringLiteral("columns are missing");
        QTest::newRow("another table")
            << QByteArray("name,price\na,5\n") << QStringLiteral("names no table of measured kernels");
        QTest::newRow("no rows") << kHeader << QStringLiteral("there is no row");
        QTest::newRow("nothing") << QByteArray() << QStringLiteral("bad.csv");
        QTest::newRow("noise") << QByteArray("\0\1\2\3<b>\xff\xfe", 9) << QStringLiteral("bad.csv");
    }
    void whatIsWrongWithAFileIsToldByLineAndColumn() {
        QFETCH(QByteArray, text);
        QFETCH(QString, told);
        open();
        const auto before = shown();
        child<NoticeBar>(page())->hide();
        drop(fileOf(QStringLiteral("bad.csv"), text));
        QTRY_VERIFY_WITH_TIMEOUT(child<NoticeBar>(page())->isVisible(), 30000);
        QVERIFY2(child<NoticeBar>(page())->text().contains(told),
                 qPrintable(child<NoticeBar>(page())->text()));
        settled();
        QCOMPARE(shown(), before); // what was there stays
    }

    void aLongTableIsShownBitByBitWithoutHoldingTheWindow() {
        open();
        QByteArray text = kHeader;
        for (int i = 0; i < 45000; ++i)
            text += "h100_sxm,trtllm,1,gemm,bfloat16," + QByteArray::number(1 + i % 4096) +
                    ",10240,8192,,,,,,,,,," + QByteArray::number(20 + i % 700) + '\n';
        drop(fileOf(QStringLiteral("long.csv"), text));
        QTRY_COMPARE_WITH_TIMEOUT(shown(), std::size_t{45000}, 60000);
        settled();
        std::size_t chunks = 0;
        for (const auto& chunk : page()->view()->chunks)
            chunks += chunk->source == QStringLiteral("long.csv") ? 1 : 0;
        QCOMPARE(chunks, std::size_t{3});
    }
};

WIDGET_TEST(ValidationPageTest)
#include "tests/places.h"
#include "validation_page_test.moc"
