// SPDX-License-Identifier: GPL-3.0-or-later
// What the papers state, in the program's window: their largest misfits are in sight, and a claim opens its
// design, fitted and under the name of its row.
#include "engine/evaluation/metric.h"
#include "tests/widgets/widget_test.h"
#include "tests/widgets/window/study_fixture.h"
#include "widgets/canvas/canvas_scene.h"
#include "widgets/canvas/canvas_view.h"
#include "widgets/canvas/node_item.h"
#include "widgets/compare/claim_text.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/paper_card.h"
#include "widgets/document/metric_text.h"
#include "widgets/theme/theme.h"
#include "widgets/window/context_bar.h"
#include "widgets/window/metric_cell.h"
#include "widgets/window/metrics_strip.h"

#include <QPushButton>
#include <QToolButton>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape;
using namespace heteroscape::widgets;
using engine::Metric;

class ClaimsWindowTest : public StudyWindowFixture {
    Q_OBJECT

    std::vector<engine::PaperComparison> m_papers;

    CompareWorkspace* compare() const { return child<CompareWorkspace>(m_test->window); }
    const engine::PaperComparison& paper(const std::string& id) const {
        return *std::find_if(m_papers.begin(), m_papers.end(),
                             [&id](const auto& one) { return one.paper.id == id; });
    }
    void openClaims() {
        m_test->goTo(Workspace::Compare);
        QTRY_VERIFY_WITH_TIMEOUT(compare()->isEvaluated(), 120000);
        QCoreApplication::processEvents(); // the cards have their places
    }
    /// The design behind a claim has come: under the row's name, all of it in sight, with the claim's metric.
    void checkOpened(const QString& name, const engine::MetricSpec& spec, double value) {
        QTRY_COMPARE_WITH_TIMEOUT(m_test->window->workspace(), Workspace::Design, 60000);
        auto* canvas = m_test->window->canvas();
        QVERIFY(canvas->isVisible());
        QVERIFY2(m_test->window->windowTitle().startsWith(name + QStringLiteral("[*]")),
                 qPrintable(m_test->window->windowTitle()));
        QString written; // in the bar, as far as there is room
        for (const auto* button : child<ContextBar>(m_test->window)->findChildren<QPushButton*>())
            if (button->isVisible() && button->accessibleName().startsWith(QStringLiteral("Design: ") + name))
                written = button->text().section(QChar(0x2026), 0, 0);
        QVERIFY2(written.size() > 5 && name.startsWith(written), qPrintable(written));
        m_test->awaitMetrics();
        QVERIFY(!m_test->scenario().nodes.empty());
        for (const auto& node : m_test->scenario().nodes) {
            const auto* card = canvas->canvasScene().nodeItem(node.id);
            QVERIFY(card && card->isVisible());
            const auto place = canvas->mapFromScene(card->sceneBoundingRect()).boundingRect();
            QVERIFY2(canvas->viewport()->rect().contains(place), qPrintable(card->toolTip()));
            QVERIFY(isReached(canvas->viewport(), place.center()));
        }
        const auto content = canvas->mapFromScene(canvas->canvasScene().contentRect()).boundingRect();
        const auto seen = canvas->viewport()->rect();
        QVERIFY(3 * content.width() > seen.width() || 3 * content.height() > seen.height() ||
                canvas->camera().zoom() >= 1.0); // not from afar
        const auto* cell = child<MetricsStrip>(m_test->window)->cell(spec.metric);
        QVERIFY(cell && cell->isVisible());
        const auto text = metricText(spec, value);
        QTRY_COMPARE(cell->content().value, text.value);
        QCOMPARE(cell->content().unit, text.unit);
        QVERIFY(!cell->content().stale);
    }
    static QString nameOf(const engine::Claim& claim, const std::string& paper) {
        return QString::fromStdString(claim.quantity + ", " + claim.condition + " (" + paper + ")");
    }
    /// The canvas shows a corner of its design from near.
    void lookAway() {
        auto* canvas = m_test->window->canvas();
        for (int turn = 0; turn < 12; ++turn)
            wheel(canvas->viewport(), {4, 4}, 2);
        QVERIFY(!canvas->viewport()->rect().contains(
            canvas->mapFromScene(canvas->canvasScene().contentRect()).boundingRect()));
    }
    /// How many pixels of a line of a picture have a colour.
    static int inkOf(const QImage& picture, int y, const QColor& color) {
        int count = 0;
        for (int x = 0; x < picture.width(); ++x)
            count += picture.pixelColor(x, y).rgb() == color.rgb();
        return count;
    }
    void checkMisfits() {
        const auto cards = compare()->findChildren<PaperCard*>();
        QCOMPARE(static_cast<std::size_t>(cards.size()), m_papers.size());
        for (qsizetype i = 0; i < cards.size(); ++i) {
            const auto& comparison = m_papers[static_cast<std::size_t>(i)];
            std::vector<const engine::ClaimResult*> misfits;
            for (const auto& result : comparison.results)
                if (result.misfit)
                    misfits.push_back(&result);
            QVERIFY(!misfits.empty());
            std::stable_sort(misfits.begin(), misfits.end(), [](const auto* a, const auto* b) {
                return std::fabs(a->error) > std::fabs(b->error);
            });
            const auto said = words(cards[i]).split(u'\n');
            QVERIFY(said.contains(QString::fromStdString(comparison.paper.name)));
            QVERIFY2(
                said.contains(
                    QStringLiteral("%1 misfits of %2").arg(misfits.size()).arg(comparison.results.size())),
                qPrintable(said.join(u'\n')));
            misfits.resize(std::min<std::size_t>(misfits.size(), 3));
            int bottom = 0;
            for (std::size_t at = 0; at < misfits.size(); ++at) {
                auto* row = cards[i]->rows().at(at);
                const auto& result = *misfits[at];
                const auto tells =
                    QStringLiteral("%1, %2: paper %3, model %4, error %5, Misfit")
                        .arg(QString::fromStdString(result.claim.quantity),
                             QString::fromStdString(result.claim.condition), paperValueText(result.claim),
                             modelValueText(result), errorText(result.error));
                QCOMPARE(row->accessibleName(), tells);
                QVERIFY2(row->visibleRegion() == QRegion(row->rect()), qPrintable(tells));
                for (const auto place : {row->rect().topLeft(), row->rect().bottomRight()})
                    QVERIFY2(isReached(row, place), qPrintable(tells));
                QVERIFY(row->y() >= bottom); // the largest is the topmost
                bottom = row->geometry().bottom();
                // As it is painted in the window: the paper's bar and the model's in red, on one scale.
                const QRect inWindow(row->mapTo(m_test->window.get(), QPoint()), row->size());
                const auto picture = m_test->window->grab(inWindow).toImage();
                const int paperBar = inkOf(picture, 15, Theme::instance().color(ColorRole::Baseline));
                const int modelBar = inkOf(picture, 32, Theme::instance().color(ColorRole::Error));
                QVERIFY2(std::min(paperBar, modelBar) > 20, qPrintable(tells));
                QVERIFY2(std::fabs(paperBar * result.model / result.claim.paper - modelBar) < 4,
                         qPrintable(QStringLiteral("%1: %2 and %3").arg(tells).arg(paperBar).arg(modelBar)));
            }
            for (std::size_t at = misfits.size(); at < cards[i]->rows().size(); ++at)
                QVERIFY(cards[i]->rows()[at]->y() > bottom);
        }
    }

private slots:
    void initTestCase() {
        for (const auto& paper : engine::loadPapers(*shippedCatalog()))
            m_papers.push_back(engine::compare(*shippedCatalog(), paper));
    }
    void cleanup() {
        StudyWindowFixture::cleanup();
        Theme::instance().setMode(ThemeMode::Light);
    }

    void theLargestMisfitsAreInSightInASmallWindowAndInTheDark() {
        auto* window = m_test->window.get();
        window->resize(1280, 720);
        openClaims();
        QCOMPARE(window->size(), QSize(1280, 720));
        checkMisfits();
        window->resize(1440, 900);
        QToolButton* theme = nullptr;
        for (auto* button : child<TopBar>(window)->findChildren<QToolButton*>())
            if (button->defaultAction() &&
                button->defaultAction()->text() == QStringLiteral("Switch between light and dark"))
                theme = button;
        QVERIFY(theme && !Theme::instance().isDark());
        click(theme);
        QVERIFY(Theme::instance().isDark());
        QCoreApplication::processEvents();
        checkMisfits();
    }

    void enterOnACardsRowOpensItsDesign() {
        const auto before = m_test->scenario();
        lookAway();
        openClaims();
        ClaimRow* row = nullptr;
        for (auto* card : compare()->findChildren<PaperCard*>())
            for (auto* one : card->rows())
                if (one->result().claim.id == "inf2-efficiency")
                    row = one;
        QVERIFY(row);
        const auto result = row->result();
        const auto* spec = engine::findMetric((*result.claim.model)["metric"].get<std::string>());
        QVERIFY(spec);
        click(row);
        QCOMPARE(m_test->window->workspace(), Workspace::Compare); // a click only chooses
        QCOMPARE(QApplication::focusWidget(), row);
        QTest::keyClick(QApplication::focusWidget(), Qt::Key_Return);
        checkOpened(nameOf(result.claim, paper("inf2").paper.name), *spec, result.model);
        QTest::keyClick(window(), Qt::Key_Z, Qt::ControlModifier);
        QVERIFY(m_test->scenario() == before);
    }
};

WIDGET_TEST(ClaimsWindowTest)
#include "claims_window_test.moc"
