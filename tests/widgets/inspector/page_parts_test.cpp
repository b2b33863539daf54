// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/inspector/inspector_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/section.h"

#include <algorithm>
#include <set>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// The pages of the inspector come from the top down, over some turns of the event loop.
class PagePartsTest : public InspectorFixture {
    Q_OBJECT

    /// Paths of the fields that are seen, folded sections too.
    static std::set<std::string> fieldsOf(const Inspector& inspector) {
        std::set<std::string> paths;
        for (const auto* field : inspector.findChildren<NumberEdit*>())
            if (field->isVisible())
                paths.insert(field->path());
        return paths;
    }
    std::set<std::string> fields() const { return fieldsOf(*m_inspector); }
    /// What an inspector shows that makes the page at once.
    std::set<std::string> allFields() const {
        Inspector whole(m_document.get());
        whole.resize(m_inspector->size());
        whole.show();
        whole.finish();
        return fieldsOf(whole);
    }

private slots:
    void init() { start(900, false); }

    void theTopIsThereAtOnceAndTheRestComesByItself() {
        m_document->select({{{"fpga"}}, {}});
        const auto sections = m_inspector->findChildren<Section*>();
        QVERIFY(std::any_of(sections.begin(), sections.end(), [](const Section* section) {
            return section->isVisible() && section->hasRows();
        }));
        const auto all = allFields();
        QVERIFY(all.size() > 10);
        QTRY_VERIFY(fields() == all);
    }

    void whoAsksForAFieldHasIt() {
        m_document->select({{{"fpga"}}, {}});
        QVERIFY(m_inspector->focusField("nodes.fpga.device.price_usd")); // of the last sections
        QVERIFY(fields() == allFields());
        QVERIFY(!m_inspector->focusField("nodes.gpu.count"));
    }

    void aPageThatIsLeftInBetweenDoesNotComeBack() {
        for (int round = 0; round < 3; ++round)
            for (const auto* id : {"fpga", "gpu"})
                m_document->select({{{id}}, {}});
        m_document->select({});
        m_document->select({{{"fpga"}}, {}});
        QTRY_VERIFY(fields() == allFields());
        m_document->select({});
        QTRY_VERIFY(fields() == allFields());
    }

    void aNodeThatIsRemovedInBetweenTakesItsPageWithIt() {
        m_document->select({{{"fpga"}}, {}});
        m_document->perform(engine::removeEdit(m_document->scenario(), {{"fpga"}}, {}, {}));
        QTRY_VERIFY(fields() == allFields());
        QVERIFY(!fields().contains("nodes.fpga.count"));
        m_document->undoStack()->undo();
        m_document->select({{{"fpga"}}, {}});
        QTRY_VERIFY(fields() == allFields());
    }

    void theDesignsPageIsWholeAfterItsModelBecameAnotherMeanwhile() {
        QVERIFY(m_document->set("model", "deepseek-v3"));
        QVERIFY(m_document->set("model", "llama3-8b"));
        QTRY_VERIFY(fields() == allFields());
        m_document->select({{{"fpga"}}, {}});
        QVERIFY(m_document->set("model", "deepseek-v3"));
        m_document->select({});
        QTRY_VERIFY(fields() == allFields());
    }

    void whatIsTypedMeanwhileStands() {
        m_document->select({{{"fpga"}}, {}});
        QVERIFY(m_document->set("nodes.fpga.device.price_usd", "1234"));
        QTRY_VERIFY(fields() == allFields());
        for (const auto* field : m_inspector->findChildren<NumberEdit*>())
            if (field->path() == "nodes.fpga.device.price_usd")
                QCOMPARE(field->text(), QStringLiteral("1234"));
    }
};

WIDGET_TEST(PagePartsTest)
#include "page_parts_test.moc"
