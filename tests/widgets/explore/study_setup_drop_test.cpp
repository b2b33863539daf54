// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/explore/study_setup_fixture.h"
#include "tests/widgets/widget_test.h"

class StudySetupDropTest : public StudySetupFixture {
    Q_OBJECT

private slots:
    void aPropertyIsDraggedByItsLabelAndDropped() {
        QuantityRow metric(*m_document, "nodes.fpga.device.price_usd");
        expose(metric, {280, 40});
        std::unique_ptr<QMimeData> dragged;
        QPixmap ghost;
        metric.findChild<PropertyDrag*>()->setStarter(
            [&](std::unique_ptr<QMimeData> data, const QPixmap& picture) {
                dragged = std::move(data);
                ghost = picture;
            });
        auto* label = metric.findChild<QLabel*>();
        const auto at = label->rect().center();
        QTest::mousePress(label, Qt::LeftButton, {}, at);
        QTest::mouseMove(label, at + QPoint(2, 0));
        QVERIFY(!dragged);
        QMouseEvent move(QEvent::MouseMove, at + QPoint(40, 20), label->mapToGlobal(at + QPoint(40, 20)),
                         Qt::NoButton, Qt::LeftButton, {});
        QApplication::sendEvent(label, &move);
        QVERIFY(dragged);
        QVERIFY(ghost.width() > 60);
        bool accepted = false;
        const auto before = m_setup->axes().size();
        const auto words = drop(std::move(dragged), &accepted);
        QVERIFY(accepted);
        QVERIFY2(words.contains(QStringLiteral("price")), qPrintable(words));
        QVERIFY(m_setup->findChild<DropSlot*>()->isHidden());
        QCOMPARE(m_setup->axes().size(), before + 1);
        QCOMPARE(m_setup->axes().back().path, std::string("nodes.fpga.device.price_usd"));
    }

    void aTabOpensForWhatCanBeSwept() {
        QTabBar tabs;
        for (const auto* name : {"Design", "Explore", "Roofline"})
            tabs.addTab(QLatin1String(name));
        tabs.show();
        QVERIFY(QTest::qWaitForWindowExposed(&tabs));
        auto* tab = new TabDrop(&tabs, 1);
        tab->setReader([this](const QMimeData& dragged) {
            return decodeProperty(dragged, m_document->scenario(), *shippedCatalog()).value_or(std::string());
        });
        QStringList dropped;
        connect(tab, &TabDrop::propertyDropped, this,
                [&dropped](const std::string& path) { dropped << QString::fromStdString(path); });
        const auto send = [&tabs](auto&& event) {
            QApplication::sendEvent(&tabs, &event);
            return event.isAccepted();
        };
        const auto at = tabs.tabRect(1).center();
        QMimeData text;
        text.setText(QStringLiteral("workload.batch"));
        QVERIFY(!send(QDragEnterEvent(at, Qt::CopyAction, &text, Qt::LeftButton, {})));
        QVERIFY(!send(QDropEvent(at, Qt::CopyAction, &text, Qt::LeftButton, {})));
        const auto property = encodeProperty("workload.batch");
        QVERIFY(send(QDragEnterEvent(at, Qt::CopyAction, property.get(), Qt::LeftButton, {})));
        QVERIFY(send(QDragMoveEvent(at, Qt::CopyAction, property.get(), Qt::LeftButton, {})));
        QCOMPARE(tabs.currentIndex(), 0); // passing over it does not open it
        QTRY_COMPARE(tabs.currentIndex(), 1);
        const auto beside = tabs.tabRect(2).center();
        QVERIFY(!send(QDropEvent(beside, Qt::CopyAction, property.get(), Qt::LeftButton, {})));
        QVERIFY(dropped.isEmpty());
        QVERIFY(send(QDragEnterEvent(at, Qt::CopyAction, property.get(), Qt::LeftButton, {})));
        QVERIFY(send(QDropEvent(at, Qt::CopyAction, property.get(), Qt::LeftButton, {})));
        QCOMPARE(dropped, QStringList{QStringLiteral("workload.batch")});
    }

    void strangePayloadsAreRefusedWithTheReason() {
        const auto before = m_setup->axes();
        const QByteArray payloads[] = {"",
                                       "{}",
                                       "[]",
                                       R"({"property": 3})",
                                       R"({"property": "workload.batch", "more": 1})",
                                       R"({"property": "nodes.nobody.count"})",
                                       "{\"property\": \"" + QByteArray(600, 'x') + "\"}"};
        for (const auto& payload : payloads) {
            auto data = std::make_unique<QMimeData>();
            data->setData(propertyMimeType(), payload);
            bool accepted = true;
            const auto words = drop(std::move(data), &accepted);
            QVERIFY2(!accepted, payload.constData());
            QVERIFY2(words.contains(QStringLiteral("inspector")), qPrintable(words));
        }
        auto text = std::make_unique<QMimeData>();
        text->setText(QStringLiteral("workload.batch"));
        bool accepted = true;
        QCOMPARE(drop(std::move(text), &accepted), QString());
        QVERIFY(!accepted);
        bool device = true;
        QVERIFY(!drop(encodePart({PartKind::Device, "u280"}), &device).isEmpty());
        QVERIFY(!device);
        QCOMPARE(m_setup->axes(), before);
    }

    void aListOfPointsTakesThePlaceOfAxes() {
        QTemporaryDir folder;
        const auto file = [&](const char* name, const char* text) {
            return writeFile(folder.filePath(QLatin1String(name)), text);
        };
        const auto points = file("points.csv", "nodes.fpga.count,workload.batch\n3,8\n5,16\n3,32\n");
        auto data = std::make_unique<QMimeData>();
        data->setUrls({QUrl::fromLocalFile(points)});
        bool accepted = false;
        QCOMPARE(drop(std::move(data), &accepted), QStringLiteral("Points of points.csv"));
        QVERIFY(accepted);
        const auto study = m_setup->study();
        QVERIFY(study && study->isList);
        QCOMPARE(study->pointCount(), std::size_t{3});
        QCOMPARE(study->axes[0].values, (std::vector<double>{3, 5, 3}));
        QCOMPARE(study->axes[1].values, (std::vector<double>{8, 16, 32}));
        QVERIFY(shownText().contains(QStringLiteral("Points of points.csv")));
        QVERIFY(m_setup->axes().empty());
        // It stays when the design changes, and is of that design then.
        QVERIFY(m_document->set("workload.prompt_tokens", "512"));
        QCOMPARE(m_setup->study()->base->workload.promptTokens.value, 512.0);
        QVERIFY(m_setup->study()->isList);
        // What is wrong is told by file, line, column and remedy; the points before stay.
        const auto wrong = file("wrong.csv", "nodes.fpga.count,workload.batch\n3,8\n5,many\n");
        m_setup->openPoints(wrong);
        QVERIFY2(shownText().contains(
                     QStringLiteral("wrong.csv:3: column workload.batch: \"many\" is not a number")),
                 qPrintable(shownText()));
        QVERIFY(shownText().contains(QStringLiteral("Give ")));
        QVERIFY(m_setup->study()->isList);
        m_setup->openPoints(file("path.csv", "nodes.fpga.cuont,workload.batch\n3,8\n5,9\n"));
        QVERIFY2(shownText().contains(QStringLiteral("path.csv:1: ")), qPrintable(shownText()));
        // One column is an axis.
        m_setup->openPoints(file("one.csv", "workload.batch\n8\n16\n"));
        QVERIFY(m_setup->study() && !m_setup->study()->isList);
        QCOMPARE(m_setup->axes().size(), std::size_t{1});
        m_setup->openPoints(points);
        QVERIFY(m_setup->study()->isList);
        auto* gone = m_setup->findChild<QPushButton*>(QStringLiteral("removePoints"));
        gone->click();
        QVERIFY(!m_setup->study());
        m_setup->addAxis(QStringLiteral("workload.batch"));
        QVERIFY(m_setup->study() && !m_setup->study()->isList);
    }

    void modelsAndWorkloadsOfThePaletteBecomeValues() {
        m_setup->setAxes({{"workload.batch", "1,2"}});
        bool accepted = false;
        drop(encodePart({PartKind::Model, "llama2-13b"}), &accepted);
        QVERIFY(accepted);
        QCOMPARE(m_setup->axes()[1].path, std::string("model"));
        QCOMPARE(m_setup->axes()[1].values, std::string("llama2-7b,llama2-13b")); // the present one stays
        drop(encodePart({PartKind::Model, "llama3-8b"}));
        drop(encodePart({PartKind::Model, "llama3-8b"}));
        QCOMPARE(m_setup->axes()[1].values, std::string("llama2-7b,llama2-13b,llama3-8b"));
        QCOMPARE(m_setup->axes().size(), std::size_t{2});
        const auto workload = shippedCatalog()->workloads.back().id;
        drop(encodePart({PartKind::Workload, workload}));
        QCOMPARE(m_setup->axes()[2].path, std::string("workload"));
        QVERIFY(QString::fromStdString(m_setup->axes()[2].values).endsWith(QString::fromStdString(workload)));
    }
};

WIDGET_TEST(StudySetupDropTest)
#include "study_setup_drop_test.moc"
