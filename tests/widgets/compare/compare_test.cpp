// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "engine/claims/expression.h"
#include "engine/evaluation/evaluate.h"
#include "engine/evaluation/metric_path.h"
#include "engine/exporters/study_csv.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/compare/claim_table_model.h"
#include "widgets/compare/claims_page.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/paper_card.h"
#include "widgets/explain/explanation_popup.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/theme.h"

#include <QLabel>
#include <QMenu>
#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>
#include <QTimer>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

using namespace heteroscape;
using namespace heteroscape::widgets;

class CompareTest : public QObject {
    Q_OBJECT

    std::vector<engine::PaperComparison> m_expected;
    std::unique_ptr<CompareWorkspace> m_compare;

    QTableView* table() const { return child<ClaimsPage>(m_compare)->findChild<QTableView*>(); }
    ClaimTableModel* model() const { return m_compare->findChild<ClaimTableModel*>(); }

private slots:
    void initTestCase() {
        for (const auto& paper : engine::loadPapers(*shippedCatalog()))
            m_expected.push_back(engine::compare(*shippedCatalog(), paper));
        QVERIFY(!m_expected.empty());
    }
    void init() {
        m_compare = std::make_unique<CompareWorkspace>(shippedCatalog());
        m_compare->resize(1280, 640);
        m_compare->show();
        QTRY_VERIFY_WITH_TIMEOUT(m_compare->isEvaluated(), 600000);
    }
    void cleanup() { m_compare.reset(); }

    void everyClaimIsARow() {
        std::size_t claims = 0, headlines = 0, rows = 0;
        for (const auto& comparison : m_expected) {
            claims += comparison.results.size();
            for (const auto& result : comparison.results)
                headlines += result.claim.headline ? 1 : 0;
        }
        QCOMPARE(static_cast<std::size_t>(model()->rowCount()), claims);
        for (auto* card : m_compare->findChildren<PaperCard*>())
            for (const auto* row : card->rows())
                rows += row->result().claim.headline ? 1 : 0;
        QCOMPARE(rows, headlines);
        std::size_t numbers = 0; // a claim, what stands behind it, and both under other conventions
        for (const auto& comparison : m_expected)
            for (const auto& result : comparison.results)
                numbers += (1 + result.parts.size()) * (1 + result.variants.size());
        QVERIFY(numbers > claims);
        const auto csv = engine::claimsCsv(m_expected);
        QCOMPARE(static_cast<std::size_t>(std::count(csv.begin(), csv.end(), '\n')), numbers + 1);
        QCOMPARE(model()->csv().toStdString(), csv);
    }

    void theLargestMisfitsOfAPaperAreFirstOnItsCard() {
        const auto cards = m_compare->findChildren<PaperCard*>();
        QCOMPARE(static_cast<std::size_t>(cards.size()), m_expected.size());
        for (const auto* card : cards) {
            const auto& paper = card->rows().front()->result().claim;
            for (const auto& comparison : m_expected) {
                std::vector<double> misfits;
                bool ofCard = false;
                for (const auto& result : comparison.results) {
                    if (claimStatus(result) == ClaimStatus::Misfit)
                        misfits.push_back(std::fabs(result.error));
                    ofCard =
                        ofCard || (result.claim.id == paper.id && result.claim.quantity == paper.quantity);
                }
                if (!ofCard)
                    continue;
                std::sort(misfits.rbegin(), misfits.rend());
                for (std::size_t i = 0; i < std::min<std::size_t>(3, misfits.size()); ++i) {
                    QCOMPARE(claimStatus(card->rows()[i]->result()), ClaimStatus::Misfit);
                    QCOMPARE(std::fabs(card->rows()[i]->result().error), misfits[i]);
                }
            }
        }
    }

    void largestErrorIsFirstAndMisfitsAreMarked() {
        double last = 1e300;
        int misfits = 0;
        for (int row = 0; row < model()->rowCount(); ++row) {
            const auto& result = model()->at(row).result;
            QVERIFY(std::abs(result.error) <= last);
            last = std::abs(result.error);
            const bool marked =
                model()->index(row, ClaimTableModel::Status).data().toString() == QStringLiteral("Misfit");
            QCOMPARE(marked, std::abs(result.error) > result.claim.misfitAbove);
            misfits += marked ? 1 : 0;
        }
        std::size_t expected = 0;
        for (const auto& comparison : m_expected)
            expected += comparison.misfits;
        QCOMPARE(static_cast<std::size_t>(misfits), expected);
    }

    void otherConventionsAndTheNumbersBehindAreShown() {
        const int row = model()->find("preserve", "fig7-best");
        QVERIFY(row >= 0);
        QCOMPARE(model()->index(row, ClaimTableModel::Variants).data().toString(),
                 QStringLiteral("32 (ring allreduce)"));
        QVERIFY(model()->at(row).parts.contains(QStringLiteral("speed-up at 32: 1.424")));
        QVERIFY(model()->at(row).parts.contains(QStringLiteral("ring allreduce 1.31")));
        const int limit = model()->find("preserve", "fig2-fits");
        QVERIFY(model()->index(limit, ClaimTableModel::PaperValue).data().toString().startsWith(u'\u2264'));
        QCOMPARE(model()->index(limit, ClaimTableModel::Error).data().toString(), QStringLiteral("0.0 %"));
    }

    void aMadeUpMisfitIsMarked() {
        engine::PaperComparison comparison;
        engine::ClaimResult result;
        result.claim.paper = 1.6;
        result.model = 1.43;
        result.error = result.model / result.claim.paper - 1;
        result.misfit = true;
        comparison.results = {result};
        ClaimTableModel own;
        own.setComparisons({comparison});
        QCOMPARE(own.index(0, ClaimTableModel::Status).data().toString(), QStringLiteral("Misfit"));
        QCOMPARE(own.index(0, ClaimTableModel::Error).data().toString(), QStringLiteral("−10.6 %"));
        QCOMPARE(own.index(0, ClaimTableModel::ModelValue).data().toString(), QStringLiteral("1.4"));
        QCOMPARE(own.index(0, ClaimTableModel::Error).data(Qt::ForegroundRole).value<QColor>(),
                 Theme::instance().color(ColorRole::Error));
    }

    void chipsCountAndFilter() {
        int shown = 0;
        for (auto* chip : child<ClaimsPage>(m_compare)->tools()->findChildren<QPushButton*>()) {
            if (!chip->isCheckable())
                continue;
            const int count = chip->text().section(u' ', -1).toInt();
            shown += count;
            const int before = model()->rowCount();
            QTest::mouseClick(chip, Qt::LeftButton);
            QCOMPARE(model()->rowCount(), before - count);
            QTest::mouseClick(chip, Qt::LeftButton);
        }
        QCOMPARE(shown, model()->rowCount());
    }

    void choose(const char* paper, const char* claim) {
        const int row = model()->find(paper, claim);
        QVERIFY(row >= 0);
        const auto index = model()->index(row, ClaimTableModel::Claim);
        table()->scrollTo(index);
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, table()->visualRect(index).center());
        QCOMPARE(table()->currentIndex().row(), row);
    }

    void aDoubleClickOpensTheDesignBehindTheNumber() {
        QSignalSpy opened(m_compare.get(), &CompareWorkspace::openDesignRequested);
        choose("preserve", "table1-qwen2-72b-8-prefetch"); // a preset with settings of its own
        const auto& claim = model()->at(table()->currentIndex().row()).result;
        const auto at = table()->visualRect(table()->currentIndex()).center();
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        const auto scenario = opened[0][0].value<engine::Scenario>();
        const auto evaluation = engine::evaluate(scenario);
        const auto path = (*claim.claim.model)["metric"].get<std::string>();
        QCOMPARE(engine::findMetric(scenario, evaluation, path).value, claim.model);
        QVERIFY(!(scenario == engine::loadPreset(*shippedCatalog(), claim.claim.scenario, "test")));
        QTest::keyClick(table(), Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 30000);
    }

    void ofSeveralDesignsOneIsChosen() {
        QSignalSpy opened(m_compare.get(), &CompareWorkspace::openDesignRequested);
        choose("preserve", "table1-qwen2-72b-8-speedup");
        const auto claim = model()->at(table()->currentIndex().row()).result;
        QTest::mouseClick(child<QPushButton>(m_compare, "openDesign"), Qt::LeftButton);
        QMenu* menu = nullptr;
        QTRY_VERIFY((menu = m_compare->findChild<QMenu*>("claimDesigns")) && menu->isVisible());
        QCOMPARE(menu->actions().size(), 3); // a heading, the two of the ratio
        QCOMPARE(opened.count(), 0);
        QTest::keyClick(menu, Qt::Key_Return); // the first
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        menu->actions().at(2)->trigger();
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 30000);
        const auto metric = [&](int which) {
            const auto scenario = opened[which][0].value<engine::Scenario>();
            const auto& leaf = (*claim.claim.model)["ratio"][static_cast<std::size_t>(which)];
            return engine::findMetric(scenario, engine::evaluate(scenario), leaf["metric"].get<std::string>())
                .value;
        };
        QCOMPARE(metric(0) / metric(1), claim.model);
        // Each is named as the claim's row and what tells it from the other.
        const auto named = [&](int which) { return opened[which][1].toString(); };
        QCOMPARE(named(0), QStringLiteral("Speed-up, Qwen2-72B, 8 NPUs, L2 prefetch off (PRESERVE)"));
        QCOMPARE(named(1), QStringLiteral("Speed-up, Qwen2-72B, 8 NPUs, L2 prefetch on (PRESERVE)"));
        QVERIFY(menu->actions().at(1)->text().startsWith(QStringLiteral("L2 prefetch off: Latency ")));
        menu->close();
        // The menu of the row offers them too.
        QTimer press; // it waits for its own answer
        bool chosen = false;
        connect(&press, &QTimer::timeout, this, [&chosen] {
            if (auto* own = qobject_cast<QMenu*>(QApplication::activePopupWidget()); own && !chosen)
                for (auto* action : own->actions())
                    if (action->text().startsWith(QStringLiteral("Open its design"))) {
                        chosen = true;
                        own->setActiveAction(action);
                        return QTest::keyClick(own, Qt::Key_Return);
                    }
        });
        press.start(20);
        const auto at = table()->visualRect(table()->currentIndex()).center();
        QContextMenuEvent asked(QContextMenuEvent::Mouse, at, table()->viewport()->mapToGlobal(at));
        QApplication::sendEvent(table()->viewport(), &asked);
        QTRY_VERIFY(chosen);
        press.stop();
        menu = nullptr;
        QTRY_VERIFY_WITH_TIMEOUT((menu = m_compare->findChild<QMenu*>("claimDesigns")) && menu->isVisible(),
                                 30000);
        QCOMPARE(menu->actions().size(), 3);
        QCOMPARE(opened.count(), 2);
    }

    void aCardsRowIsChosenAndOpened() {
        QSignalSpy opened(m_compare.get(), &CompareWorkspace::openDesignRequested);
        const auto& rows = m_compare->findChild<PaperCard*>()->rows();
        const auto ofOneDesign = [](const ClaimRow* row) {
            return row->result().claim.model->contains("metric"); // no ratio or mean of several
        };
        auto* row = *std::find_if(rows.begin(), rows.end(), ofOneDesign);
        QTest::mouseClick(row, Qt::LeftButton);
        QCOMPARE(model()->at(table()->currentIndex().row()).result.claim.id, row->result().claim.id);
        QCOMPARE(opened.count(), 0);
        QTest::keyClick(row, Qt::Key_Return);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 1, 30000);
        QTest::mouseDClick(row, Qt::LeftButton);
        QTRY_COMPARE_WITH_TIMEOUT(opened.count(), 2, 30000);
    }

    void keyEExplainsAClaim() {
        choose("glitches", "a100-decode-ms");
        QTest::keyClick(table(), Qt::Key_E);
        QTRY_VERIFY(m_compare->findChild<ExplanationPopup*>());
        auto* popup = m_compare->findChild<ExplanationPopup*>();
        QVERIFY(popup->text().contains(QStringLiteral("Time per token")));
        popup->close();
    }

    void theSummaryIsShown() {
        const auto expected = engine::summaryText(engine::summarise(m_expected));
        QVERIFY(expected.find("within 1 %") != std::string::npos);
        bool shown = false;
        for (const auto* label : child<ClaimsPage>(m_compare)->findChildren<QLabel*>())
            shown = shown || (label->isVisible() && label->text().toStdString() == expected);
        QVERIFY(shown);
    }

    void smallNumbersAreWrittenInOneForm() {
        engine::ClaimResult result;
        result.claim.paper = 2.02e-5;
        result.claim.unit = "tok/s/$";
        result.model = 2.028e-5;
        QCOMPARE(paperValueText(result.claim),
                 QStringLiteral("2.02\u202f\u00d7\u202f10\u207b\u2075\u2009tok/s/$"));
        QCOMPARE(modelValueText(result), QStringLiteral("2.03\u202f\u00d7\u202f10\u207b\u2075\u2009tok/s/$"));
        result.model = 1.2e-4; // in the paper's power of ten
        QVERIFY(modelValueText(result).startsWith(QStringLiteral("12.00\u202f")));
        QCOMPARE(claimNumber(2.0244e-5, 3), QStringLiteral("2.02\u202f\u00d7\u202f10\u207b\u2075"));
        QCOMPARE(claimNumber(0.0051), QStringLiteral("0.00510"));
    }

    void sortsByAnyColumn() {
        model()->sort(ClaimTableModel::PaperValue, Qt::AscendingOrder);
        for (int row = 1; row < model()->rowCount(); ++row)
            QVERIFY(model()->at(row - 1).result.claim.paper <= model()->at(row).result.claim.paper);
    }

    void unwritablePathIsToldInTheView() {
        QVERIFY(!m_compare->exportButton()->exportTo(QStringLiteral("/nowhere/claims.csv")));
        auto* notice = child<ClaimsPage>(m_compare)->findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("/nowhere/claims.csv")));
    }
};

WIDGET_TEST(CompareTest)
#include "compare_test.moc"
