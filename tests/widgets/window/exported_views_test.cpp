// SPDX-License-Identifier: GPL-3.0-or-later
// What the window's plots are written as, by their menus: all words of a picture, and none of them on a line.
#include "drawn_svg.h"
#include "engine/study/sensitivity.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/explore/plot_options.h"
#include "widgets/explore/tornado_chart.h"
#include "widgets/explore/tornado_tile.h"

#include <QCheckBox>
#include <QPainter>
#include <QRegularExpression>
#include <QSvgRenderer>
#include <QToolButton>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;

class ExportedViewsTest : public StudyWindowFixture {
    Q_OBJECT

    static constexpr const char* kCount = "nodes.fpga.count";
    static constexpr const char* kBatch = "workload.batch";

    static int coloured(const QImage& picture, const QRect& within, const QColor& color) {
        int count = 0;
        for (int y = within.top(); y <= within.bottom(); ++y)
            for (int x = within.left(); x <= within.right(); ++x)
                count += picture.pixelColor(x, y) == color;
        return count;
    }
    /// The colours that a PDF fills with, as "r g b" of 0..255.
    static std::set<std::array<int, 3>> fillsOf(const QByteArray& pdf) {
        static constexpr char kPacked[] = "/FlateDecode\n>>\nstream\n";
        std::set<std::array<int, 3>> fills;
        static const QRegularExpression fill(QStringLiteral("([\\d.]+) ([\\d.]+) ([\\d.]+) scn\\b"));
        for (qsizetype at = 0; (at = pdf.indexOf(kPacked, at)) >= 0; ++at) {
            const auto size = std::array<char, 4>{0, 16, 0, 0}; // of what comes out, at a guess
            const auto page =
                qUncompress(QByteArray(size.data(), 4) + pdf.mid(at + qsizetype(sizeof kPacked) - 1));
            auto found = fill.globalMatch(QString::fromLatin1(page));
            while (found.hasNext()) {
                const auto match = found.next();
                std::array<int, 3> rgb{};
                for (int i = 0; i < 3; ++i)
                    rgb[static_cast<std::size_t>(i)] =
                        static_cast<int>(std::lround(match.captured(i + 1).toDouble() * 255));
                fills.insert(rgb);
            }
        }
        return fills;
    }
    /// Of what is written in a picture nothing lies on a curve: but what names a place of the x axis, over
    /// its own way down.
    static void checkWords(const DrawnSvg& svg, const Chart& chart) {
        QVERIFY(svg.isWhole);
        std::vector<const DrawnSvg::Line*> curves;
        for (const auto& line : svg.lines)
            for (const auto& one : chart.lines)
                if (line.color == one.color.resolve(true) && (curves.empty() || curves.back() != &line))
                    curves.push_back(&line);
        QVERIFY(curves.size() >= chart.lines.size());
        for (const auto& text : svg.texts)
            for (const auto* curve : curves) {
                const auto& way = curve->points;
                const double middle = text.ground.boundingRect().center().x();
                const bool own =
                    way.size() == 2 && way[0].x() == way[1].x() && std::fabs(way[0].x() - middle) < 1;
                QVERIFY2(own || !DrawnSvg::meet(text, *curve), qPrintable(text.words));
            }
    }
    void tick(StudyTile* tile, const char* option) {
        click(tile->findChild<QToolButton*>(QStringLiteral("plotOptions")));
        auto* options = tile->findChild<PlotOptions*>();
        QTRY_VERIFY(options->isVisible());
        auto* box = options->findChild<QCheckBox*>(QLatin1String(option));
        QVERIFY(box->isVisible() && !box->isChecked());
        Hand().click(box, QPoint(9, box->height() / 2));
        QTest::keyClick(options, Qt::Key_Escape);
        QTRY_VERIFY(!options->isVisible());
    }

private slots:
    void init() {
        StudyWindowFixture::init();
        m_test->goTo(Workspace::Explore);
    }

    void aTornadoIsWrittenWithItsLegendAndTheNamesOfAllBars() {
        m_test->run();
        click(m_test->named<QPushButton>("addPlot"));
        QVERIFY(openMenu());
        choose(openMenu(), QStringLiteral("Sensitivity"));
        auto* tile = m_test->explore().findChild<TornadoTile*>();
        QVERIFY(tile);
        QTRY_VERIFY(!tile->isBusy() && tile->chart()->picture().bars() > 3);
        // As the engine has it for the base of the study, or for the point that is chosen.
        const auto row = m_test->marks()->selected();
        const auto study = m_test->marks()->study();
        const auto design = row ? study->scenarioOf(*row) : *study->definition.base;
        const auto swings = engine::tornado(design, engine::allInputs(design), "throughput_tok_s").swings;
        const auto bars = std::min(swings.size(), TornadoPicture::kMostBars);
        QVERIFY(bars > 3);
        const auto low = Theme::lightSeries(1), high = Theme::lightSeries(0);
        for (const auto* width : {"178", "85"}) {
            m_test->chooseIn(tile->exportButton(), width);
            m_test->exportBy(tile->exportButton(), "Picture (SVG)", "tornado.svg");
            const DrawnSvg svg(m_test->read("tornado.svg"));
            QVERIFY(svg.isWhole);
            // A name may stand on two lines, and is whole all the same.
            const auto written = svg.words().join(u' ');
            for (std::size_t bar = 0; bar < bars; ++bar)
                QVERIFY2(written.contains(QString::fromStdString(swings[bar].input.label)),
                         swings[bar].input.label.c_str());
            for (const auto* word : {"at low", "at high", "stated", "assumed", "Throughput (tok/s)"})
                QVERIFY2(svg.words().contains(QLatin1String(word)), word);
            const QRectF page(QPointF(), svg.size);
            for (const auto& text : svg.texts) { // and nothing stands beside the page or on another
                QVERIFY2(page.contains(text.ground.boundingRect()), qPrintable(text.words));
                for (const auto& other : svg.texts)
                    QVERIFY2(&other == &text || text.ground.intersected(other.ground).isEmpty() ||
                                 text.words == other.words,
                             qPrintable(text.words + u'|' + other.words));
            }

            m_test->exportBy(tile->exportButton(), "Picture (PNG)", "tornado.png");
            const QImage picture(m_test->file("tornado.png"));
            // Under all bars there are the legend's colours alone.
            const auto legend = svg.texts[static_cast<std::size_t>(svg.words().indexOf(u"at low"))].ground;
            const double scale = picture.width() / svg.size.width();
            const int top = static_cast<int>(legend.boundingRect().top() * scale);
            const QRect below(0, top, picture.width(), picture.height() - top);
            for (const auto& color : {low, high}) {
                const int seen = coloured(picture, below, color);
                QVERIFY2(seen > 40 * scale && seen < 90 * scale * scale, qPrintable(QString::number(seen)));
            }

            m_test->exportBy(tile->exportButton(), "Picture (PDF)", "tornado.pdf");
            QVERIFY(m_test->read("tornado.pdf").startsWith("%PDF"));
            const auto fills = fillsOf(m_test->read("tornado.pdf"));
            for (const auto& color : {low, high})
                QVERIFY(fills.contains({color.red(), color.green(), color.blue()}));
        }
    }

    void noWordOfAWrittenPlotLiesOnALine() {
        m_test->runStudy({{kBatch, "1,2,4,8"}, {kCount, "1,3,7"}});
        auto* tile = m_test->tile(0);
        tick(tile, "knee");
        const auto& chart = tile->view()->chart();
        QVERIFY(!chart.crossovers.empty() && !chart.stars.empty());
        const auto best = chart.stars.front().label.section(u'\n', -1);
        const auto knee = chart.crossovers.front().label;
        for (const auto* width : {"178", "85"}) {
            m_test->chooseIn(tile->exportButton(), width);
            m_test->exportBy(tile->exportButton(), "Picture (SVG)", "lines.svg");
            const DrawnSvg svg(m_test->read("lines.svg"));
            checkWords(svg, chart);
            QVERIFY(svg.words().contains(best));
            QVERIFY(svg.words().contains(knee));
        }
        // A word is found where one lies on a line.
        DrawnSvg moved(m_test->read("lines.svg"));
        auto& word = moved.texts[static_cast<std::size_t>(moved.words().indexOf(best))];
        const auto color = chart.lines.front().color.resolve(true);
        const auto curve = std::find_if(moved.lines.begin(), moved.lines.end(),
                                        [&](const auto& line) { return line.color == color; });
        QVERIFY(curve != moved.lines.end() && !DrawnSvg::meet(word, *curve));
        word.ground.translate(curve->points[2] - word.ground.boundingRect().center());
        QVERIFY(DrawnSvg::meet(word, *curve));

        // The view that is shown has its words elsewhere.
        const auto [plot, at] = StudyWindow::placeOf(tile->view(), {2, 3});
        wheel(plot, at, 3);
        m_test->exportBy(tile->exportButton(), "Picture (SVG)", "near.svg");
        const DrawnSvg near(m_test->read("near.svg"));
        QVERIFY(near.words() != moved.words());
        checkWords(near, chart);
    }

    void noWordOfAWrittenRooflineLiesOnARoof() {
        m_test->run();
        auto* tile = m_test->addPlot("Roofline");
        QVERIFY(tile);
        QTRY_VERIFY(!tile->isBusy() && !tile->view()->chart().marks.empty());
        for (const auto* width : {"178", "85"}) {
            m_test->chooseIn(tile->exportButton(), width);
            m_test->exportBy(tile->exportButton(), "Picture (SVG)", "roofline.svg");
            checkWords(DrawnSvg(m_test->read("roofline.svg")), tile->view()->chart());
        }
    }

    void nothingOfANearViewIsWrittenBesideItsAxes_data() {
        QTest::addColumn<QString>("entry");
        for (const char* entry : {"Lines", "Bars", "Scatter", "Roofline"})
            QTest::newRow(entry) << QString::fromLatin1(entry);
    }
    void nothingOfANearViewIsWrittenBesideItsAxes() {
        QFETCH(QString, entry);
        m_test->run();
        auto* tile = m_test->addPlot(entry.toLatin1().constData());
        QVERIFY(tile);
        QTRY_VERIFY(tile->isVisible() && !tile->isBusy());
        click(tile->findChild<QToolButton*>(QStringLiteral("maximise")));
        QTRY_VERIFY(tile->view()->width() > 800);
        if (entry == QStringLiteral("Lines")) {
            tick(tile, "bands");
            QTRY_VERIFY(!tile->view()->chart().lines[0].low.empty());
        }
        auto* view = tile->view();
        const auto whole = view->view().x;
        const auto [plot, at] = StudyWindow::placeAt(view, view->pointer().plotArea().center());
        wheel(plot, at, 4);
        QTRY_VERIFY(view->view().x.upper - view->view().x.lower < 0.8 * (whole.upper - whole.lower));
        m_test->exportBy(tile->exportButton(), "Picture (SVG)", "near.svg");
        const auto file = m_test->read("near.svg");
        const DrawnSvg svg(file);
        // The x axis: the longest of its colour.
        QLineF axis;
        for (const auto& line : svg.lines)
            if (const QLineF way(line.points.first(), line.points.last());
                line.color == Theme::lightColor(ColorRole::BorderControl) && way.length() > axis.length())
                axis = way;
        QVERIFY(axis.length() > 100 && axis.dy() == 0);
        QImage picture(svg.size.toSize(), QImage::Format_RGB32);
        picture.fill(Qt::white);
        QPainter painter(&picture);
        QSvgRenderer(file).render(&painter);
        painter.end();
        int within = 0, beside = 0; // pixels that have a colour: axes, grid and their words are grey
        const int half = qRound(axis.y1()) - picture.height() / 2; // a legend may stand above
        for (int y = 0; y < picture.height(); ++y)
            for (int x = 0; x < axis.x2() - 2; ++x)
                if (picture.pixelColor(x, y).hslSaturation() > 120) {
                    const bool isWithin = x > axis.x1() - 4 && y < axis.y1() + 4;
                    within += isWithin;
                    beside += !isWithin && y > half;
                }
        QVERIFY2(within > 60, qPrintable(QString::number(within)));
        QCOMPARE(beside, 0);
    }
};

WIDGET_TEST(ExportedViewsTest)
#include "exported_views_test.moc"
