// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/timeline/timeline_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/theme/text_label.h"

class TimelineLanesTest : public TimelineFixture {
    Q_OBJECT

private slots:
    void anOffloadedStepShowsTheLanesThatAreInUse() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        QCOMPARE(tracks().size(), std::size_t(2)); // without any
        QCOMPARE(tracks()[0].lanes(), (std::vector{Lane::Compute, Lane::Pcie, Lane::Uplink, Lane::Csd,
                                                   Lane::StorageWrite, Lane::Power}));
        QCOMPARE(tracks()[1].lanes(),
                 (std::vector{Lane::Compute, Lane::Pcie, Lane::Host, Lane::Storage, Lane::Power}));
        const auto& step = tracks()[0].step();
        QCOMPARE(laneTitle(step, Lane::Compute), QStringLiteral("GPU"));
        QCOMPARE(laneTitle(step, Lane::Csd), QStringLiteral("CSD kernels"));
        QCOMPARE(lanePlace(step, Lane::Csd), QStringLiteral("16 \u00d7 SmartSSD"));
        QVERIFY(near(view()->view().to, 1.02 * layerOf(tracks()), 1e-12)); // one layer of many seconds
        QVERIFY(endOf(tracks()) > 40.0 * layerOf(tracks()));
        QTest::keyClick(view(), Qt::Key_End);
        QVERIFY(view()->view() == (TimeSpan{0.0, endOf(tracks())}));
        const auto image = view()->grab().toImage(); // merged segments of every work
        QVERIFY(!image.isNull());
    }

    void aFlowReadsOutWhereHowFastAndWhatLimitsIt() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        const auto index = indexOf(0, Lane::Csd, "csd_attention");
        const auto& flow = tracks()[0].segments(Lane::Csd)[index].data;
        hover(middleOf(0, Lane::Csd, "csd_attention"));
        QCOMPARE(view()->readOut().heading(), QStringLiteral("Attention in CSDs, layer 1"));
        QCOMPARE(readOut(QStringLiteral("CSD kernels")), QStringLiteral("16 \u00d7 SmartSSD"));
        QCOMPARE(readOut(QStringLiteral("Data")),
                 bytesText(flow.bytes).replace(QChar(0x202f), QLatin1Char(' ')));
        // 16 kernels of 1.80 GB/s behind a path of 2.36 GB/s: 16 / (1 / 1.80 + 1 / P2P) = 16.1 GB/s at 16K.
        QVERIFY(near(readOut(QStringLiteral("Rate")).chopped(5).toDouble(), 16.1, 0.2));
        QCOMPARE(readOut(QStringLiteral("Limited by")), QStringLiteral("CSD kernels"));
        QCOMPARE(readOut(QStringLiteral("Waited for")), QStringLiteral("Q, K, V, result"));
        hover(middleOf(1, Lane::Storage, "kv_read"));
        QCOMPARE(readOut(QStringLiteral("Rate")), QStringLiteral("5.54 GB/s"));
        QCOMPARE(readOut(QStringLiteral("Limited by")), QStringLiteral("the link to storage"));
        QVERIFY(readOut(QStringLiteral("Waited for")).contains(QStringLiteral("projection")));
    }

    void theBaselineIsChosenAmongTheTechniquesThatAct() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        auto* choice = child<QComboBox>(m_panel, "baseline");
        QStringList texts;
        for (int i = 0; i < choice->count(); ++i)
            texts << choice->itemText(i);
        QCOMPARE(texts,
                 (QStringList{QStringLiteral("Without attention near storage"),
                              QStringLiteral("Without delayed writeback"), QStringLiteral("Without X-cache"),
                              QStringLiteral("Without any"), QStringLiteral("No comparison")}));
        QCOMPARE(choice->currentIndex(), 3);
        choice->setFocus();
        QTest::keyClick(choice, Qt::Key_Up);
        QTest::keyClick(choice, Qt::Key_Up);
        const auto& own = tracks()[0].step();
        const auto base = engine::stepTimeline(
            engine::withoutTechnique(m_document->scenario(), "delayed_writeback"), own.node, own.phase);
        QCOMPARE(tracks()[1].step().layerSeconds, base.layerSeconds);
        QCOMPARE(tracks()[1].name(), QStringLiteral("Without delayed writeback"));
        QVERIFY(child<TextLabel>(m_panel, "headline")
                    ->text()
                    .contains(QStringLiteral("faster than without delayed writeback")));
        m_document->set("techniques.delayed_writeback.enabled", "false"); // gives way to all of them
        QCOMPARE(choice->currentText(), QStringLiteral("Without any"));
        m_document->undoStack()->undo();
        QCOMPARE(choice->currentText(), QStringLiteral("Without delayed writeback"));
        m_document->openPreset("glitches/a100-7u280");
        QTest::mouseClick(child<QPushButton>(m_panel, "decode"), Qt::LeftButton);
        QCOMPARE(choice->currentText(), QStringLiteral("Without load merging"));
        QVERIFY(tracks()[1].step().layerSeconds > tracks()[0].step().layerSeconds);
    }

    void theLegendHasAKeyForEveryWork() {
        m_panel->resize(1200, 600);
        for (const auto* id : {"preserve/llama3-70b-8npu", "inf2/opt-30b-a100-16csd"}) {
            m_document->openPreset(id);
            QTRY_VERIFY(!view()->timelineLayout().legend.empty());
            std::set<Work> shown;
            for (const auto& entry : view()->timelineLayout().legend) {
                shown.insert(entry.key.work);
                QVERIFY(!entry.label.isEmpty());
                QVERIFY(entry.rect.right() <= view()->width());
            }
            for (const auto& track : tracks())
                for (const auto& segment : track.step().segments)
                    QVERIFY(shown.contains(segment.work));
        }
    }

    void everyStageOfAPipelineHasALane() {
        m_panel->resize(1200, 600);
        m_document->openPreset("served/llama3-1-405b-16h100-tp8-pp2");
        m_document->set("nodes.gpu.runtime", "ideal-operators");
        QTRY_COMPARE(tracks().size(), std::size_t(3));
        QVERIFY(!tracks()[0].isStage());
        double top = 0.0;
        for (const std::size_t stage : {1, 2}) {
            const auto& track = tracks()[stage];
            QVERIFY(track.isStage());
            QCOMPARE(track.lanes(), std::vector{Lane::Compute});
            QCOMPARE(laneTitle(track.step(), Lane::Compute), QStringLiteral("Stage %1").arg(stage));
            std::set<int> microbatches;
            for (const auto& one : track.segments(Lane::Compute))
                microbatches.insert(one.data.microbatch);
            QVERIFY(microbatches.contains(0) && microbatches.contains(1));
            const auto first = view()->rectOf(stage, Lane::Compute, 0);
            QVERIFY(first.top() > top);
            top = first.top();
        }
        view()->fitStep();
        const auto all = tracks()[2].segments(Lane::Compute);
        for (std::size_t i = 0; i < all.size(); ++i)
            if (all[i].data.work == Work::Microbatch && all[i].data.end - all[i].data.start > 1e-3) {
                hover(view()->rectOf(2, Lane::Compute, i).center().toPoint());
                QCOMPARE(view()->readOut().heading(),
                         QStringLiteral("Microbatch %1").arg(all[i].data.microbatch + 1));
                break;
            }
        QVERIFY(timelineCsv(tracks()).contains(QStringLiteral("\"Stage 2\"")) ||
                timelineCsv(tracks()).contains(QStringLiteral("Stage 2,compute,microbatch")));
        QVERIFY(view()->accessibleDescription().startsWith(QStringLiteral("Layer ")));
    }
};

WIDGET_TEST(TimelineLanesTest)
#include "timeline_lanes_test.moc"
