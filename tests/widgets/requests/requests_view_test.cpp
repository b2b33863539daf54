// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/requests/synthetic_run.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/hand.h"
#include "widgets/document/document.h"
#include "widgets/requests/requests_painter.h"
#include "widgets/requests/requests_text.h"
#include "widgets/requests/requests_view.h"

#include <QApplication>
#include <QImage>
#include <QScrollBar>
#include <QSignalSpy>
#include <QTest>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::ServingPhase;

class RequestsViewTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const RequestLanes> m_figure; ///< GLITCHES, Fig 4
    std::unique_ptr<RequestsView> m_view;

    static std::shared_ptr<const RequestLanes> simulated(const Document& document) {
        auto run = std::make_shared<SimulationRun>();
        run->scenario = document.scenario();
        run->evaluation = document.evaluation();
        engine::SimulationOptions options;
        options.recorded = SimulationRunner::kRecorded;
        run->serving = engine::simulate(run->scenario, run->evaluation, options);
        if (!run->serving.ran())
            qFatal("%s", run->serving.reason.c_str());
        return std::make_shared<const RequestLanes>(std::move(run));
    }
    std::size_t indexOf(ServingPhase phase, std::uint32_t request) const {
        for (const auto index : m_view->lanes()->segmentsOf(request))
            if (m_view->lanes()->segment(index).phase == phase)
                return index;
        qFatal("no such segment");
        return 0;
    }
    QPoint middleOf(ServingPhase phase, std::uint32_t request) const {
        return m_view->rectOf(indexOf(phase, request)).center().toPoint();
    }
    void hover(QPoint at) {
        QTest::mouseMove(m_view.get(), at + QPoint(0, 1));
        QTest::mouseMove(m_view.get(), at);
    }
    QString readOut(const QString& name) const {
        for (const auto& row : m_view->readOut().rows())
            if (row.name == name)
                return plain(row.value);
        return {};
    }
    static QString plain(QString text) { return text.replace(QChar(0x202f), QLatin1Char(' ')); }
    void press(int key, Qt::KeyboardModifiers modifiers = {}) {
        QTest::keyClick(m_view.get(), static_cast<Qt::Key>(key), modifiers);
    }
    static bool near(double value, double expected, double tolerance) {
        return std::abs(value - expected) <= tolerance;
    }
    void showSynthetic(std::uint32_t requests) {
        m_view->setLanes(
            std::make_shared<const RequestLanes>(test::syntheticRun(*shippedCatalog(), requests)), false);
    }

private slots:
    void initTestCase() {
        Document document(shippedCatalog());
        document.openPreset("glitches/a100-7u280");
        for (const auto& [path, text] : {std::pair("nodes.fpga.count", "2"),
                                         {"techniques.gpu_assist.enabled", "true"},
                                         {"techniques.gpu_assist.preempt", "false"},
                                         {"techniques.disaggregation.stage", "0"},
                                         {"serving.requests", "6"},
                                         {"serving.arrivals", "backlog"}})
            QVERIFY2(document.set(path, text), path);
        m_figure = simulated(document);
    }
    void init() {
        Theme::instance().setMode(ThemeMode::Light);
        m_view = std::make_unique<RequestsView>();
        m_view->setLanes(m_figure, false);
        expose(*m_view, {1200, 260});
    }
    void cleanup() { m_view.reset(); }

    void showsFigureFourOfThePaper() {
        const auto& lanes = *m_view->lanes();
        QCOMPARE(lanes.lanes().size(), std::size_t(3));
        QVERIFY(lanes.lanes()[0].title.contains(QStringLiteral("A100")));
        QVERIFY(lanes.lanes()[1].title.endsWith(QStringLiteral(" 0")));
        QVERIFY(lanes.lanes()[2].title.endsWith(QStringLiteral(" 1")));
        QVERIFY(lanes.lanes()[0].opens && lanes.lanes()[1].opens && !lanes.lanes()[2].opens);
        QVERIFY(lanes.lanes()[1].kind == engine::DeviceKind::Fpga);
        struct Expected {
            ServingPhase phase;
            std::uint32_t request;
            std::uint32_t lane;
            double start, end; // s
        };
        // GLITCHES, Fig 4: [1536, 512], wait, nothing staged.
        const Expected segments[] = {
            {ServingPhase::Prefill, 0, 0, 0.0, 0.176},     {ServingPhase::Prefill, 1, 0, 0.176, 0.352},
            {ServingPhase::Prefill, 2, 0, 0.352, 0.528},   {ServingPhase::Decode, 2, 0, 0.528, 12.949},
            {ServingPhase::Decode, 0, 1, 0.178, 9.832},    {ServingPhase::Decode, 1, 2, 0.353, 10.007},
            {ServingPhase::Prefill, 3, 0, 12.949, 13.124}, {ServingPhase::Decode, 3, 1, 13.126, 22.780},
            {ServingPhase::Decode, 5, 0, 13.476, 25.897}};
        for (const auto& expected : segments) {
            const auto& found = lanes.segment(indexOf(expected.phase, expected.request));
            QVERIFY2(near(found.start, expected.start, 0.002), qPrintable(QString::number(found.start)));
            QVERIFY2(near(found.end, expected.end, 0.004), qPrintable(QString::number(found.end)));
            QCOMPARE(found.lane, expected.lane);
        }
        QVERIFY(near(m_view->view().to, 25.897, 0.004)); // the whole run at first
        QCOMPARE(m_view->view().from, 0.0);
        QCOMPARE(runText(lanes), QStringLiteral("Backlog of 6 requests"));
        QCOMPARE(segmentName(lanes, lanes.segment(indexOf(ServingPhase::Decode, 3))), QStringLiteral("D3"));
    }

    void segmentsStandOnTheirLanes() {
        const auto& layout = m_view->requestsLayout();
        const double perPixel = m_view->view().length() / layout.lanes.width();
        const auto image = m_view->grab().toImage();
        for (const std::uint32_t request : {0U, 2U, 3U}) {
            const auto index = indexOf(ServingPhase::Decode, request);
            const auto& what = m_view->lanes()->segment(index);
            const auto rect = m_view->rectOf(index);
            QVERIFY(near(rect.width() * perPixel, what.end - what.start, 1e-9));
            QCOMPARE(rect.top(), layout.rowOf(what.lane).top());
            QVERIFY(rect.height() >= 18.0);
            QCOMPARE(image.pixelColor(rect.topLeft().toPoint() + QPoint(6, 5)), Theme::instance().series(2));
        }
        press(Qt::Key_Plus);
        m_view->setView({0.0, 0.6});
        const auto closer = m_view->grab().toImage();
        const auto prefill = m_view->rectOf(indexOf(ServingPhase::Prefill, 1));
        QCOMPARE(closer.pixelColor(prefill.topLeft().toPoint() + QPoint(6, 5)), Theme::instance().series(0));
    }

    void hoveringReadsOut() {
        hover(middleOf(ServingPhase::Decode, 2));
        QVERIFY(m_view->readOut().isPresented());
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Request 2, decode"));
        QCOMPARE(readOut(QStringLiteral("Lane")), m_figure->lanes()[0].title);
        const auto& decode = m_figure->segment(indexOf(ServingPhase::Decode, 2));
        QCOMPARE(readOut(QStringLiteral("Time")), plain(betweenText(decode.start, decode.end)));
        QVERIFY2(readOut(QStringLiteral("Time")).startsWith(QStringLiteral("0.5")),
                 qPrintable(readOut(QStringLiteral("Time"))));
        QCOMPARE(readOut(QStringLiteral("Length")), QStringLiteral("12.4 s"));
        QCOMPARE(readOut(QStringLiteral("Waited before")), QStringLiteral("no"));
        m_view->setView({12.9, 13.2});
        hover(middleOf(ServingPhase::Prefill, 3));
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Request 3, prefill"));
        QCOMPARE(readOut(QStringLiteral("Length")), QStringLiteral("175.8 ms"));
        QCOMPARE(readOut(QStringLiteral("Waited before")), QStringLiteral("12.9 s")); // since its arrival
        const auto& prefill = m_figure->segment(indexOf(ServingPhase::Prefill, 3));
        const auto reason = engine::waitReasonText(prefill.reason);
        QVERIFY(prefill.reason != engine::WaitReason::None);
        QCOMPARE(readOut(QStringLiteral("Because")),
                 QString::fromUtf8(reason.data(), static_cast<qsizetype>(reason.size())));
        hover(m_view->requestsLayout().rowOf(1).center().toPoint()); // idle there
        QVERIFY(!m_view->readOut().isPresented());
    }

    void theWheelZoomsAtTheCursor() {
        const auto at = middleOf(ServingPhase::Decode, 0);
        const auto& layout = m_view->requestsLayout();
        const double time = layout.secondsAt(at.x(), m_view->view());
        const double before = m_view->view().length();
        wheel(m_view.get(), at, 3);
        QVERIFY(near(m_view->view().length(), before / std::pow(1.25, 3), 1e-9));
        QVERIFY(near(layout.secondsAt(at.x(), m_view->view()), time, 1e-9));
        const auto zoomed = m_view->view();
        wheel(m_view.get(), at, 1, Qt::ShiftModifier);
        QVERIFY(near(m_view->view().length(), zoomed.length(), 1e-9));
        QVERIFY(m_view->view().from < zoomed.from);
        for (int i = 0; i < 100; ++i)
            wheel(m_view.get(), at, -1);
        QVERIFY(m_view->view() == m_figure->whole()); // no farther than the run
        for (int i = 0; i < 200; ++i)
            wheel(m_view.get(), at, 1);
        QVERIFY(near(m_view->view().length(), 2e-6, 1e-9)); // down to microseconds
        QVERIFY(!m_view->grab().isNull());
    }

    void draggingMoves() {
        press(Qt::Key_Plus);
        const auto before = m_view->view();
        const QPoint start = m_view->requestsLayout().rowOf(0).center().toPoint();
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, start);
        QTest::mouseMove(m_view.get(), start - QPoint(60, 0));
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, start - QPoint(60, 0));
        const double moved = 60.0 / m_view->requestsLayout().lanes.width() * before.length();
        QVERIFY(near(m_view->view().from - before.from, moved, 1e-9));
        QVERIFY(near(m_view->view().length(), before.length(), 1e-9));
        QVERIFY(!m_view->markedRequest()); // a drag is no click
    }

    void theOverviewMovesTheWindow() {
        m_view->setView({0.0, 2.0});
        const auto& strip = m_view->requestsLayout().overview;
        const double end = m_figure->whole().to;
        const auto middle = strip.center().toPoint();
        QTest::mousePress(m_view.get(), Qt::LeftButton, {}, middle);
        QVERIFY(near((m_view->view().from + m_view->view().to) / 2.0, end / 2.0, end / 500.0));
        QTest::mouseMove(m_view.get(), middle + QPoint(100, 0));
        QTest::mouseRelease(m_view.get(), Qt::LeftButton, {}, middle + QPoint(100, 0));
        const double wanted = end * (0.5 + 100.0 / strip.width());
        QVERIFY(near((m_view->view().from + m_view->view().to) / 2.0, wanted, end / 500.0));
        QVERIFY(near(m_view->view().length(), 2.0, 1e-9));
    }

    void keysMoveAndFit() {
        const auto whole = m_figure->whole();
        press(Qt::Key_Plus);
        const auto closer = m_view->view();
        QVERIFY(near(closer.length(), whole.length() / 1.5, 1e-9));
        press(Qt::Key_Right);
        QVERIFY(m_view->view().from > closer.from);
        press(Qt::Key_Left);
        QVERIFY(near(m_view->view().from, closer.from, 1e-9));
        press(Qt::Key_End);
        QVERIFY(near(m_view->view().to, whole.to, 1e-9));
        QVERIFY(near(m_view->view().length(), closer.length(), 1e-9));
        press(Qt::Key_Minus);
        QVERIFY(near(m_view->view().length(), whole.length(), 1e-9));
        press(Qt::Key_Plus);
        press(Qt::Key_Home);
        QVERIFY(m_view->view() == whole);
    }

    void theKeyboardWalksLanesAndSegments() {
        m_view->setFocus();
        press(Qt::Key_Down);
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Request 0, prefill"));
        press(Qt::Key_Right, Qt::ControlModifier);
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Request 1, prefill"));
        QCOMPARE(m_view->accessibleDescription(), m_view->readOut().heading());
        press(Qt::Key_Left, Qt::ControlModifier);
        press(Qt::Key_Left, Qt::ControlModifier); // no farther than the first
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Request 0, prefill"));
        press(Qt::Key_Down);
        QVERIFY(m_view->readOut().heading().startsWith(QStringLiteral("Request 0, ")));
        for (int i = 0; i < 9; ++i)
            press(Qt::Key_Down); // to the last lane
        QVERIFY(m_view->readOut().heading().startsWith(QStringLiteral("Request 1, ")));
        press(Qt::Key_Return);
        QCOMPARE(m_view->markedRequest(), std::optional(1U));
        press(Qt::Key_Return, Qt::ShiftModifier); // shows the segment
        QVERIFY(m_view->view().length() < 10.0 * 1.2);
        m_view->setView({0.0, 0.1});
        for (int i = 0; i < 20; ++i)
            press(Qt::Key_Right, Qt::ControlModifier);
        QVERIFY(m_view->view().from > 1.0); // what is walked to comes into view
        press(Qt::Key_Escape);
        QVERIFY(!m_view->readOut().isPresented());
        QVERIFY(!m_view->markedRequest());
        QCOMPARE(m_view->accessibleDescription(), runText(*m_figure));
    }

    void aDoubleClickZoomsToASegment() {
        const auto index = indexOf(ServingPhase::Decode, 3);
        QTest::mouseDClick(m_view.get(), Qt::LeftButton, {}, middleOf(ServingPhase::Decode, 3));
        const auto& what = m_figure->segment(index);
        QVERIFY(m_view->view().from < what.start && m_view->view().to > what.end);
        QVERIFY(m_view->view().length() < 1.3 * (what.end - what.start));
    }

    void aClickMarksAndUnmarks() {
        QSignalSpy marked(m_view.get(), &RequestsView::requestMarked);
        const auto inside = [&](std::uint32_t request) {
            return m_view->rectOf(indexOf(ServingPhase::Decode, request)).topLeft().toPoint() + QPoint(8, 6);
        };
        const auto shown = Theme::instance().series(2);
        QCOMPARE(m_view->grab().toImage().pixelColor(inside(0)), shown);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middleOf(ServingPhase::Decode, 3));
        QCOMPARE(m_view->markedRequest(), std::optional(3U));
        QCOMPARE(marked.count(), 1);
        QCOMPARE(marked.last().front().value<std::optional<std::uint32_t>>(), std::optional(3U));
        QCOMPARE(m_view->marked()->segments.size(), m_figure->segmentsOf(3).size());
        QVERIFY(m_view->marked()->segments.size() >= 2); // prefill and decode, on two lanes
        QCOMPARE(m_view->marked()->arrival, std::optional(0.0));
        const auto image = m_view->grab().toImage();
        QCOMPARE(image.pixelColor(inside(3)), shown);
        const auto faded = image.pixelColor(inside(0)); // visible still
        QVERIFY(faded != shown && faded != Theme::instance().color(ColorRole::Surface));
        // A line from its arrival to its prefill, over the lane that prefills it.
        const auto row = m_view->requestsLayout().rowOf(0);
        const int y = static_cast<int>(row.bottom()) - 5;
        const int x = static_cast<int>(m_view->requestsLayout().xOf(6.0, m_view->view()));
        QVERIFY(image.pixelColor(x, y).lightness() < 120 || image.pixelColor(x, y - 1).lightness() < 120);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middleOf(ServingPhase::Decode, 3)); // once more
        QCOMPARE(marked.count(), 1);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, middleOf(ServingPhase::Decode, 5));
        QCOMPARE(m_view->markedRequest(), std::optional(5U));
        const double idle = m_view->requestsLayout().xOf(11.5, m_view->view());
        QTest::mouseClick(
            m_view.get(), Qt::LeftButton, {},
            QPoint(static_cast<int>(idle), m_view->requestsLayout().rowOf(2).center().toPoint().y()));
        QVERIFY(!m_view->markedRequest());
        QCOMPARE(m_view->grab().toImage().pixelColor(inside(0)), shown);
        QVERIFY(m_view->markRequest(1));
        press(Qt::Key_Escape);
        QVERIFY(!m_view->markedRequest());
        QVERIFY(!m_view->markRequest(999));
    }

    void aPaintCostsPixelsNotSegments() {
        showSynthetic(100000);
        QCOMPARE(m_view->lanes()->result().segments.size(), std::size_t(300000));
        const auto whole = m_view->lanes()->whole();
        const auto& layout = m_view->requestsLayout();
        const auto bound = static_cast<std::size_t>(8.0 * (2.0 * layout.lanes.width() + 4.0));
        for (double zoom = 1.0; zoom > 1e-8; zoom *= 0.2) {
            const double middle = whole.from + 0.37 * whole.length();
            m_view->setView({middle - zoom * whole.length() / 2.0, middle + zoom * whole.length() / 2.0});
            QVERIFY(!m_view->grab().isNull());
            QVERIFY2(m_view->paintedRectangles() <= bound,
                     qPrintable(QString::number(m_view->paintedRectangles())));
            QVERIFY(m_view->paintedRectangles() > 0 || zoom < 1e-5);
        }
        m_view->showAll();
        m_view->markRequest(70000);
        QVERIFY(!m_view->grab().isNull());
        QVERIFY(m_view->paintedRectangles() <= bound + 3);
    }

    void coverageShowsWhatFillsAPixel() {
        showSynthetic(20000); // decode lanes are almost always busy, with a little KV transfer
        const auto& lanes = *m_view->lanes();
        const auto image = m_view->grab().toImage();
        const auto row = m_view->requestsLayout().rowOf(3);
        const auto middle = image.pixelColor(row.center().toPoint());
        const auto decode = Theme::instance().series(2);
        QVERIFY(std::abs(middle.red() - decode.red()) < 40 &&
                std::abs(middle.green() - decode.green()) < 40 &&
                std::abs(middle.blue() - decode.blue()) < 40);
        QVERIFY(lanes.lanes()[3].busy > 0.8);
        const auto strip = m_view->requestsLayout().overview;
        QVERIFY(image.pixelColor(strip.center().toPoint() + QPoint(0, 3)) !=
                Theme::instance().color(ColorRole::Sunken));
    }

    void manyLanesScroll() {
        showSynthetic(50);
        m_view->resize(900, 130);
        auto* bar = child<QScrollBar>(m_view);
        QTRY_VERIFY(bar->isVisible());
        QVERIFY(m_view->requestsLayout().seen().second < 8);
        wheel(m_view.get(), QPoint(20, 60), -20); // over the labels
        QCOMPARE(bar->value(), bar->maximum());
        QCOMPARE(m_view->requestsLayout().seen().second, std::size_t(8));
        QVERIFY(m_view->requestsLayout().rowOf(7).bottom() <= m_view->requestsLayout().lanes.bottom() + 0.5);
        press(Qt::Key_PageUp);
        QVERIFY(bar->value() < bar->maximum());
        bar->setValue(0);
        m_view->setFocus();
        for (int i = 0; i < 8; ++i)
            press(Qt::Key_Down); // walking scrolls
        QVERIFY(bar->value() > 0);
        QVERIFY(m_view->requestsLayout().laneAt(m_view->requestsLayout().rowOf(7).center().y()).has_value());
        m_view->resize(900, 400);
        QTRY_VERIFY(!bar->isVisible());
        QCOMPARE(m_view->requestsLayout().scroll, 0.0);
    }

    void aStaticBatchIsOneSegmentOfSeveralRequests() {
        Document document(shippedCatalog());
        document.openPreset("glitches/8a100");
        for (const auto& [path, text] :
             {std::pair("workload.batch", "4"), {"serving.requests", "64"}, {"serving.arrivals", "backlog"}})
            QVERIFY2(document.set(path, text), path);
        m_view->setLanes(simulated(document), false);
        const auto& lanes = *m_view->lanes();
        const auto index = indexOf(ServingPhase::Decode, 6);
        const auto& batch = lanes.segment(index);
        QCOMPARE(batch.requests, 4U);
        QCOMPARE(batch.request, 4U);
        QCOMPARE(segmentName(lanes, batch), QStringLiteral("D4\u20137"));
        hover(m_view->rectOf(index).center().toPoint());
        QCOMPARE(m_view->readOut().heading(), QStringLiteral("Requests 4\u20137, decode"));
        QCOMPARE(readOut(QStringLiteral("Static batch")), QStringLiteral("4 requests"));
        QVERIFY(m_view->markRequest(6)); // one of the others
        QVERIFY(storyText(lanes, 6).startsWith(QStringLiteral("Request 6: arrived at 0")));
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, m_view->rectOf(index).center().toPoint());
        QCOMPARE(m_view->markedRequest(), std::optional(6U)); // stays the one of its batch
    }

    void aRequestTooNarrowToSeeIsZoomedTo() {
        showSynthetic(20000);
        QVERIFY(m_view->showRequest(12345));
        const auto* served = m_view->lanes()->served(12345);
        QVERIFY(m_view->view().from < served->prefillStart && m_view->view().to > served->finish);
        QVERIFY(m_view->rectOf(indexOf(ServingPhase::Decode, 12345)).width() > 20.0);
        const auto before = m_view->view();
        QVERIFY(m_view->showRequest(12345)); // it is there already
        QVERIFY(m_view->view() == before);
        QVERIFY(!m_view->showRequest(20000));
    }

    void aPictureHoldsTheLanesThatHaveRoom() {
        Document document(shippedCatalog());
        document.openPreset("glitches/8a100");
        for (const auto& [path, text] : {std::pair("workload.batch", "24"),
                                         {"serving.requests", "400"},
                                         {"serving.batching", "continuous"},
                                         {"serving.arrivals", "backlog"}})
            QVERIFY2(document.set(path, text), path);
        const auto lanes = simulated(document);
        QVERIFY(lanes->lanes().size() > kLanesInPicture);
        const auto heightFrom = [&](std::size_t first) {
            const auto png =
                renderRequests(*lanes, lanes->whole(), nullptr, first, ImageFormat::Png, {.dpi = 96.0});
            return QImage::fromData(png).height();
        };
        QVERIFY(heightFrom(0) > 120 * 18 && heightFrom(0) < 124 * 18 + 100);
        const auto svg = [&](std::size_t first) {
            return renderRequests(*lanes, lanes->whole(), nullptr, first, ImageFormat::Svg, {});
        };
        const auto last = lanes->lanes().back().title.toUtf8();
        QVERIFY(!svg(0).contains(last));
        QVERIFY(svg(lanes->lanes().size()).contains(last));
    }

    void ticksGoFromMicrosecondsToHours() {
        const auto first = [](TimeSpan view) { return timeTicks(view, 6); };
        QCOMPARE(first({0.0, 1e-5}).title, QStringLiteral("Time (\u00b5s)"));
        QCOMPARE(first({0.0, 0.5}).title, QStringLiteral("Time (ms)"));
        QCOMPARE(first({0.0, 30.0}).title, QStringLiteral("Time (s)"));
        QCOMPARE(first({0.0, 1200.0}).title, QStringLiteral("Time (min)"));
        QCOMPARE(first({0.0, 40000.0}).title, QStringLiteral("Time (h)"));
        const auto minutes = first({0.0, 1200.0}).ticks;
        QCOMPARE(minutes.back().second, QStringLiteral("20"));
        QCOMPARE(minutes.back().first, 1200.0);
        const auto late = first({3600.25, 3600.250009});
        QCOMPARE(late.title, QStringLiteral("3,600.25000 s + (\u00b5s)"));
        QVERIFY(late.ticks.size() >= 3);
        for (const auto& [seconds, text] : late.ticks) {
            QVERIFY(seconds >= 3600.25 - 1e-9 && seconds <= 3600.25001 + 1e-9);
            QVERIFY2(text.size() <= 3, qPrintable(text));
        }
        QCOMPARE(plain(spanText(0.0189)), QStringLiteral("18.9 ms"));
        QCOMPARE(plain(spanText(0.001234)), QStringLiteral("1.23 ms"));
        QCOMPARE(plain(spanText(0.999)),
                 QStringLiteral("999.0 ms")); // a metric turns to seconds there as well
        QCOMPARE(plain(spanText(1.234)), QStringLiteral("1.23 s"));
        QCOMPARE(plain(spanText(1296.0)), QStringLiteral("21.6 min"));
        QCOMPARE(plain(spanText(13000.0)), QStringLiteral("3.61 h"));
        QCOMPARE(plain(betweenText(3600.000001, 3600.000003)),
                 QStringLiteral("3,600.00000100 to 3,600.00000300 s"));
    }

    void followsTheTheme() {
        m_view->markRequest(2);
        for (const auto mode : {ThemeMode::Dark, ThemeMode::Light}) {
            Theme::instance().setMode(mode);
            const auto image = m_view->grab().toImage();
            QCOMPARE(image.pixelColor(image.width() - 5, 5), Theme::instance().color(ColorRole::Surface));
            QCOMPARE(image.pixelColor(m_view->rectOf(indexOf(ServingPhase::Decode, 2)).topLeft().toPoint() +
                                      QPoint(8, 6)),
                     Theme::instance().series(2));
        }
    }

    void showsNothingWithoutARun() {
        m_view->markRequest(2);
        QSignalSpy marked(m_view.get(), &RequestsView::requestMarked);
        m_view->setLanes(nullptr, true);
        QCOMPARE(marked.count(), 1);
        QVERIFY(!m_view->markedRequest());
        for (const int key : {Qt::Key_Plus, Qt::Key_Down, Qt::Key_Home, Qt::Key_Escape, Qt::Key_PageDown})
            press(key);
        wheel(m_view.get(), QPoint(300, 60), 1);
        QTest::mouseClick(m_view.get(), Qt::LeftButton, {}, QPoint(300, 60));
        QCOMPARE(m_view->grab().toImage().pixelColor(300, 60), Theme::instance().color(ColorRole::Surface));
    }
};

WIDGET_TEST(RequestsViewTest)
#include "requests_view_test.moc"
