// SPDX-License-Identifier: GPL-3.0-or-later
// A window that only links the files of some toys shows them in the inspector.
#include "engine/scenario/edit.h"
#include "engine/scenario/scenario_json.h"
#include "tests/widgets/inspector/inspector_fixture.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/number_edit.h"

#include <QTemporaryDir>

using namespace heteroscape;
using namespace heteroscape::widgets;

class KindsWindowTest : public InspectorFixture {
    Q_OBJECT

    template <class Field>
    Field* shown(const std::string& path) const {
        for (auto* field : m_inspector->findChildren<Field*>())
            if (field->path() == path)
                return field;
        return nullptr;
    }

private slots:
    void initTestCase() { startTests(); }
    void init() { start(3000); }

    void aToyTimingModelHasItsRows() {
        const auto& gpu = *m_document->scenario().findNode({"gpu"});
        auto runtime = *gpu.runtime;
        runtime.decode = engine::Timing(engine::timingKinds().at("toy_even", "test"));
        auto device = gpu.device;
        device.clock = {1e9, engine::Provenance::User, {}};
        QVERIFY(m_document->perform(engine::SetDevice{gpu.id, device, runtime}));
        m_document->select({{engine::NodeId{"gpu"}}, {}});
        auto* field = shown<NumberEdit>("nodes.gpu.timing.decode.each_us");
        QTRY_VERIFY((field = shown<NumberEdit>("nodes.gpu.timing.decode.each_us")) != nullptr);
        QCOMPARE(field->text(), QStringLiteral("5"));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("9"));
        QTest::keyClick(field, Qt::Key_Return);
        QCOMPARE(m_document->scenario().findNode({"gpu"})->runtime->decode.settings[0], 9 * 1e-6);
    }

    void aToyTechniqueHasItsSwitch() {
        m_document->select({{engine::NodeId{"fpga"}}, {}});
        QTRY_VERIFY(shown<NumberEdit>("techniques.toy_weight_reuse.kept") != nullptr);
    }

    void aToyCostHasItsRows() {
        m_document->select({{engine::NodeId{"fpga"}}, {}});
        NumberEdit* field = nullptr;
        QTRY_VERIFY((field = shown<NumberEdit>("nodes.fpga.runtime.toy_refill.cache_us")) != nullptr);
        QVERIFY(shown<NumberEdit>("nodes.fpga.runtime.fixed.layer_us") != nullptr);
        QCOMPARE(QString::fromUtf8(field->spec().unit), QStringLiteral("\u00b5s"));
        field->setFocus();
        field->selectAll();
        QTest::keyClicks(field, QStringLiteral("3"));
        QTest::keyClick(field, Qt::Key_Return);
        const auto& costs = m_document->scenario().findNode({"fpga"})->runtime->costs;
        QCOMPARE(costs[engine::costKinds().at("toy_refill", "test")][0], 3 * 1e-6);
    }

    void aToyArrivalIsAmongTheChoices() {
        m_document->select({});
        ChoiceEdit* arrivals = nullptr;
        QTRY_VERIFY((arrivals = shown<ChoiceEdit>("serving.arrivals")) != nullptr);
        QVERIFY(arrivals->findData(QStringLiteral("bursts")) >= 0);
        QVERIFY(m_document->set("serving.arrivals", "bursts"));
        QTRY_VERIFY(shown<NumberEdit>("serving.period_s") != nullptr);
    }
};

QTEST_MAIN(KindsWindowTest)
#include "kinds_window_test.moc"
