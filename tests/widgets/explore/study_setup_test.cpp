// SPDX-License-Identifier: GPL-3.0-or-later
#include "tests/widgets/explore/study_setup_fixture.h"
#include "tests/widgets/widget_test.h"

class StudySetupTest : public StudySetupFixture {
    Q_OBJECT

private slots:
    void formsFillTheFieldAroundThePresentValue() {
        QVERIFY(m_document->set("workload.batch", "32"));
        m_setup->setAxes({{"workload.batch", "1,2"}});
        const std::pair<const char*, const char*> forms[] = {
            {"Half, same, twice", "16,32,64"},
            {"Powers of two", "8:128:*2"},
            {"Range", "20:60:5"},
            {"Log steps", "3:320:log7"},
        };
        for (const auto& [name, values] : forms) {
            openMenuAndChoose(row(0), QLatin1String(name));
            QCOMPARE(row(0)->text().values, std::string(values));
            QVERIFY2(m_setup->study(), qPrintable(row(0)->error()));
        }
        QCOMPARE(m_setup->study()->pointCount(), std::size_t{7});
    }

    void formsStayWithinTheRange() {
        engine::FieldSpec share{"share", "Share", "", 1, 0, 1, false, false, ""};
        QCOMPARE(valueForm(ValueForm::HalfSameTwice, share, 0.8), std::string("0.4,0.8,1"));
        QCOMPARE(valueForm(ValueForm::PowersOfTwo, share, 0.5), std::string("0.125:1:*2"));
        QCOMPARE(valueForm(ValueForm::LogSteps, share, 0.5), std::string("0.05:1:log7"));
        QCOMPARE(valueForm(ValueForm::HalfSameTwice, share, std::numeric_limits<double>::quiet_NaN()),
                 std::string("0.5,1"));
        engine::FieldSpec count{"count", "Count", "", 1, 1, 4, true, true, ""};
        QCOMPARE(valueForm(ValueForm::PowersOfTwo, count, 1), std::string("1:4:*2"));
        QCOMPARE(valueForm(ValueForm::Range, count, 1), std::string("1:4:1"));
        count.maximum = 1;
        QCOMPARE(valueForm(ValueForm::Range, count, 1), std::string());
    }

    void logStepsAreWrittenShort() {
        const auto axis =
            engine::parseAxis(m_document->scenario(), *shippedCatalog(), "serving.rate_req_s=0.1:50:log9");
        QCOMPARE(axisText(axis).values, std::string("0.1:50:log9"));
        const auto whole =
            engine::parseAxis(m_document->scenario(), *shippedCatalog(), "workload.batch=1:1000:log7");
        const auto text = axisText(whole);
        QCOMPARE(engine::parseAxis(m_document->scenario(), *shippedCatalog(), text.path + "=" + text.values),
                 whole);
    }

    void severalModelsAreTickedByTheirNames() {
        m_setup->setAxes({{"model", ""}});
        row(0)->openChoices();
        auto* list = row(0)->findChild<QListWidget*>();
        QTRY_VERIFY(list->isVisible());
        QVERIFY(list->count() > 3);
        QVERIFY(list->item(1)->text() != list->item(1)->data(Qt::UserRole).toString());
        list->item(1)->setCheckState(Qt::Checked);
        list->item(3)->setCheckState(Qt::Checked);
        QVERIFY(m_setup->study());
        QCOMPARE(m_setup->study()->axes[0].names.size(), std::size_t{2});
        QTest::keyClick(list, Qt::Key_Escape);
    }

    void layoutsAreOneAxisOfAllThatAreValid() {
        m_document->openPreset("preserve/llama3-70b-8h100");
        QVERIFY(m_document->set("model", "deepseek-v3"));
        m_setup->setAxes({});
        m_setup->addAxis(QStringLiteral("nodes.gpu.layout"));
        QCOMPARE(row(0)->text().values, std::string("valid"));
        const auto* gpu = m_document->scenario().findNode({"gpu"});
        const auto layouts = engine::layoutsOf(m_document->scenario().model, *gpu);
        QVERIFY(layouts.size() > 10);
        QVERIFY(m_setup->study());
        QCOMPARE(m_setup->study()->pointCount(), layouts.size());
        QVERIFY(shownText().contains(QStringLiteral("all %1 valid").arg(layouts.size())));
        QCOMPARE(m_setup->study()->axes[0].names.front(), engine::layoutWords(layouts.front()));
        row(0)->openChoices();
        auto* list = row(0)->findChild<QListWidget*>();
        QTRY_VERIFY(list->isVisible());
        QCOMPARE(list->count(), static_cast<int>(layouts.size()));
        for (int i = 0; i < list->count(); ++i)
            QCOMPARE(list->item(i)->checkState(), Qt::Checked);
        list->item(1)->setCheckState(Qt::Unchecked);
        QVERIFY(m_setup->study());
        QCOMPARE(m_setup->study()->pointCount(), layouts.size() - 1);
        QTest::keyClick(list, Qt::Key_Escape);
    }

    void systemsAreNamedAndGoWithoutPartsOfNodes() {
        m_setup->setAxes({{"nodes.fpga.count", "1:7"}, {"workload.batch", "1,2"}});
        m_setup->addAxis(QStringLiteral("system"));
        auto* system = row(2);
        system->openChoices();
        auto* list = system->findChild<QListWidget*>();
        int found = 0;
        for (int i = 0; i < list->count(); ++i)
            found += list->item(i)->text() == QStringLiteral("8 × A100 (glitches)");
        QCOMPARE(found, 1);
        QTest::keyClick(list, Qt::Key_Escape);
        system->field()->setText(QStringLiteral("glitches/8a100,glitches/a100-7u280"));
        QVERIFY(!m_setup->study());
        QVERIFY2(row(0)->error().contains(QStringLiteral("leave out")), qPrintable(row(0)->error()));
        QVERIFY(row(1)->error().isEmpty());
        auto* leaveOut = named<QPushButton>("leaveOut");
        QVERIFY(leaveOut->isVisible());
        QTest::mouseClick(leaveOut, Qt::LeftButton);
        QVERIFY(leaveOut->isHidden());
        QVERIFY(m_setup->study());
        QCOMPARE(m_setup->axes().size(), std::size_t{2});
        QCOMPARE(m_setup->study()->pointCount(), std::size_t{4});
    }

    void limitsAreTypedAndSetInRows() {
        QSignalSpy told(m_setup, &StudySetup::limitsChanged), axes(m_setup, &StudySetup::changed);
        QTest::mouseClick(named<QCheckBox>("feasible"), Qt::LeftButton, {}, QPoint(8, 8));
        QCOMPARE(m_setup->limits(), (std::vector<engine::Limit>{{"feasible", 1}}));
        QCOMPARE(told.size(), 1);
        auto* typed = named<QLineEdit>("typedLimit");
        typed->setFocus();
        QTest::keyClicks(typed, QStringLiteral("ttft_s<=1"));
        QTest::keyClick(typed, Qt::Key_Return);
        const double none = std::numeric_limits<double>::infinity();
        QCOMPARE(m_setup->limits().back(), (engine::Limit{"ttft_s", -none, 1}));
        QCOMPARE(told.size(), 2);
        QTest::keyClicks(typed, QStringLiteral("nothing<=1"));
        QTest::keyClick(typed, Qt::Key_Return);
        QCOMPARE(m_setup->limits().size(), std::size_t{2});
        QVERIFY(shownText().contains(QStringLiteral("no metric is called")));
        typed->clear();

        QTest::mouseClick(named<QToolButton>("addLimit"), Qt::LeftButton); // the next usual metric
        auto* next = m_setup->findChildren<LimitRow*>().back();
        QCOMPARE(told.size(), 2); // there is no number yet
        QTest::keyClicks(next->field(), QStringLiteral("0.05"));
        QCOMPARE(m_setup->limits().back().column, std::string("tpot_s"));
        QCOMPARE(m_setup->limits().back().most, 0.05);
        next->field()->selectAll();
        QTest::keyClicks(next->field(), QStringLiteral("20 ms"));
        QCOMPARE(m_setup->limits().back().most, 0.02);
        QCOMPARE(next->field()->text(), QStringLiteral("20 ms"));
        QTest::keyClick(next->field(), Qt::Key_Return);
        QCOMPARE(next->field()->text(), QStringLiteral("0.02")); // in the unit beside it
        next->field()->selectAll();
        QTest::keyClicks(next->field(), QStringLiteral("20 W"));
        QVERIFY2(next->error().contains(QStringLiteral("not in a unit like s")), qPrintable(next->error()));
        next->field()->selectAll();
        QTest::keyClicks(next->field(), QStringLiteral("0.05"));
        QCOMPARE(m_setup->limits().back().most, 0.05);
        auto* sign = next->findChildren<QComboBox*>().at(1);
        sign->setFocus();
        QTest::keyClick(sign, Qt::Key_Down);
        QCOMPARE(m_setup->limits().back().least, 0.05);
        next->field()->selectAll();
        QTest::keyClicks(next->field(), QStringLiteral("price_usd=1000:2000"));
        QTest::keyClick(next->field(), Qt::Key_Return);
        QCOMPARE(m_setup->limits().back(), (engine::Limit{"price_usd", 1000, 2000}));
        QCOMPARE(next->field()->text(), QStringLiteral("1000:2000"));
        QTest::mouseClick(next->findChild<QCheckBox*>(), Qt::LeftButton);
        QCOMPARE(m_setup->limits().size(), std::size_t{2});
        QTest::mouseClick(m_setup->findChildren<LimitRow*>().front()->findChild<QToolButton*>(
                              QStringLiteral("removeLimit")),
                          Qt::LeftButton);
        QCOMPARE(m_setup->limits(), (std::vector<engine::Limit>{{"feasible", 1}}));
        QCOMPARE(m_setup->study()->limits, m_setup->limits());
        QCOMPARE(axes.size(), 0); // nothing is to be computed
    }

    void limitsOfAShownStudyAreTakenQuietly() {
        QSignalSpy told(m_setup, &StudySetup::limitsChanged);
        const std::vector<engine::Limit> limits{
            {"feasible", 1}, {"tpot_s", 0.01, 0.05}, {"nodes.fpga.decode_ms", 3}};
        m_setup->setLimits(limits);
        QCOMPARE(m_setup->limits(), limits);
        QCOMPARE(m_setup->study()->limits, limits);
        QCOMPARE(told.size(), 0);
    }

    void tellsPointsAndTimeBeforeTheRun() {
        QTemporaryDir folder;
        const auto path = folder.filePath(QStringLiteral("studies.sqlite"));
        m_setup->setStorePath(path);
        m_setup->setAxes({{"workload.batch", "1,2,4"}});
        QVERIFY(shownText().contains(QStringLiteral("3 points")));
        auto* forecast = named<QLabel>("forecast");
        QTRY_COMPARE(forecast->text(), QStringLiteral("under a second"));
        QVERIFY(!QFile::exists(path)); // looking makes no file
        engine::Store store(path.toStdString());
        engine::runStudy(*m_setup->study(), store, {});
        row(0)->field()->setText(QStringLiteral("1,2,4,8"));
        QTRY_COMPARE(forecast->text(), QStringLiteral("3 of them stored, under a second"));
        row(0)->field()->setText(QStringLiteral("1,2"));
        QTRY_COMPARE(forecast->text(), QStringLiteral("All of them stored already"));
        row(0)->field()->setText(QStringLiteral("oops"));
        QVERIFY(forecast->isHidden());
    }

    void timeIsInHumanWords() {
        QCOMPARE(timeWords(0.3), QStringLiteral("under a second"));
        QCOMPARE(timeWords(12.4), QStringLiteral("about 12 s"));
        QCOMPARE(timeWords(170), QStringLiteral("about 3 min"));
        QCOMPARE(timeWords(7300), QStringLiteral("about 2 h"));
        QCOMPARE(timeWords(3 * 86400.0), QStringLiteral("about 3 days"));
        QCOMPARE(timeWords(std::nan("")), QString());
        QCOMPARE(fileSizeText(640000), QStringLiteral("640 kB"));
        QCOMPARE(fileSizeText(1234567), QStringLiteral("1.2 MB"));
    }

    void pauseKeepsAndOffersResume() {
        m_setup->setAxes({{"workload.batch", "1:2560"}});
        QSignalSpy pause(m_setup->runRow(), &RunRow::pauseRequested),
            cancel(m_setup->runRow(), &RunRow::cancelRequested),
            run(m_setup->runRow(), &RunRow::runRequested);
        auto *runButton = named<QPushButton>("run"), *pauseButton = named<QPushButton>("pause"),
             *cancelButton = named<QPushButton>("cancel");
        m_setup->setRunning(true);
        QVERIFY(!runButton->isVisible());
        m_setup->runRow()->showProgress(
            {.total = 2560, .done = 2048, .before = 0, .computed = 2048, .seconds = 0.05, .measured = 40960});
        QVERIFY2(shownText().contains(
                     QStringLiteral("2,048 of 2,560 points, 41,000 points/s, under a second left")),
                 qPrintable(shownText()));
        QTest::mouseClick(pauseButton, Qt::LeftButton);
        QCOMPARE(pause.size(), 1);
        QVERIFY(!pauseButton->isEnabled());
        engine::StudyRun ended;
        ended.cancelled = true;
        m_setup->runRow()->showDone(ended);
        m_setup->setRunning(false);
        QVERIFY2(shownText().contains(QStringLiteral("Paused: 2,048 of 2,560")), qPrintable(shownText()));
        QCOMPARE(runButton->text(), QStringLiteral("Resume"));
        QTest::mouseClick(runButton, Qt::LeftButton);
        QCOMPARE(run.size(), 1);
        m_setup->setRunning(true);
        QTest::mouseClick(pauseButton, Qt::LeftButton);
        m_setup->setRunning(false);
        QTest::mouseClick(cancelButton, Qt::LeftButton); // back to the set-up
        QCOMPARE(cancel.size(), 0);
        QCOMPARE(runButton->text(), QStringLiteral("Run"));
        QVERIFY(!shownText().contains(QStringLiteral("Paused")));
        m_setup->runRow()->showPaused(10, 2560);
        row(0)->field()->setText(QStringLiteral("1:2")); // another study: nothing to resume
        QCOMPARE(runButton->text(), QStringLiteral("Run"));
        m_setup->setRunning(true);
        QTest::mouseClick(cancelButton, Qt::LeftButton);
        QCOMPARE(cancel.size(), 1);
    }

    void followsTheDesignOnlyWhileShown() {
        QSignalSpy changed(m_setup, &StudySetup::changed);
        m_area->hide();
        QVERIFY(m_document->set("nodes.fpga.count", "9"));
        QVERIFY(m_document->set("nodes.fpga.count", "11"));
        QCOMPARE(changed.size(), 0);
        m_area->show();
        QCOMPARE(changed.size(), 1);
        QCOMPARE(m_setup->axes()[0].values, std::string("1:11:1"));
        m_area->hide();
        QVERIFY(m_document->set("nodes.fpga.count", "13"));
        QCOMPARE(m_setup->axes()[0].values, std::string("1:13:1")); // whoever asks gets the present ones
    }

    void aStoredStudyIsExtended() {
        m_setup->setAxes({{"workload.batch", "1:64:*2"}});
        m_setup->setLimits({{"feasible", 1}});
        const auto study = *m_setup->study();
        m_document->openPreset("glitches/8a100");
        m_setup->takeStudy(study);
        QCOMPARE(engine::scenarioKey(m_document->scenario()), engine::scenarioKey(study.base));
        QCOMPARE(m_setup->axes()[0].values, std::string("1:64:*2"));
        QCOMPARE(m_setup->limits(), study.limits);
        QVERIFY(row(0)->field()->hasFocus());
        QTest::keyClicks(row(0)->field(), QStringLiteral(",128"));
        QCOMPARE(m_setup->study()->pointCount(), std::size_t{8});
        m_document->undoStack()->undo();
        QVERIFY(engine::scenarioKey(m_document->scenario()) != engine::scenarioKey(study.base));
    }

    void nothingIsCutOffInANarrowSidebar() {
        m_setup->setAxes(
            {{"nodes.fpga.device.memory_bandwidth_gbps", "10:1000:log7"}, {"model", "llama2-7b"}});
        m_setup->setLimits({{"feasible", 1}, {"decode_host_attention_s", 0.01, 1234.5}, {"ttft_s"}});
        m_setup->runRow()->showPaused(2048, 2560);
        QCoreApplication::processEvents();
        const int width = m_area->viewport()->width();
        QCOMPARE(m_setup->width(), width);
        QVERIFY2(m_setup->minimumSizeHint().width() <= width,
                 qPrintable(QString::number(m_setup->minimumSizeHint().width())));
        for (const auto* child : m_setup->findChildren<QWidget*>()) {
            if (!child->isVisible() || child->isWindow())
                continue;
            const auto box = QRect(child->mapTo(m_setup, QPoint()), child->size());
            QVERIFY2(box.left() >= 0 && box.right() < width, child->metaObject()->className());
            if (const auto* button = qobject_cast<const QPushButton*>(child))
                QVERIFY2(button->width() >= button->minimumSizeHint().width(), qPrintable(button->text()));
        }
    }
};

WIDGET_TEST(StudySetupTest)
#include "study_setup_test.moc"
