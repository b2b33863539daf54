// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/timeline/timeline_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/theme/text_label.h"

#include <nlohmann/json.hpp>

class TimelineTest : public TimelineFixture {
    Q_OBJECT

private slots:
    void opensOnFigureOneOfThePaper() {
        QCOMPARE(tracks().size(), std::size_t(2));
        // PRESERVE, Fig 1, of Llama3-70B on eight devices: ends of operators in us, without prefetch.
        const std::pair<const char*, double> ends[] = {
            {"input_norm", 25.60}, {"q_proj", 30.84},    {"k_proj", 31.49},   {"attention", 42.64},
            {"o_proj", 47.88},     {"gate_proj", 91.82}, {"up_proj", 110.17}, {"down_proj", 128.53}};
        for (const auto& [key, end] : ends)
            QVERIFY2(near(segment(1, Lane::Compute, key).end * 1e6, end, 0.01), key);
        QVERIFY(near(segment(0, Lane::Compute, "attention").end * 1e6, 27.88, 0.01));
        QVERIFY(view()->view().from == 0.0);
        QVERIFY(view()->view().to > tracks()[1].step().layerSeconds); // the longer layer is seen whole
        QVERIFY(view()->view().to < 1.1 * tracks()[1].step().layerSeconds);
        QCOMPARE(
            child<TextLabel>(m_panel, "headline")->text().replace(QChar(0x202f), QLatin1Char(' ')),
            QStringLiteral("Layer 83.6 \u00b5s, 1.54\u00d7 faster than without L2 prefetch (128.5 \u00b5s)"));
    }

    void segmentsStandWhereTheEngineSays() {
        const auto& layout = view()->timelineLayout();
        for (std::size_t track = 0; track < 2; ++track)
            for (const auto lane : tracks()[track].lanes()) {
                double right = layout.lanes.left();
                for (std::size_t i = 0; i < 12; ++i) {
                    const auto& data = tracks()[track].segments(lane)[i].data;
                    const auto rect = view()->rectOf(track, lane, i);
                    const double perPixel = view()->view().length() / layout.lanes.width();
                    QVERIFY(near(rect.width() * perPixel, data.end - data.start, 1e-12));
                    QVERIFY(near((rect.left() - layout.lanes.left()) * perPixel, data.start, 1e-12));
                    QVERIFY(rect.left() >= right - 1e-6); // lanes do not overlap
                    QVERIFY(rect.height() >= 18.0);
                    right = rect.right();
                }
            }
        // One scale: the same time stands at the same place in both.
        QCOMPARE(view()->rectOf(0, Lane::Network, 0).left(), view()->rectOf(1, Lane::Network, 0).left());
        QCOMPARE(view()->rectOf(0, Lane::Network, 0).width(), view()->rectOf(1, Lane::Network, 0).width());
    }

    void colourTellsWorkAndHatchingTellsMisses() {
        const auto image = view()->grab().toImage();
        const auto& theme = Theme::instance();
        const auto at = [&](std::size_t track, Lane lane, std::string_view key) {
            const auto rect = view()->rectOf(track, lane, indexOf(track, lane, key));
            return image.pixelColor(rect.topLeft().toPoint() + QPoint(3, 4)); // beside the label
        };
        QCOMPARE(at(0, Lane::Network, "ffn_allreduce"), theme.series(3));
        QCOMPARE(at(0, Lane::Memory, "gate_proj"), theme.series(4));
        QCOMPARE(at(0, Lane::Compute, "down_proj"), theme.series(2));
        QVERIFY(at(1, Lane::Compute, "down_proj") != theme.series(2)); // pale: missed
        const auto missed = view()->rectOf(1, Lane::Compute, indexOf(1, Lane::Compute, "down_proj"));
        std::set<QRgb> shades;
        for (int x = 4; x < 30; ++x)
            shades.insert(image.pixel(static_cast<int>(missed.left()) + x, missed.center().toPoint().y()));
        QVERIFY(shades.size() > 2); // hatched
        const auto hit = view()->rectOf(0, Lane::Compute, indexOf(0, Lane::Compute, "down_proj"));
        QCOMPARE(image.pixelColor(static_cast<int>(hit.left()) + 8, static_cast<int>(hit.bottom()) - 3),
                 theme.series(4)); // the line below a hit
    }

    void hoveringReadsOut() {
        hover(middleOf(1, Lane::Compute, "gate_proj"));
        QVERIFY(view()->readOut().isPresented());
        QCOMPARE(view()->readOut().heading(), QStringLiteral("FFN gate, layer 1"));
        QCOMPARE(readOut(QStringLiteral("Time")), QStringLiteral("73.47 to 91.82 \u00b5s"));
        QCOMPARE(readOut(QStringLiteral("Duration")), QStringLiteral("18.35 \u00b5s"));
        QCOMPARE(readOut(QStringLiteral("Weights and KV cache")), QStringLiteral("29.4 MB"));
        QCOMPARE(readOut(QStringLiteral("Read from")), QStringLiteral("device memory (miss)"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("FFN norm"));
        hover(middleOf(0, Lane::Compute, "gate_proj"));
        QCOMPARE(readOut(QStringLiteral("Read from")), QStringLiteral("L2, prefetched (hit)"));
        hover(middleOf(0, Lane::Compute, "up_proj"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("its own prefetch"));
        hover(middleOf(0, Lane::Memory, "up_proj"));
        QCOMPARE(view()->readOut().heading(), QStringLiteral("Prefetch of FFN up, layer 1"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("Prefetch of FFN gate"));
        hover(middleOf(0, Lane::Memory, "gate_proj"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("the start of the allreduce"));
        hover(middleOf(1, Lane::Network, "ffn_allreduce"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("Output projection"));
        QVERIFY(readOut(QStringLiteral("Sent")).endsWith(QStringLiteral("kB")));
        QTest::keyClick(view(), Qt::Key_Escape);
        QVERIFY(!view()->readOut().isPresented());
    }

    void theWheelZoomsAtTheCursor() {
        const auto at = middleOf(0, Lane::Memory, "gate_proj");
        const auto& layout = view()->timelineLayout();
        const double time = layout.secondsAt(at.x(), view()->view());
        const double before = view()->view().length();
        wheel(view(), at, 3);
        QVERIFY(near(view()->view().length(), before / std::pow(1.25, 3), 1e-12));
        QVERIFY(near(layout.secondsAt(at.x(), view()->view()), time, 1e-12));
        const auto zoomed = view()->view();
        wheel(view(), at, 1, Qt::ShiftModifier);
        QVERIFY(near(view()->view().length(), zoomed.length(), 1e-15));
        QVERIFY(view()->view().from < zoomed.from);
        for (int i = 0; i < 100; ++i)
            wheel(view(), at, -1);
        QVERIFY(view()->view() == (TimeSpan{0.0, endOf(tracks())})); // no farther than the step
        for (int i = 0; i < 200; ++i)
            wheel(view(), at, 1);
        QVERIFY(view()->view().length() > 1e-8);
    }

    void draggingPans() {
        QTest::keyClick(view(), Qt::Key_Plus);
        const auto before = view()->view();
        const QPoint start = view()->timelineLayout().lanes.center().toPoint();
        QTest::mousePress(view(), Qt::LeftButton, {}, start);
        QTest::mouseMove(view(), start - QPoint(60, 0));
        QTest::mouseRelease(view(), Qt::LeftButton, {}, start - QPoint(60, 0));
        const double moved = 60.0 / view()->timelineLayout().lanes.width() * before.length();
        QVERIFY(near(view()->view().from - before.from, moved, 1e-12));
        QVERIFY(near(view()->view().length(), before.length(), 1e-15));
    }

    void theOverviewMovesTheWindow() {
        const auto& layout = view()->timelineLayout();
        const double end = endOf(tracks());
        const double length = view()->view().length();
        const auto middle = layout.overview.center().toPoint();
        QTest::mousePress(view(), Qt::LeftButton, {}, middle); // comes to the click, then follows
        QVERIFY(near((view()->view().from + view()->view().to) / 2.0, end / 2.0, end / 500.0));
        QTest::mouseMove(view(), middle + QPoint(100, 0));
        QTest::mouseRelease(view(), Qt::LeftButton, {}, middle + QPoint(100, 0));
        const double wanted = end * (0.5 + 100.0 / layout.overview.width());
        QVERIFY(near((view()->view().from + view()->view().to) / 2.0, wanted, end / 500.0));
        QVERIFY(near(view()->view().length(), length, 1e-12));
    }

    void keysMoveAndFit() {
        view()->setFocus();
        const auto layer = view()->view();
        QTest::keyClick(view(), Qt::Key_Right);
        QVERIFY(view()->view().from > layer.from);
        QTest::keyClick(view(), Qt::Key_Left);
        QVERIFY(near(view()->view().from, layer.from, 1e-15));
        QTest::keyClick(view(), Qt::Key_Plus);
        QVERIFY(view()->view().length() < layer.length());
        QTest::keyClick(view(), Qt::Key_Minus);
        QVERIFY(near(view()->view().length(), layer.length(), 1e-12));
        QTest::keyClick(view(), Qt::Key_End);
        QVERIFY(view()->view() == (TimeSpan{0.0, tracks()[1].step().seconds}));
        QTest::keyClick(view(), Qt::Key_Home);
        QVERIFY(view()->view() == layer);
    }

    void theKeyboardWalksThroughTheSegments() {
        view()->setFocus();
        QTest::keyClick(view(), Qt::Key_Down);
        QCOMPARE(view()->readOut().heading(), QStringLiteral("Attention norm, layer 1"));
        QTest::keyClick(view(), Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(view()->readOut().heading(), QStringLiteral("Q projection, layer 1"));
        QCOMPARE(view()->accessibleDescription(), view()->readOut().heading());
        QTest::keyClick(view(), Qt::Key_Down); // what memory does then or next
        QCOMPARE(view()->readOut().heading(), QStringLiteral("Prefetch of FFN gate, layer 1"));
        for (int i = 0; i < 20; ++i) // past the titles, to the last lane and no farther
            QTest::keyClick(view(), Qt::Key_Down);
        QVERIFY(view()->readOut().heading().contains(QStringLiteral("allreduce")));
        const auto before = view()->view();
        for (int i = 0; i < 20; ++i)
            QTest::keyClick(view(), Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(view()->view().from > before.from); // what is walked to comes into view
        QVERIFY(near(view()->view().length(), before.length(), 1e-12));
        QTest::keyClick(view(), Qt::Key_Escape);
        QVERIFY(!view()->readOut().isPresented());
        QVERIFY(view()->accessibleDescription().contains(QStringLiteral("without L2 prefetch")));
    }

    void aDoubleClickShowsItsLayer() {
        QTest::keyClick(view(), Qt::Key_End);
        const auto& step = tracks()[0].step();
        const auto& row = view()->timelineLayout().rows.front().plot;
        const double x = view()->timelineLayout().xOf(20.5 * step.layerSeconds, view()->view());
        QTest::mouseDClick(view(), Qt::LeftButton, {},
                           QPoint(static_cast<int>(x), row.center().toPoint().y()));
        QVERIFY(near(view()->view().from, 20.0 * step.layerSeconds, step.layerSeconds / 100));
        QVERIFY(near(view()->view().length(), step.layerSeconds, 1e-12));
    }

    void theBaselineIsSwitched() {
        auto* choice = child<QComboBox>(m_panel, "baseline");
        QCOMPARE(choice->count(), 2);
        QCOMPARE(choice->currentText(), QStringLiteral("Without L2 prefetch"));
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Down);
        QCOMPARE(choice->currentText(), QStringLiteral("No comparison"));
        QCOMPARE(tracks().size(), std::size_t(1));
        QVERIFY(child<TextLabel>(m_panel, "headline")->text().contains(QStringLiteral("step")));
        QTest::keyClick(choice, Qt::Key_Up);
        QCOMPARE(tracks().size(), std::size_t(2));
        m_document->set("techniques.l2_prefetch.enabled", "false");
        QCOMPARE(tracks().size(), std::size_t(1));
        QVERIFY(!choice->isEnabled());
        QVERIFY(near(tracks()[0].step().layerSeconds * 1e6, 128.53, 0.01));
        m_document->undoStack()->undo();
        QCOMPARE(tracks().size(), std::size_t(2));
    }

    void followsTheDocumentAndKeepsTheChosenView() {
        const double before = tracks()[0].step().layerSeconds;
        m_document->set("nodes.npu.device.memory_bandwidth_gbps", "3200");
        QVERIFY(tracks()[0].step().layerSeconds < before);
        QVERIFY(near(view()->view().to, 1.02 * tracks()[1].step().layerSeconds, 1e-12)); // fitted anew
        view()->setView({20e-6, 50e-6});
        m_document->set("nodes.npu.device.memory_bandwidth_gbps", "1600");
        QVERIFY(near(view()->view().from, 20e-6, 1e-12) && near(view()->view().to, 50e-6, 1e-12));
    }

    void anotherDesignOpensOnALayerOfItsDecode() {
        QTest::mouseClick(child<QPushButton>(m_panel, "prefill"), Qt::LeftButton);
        view()->fitStep();
        m_document->openPreset("preserve/llama3-405b-32"); // of the same node id
        QVERIFY(tracks()[0].step().phase == engine::Phase::Decode);
        QVERIFY(child<QPushButton>(m_panel, "decode")->isChecked());
        QVERIFY(near(view()->view().to, 1.02 * layerOf(tracks()), 1e-12));
    }

    void hiddenItWaitsAndCatchesUp() {
        m_panel->hide();
        const double before = tracks()[0].step().seconds;
        m_document->set("nodes.npu.device.memory_bandwidth_gbps", "3200");
        QCOMPARE(tracks()[0].step().seconds, before);
        m_panel->show();
        QVERIFY(tracks()[0].step().seconds < before);
    }

    void phaseAndNodeAreChosen() {
        QTest::mouseClick(child<QPushButton>(m_panel, "prefill"), Qt::LeftButton);
        QVERIFY(tracks()[0].step().phase == engine::Phase::Prefill);
        QVERIFY(tracks()[0].step().seconds > 0.1);
        QVERIFY(!child<QComboBox>(m_panel, "node")->isVisible());

        m_document->openPreset("glitches/a100-7u280");
        auto* nodes = child<QComboBox>(m_panel, "node");
        QVERIFY(nodes->isVisible());
        QCOMPARE(nodes->count(), 2);
        QTest::mouseClick(child<QPushButton>(m_panel, "decode"), Qt::LeftButton);
        QCOMPARE(m_panel->source().shown.node.value, std::string("fpga")); // the one that decodes
        QCOMPARE(tracks().size(), std::size_t(2));            // beside itself without load merging
        QCOMPARE(tracks()[0].lanes().size(), std::size_t(2)); // one operator after the other, and its power
        QTest::mouseClick(child<QPushButton>(m_panel, "prefill"), Qt::LeftButton);
        QVERIFY(m_panel->source().shown.phase == engine::Phase::Prefill);
        QVERIFY(m_panel->source().shown.node.value != "fpga");
        m_document->select({{engine::NodeId{"fpga"}}, {}}); // and the canvas chooses too
        QCOMPARE(m_panel->source().shown.node.value, std::string("fpga"));
        QVERIFY(m_panel->source().shown.phase == engine::Phase::Decode);
        nodes->setFocus();
        QTest::keyClick(nodes, Qt::Key_Up);
        QVERIFY(m_panel->source().shown.node.value != "fpga");
    }

    void saysWhyThereIsNothing() {
        m_document->newDesign();
        QVERIFY(m_panel->reason().contains(QStringLiteral("Put a GPU, NPU or FPGA on the canvas")));
        QVERIFY(!view()->isVisible());
        QVERIFY(!m_panel->exportButton()->isEnabled());
        m_document->openPreset("preserve/llama3-70b-8npu");
        QVERIFY(view()->isVisible());
        m_document->set("nodes.npu.device.memory_gb", "1");
        QVERIFY(!m_document->evaluation().feasible);
        QVERIFY(!m_panel->reason().isEmpty());
        QVERIFY(!view()->isVisible());
        m_document->undoStack()->undo();
        QVERIFY(view()->isVisible());
        m_document->perform(engine::removeEdit(m_document->scenario(), {engine::NodeId{"npu"}}, {}));
        QVERIFY(!m_panel->reason().isEmpty());
    }

    void exportsPicturesAndData() {
        QTemporaryDir folder;
        auto& theme = Theme::instance();
        theme.setMode(ThemeMode::Dark);
        for (const auto* suffix : {"png", "svg", "pdf", "csv", "json"})
            QVERIFY(m_panel->exportButton()->exportTo(folder.filePath(QStringLiteral("t.%1").arg(suffix))));
        theme.setMode(ThemeMode::Light);
        const QImage picture(folder.filePath(QStringLiteral("t.png")));
        QCOMPARE(picture.pixelColor(2, 2), Theme::lightColor(ColorRole::Surface)); // white, whatever is shown
        QVERIFY(picture.width() > 2000);                                           // 178 mm at 300 dpi
        const auto read = [&](const char* suffix) {
            return bytesOf(folder.filePath(QStringLiteral("t.%1").arg(QLatin1String(suffix))));
        };
        QVERIFY(read("svg").contains("FFN gate</text>") || read("svg").contains(">FFN gate<"));
        QVERIFY(read("pdf").startsWith("%PDF"));
        const auto rows = [&] { return read("csv").trimmed().split('\n'); };
        std::size_t seen = 0; // first only what is shown: one layer
        const auto shown = view()->view();
        for (const auto& track : tracks())
            for (const auto& segment : track.step().segments)
                seen += segment.end > shown.from && segment.start < shown.to ? 1 : 0;
        QVERIFY(seen > 0);
        QCOMPARE(static_cast<std::size_t>(rows().size()), seen + 1);
        for (auto* action : m_panel->exportButton()->findChild<QMenu*>()->actions())
            if (action->text() == QStringLiteral("The whole"))
                action->trigger();
        QVERIFY(m_panel->exportButton()->exportTo(folder.filePath(QStringLiteral("t.csv"))));
        const auto lines = rows();
        QCOMPARE(
            lines.front(),
            QByteArray(
                "timeline,lane,work,operator,layer,start_us,end_us,bytes,operands,gb_per_s,bound,watts"));
        std::size_t segments = 0;
        for (const auto& track : tracks())
            segments += track.step().segments.size();
        QVERIFY(segments > seen);
        QCOMPARE(static_cast<std::size_t>(lines.size()), segments + 1);
        const auto trace = engine::parseJson(read("json").toStdString(), "trace");
        QVERIFY(trace.at("traceEvents").size() > segments);
    }

    void speaksInBothThemes() {
        for (const auto mode : {ThemeMode::Light, ThemeMode::Dark}) {
            Theme::instance().setMode(mode);
            const auto image = view()->grab().toImage();
            QCOMPARE(image.pixelColor(2, 40), Theme::instance().color(ColorRole::Surface));
        }
        Theme::instance().setMode(ThemeMode::Light);
        QVERIFY(view()->accessibleDescription().contains(QStringLiteral("without L2 prefetch")));
    }
};

WIDGET_TEST(TimelineTest)
#include "timeline_test.moc"
