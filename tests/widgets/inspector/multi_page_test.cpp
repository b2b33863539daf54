// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/inspector/inspector_fixture.h"
#include "tests/widgets/widget_test.h"
#include "widgets/inspector/choice_edit.h"
#include "widgets/inspector/multi_page.h"
#include "widgets/inspector/number_edit.h"
#include "widgets/inspector/quantity_row.h"

#include <QLineEdit>
#include <QLocale>
#include <QScopeGuard>

using namespace heteroscape;
using namespace heteroscape::widgets;

class MultiPageTest : public InspectorFixture {
    Q_OBJECT

    NumberEdit* field(const std::string& path) const { return shown<NumberEdit>(path); }
    ChoiceEdit* choice(const std::string& path) const { return shown<ChoiceEdit>(path); }
    static QLineEdit* line(NumberEdit* field) { return field->findChild<QLineEdit*>(); }
    double countOf(const char* id) const { return m_document->scenario().findNode({id})->count.value; }

private slots:
    void init() {
        start(900);
        m_document->select({{{"gpu"}, {"fpga"}}, {}});
    }

    void sharedFieldsStandWithTheirCommonValue() {
        QVERIFY(m_inspector->findChild<MultiPage*>());
        auto* count = field("nodes.gpu.count");
        QVERIFY(count && count->isVisible());
        QVERIFY(count->hasSeveralValues()); // 1 and 7
        QVERIFY(count->text().isEmpty());
        QCOMPARE(line(count)->placeholderText(), QStringLiteral("several values"));
        QVERIFY(count->width() >= count->fontMetrics().horizontalAdvance(line(count)->placeholderText()));
        m_document->set("nodes.gpu.count", "7");
        QVERIFY(!count->hasSeveralValues());
        QCOMPARE(count->text(), QStringLiteral("7"));
        QVERIFY(field("nodes.gpu.device.memory_gb"));
        auto* role = choice("nodes.gpu.role");
        QVERIFY(role);
        QCOMPARE(role->currentIndex(), -1);    // prefill and decode
        QVERIFY(!choice("nodes.gpu.runtime")); // a GPU and an FPGA run nothing in common
    }

    void typingSetsItForAllInOneStep() {
        auto* count = field("nodes.gpu.count");
        count->setFocus();
        QTest::keyClicks(line(count), QStringLiteral("12"));
        QCOMPARE(countOf("gpu"), 12.0);
        QCOMPARE(countOf("fpga"), 12.0);
        QCOMPARE(m_document->undoStack()->count(), 1);
        QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Set count of 2 nodes to 12"));
        QTest::keyClick(line(count), Qt::Key_Return);
        m_document->undoStack()->undo();
        QCOMPARE(countOf("gpu"), 1.0);
        QCOMPARE(countOf("fpga"), 7.0);
        QVERIFY(field("nodes.gpu.count")->hasSeveralValues());
    }

    void takesUnitsAndTheMarksOfTheLocale() {
        auto* bandwidth = field("nodes.gpu.device.memory_bandwidth_gbps");
        QVERIFY(bandwidth);
        const auto type = [&](const char* text) {
            bandwidth->setFocus();
            bandwidth->selectAll();
            QTest::keyClick(bandwidth, Qt::Key_Delete);
            QTest::keyClicks(bandwidth, QString::fromUtf8(text));
        };
        const auto of = [&](const char* id) {
            return m_document->scenario().findNode({id})->device.memoryBandwidth.value;
        };
        type("1.5 TB/s"); // an s too: once something is typed it is a letter
        QCOMPARE(of("gpu"), 1.5e12);
        QCOMPARE(of("fpga"), 1.5e12);
        QVERIFY(!bandwidth->isInvalid());
        QTest::keyClick(bandwidth, Qt::Key_Return);
        QCOMPARE(line(bandwidth)->text(), QStringLiteral("1500"));
        QCOMPARE(m_document->undoStack()->count(), 1);
        type("5 kW");
        QVERIFY2(bandwidth->message().contains(
                     QStringLiteral("\"5 kW\" is not in a unit like GB/s. Give a number from")),
                 qPrintable(bandwidth->message()));
        QCOMPARE(of("gpu"), 1.5e12);

        const QLocale before;
        const auto back = qScopeGuard([&] { QLocale::setDefault(before); });
        QLocale::setDefault(QLocale(QLocale::German, QLocale::Germany));
        type("1,25 TB/s");
        QCOMPARE(of("fpga"), 1.25e12);
        type("1,250");
        QVERIFY2(bandwidth->message().contains(QStringLiteral("may be 1250 or 1.250")),
                 qPrintable(bandwidth->message()));
        type("1.234,5");
        QCOMPARE(of("gpu"), 1234.5e9);
    }

    void whatIsNotAllowedOrTakenBackKeepsEachValue() {
        auto* count = field("nodes.gpu.count");
        count->setFocus();
        QTest::keyClicks(line(count), QStringLiteral("3"));
        QCOMPARE(countOf("fpga"), 3.0);
        QTest::keyClicks(line(count), QStringLiteral("x"));
        QVERIFY(count->isInvalid());
        QCOMPARE(countOf("gpu"), 1.0);
        QCOMPARE(countOf("fpga"), 7.0);
        QTest::keyClick(count, Qt::Key_Escape);
        QVERIFY(count->text().isEmpty());
        QVERIFY(count->hasSeveralValues());
        QTest::keyClicks(line(count), QStringLiteral("4"));
        QTest::keyClick(line(count), Qt::Key_Backspace); // nothing typed: nothing changed
        QCOMPARE(countOf("gpu"), 1.0);
        QCOMPARE(countOf("fpga"), 7.0);
        QCOMPARE(m_document->undoStack()->count(), 0);
    }

    void choicesAreSetForAll() {
        auto* role = choice("nodes.gpu.role");
        role->setFocus();
        const auto wanted = role->findData(QStringLiteral("both"));
        QVERIFY(wanted >= 0);
        while (role->currentIndex() != wanted)
            QTest::keyClick(role, role->currentIndex() < wanted ? Qt::Key_Down : Qt::Key_Up);
        for (const auto* id : {"gpu", "fpga"})
            QCOMPARE(m_document->scenario().findNode({id})->role, engine::Role::Both);
        QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Set role of 2 nodes to both"));
        QCOMPARE(role->currentIndex(), wanted);
    }

    void linksShareTheirTypeAndBandwidth() {
        std::vector<engine::LinkId> links;
        for (const auto& link : m_document->scenario().links)
            links.push_back(link.id);
        QVERIFY(links.size() >= 2);
        m_document->select({{}, links});
        auto* bandwidth = field("links." + links.front().value + ".bandwidth_gbps");
        QVERIFY(bandwidth);
        bandwidth->setFocus();
        bandwidth->selectAll();
        QTest::keyClicks(line(bandwidth), QStringLiteral("20"));
        for (const auto& id : links)
            QCOMPARE(m_document->scenario().findLink(id)->type.bandwidth.value, 20e9);
        QVERIFY(choice("links." + links.front().value + ".type"));
    }

    void aLargeSelectionIsShownQuickly() {
        auto scenario = m_document->scenario();
        const auto card = *scenario.findNode({"fpga"});
        Selection all;
        for (int i = 0; i < 1000; ++i) {
            scenario.nodes.push_back(card);
            scenario.nodes.back().id = {"card-" + std::to_string(i)};
            all.nodes.push_back(scenario.nodes.back().id);
        }
        m_document->openRecovered(scenario, {});
        m_document->select(all);
        auto* count = field("nodes.card-0.count");
        QVERIFY(count);
        QCOMPARE(count->text(), QStringLiteral("7"));
        count->setFocus();
        count->selectAll();
        QTest::keyClicks(line(count), QStringLiteral("2"));
        QCOMPARE(countOf("card-999"), 2.0);
        QCOMPARE(m_document->undoStack()->undoText(), QStringLiteral("Set count of 1000 nodes to 2"));
    }
};

WIDGET_TEST(MultiPageTest)
#include "multi_page_test.moc"
