// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/claims/claims.h"
#include "widgets/compare/claim_table_model.h"
#include "widgets/compare/compare_workspace.h"
#include "widgets/compare/paper_card.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/theme/theme.h"

#include <QPushButton>
#include <QSignalSpy>
#include <QTableView>
#include <QTest>

#include <cmath>

using namespace heteroscape;
using namespace heteroscape::widgets;

class CompareTest : public QObject {
    Q_OBJECT

    std::shared_ptr<const engine::Catalog> m_catalog;
    std::vector<engine::PaperComparison> m_expected;
    std::unique_ptr<CompareWorkspace> m_compare;

    QTableView* table() const { return m_compare->findChild<QTableView*>(); }
    ClaimTableModel* model() const { return m_compare->findChild<ClaimTableModel*>(); }

private slots:
    void initTestCase() {
        Theme::instance().install(*qApp);
        m_catalog = std::make_shared<const engine::Catalog>(engine::loadCatalog(TEST_PRESETS));
        for (const auto& paper : engine::loadPapers(*m_catalog))
            m_expected.push_back(engine::compare(*m_catalog, paper));
        QVERIFY(!m_expected.empty());
    }
    void init() {
        m_compare = std::make_unique<CompareWorkspace>(m_catalog);
        m_compare->resize(1280, 640);
        m_compare->show();
        QTRY_VERIFY(m_compare->isEvaluated());
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
            rows += card->rows().size();
        QCOMPARE(rows, headlines);
        std::size_t numbers = 0; // a claim, what stands behind it, and both under other conventions
        for (const auto& comparison : m_expected)
            for (const auto& result : comparison.results)
                numbers += (1 + result.parts.size()) * (1 + result.variants.size());
        QVERIFY(numbers > claims);
        QCOMPARE(static_cast<std::size_t>(model()->csv().count(u'\n')), numbers + 1);
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
        for (auto* chip : m_compare->findChildren<QPushButton*>()) {
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

    void doubleClickAndButtonOpenTheDesign() {
        QSignalSpy opened(m_compare.get(), &CompareWorkspace::openScenarioRequested);
        const auto index = model()->index(0, ClaimTableModel::Claim);
        const auto at = table()->visualRect(index).center();
        QTest::mouseClick(table()->viewport(), Qt::LeftButton, {}, at);
        QTest::mouseDClick(table()->viewport(), Qt::LeftButton, {}, at);
        QCOMPARE(opened.count(), 1);
        QCOMPARE(opened[0][0].toString().toStdString(), model()->at(0).result.claim.scenario);
        auto* row = m_compare->findChild<PaperCard*>()->rows().front();
        QTest::keyClick(row, Qt::Key_Return);
        QCOMPARE(opened.count(), 2);
        QTest::mouseClick(row, Qt::LeftButton);
        QCOMPARE(model()->at(table()->currentIndex().row()).result.claim.id, row->result().claim.id);
    }

    void sortsByAnyColumn() {
        model()->sort(ClaimTableModel::PaperValue, Qt::AscendingOrder);
        for (int row = 1; row < model()->rowCount(); ++row)
            QVERIFY(model()->at(row - 1).result.claim.paper <= model()->at(row).result.claim.paper);
    }

    void unwritablePathIsToldInTheView() {
        QVERIFY(!m_compare->exportButton()->exportTo(QStringLiteral("/nowhere/claims.csv")));
        auto* notice = m_compare->findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        QVERIFY(notice->text().contains(QStringLiteral("/nowhere/claims.csv")));
    }
};

QTEST_MAIN(CompareTest)
#include "compare_test.moc"
