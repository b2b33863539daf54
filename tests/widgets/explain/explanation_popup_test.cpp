// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/explain/explanation_popup.h"

#include "engine/claims/claims.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"

#include <QTest>
#include <QTreeWidget>

using namespace heteroscape;
using namespace heteroscape::widgets;

class ExplanationPopupTest : public QObject {
    Q_OBJECT

    QWidget m_anchor;

    ExplanationPopup* open(double requests) {
        auto scenario = engine::loadPreset(*shippedCatalog(), "glitches/a100-7u280", "test");
        scenario.serving.arrivals = engine::arrivalKinds().find("poisson");
        scenario.serving["rate_req_s"].value = 0.5;
        scenario.serving["requests"].value = requests;
        ExplanationPopup::show(scenario, "served_tok_s", &m_anchor);
        return m_anchor.findChild<ExplanationPopup*>();
    }

private slots:
    void simulatedMetricsComeWhenTheyAreThere() {
        auto* popup = open(400);
        QVERIFY(popup);
        QCOMPARE(child<QTreeWidget>(popup)->topLevelItemCount(), 0);
        QTRY_COMPARE(child<QTreeWidget>(popup)->topLevelItemCount(), 1);
        delete popup;
    }

    void closingItStopsTheSimulation() {
        auto* popup = open(5e9); // more than anyone waits for
        QVERIFY(popup);
        delete popup;
        QVERIFY(waitForJobs(std::chrono::minutes(5)));
        QCoreApplication::processEvents(); // what was found goes nowhere
    }
};

WIDGET_TEST(ExplanationPopupTest)
#include "explanation_popup_test.moc"
