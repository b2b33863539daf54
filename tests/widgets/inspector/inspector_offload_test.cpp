// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/techniques/near_storage.h"
#include "tests/widgets/inspector/inspector_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/section.h"
#include "widgets/inspector/stack_bar.h"

#include <QAccessible>
#include <QApplication>
#include <QHelpEvent>
#include <QLineEdit>
#include <QToolTip>
#include <QVBoxLayout>

#include <cmath>
#include <numeric>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// The inspector over systems that offload.
class InspectorOffloadTest : public InspectorFixture {
    Q_OBJECT

    void open(const char* preset, const char* node) {
        m_document->openPreset(preset);
        m_document->select(node ? Selection{{{node}}, {}} : Selection{});
        QApplication::processEvents();
    }
    Section* section(const char* title) {
        for (auto* found : m_inspector->findChildren<Section*>())
            if (found->title() == QLatin1String(title) && found->isVisible())
                return found;
        return nullptr;
    }
    /// Parts of the bars of a section that are shown, one after the other.
    std::vector<StackPart> parts(const char* title) {
        std::vector<StackPart> all;
        if (auto* found = section(title))
            for (auto* bar : found->findChildren<StackBar*>())
                if (bar->isVisible())
                    all.insert(all.end(), bar->parts().begin(), bar->parts().end());
        return all;
    }
    static double shares(const std::vector<StackPart>& parts) {
        return std::accumulate(parts.begin(), parts.end(), 0.0,
                               [](double sum, const StackPart& part) { return sum + part.share; });
    }
    static QStringList labels(const std::vector<StackPart>& parts) {
        QStringList found;
        for (const auto& part : parts)
            found << part.label;
        return found;
    }
    NumberEdit* field(const std::string& path) {
        for (auto* found : m_inspector->findChildren<NumberEdit*>())
            if (found->path() == path && found->isVisibleTo(m_inspector.get()))
                return found;
        return nullptr;
    }

private slots:
    void init() { start(4000); }

    void rowsOfOffloadingStandWhereSomethingIsOffloaded() {
        const auto fieldFor = [&](const std::string& path) {
            for (auto* found : m_inspector->findChildren<NumberEdit*>())
                if (found->path() == path)
                    return found;
            return static_cast<NumberEdit*>(nullptr);
        };
        open("glitches/a100-7u280", "fpga"); // an instruction stream that offloads nothing
        QVERIFY(fieldFor("nodes.fpga.timing.decode.load_issue_cycles"));
        for (auto* found : m_inspector->findChildren<NumberEdit*>())
            QVERIFY2(found->path().find(".offload.") == std::string::npos, found->path().c_str());
        QVERIFY(!fieldFor("nodes.fpga.timing.decode.launch_floor_ms"));
        open("inf2/opt-30b-a100-16csd", "gpu"); // a GPU that does, with quantities that nobody set
        QVERIFY(!m_document->scenario()
                     .findNode({"gpu"})
                     ->runtime->offload.settings.quantity(engine::OffloadKind::kTransferLimit)
                     .isSet());
        QVERIFY(fieldFor("nodes.gpu.offload.transfer_limit_gbps"));
        QVERIFY(fieldFor("nodes.gpu.offload.host_memory_share"));
        QVERIFY(!fieldFor("nodes.gpu.timing.decode.load_issue_cycles"));
    }

    void theDecodeIsToldByWhatItWaitsFor() {
        open("inf2/opt-30b-a100-16csd", "gpu");
        const auto decode = parts("Decode of one batch");
        QVERIFY(std::abs(shares(decode) - 1.0) < 1e-9);
        const auto names = labels(decode);
        QVERIFY2(names.contains("Attention in CSDs"), qPrintable(names.join(", ")));
        QVERIFY(names.contains("Accelerator's operators"));
        const auto whole = parts("One batch, prefill and decode");
        QVERIFY(std::abs(shares(whole) - 1.0) < 1e-9);
        QCOMPARE(whole.front().label, QString("Prefill"));
        // 921.8 of 2976.5 s.
        QVERIFY(std::abs(whole.front().share - 0.3097) < 0.001);
        QVERIFY(whole.front().value.contains("31"));
        QVERIFY(!section("One decode token"));
    }

    void tiersShowTheirPartsAndSpeakThem() {
        open("inf2/opt-30b-a100-16csd", "gpu");
        auto* tiers = section("Where things lie");
        QVERIFY(tiers);
        const auto bars = tiers->findChildren<StackBar*>();
        QCOMPARE(bars.size(), 3);
        for (const auto* bar : bars)
            QVERIFY(std::abs(shares(bar->parts()) - 1.0) < 1e-9);
        QVERIFY(bars[1]->accessibleName().contains("Weights 59.9 GB"));
        QVERIFY(bars[1]->accessibleName().contains("X cache"));
        QVERIFY(bars[2]->accessibleName().contains("KV cache 518 GB"));
        // Hovering the first part of the host's bar tells of it.
        const QPoint at(20, 8);
        QHelpEvent hover(QEvent::ToolTip, at, bars[1]->mapToGlobal(at));
        QApplication::sendEvent(bars[1], &hover);
        QTRY_VERIFY(QToolTip::text().startsWith("Weights: 59.9"));
        QToolTip::hideText();
    }

    void sharesOfTheCacheAddUp() {
        open("inf2/opt-30b-a100-16csd", "gpu");
        const auto shares30b = parts("KV cache");
        QCOMPARE(shares30b.size(), std::size_t{2});
        QVERIFY(std::abs(shares(shares30b) - 1.0) < 1e-9);
        QVERIFY(std::abs(shares30b.back().share - 0.28467) < 1e-4); // alpha of INF2's model
        open("inf2/opt-30b-a100-16ssd", "gpu");
        QVERIFY(std::abs(parts("KV cache").front().share - 0.15802) < 1e-4); // f
    }

    void aShareThatIsNotSetSaysWhatWasChosen() {
        open("inf2/opt-30b-a100-16csd", nullptr);
        auto* share = field("techniques.x_cache.share");
        QVERIFY(share);
        QCOMPARE(share->findChild<QLineEdit*>()->placeholderText(), QString("balanced"));
        QVERIFY2(shownText().contains("Balanced automatically: 28"), qPrintable(shownText()));
        share->setFocus();
        QTest::keyClicks(share, "0.2");
        QVERIFY(!shownText().contains("Balanced automatically"));
        QCOMPARE(m_document->scenario().techniques[engine::xCache()].quantity(engine::kXShare).value, 0.2);
    }

    void aTechniqueThatDoesNothingSaysSo() {
        open("inf2/opt-30b-a100-16ssd", nullptr);
        m_document->set("techniques.x_cache.enabled", "true");
        QVERIFY2(shownText().contains("X-cache changes nothing"), qPrintable(shownText()));
        m_document->undoStack()->undo();
        QVERIFY(!shownText().contains("changes nothing"));
    }

    void theCostOfTokensIsEditable() {
        open("inf2/opt-30b-a100-16csd", nullptr);
        const double before = m_document->evaluation().metric(engine::Metric::CostPerToken);
        auto* years = field("cost.lifetime_years");
        QVERIFY(years && field("cost.electricity_usd_per_kwh"));
        years->setFocus();
        years->selectAll();
        QTest::keyClicks(years, "6");
        QVERIFY(m_document->evaluation().metric(engine::Metric::CostPerToken) < before);
    }

    void aDeviceShowsTheQuantitiesOfItsKind_data() {
        QTest::addColumn<QString>("node");
        QTest::addColumn<QStringList>("shown");
        QTest::addColumn<QStringList>("hidden");
        QTest::newRow("host") << "host" << QStringList{"host_memory_gib", "memory_bandwidth_gbps"}
                              << QStringList{"kernel_gbps", "l2_mb", "core_area_mm2", "die_area_mm2"};
        QTest::newRow("CSD") << "storage"
                             << QStringList{"memory_gb",          "write_bandwidth_gbps", "kernel_gbps",
                                            "p2p_bandwidth_gbps", "kernel_power_w",       "small_write_ms"}
                             << QStringList{"l2_mb", "die_area_mm2", "core_tops", "peak_fp16_tflops",
                                            "host_memory_gib"};
        QTest::newRow("switch") << "expansion" << QStringList{"lanes"}
                                << QStringList{"memory_gb", "die_area_mm2", "kernel_gbps"};
        QTest::newRow("GPU") << "gpu" << QStringList{"peak_fp16_tflops", "memory_gb", "l2_mb"}
                             << QStringList{"host_memory_gib", "kernel_gbps", "small_write_ms", "lanes"};
    }
    void aDeviceShowsTheQuantitiesOfItsKind() {
        QFETCH(QString, node);
        QFETCH(QStringList, shown);
        QFETCH(QStringList, hidden);
        const auto id = node.toStdString();
        open("inf2/opt-30b-a100-16csd", id.c_str());
        for (const auto& key : shown)
            QVERIFY2(field("nodes." + id + ".device." + key.toStdString()), qPrintable(key));
        for (const auto& key : hidden)
            QVERIFY2(!field("nodes." + id + ".device." + key.toStdString()), qPrintable(key));
    }

    void tierNodesShowWhatLiesThere() {
        open("inf2/opt-30b-a100-16csd", "host");
        QVERIFY(labels(parts("What lies here")).contains("X cache"));
        m_document->select({{{"storage"}}, {}});
        QVERIFY(labels(parts("What lies here")).contains("KV cache"));
        const auto inside = parts("Inside one CSD");
        QCOMPARE(inside.size(), std::size_t{2});
        QVERIFY(std::abs(shares(inside) - 1.0) < 1e-9);
        QVERIFY(inside[1].share > inside[0].share); // the kernel limits
        QVERIFY(shownText().contains("The kernel limits"));
        m_document->select({{{"expansion"}}, {}});
        QVERIFY(!section("What lies here"));
    }

    void whatDoesNotFitStandsInFull() {
        open("inf2/opt-30b-a100-16csd", "storage");
        QVERIFY(!section("Problem"));
        m_document->set("nodes.storage.device.memory_gb", "10");
        QVERIFY(section("Problem"));
        QVERIFY(shownText().contains("of storage for KV cache but has 160 GB"));
        m_document->select({{{"gpu"}}, {}});
        QVERIFY(section("Problem"));
        QVERIFY(!section("Decode of one batch"));
        QVERIFY(!shownText().contains(QStringLiteral("\u202f0 s")));
        m_document->undoStack()->undo();
        QVERIFY(!section("Problem"));
        QVERIFY(section("Decode of one batch"));
    }
};

WIDGET_TEST(InspectorOffloadTest)
#include "inspector_offload_test.moc"
