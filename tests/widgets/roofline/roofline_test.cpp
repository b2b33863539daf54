// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/shipped_catalog.h"
#include "tests/widgets/canvas/synthetic_design.h"
#include "tests/widgets/widget_test.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"
#include "widgets/roofline/operator_model.h"
#include "widgets/roofline/roofline_workspace.h"

#include <QLineEdit>
#include <QPushButton>
#include <QTest>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class RooflineTest : public QObject {
    Q_OBJECT

    std::unique_ptr<Document> m_document;
    std::unique_ptr<RooflineWorkspace> m_view;

private slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_view = std::make_unique<RooflineWorkspace>(m_document.get());
        expose(*m_view, {1280, 640});
    }
    void cleanup() {
        m_view.reset();
        m_document.reset();
    }

    void prefetchedOperatorsStandUnderTheRoofOfL2() {
        for (const auto* id :
             {"preserve/llama3-70b-8h100", "preserve/llama3-405b-32", "glitches/a100-7u280"}) {
            m_document->openPreset(id);
            const auto rooflines = engine::rooflines(m_document->scenario());
            int onL2 = 0;
            for (const auto& point : rooflinePoints(rooflines)) {
                const auto& roofline = rooflines[point.roofline];
                if (!point.drawable())
                    continue;
                QVERIFY2(roofline.l2Bandwidth == 0 || point.ofRoof < 1 + 1e-9, point.name.c_str());
                if (point.operatorIndex == RooflinePoint::kWholeStep)
                    continue;
                const bool hit = roofline.detail.operators[point.operatorIndex].prefetched;
                QVERIFY(!(hit && point.roof == RooflinePoint::Roof::Memory &&
                          roofline.phase == engine::Phase::Decode));
                onL2 += point.roof == RooflinePoint::Roof::L2 ? 1 : 0;
            }
            QCOMPARE(onL2 > 0, std::string(id).starts_with("preserve/"));
            const auto chart = rooflineChart(rooflines, {});
            const bool captioned =
                std::any_of(chart.captions.begin(), chart.captions.end(), [](const auto& caption) {
                    return caption.text.contains(QStringLiteral(" L2, "));
                });
            QCOMPARE(captioned, onL2 > 0);
        }
    }

    void noOperatorStandsAboveTheRoofOfItsOwnPrecision() {
        int narrow = 0; // operators that multiply in another precision than their runtime
        for (const auto& id : shippedCatalog()->systems) {
            m_document->openPreset(id);
            const auto rooflines = engine::rooflines(m_document->scenario());
            for (const auto& point : rooflinePoints(rooflines)) {
                const auto& operators = rooflines[point.roofline].detail.operators;
                if (!point.drawable() || point.operatorIndex >= operators.size())
                    continue;
                QVERIFY2(point.ofRoof <= 1 + 1e-9,
                         qPrintable(QStringLiteral("%1, %2: %3")
                                        .arg(QString::fromStdString(id), QString::fromStdString(point.name),
                                             QString::number(point.ofRoof))));
                narrow += operators[point.operatorIndex].precision.empty() ? 0 : 1;
            }
        }
        QVERIFY(narrow > 0);
    }

    void thePeakOfAnOperatorsOwnPrecisionIsACeilingOfThatName() {
        m_document->openPreset("served/deepseek-v3-32h100-dp32-ep32");
        const auto rooflines = engine::rooflines(m_document->scenario());
        RooflineOptions options;
        options.ceilings = rooflineCeilings(m_document->scenario(), rooflines);
        const auto chart = rooflineChart(rooflines, options);
        const auto captions = [&](const QString& part) {
            return static_cast<int>(
                std::count_if(chart.captions.begin(), chart.captions.end(),
                              [&](const auto& caption) { return caption.text.contains(part); }));
        };
        QCOMPARE(captions(QStringLiteral(" FP8, ")), 1);
        QCOMPARE(captions(QStringLiteral(" INT8, ")), 0); // the same line
        bool said = false;
        for (const auto& mark : chart.marks)
            said = said || mark.readOut[2].second.startsWith(QStringLiteral("FP8 peak, "));
        QVERIFY(said);
    }

    void computeLeftOfTheRidgeExplainsItself() {
        m_document->openPreset("glitches/8u280");
        m_view->show();
        QVERIFY(m_view->note().contains(QStringLiteral("left of the ridge at 15.0 FLOP/B")));
        m_document->openPreset("glitches/8a100");
        QTRY_VERIFY(m_view->note().isEmpty());
    }

    void ofManyDevicesTheSlowestAreDrawn() {
        m_document->replaceScenario(widgets::test::syntheticDesign(*shippedCatalog(), 200), "many");
        m_view->show();
        auto all = engine::rooflines(m_document->scenario());
        QTRY_VERIFY(m_view->note().contains(QString::number(all.size()))); // so many are evaluated later
        QVERIFY(m_view->rooflines().size() < all.size() && !m_view->rooflines().empty());
        double fastest = std::numeric_limits<double>::infinity();
        for (const auto& drawn : m_view->rooflines())
            fastest = std::min(fastest, drawn.detail.seconds);
        const auto slower = std::count_if(all.begin(), all.end(), [fastest](const auto& roofline) {
            return roofline.detail.seconds > fastest;
        });
        QVERIFY(slower < static_cast<std::ptrdiff_t>(m_view->rooflines().size()));
    }

    void pointsAreTheBreakdown() {
        const auto rooflines = engine::rooflines(m_document->scenario());
        const auto points = rooflinePoints(rooflines);
        std::size_t at = 0;
        for (const auto& roofline : rooflines) {
            const auto detail = engine::breakdown(m_document->scenario(), roofline.node, roofline.phase);
            for (const auto& row : detail.operators) {
                const auto& point = points.at(at++);
                QCOMPARE(point.name, row.label);
                QCOMPARE(point.seconds, row.seconds);
                if (row.bytes > 0 && row.seconds > 0) {
                    QCOMPARE(point.intensity, row.flops / row.bytes);
                    QCOMPARE(point.achieved, row.flops / row.seconds);
                }
            }
            QCOMPARE(points.at(at).operatorIndex, RooflinePoint::kWholeStep);
            QCOMPARE(points.at(at++).seconds, roofline.step.seconds);
        }
        QCOMPARE(at, points.size());
    }

    void marksAreTheDrawablePointsAndInTheView() {
        const auto points = rooflinePoints(m_view->rooflines());
        const auto& chart = m_view->view()->chart();
        std::size_t mark = 0;
        for (const auto& point : points) {
            if (!point.drawable())
                continue;
            QCOMPARE(chart.marks.at(mark).x, point.intensity);
            QCOMPARE(chart.marks.at(mark).y * 1e12, point.achieved);
            QVERIFY(chart.marks[mark].x > chart.xRange().lower && chart.marks[mark].x < chart.xRange().upper);
            QVERIFY(chart.marks[mark].y > chart.yRange().lower && chart.marks[mark].y < chart.yRange().upper);
            ++mark;
        }
        QCOMPARE(mark, chart.marks.size());
        QVERIFY(mark > 4);
        for (const auto& roofline : m_view->rooflines())
            QVERIFY(roofline.peakFlops / 1e12 < chart.yRange().upper);
    }

    void chipHidesItsPoints() {
        const auto before = m_view->view()->chart().marks.size();
        QPushButton* chip = nullptr;
        for (auto* button : m_view->findChildren<QPushButton*>())
            if (button->text() == rooflineName(m_view->rooflines()[0]))
                chip = button;
        QVERIFY(chip);
        QTest::mouseClick(chip, Qt::LeftButton);
        const auto after = m_view->view()->chart().marks.size();
        QVERIFY(after > 0 && after < before);
        QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(m_view->view()->chart().marks.size(), before);
    }

    void followsTheDocument() {
        const auto before = m_view->view()->chart().marks.front().x;
        QVERIFY(m_document->set("workload.prompt_tokens", "256"));
        QVERIFY(m_view->view()->chart().marks.front().x != before);
        m_document->newDesign();
        QVERIFY(m_view->rooflines().empty());
    }

    void clickingAMarkChoosesItsOperator() {
        auto* view = m_view->view();
        auto* list = m_view->findChild<OperatorList*>();
        QTRY_VERIFY(view->rect().contains(view->pixelOf({-1, 0}).toPoint()));
        int largest = 0;
        const auto& marks = view->chart().marks;
        for (int i = 0; i < static_cast<int>(marks.size()); ++i)
            if (!marks[static_cast<std::size_t>(i)].ringed)
                largest = marks[static_cast<std::size_t>(i)].diameter >
                                  marks[static_cast<std::size_t>(largest)].diameter
                              ? i
                              : largest;
        const auto at = view->pixelOf({-1, largest}).toPoint();
        auto* plot = view->childAt(at);
        QTest::mouseClick(plot, Qt::LeftButton, {}, plot->mapFrom(view, at));
        QVERIFY(list->currentIndex().isValid());
        QVERIFY(view->selected());
    }

    void operatorsAreListedUnderTheirDevicesTheSlowestFirst() {
        auto* list = m_view->findChild<OperatorList*>();
        const auto* model = static_cast<const OperatorModel*>(list->model());
        const auto points = rooflinePoints(m_view->rooflines());
        const auto headings = [model] {
            QStringList names;
            for (int row = 0; row < model->rowCount(); ++row)
                if (model->isHeading(row))
                    names << model->index(row, OperatorModel::Name).data().toString();
            return names;
        };
        QStringList names;
        for (const auto& roofline : m_view->rooflines())
            names << rooflineName(roofline);
        QVERIFY(names.size() > 1);
        QCOMPARE(headings(), names);
        QCOMPARE(model->rowCount(), static_cast<int>(points.size()) + static_cast<int>(names.size()));
        for (int row = 1; row < model->rowCount(); ++row) {
            if (model->isHeading(row)) {
                QCOMPARE(model->pointAt(row), -1);
                QVERIFY(!model->index(row, 0).flags().testFlag(Qt::ItemIsSelectable));
                continue;
            }
            const auto& point = points[static_cast<std::size_t>(model->pointAt(row))];
            QCOMPARE(model->index(row, OperatorModel::Name).data().toString(),
                     QString::fromStdString(point.name));
            QCOMPARE(model->rowOf(model->pointAt(row)), row);
            QCOMPARE(model->index(row, OperatorModel::Share).data(OperatorModel::ShareRole).toDouble(),
                     point.share);
            if (!model->isHeading(row - 1))
                QVERIFY(points[static_cast<std::size_t>(model->pointAt(row - 1))].seconds >= point.seconds);
        }

        list->setCurrentIndex(model->index(1, 0)); // and from the list to the chart
        QVERIFY(m_view->view()->selected());

        auto* find = m_view->findChild<QLineEdit*>();
        QTest::keyClicks(find, QStringLiteral(" ffn"));
        int found = 0;
        for (int row = 0; row < model->rowCount(); ++row) {
            if (model->isHeading(row))
                continue;
            const auto& point = points[static_cast<std::size_t>(model->pointAt(row))];
            QVERIFY(point.operatorIndex == RooflinePoint::kWholeStep ||
                    QString::fromStdString(point.name).contains(QStringLiteral("ffn"), Qt::CaseInsensitive));
            found += point.operatorIndex != RooflinePoint::kWholeStep;
        }
        QVERIFY(found > 0);
        QCOMPARE(headings(), names);

        for (auto* chip : m_view->findChildren<QPushButton*>())
            if (chip->text() == names.front())
                QTest::mouseClick(chip, Qt::LeftButton);
        QCOMPARE(headings(), names.mid(1));
    }

    void offloadedAttentionStandsUnderTheRoofOfItsKernels() {
        m_document->openPreset("inf2/opt-30b-a100-16csd");
        const auto& rooflines = m_view->rooflines();
        QCOMPARE(rooflines.size(), std::size_t(2));
        QVERIFY(rooflines[0].links.empty()); // prefill computes on the GPU
        const auto& decode = rooflines[1];
        std::vector<engine::Lane> lanes;
        for (const auto& link : decode.links)
            lanes.push_back(link.lane);
        QCOMPARE(lanes, (std::vector{engine::Lane::Csd, engine::Lane::Uplink, engine::Lane::Pcie}));
        QVERIFY(std::fabs(decode.links[2].bandwidth - 24.5e9) < 1.0);
        QVERIFY(std::fabs(decode.links[1].bandwidth - 5.54e9) < 1.0);
        QCOMPARE(QString::fromStdString(decode.links[0].label),
                 QStringLiteral("CSD kernels, 16 \u00d7 SmartSSD"));
        const auto points = rooflinePoints(rooflines);
        const auto find = [&](const char* name) {
            for (const auto& point : points)
                if (point.name == name && point.roofline == 1)
                    return point;
            return RooflinePoint{};
        };
        // Four FLOP for each pair of K and V elements of two bytes: one FLOP a byte without shared heads.
        const auto attention = find("Attention in CSDs");
        QVERIFY(attention.drawable());
        QVERIFY(std::fabs(attention.intensity - 1.0) < 1e-12);
        QVERIFY(std::fabs(attention.achieved / decode.links[0].bandwidth - 1.0) < 1e-12);
        QVERIFY(attention.roof == RooflinePoint::Roof::Link);
        QVERIFY(attention.link == engine::Bound::CsdKernel);
        QVERIFY(std::fabs(attention.ofRoof - 1.0) < 1e-12);
        // What keeps the CSDs busy for most of the step is what the step waits for.
        const auto step = find("Whole step");
        QVERIFY(step.link == engine::Bound::CsdKernel);
        QVERIFY(step.ofRoof > 0.5 && step.ofRoof < 1.0);
        QVERIFY(!find("Weights, PCIe").drawable()); // nothing is computed on the way
        QVERIFY(find("Weights, PCIe").seconds > 0);
        QVERIFY(find("Attention").seconds == 0); // its flows stand for it
        const auto& marks = m_view->view()->chart().marks;
        QVERIFY(std::any_of(marks.begin(), marks.end(), [](const auto& mark) {
            return mark.name == QStringLiteral("Attention in CSDs, decode") &&
                   mark.readOut[2].second == QStringLiteral("CSD kernels, 100 % used");
        }));

        QVERIFY(m_document->set("nodes.storage.device", "nvme-ssd")); // the baseline
        const auto base = rooflinePoints(m_view->rooflines());
        QVERIFY(std::any_of(base.begin(), base.end(), [](const auto& point) {
            return point.name == "KV cache read" && point.drawable() &&
                   point.link == engine::Bound::StorageLink;
        }));
    }

    void csvHasAllPointsAndErrorsAreShown() {
        const auto lines = rooflineCsv(m_view->rooflines()).split(u'\n', Qt::SkipEmptyParts);
        QCOMPARE(static_cast<std::size_t>(lines.size()), rooflinePoints(m_view->rooflines()).size() + 1);
        QVERIFY(!m_view->exportButton()->exportTo(QStringLiteral("/nowhere/roofline.svg")));
        auto* notice = m_view->findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("/nowhere/roofline.svg")));
    }
};

WIDGET_TEST(RooflineTest)
#include "roofline_test.moc"
