// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/canvas/canvas_fixture.h"

#include "tests/widgets/widget_test.h"
#include "widgets/canvas/canvas_overlays.h"
#include "widgets/canvas/link_item.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/document/offload_view.h"

#include <QPushButton>
#include <QSignalSpy>

#include <cmath>
#include <numeric>

/// Systems that offload: what their cards and links show, and how one is put together.
class CanvasOffloadTest : public CanvasFixture {
    Q_OBJECT

    void open(const char* preset) {
        m_document->openPreset(preset);
        QCOMPARE(m_view->canvasScene().nodes().size(), std::size_t{4});
    }
    const NodeCard& card(const char* id) { return item(id)->card(); }
    const LinkLabel& link(const char* id) { return m_view->canvasScene().linkItem({id})->label(); }

    static QStringList labels(const NodeCard& card) {
        QStringList found;
        if (card.memory)
            for (const auto& part : card.memory->parts)
                found << part.label;
        return found;
    }
    static double sum(const NodeCard& card) {
        return std::accumulate(card.memory->parts.begin(), card.memory->parts.end(), 0.0,
                               [](double bytes, const TierPart& part) { return bytes + part.bytes; });
    }

private slots:
    void everyNodeSaysWhatItIs() {
        open("inf2/opt-30b-a100-16csd");
        QCOMPARE(card("host").role, QString("Host"));
        QCOMPARE(card("expansion").role, QString("Switch"));
        QCOMPARE(card("storage").role, QString("Attention near storage"));
        for (const char* id : {"gpu", "host", "expansion", "storage"}) {
            QVERIFY2(card(id).error.isEmpty(), qPrintable(card(id).error));
            QVERIFY2(card(id).warning.isEmpty(), qPrintable(card(id).warning));
        }
        QVERIFY(nodeSentence(*m_document, {"storage"}).contains("storage"));
    }

    void memoryIsShownAsWhatLiesThere() {
        open("inf2/opt-30b-a100-16csd");
        const auto& offload = m_document->evaluation().nodes[0].offload;
        const auto& host = card("host");
        QVERIFY(host.memory && !host.bar);
        QCOMPARE(labels(host), (QStringList{"Weights", "X cache", "Buffers", "Free"}));
        const double gib = 1024.0 * 1024.0 * 1024.0;
        QVERIFY(std::abs(sum(host) - 512.0 * gib) < 1.0);
        const auto& storage = card("storage");
        QCOMPARE(labels(storage), (QStringList{"KV cache", "Free"}));
        QCOMPARE(storage.memory->parts.front().bytes, offload.tier(engine::Tier::Storage).kv);
        QVERIFY(std::abs(sum(storage) - 16 * 3840e9) < 1.0);
        // A second copy would only slow the first: it stays idle, and takes no memory.
        const double one = host.memory->share;
        m_document->set("nodes.gpu.count", "2");
        QCOMPARE(m_document->evaluation().nodes[0].offload.activeReplicas, 1.0);
        QCOMPARE(card("host").memory->share, one);
    }

    void aCardIsAsHighAsItsPartsAndWiresStayStraight() {
        open("inf2/opt-30b-a100-16csd");
        QVERIFY(item("storage")->cardRect().height() > item("expansion")->cardRect().height());
        QCOMPARE(item("expansion")->cardRect().height(), kCardHeight);
        for (const char* id : {"gpu-host", "uplink", "expansion-storage"})
            QCOMPARE(m_view->canvasScene().linkItem({id})->route().size(), 2);
        QVERIFY(m_view->canvasScene().nodeAt(item("storage")->cardRect().bottomRight() - QPointF(5, 5)) ==
                item("storage"));
    }

    void theWayInsideACsdTellsWhatLimits() {
        open("inf2/opt-30b-a100-16csd");
        auto path = card("storage").path;
        QVERIFY(path && path->inUse && !path->pathLimits);
        // The SmartSSD's log and the calibrated kernel: about 1.0 GB/s of KV cache at 16K.
        QVERIFY(std::abs(path->flash - 2.29e9) < 0.05e9);
        QCOMPARE(path->kernel, 1.8e9);
        QVERIFY(std::abs(path->delivered - 1.0 / (1.0 / path->flash + 1.0 / path->kernel)) < 1e6);
        QCOMPARE(path->port, 3.5e9);
        m_document->set("nodes.storage.device.kernel_gbps", "9.6");
        path = card("storage").path;
        QVERIFY(path->pathLimits);
        m_document->set("techniques.attention_near_storage.enabled", "false");
        QVERIFY(!card("storage").path->inUse);
        open("inf2/opt-30b-a100-16ssd");
        QVERIFY(!card("storage").path);
    }

    void theBottleneckIsMarkedWhereItIs() {
        open("inf2/opt-30b-a100-16csd"); // balanced; with the prefill the GPU takes most of a batch
        QVERIFY(!card("storage").bottleneck);
        QVERIFY(card("gpu").bottleneck);
        m_document->set("techniques.x_cache.enabled", "false");
        QVERIFY(card("storage").bottleneck);
        QVERIFY(!card("gpu").bottleneck);
        const auto& chips = card("gpu").chips;
        QCOMPARE(chips.size(), std::size_t{2});
        QVERIFY(chips[0].text.contains("INF2"));
        QCOMPARE(chips[1].text, QString("CSD kernels"));
        QVERIFY(chips[1].hot);

        open("inf2/opt-30b-a100-16ssd");
        QCOMPARE(card("gpu").chips[1].text, QString("link to storage"));
        QVERIFY(link("uplink").bottleneck);
        QVERIFY(!link("gpu-host").bottleneck);
        QVERIFY(linkSentence(*m_document, {"uplink"}).endsWith("bottleneck"));
        for (const char* id : {"gpu", "host", "expansion", "storage"})
            QVERIFY(!card(id).bottleneck);
    }

    void whatDoesNotFitIsSaidAtTheNode() {
        open("inf2/opt-30b-a100-16csd");
        m_document->set("nodes.storage.device.memory_gb", "10");
        QVERIFY(!m_document->evaluation().feasible);
        for (const char* id : {"gpu", "storage"}) {
            QVERIFY2(card(id).problem.startsWith("Storage: needs"), qPrintable(card(id).problem));
            QVERIFY(card(id).problem.contains("has 160 GB"));
            QVERIFY(item(id)->toolTip().contains("more SSDs or CSDs"));
            QCOMPARE(card(id).error.count("Shrink the batch"), 1);
        }
        QVERIFY(card("host").problem.isEmpty());
        QVERIFY(!card("gpu").bar->share); // nothing works, so nothing is 0 % busy
        QVERIFY(link("uplink").traffic.isEmpty());

        open("inf2/opt-30b-a100-16ssd");
        m_document->set("nodes.gpu.runtime", "deepspeed-zero");
        m_document->set("workload.prompt_tokens", "2048");
        m_document->set("nodes.host.device.host_memory_gib", "128");
        QVERIFY(!m_document->evaluation().feasible);
        QVERIFY2(card("host").problem.startsWith("Host memory: needs"), qPrintable(card("host").problem));
        QVERIFY(card("host").problem.endsWith("usable"));
        QCOMPARE(card("gpu").problem, card("host").problem);
        QVERIFY(card("storage").problem.isEmpty());
        QVERIFY(nodeSentence(*m_document, {"host"}).contains("error:"));
        m_document->set("nodes.host.device.host_memory_gib", "512");
        QVERIFY(card("host").problem.isEmpty());
    }

    void findingsStandAtTheirNode() {
        open("inf2/opt-30b-a100-16csd");
        m_document->perform(engine::removeEdit(scenario(), {}, {{"uplink"}}));
        QVERIFY2(card("gpu").error.contains("reaches no storage"), qPrintable(card("gpu").error));
        QVERIFY2(card("storage").warning.contains("not used"), qPrintable(card("storage").warning));
        QVERIFY(item("storage")->toolTip().contains("not used"));
        QVERIFY(!card("host").memory); // nothing is known to lie there
    }

    void aDroppedDeviceOffersItsLinks() {
        m_view->camera().setZoom(0.5);
        const auto drop = [this](const char* device, QPoint at) {
            QVERIFY(dropAt(*encodePart({PartKind::Device, device}), at));
        };
        auto* offer = m_view->links().offer();
        drop("a100-40gb", {150, 150});
        QVERIFY(!offer->isVisible());
        drop("xeon-6342-host", {450, 150});
        QVERIFY(offer->isVisible());
        QCOMPARE(offer->text(), QString("Link 2 \u00d7 Xeon Gold 6342 to A100 40GB?"));
        QTest::mouseClick(offer->button(), Qt::LeftButton);
        QVERIFY(!offer->isVisible());
        drop("falcon-4109", {450, 350});
        QTest::keyClick(m_view.get(), Qt::Key_L);
        drop("smartssd", {750, 350});
        QCOMPARE(offer->text(), QString("Link SmartSSD to Falcon 4109?"));
        QTest::keyClick(m_view.get(), Qt::Key_L);
        const auto& links = scenario().links;
        QCOMPARE(links.size(), std::size_t{3});
        QCOMPARE(links[0].type.id, std::string("pcie-gen4-x16"));
        QCOMPARE(links[0].from.value, std::string("a100-40gb"));
        QCOMPARE(links[1].type.id, std::string("falcon-uplink"));
        QCOMPARE(links[1].from.value, std::string("xeon-6342-host"));
        QCOMPARE(links[2].type.id, std::string("pcie-gen3-x4"));
        QCOMPARE(links[2].to.value, std::string("smartssd"));
        m_document->undoStack()->undo();
        QCOMPARE(links.size(), std::size_t{2});
        QVERIFY(!offer->isVisible());
    }

    void anOfferCanBeDeclined() {
        m_view->placing().placeDevice("xeon-6342-host");
        m_view->placing().placeDevice("nvme-ssd");
        QVERIFY(m_view->links().offer()->isVisible());
        QSignalSpy dismissed(m_view->links().offer(), &LinkOffer::dismissed);
        emit m_view->links().offer()->dismissed();
        QCOMPARE(dismissed.count(), 1);
        QVERIFY(!m_view->links().offer()->isVisible());
        QVERIFY(scenario().links.empty());
    }

    void twoSelectedNodesAreLinkedByAKey() {
        m_view->placing().placeDevice("xeon-6342-host");
        m_view->placing().placeDevice("nvme-ssd");
        emit m_view->links().offer()->dismissed();
        m_view->edits().selectAll();
        QTest::keyClick(m_view.get(), Qt::Key_L);
        QCOMPARE(scenario().links.size(), std::size_t{1});
        QSignalSpy said(m_view.get(), &CanvasView::message);
        m_document->select({{{"xeon-6342-host"}, {"nvme-ssd"}}, {}});
        QTest::keyClick(m_view.get(), Qt::Key_L);
        QCOMPARE(scenario().links.size(), std::size_t{1});
        QVERIFY(said.front().front().toString().contains("linked already"));
    }

    void placedNodesDoNotOverlap() {
        for (const char* device : {"a100-40gb", "xeon-6342-host", "falcon-4109", "smartssd", "nvme-ssd"})
            m_view->placing().placeDevice(device);
        const auto& nodes = scenario().nodes;
        for (std::size_t i = 0; i < nodes.size(); ++i)
            for (std::size_t j = 0; j < i; ++j)
                QVERIFY(!item(nodes[i].id.value.c_str())
                             ->cardRect()
                             .intersects(item(nodes[j].id.value.c_str())->cardRect()));
    }

    void aRuntimeGoesToTheOnlyAcceleratorOrTheSelectedOnes() {
        QSignalSpy said(m_view.get(), &CanvasView::message);
        m_view->placing().chooseRuntime("inf2");
        QVERIFY(said.takeFirst().front().toString().contains("place an accelerator"));
        m_view->placing().placeDevice("a100-40gb");
        m_document->select({});
        m_view->placing().chooseRuntime("inf2");
        QCOMPARE(scenario().nodes[0].runtime->id, std::string("inf2"));
        m_view->placing().placeDevice("h100-pcie");
        m_document->select({});
        m_view->placing().chooseRuntime("flexgen");
        QVERIFY(said.takeFirst().front().toString().contains("Select"));
        m_view->edits().selectAll();
        m_view->placing().chooseRuntime("flexgen");
        QCOMPARE(scenario().nodes[0].runtime->id, std::string("flexgen"));
        QCOMPARE(scenario().nodes[1].runtime->id, std::string("flexgen"));
        m_document->undoStack()->undo();
        QCOMPARE(scenario().nodes[0].runtime->id, std::string("inf2"));
    }
};

WIDGET_TEST(CanvasOffloadTest)
#include "canvas_offload_test.moc"
