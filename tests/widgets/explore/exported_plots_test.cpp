// SPDX-License-Identifier: GPL-3.0-or-later
// What plots and studies are written as: which design each number is of, what became of those without one,
// the view that is shown or the whole. Where nothing can be written that is said, and what was there before
// stays whole.
#include "engine/base/error.h"
#include "engine/exporters/study_csv.h"
#include "engine/plotting/series.h"
#include "engine/scenario/scenario_key.h"
#include "engine/study_run/evaluate_study.h"
#include "tests/widgets/explore/bad_places.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/report/csv_reader.h"
#include "tests/widgets/report/dialog_writes.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/study_export.h"
#include "widgets/report/design_pictures.h"

#include <QDir>
#include <QImage>
#include <QMenu>
#include <QRegularExpression>

#include <cmath>
#include <map>
#include <optional>
#include <set>

using namespace heteroscape::widgets::test;

class ExportedPlotsTest : public ExploreFixture {
    Q_OBJECT

    std::optional<FullDisk> m_fullDisk;
    std::optional<BoundByRights> m_bound;

    QString target() const { return m_folder->filePath(QStringLiteral("exports")); }
    QString path(const QString& suffix) const { return target() + QStringLiteral("/old.") + suffix; }
    static QByteArray old() { return QByteArray(3000, 'o'); }

    void begin(bool fullDisk) {
        if (fullDisk) {
            m_fullDisk.emplace(256); // less than any of what is written
            return;
        }
        QVERIFY(QFile::setPermissions(target(), kReadByAll | kEnteredByAll));
        m_bound.emplace();
    }
    void end() {
        m_fullDisk.reset();
        m_bound.reset();
        QVERIFY(QFile::setPermissions(target(), kReadByAll | kWrittenByAll | kEnteredByAll));
    }
    /// Where it is, why, and what to do; the old file as it was, and nothing beside it.
    void check(const QString& message, const QString& file, bool fullDisk) {
        QVERIFY2(message.contains(file), qPrintable(message));
        const auto reason = fullDisk ? QStringLiteral("File too large") : QStringLiteral("Permission denied");
        const auto remedy = fullDisk ? QStringLiteral("Free space on that disk, or choose another place")
                                     : QStringLiteral("Check your rights there, or choose another place");
        QVERIFY2(message.contains(reason), qPrintable(message));
        QVERIFY2(message.contains(remedy), qPrintable(message));
        QCOMPARE(bytesOf(file), old());
        QCOMPARE(QDir(target()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QFileInfo(file).fileName()});
    }
    /// An entry of the export menu of a tile.
    static void chooseIn(const StudyTile* tile, const char* entry) {
        for (auto* action : tile->exportButton()->findChild<QMenu*>()->actions())
            if (action->text() == QLatin1String(entry))
                return action->trigger();
        QFAIL(entry);
    }
    QByteArray written(ExportButton* button, const char* suffix) const {
        return button->exportTo(path(QLatin1String(suffix))) ? bytesOf(path(QLatin1String(suffix)))
                                                             : QByteArray();
    }
    static CsvTable tableOf(const QByteArray& csv) {
        auto text = QString::fromUtf8(csv);
        if (text.startsWith(QChar(0xfeff)))
            text.remove(0, 1);
        return readCsv(text.section(QStringLiteral("\n\n"), 0, 0));
    }
    std::vector<QString> keys() const {
        std::vector<QString> texts;
        for (const auto& key : engine::studyKeys(points(), marks()->study()->definition))
            texts.push_back(QString::fromStdString(engine::keyText(key)));
        return texts;
    }
    QString statusOf(std::size_t row) const {
        return QString::fromUtf8(
            engine::pointStatusName(engine::pointStatus(points(), row, marks()->limits())));
    }

private slots:
    void init() {
        ExploreFixture::start();
        QVERIFY(QFile::setPermissions(m_folder->path(), kReadByAll | kWrittenByAll | kEnteredByAll));
        QVERIFY(QDir().mkpath(target()));
        runByClick();
    }
    void cleanup() {
        m_fullDisk.reset();
        m_bound.reset();
        m_explore.reset();
        m_document.reset();
    }

    void everyPlotIsWrittenWithTheKeysOfItsDesigns_data() {
        QTest::addColumn<engine::PlotKind>("kind");
        QTest::newRow("bars") << engine::PlotKind::Bars;
        QTest::newRow("heat map") << engine::PlotKind::HeatMap;
        QTest::newRow("scatter") << engine::PlotKind::Scatter;
        QTest::newRow("parallel") << engine::PlotKind::Parallel;
        QTest::newRow("breakdown") << engine::PlotKind::Breakdown;
        QTest::newRow("roofline") << engine::PlotKind::Roofline;
    }
    void everyPlotIsWrittenWithTheKeysOfItsDesigns() {
        QFETCH(engine::PlotKind, kind);
        auto* tile = board()->addPlot(kind);
        QTRY_VERIFY(tile->isVisible() && !tile->isBusy());
        for (const char* suffix : {"png", "svg", "pdf"})
            QVERIFY2(written(tile->exportButton(), suffix).size() > 500, suffix);
        QVERIFY(!QImage(path(QStringLiteral("png"))).isNull());
        const auto table = tableOf(written(tile->exportButton(), "csv"));
        const auto keys = this->keys();
        std::map<QString, std::size_t> rowOf;
        for (std::size_t row = 0; row < keys.size(); ++row)
            rowOf[keys[row]] = row;
        // Each line has the key of the design whose values it has.
        std::set<std::size_t> told;
        for (int column = 0; column < table.header.size(); ++column) {
            const auto& name = table.header[column];
            if (name != QStringLiteral("Key") && !name.endsWith(QStringLiteral(", key")))
                continue;
            for (const auto& cells : table.rows) {
                if (cells[column].isEmpty())
                    continue; // a roof is of no one design
                QVERIFY2(rowOf.contains(cells[column]), qPrintable(cells[column]));
                const auto row = rowOf[cells[column]];
                told.insert(row);
                const auto throughput = exact(points().find("throughput_tok_s")->at(row));
                if (kind == engine::PlotKind::Bars)
                    QCOMPARE(cells[column - 2], throughput);
                if (kind == engine::PlotKind::HeatMap)
                    QCOMPARE(cells[2], throughput);
                if (kind == engine::PlotKind::Scatter)
                    QCOMPARE(cells[0].toULongLong(), row);
                if (kind == engine::PlotKind::Parallel)
                    for (int axis = 0; axis < 2; ++axis)
                        QCOMPARE(cells[axis].toDouble(),
                                 points().columns[static_cast<std::size_t>(axis)].at(row));
            }
        }
        const bool ofDesigns = kind == engine::PlotKind::Roofline || kind == engine::PlotKind::Breakdown;
        QCOMPARE(told.size(), ofDesigns ? std::size_t{7} : points().rows());
    }

    void dataTellFilteredInfeasibleAndNotComputedApart() {
        // Cancelled when some of it is done, of which some designs do not fit and others are limited away.
        setup()->setAxes(
            {{"workload.prompt_tokens", "1:6400"}, {"workload.batch", "1,2,4,4096"}, {countPath(), "1:4"}});
        QTest::mouseClick(button("run"), Qt::LeftButton);
        static const QRegularExpression under(QStringLiteral("[1-9][\\d,]* of 102,400 points"));
        QTRY_VERIFY_WITH_TIMEOUT(under.match(words(setup())).hasMatch(), 60000);
        QTest::mouseClick(button("cancel"), Qt::LeftButton);
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning() && !m_explore->isBusy() && marks()->study(), 60000);
        QTRY_COMPARE(points().rows(), engine::Store(store().toStdString()).study(points().info.id).done);
        QVERIFY(points().rows() < 102400);
        marks()->setLimits({{"throughput_tok_s", points().find("throughput_tok_s")->at(0)}});

        const auto study = tableOf(written(found<ExportButton>("exportStudy"), "csv"));
        QCOMPARE(study.rows.size(), std::size_t{102400});
        const int told = study.column(QStringLiteral("status"));
        std::size_t row = 0;
        for (std::size_t at = 0; at < study.rows.size(); ++at) {
            const bool computed = row < points().rows() && points().ordinal(row) == at;
            QCOMPARE(study.rows[at][told], computed ? statusOf(row) : QStringLiteral("not computed"));
            row += computed ? 1 : 0;
        }
        QCOMPARE(row, points().rows());

        auto lines = tile()->plot();
        lines.query.x = "workload.prompt_tokens";
        lines.query.curve = "workload.batch";
        tile()->setPlot(lines);
        QTRY_COMPARE(tile()->view()->chart().lines.size(), std::size_t{4});
        chooseIn(tile(), "The whole");
        const auto plot = tableOf(written(tile()->exportButton(), "csv"));
        QCOMPARE(plot.rows.size(), std::size_t{6400});
        const auto series = engine::studySeries(points(), tile()->query());
        QCOMPARE(series.size(), std::size_t{4});
        const auto keys = this->keys();
        std::map<QString, int> seen;
        for (std::size_t i = 0; i < series.size(); ++i) {
            const auto name = QStringLiteral("Throughput (tok/s), ") + tile()->view()->chart().lines[i].name;
            const int value = plot.column(name), status = plot.column(name + QStringLiteral(", status")),
                      key = plot.column(name + QStringLiteral(", key"));
            QVERIFY2(value > 0 && status > 0 && key > 0, qPrintable(plot.header.join(u'|')));
            std::size_t next = 0;
            for (const auto& cells : plot.rows) {
                const bool computed = next < series[i].x.size() && series[i].x[next] == cells[0].toDouble();
                const auto of = computed ? series[i].rows[next] : 0;
                QCOMPARE(cells[value], exact(computed ? series[i].y[next] : std::nan("")));
                QCOMPARE(cells[status], computed ? statusOf(of) : QStringLiteral("not computed"));
                QCOMPARE(cells[key], computed ? keys[of] : QString());
                ++seen[cells[status]];
                next += computed ? 1 : 0;
            }
            QCOMPARE(next, series[i].x.size());
        }
        for (const auto* word : {"ok", "filtered", "infeasible", "not computed"})
            QVERIFY2(seen[QLatin1String(word)] > 0, word);
    }

    void theViewThatIsShownOrTheWholeIsWritten() {
        auto* view = tile()->view();
        const auto csv = [this] { return written(tile()->exportButton(), "csv"); };
        const auto png = [this] { return written(tile()->exportButton(), "png"); };
        chooseIn(tile(), "The whole");
        const auto whole = csv(), far = png();
        QCOMPARE(tableOf(whole).rows.size(), std::size_t{7}); // counts
        chooseIn(tile(), "The view that is shown");
        QVERIFY(png() == far); // all of it
        for (int i = 0; i < 4; ++i)
            QTest::keyClick(view, Qt::Key_Plus); // closer
        const auto x = view->view().x;
        const auto shown = tableOf(csv());
        QVERIFY(!shown.rows.empty() && shown.rows.size() < 7);
        for (const auto& cells : shown.rows) {
            const auto rows = tableOf(whole).rows;
            QVERIFY(std::find(rows.begin(), rows.end(), cells) != rows.end()); // the same numbers
            QVERIFY(cells[0].toDouble() >= x.lower && cells[0].toDouble() <= x.upper);
        }
        const auto near = png();
        QCOMPARE(QImage::fromData(near).size(), QImage::fromData(far).size());
        QVERIFY(near != far);
        // A curve that is hidden is not in the view, and is in the whole.
        const auto hidden = view->chart().lines.at(0).name;
        view->toggle(hidden);
        auto names = shown.header;
        for (const auto* said : {"", ", status", ", key"})
            names.removeOne(
                QStringLiteral("%1, %2%3").arg(view->chart().y.label, hidden, QLatin1String(said)));
        QVERIFY(names != shown.header);
        QCOMPARE(tableOf(csv()).header, names);
        chooseIn(tile(), "The whole");
        QCOMPARE(csv(), whole);
    }

    void aPlotOrAStudy_data() {
        QTest::addColumn<bool>("fullDisk");
        QTest::addColumn<QString>("what");
        QTest::addColumn<QString>("suffix");
        for (const bool fullDisk : {true, false})
            for (const char* what : {"plot png", "plot svg", "plot pdf", "plot csv", "study csv"})
                QTest::addRow("%s, %s", what, fullDisk ? "full disk" : "read-only folder")
                    << fullDisk << QString::fromLatin1(what).section(u' ', 0, 0)
                    << QString::fromLatin1(what).section(u' ', 1, 1);
    }
    void aPlotOrAStudy() {
        QFETCH(bool, fullDisk);
        QFETCH(QString, what);
        QFETCH(QString, suffix);
        auto* save =
            what == QStringLiteral("plot") ? tile()->exportButton() : found<ExportButton>("exportStudy");
        const auto file = path(suffix);
        writeFile(file, old());
        begin(fullDisk);
        QVERIFY(!save->exportTo(file));
        const auto* notice = m_explore->findChild<NoticeBar*>(QStringLiteral("studyNotice"));
        QVERIFY(notice->isVisible());
        check(notice->text(), file, fullDisk);
        end();
        QVERIFY(save->exportTo(file));
        if (what == QStringLiteral("study"))
            QCOMPARE(bytesOf(file).toStdString(), storedCsv());
        else
            QVERIFY(bytesOf(file) != old());
    }

    void aStoredStudy_data() {
        QTest::addColumn<bool>("fullDisk");
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"csv", "sqlite"})
            for (const bool fullDisk : {true, false})
                QTest::addRow("%s, %s", suffix, fullDisk ? "full disk" : "read-only folder")
                    << fullDisk << QString::fromLatin1(suffix);
    }
    void aStoredStudy() {
        QFETCH(bool, fullDisk);
        QFETCH(QString, suffix);
        const auto file = path(suffix);
        writeFile(file, old());
        // Open, so that it can be read whatever the disk and the rights are.
        engine::Store reading(store().toStdString());
        QCOMPARE(reading.studies().size(), std::size_t{1});
        for (const auto* name : {"", "-wal", "-shm"})
            QVERIFY(QFile::setPermissions(store() + QLatin1String(name), kReadByAll | kWrittenByAll));
        QString message;
        begin(fullDisk);
        try {
            exportStudy(store(), points().info.id, suffix, file, *shippedCatalog());
        } catch (const engine::Error& error) {
            message = QString::fromUtf8(error.what());
        }
        QVERIFY2(message.contains(file), qPrintable(message));
        if (suffix == QStringLiteral("csv"))
            check(message, file, fullDisk);
        else
            QVERIFY2(message.contains(fullDisk ? QStringLiteral("Check the disk")
                                               : QStringLiteral("Check your rights there")),
                     qPrintable(message));
        QCOMPARE(bytesOf(file), old());
        QCOMPARE(QDir(target()).entryList(QDir::Files | QDir::Hidden),
                 QStringList{QFileInfo(file).fileName()});
        end();
        exportStudy(store(), points().info.id, suffix, file, *shippedCatalog());
        if (suffix == QStringLiteral("csv"))
            QCOMPARE(bytesOf(file).toStdString(), storedCsv());
        else
            QCOMPARE(engine::studyCsv(engine::Store(file.toStdString()).read(1)), engine::studyCsv(stored()));
    }

    void aReport_data() {
        QTest::addColumn<bool>("fullDisk");
        QTest::addColumn<QString>("suffix");
        for (const char* suffix : {"html", "pdf"})
            for (const bool fullDisk : {true, false})
                QTest::addRow("%s, %s", suffix, fullDisk ? "full disk" : "read-only folder")
                    << fullDisk << QString::fromLatin1(suffix);
    }
    void aReport() {
        QFETCH(bool, fullDisk);
        QFETCH(QString, suffix);
        const auto file = path(suffix);
        writeFile(file, old());
        ReportDialog dialog(
            designReport(m_document->scenario(), studyPictures(m_explore->study(), m_explore->shownPlots())),
            target(), m_explore.get());
        dialog.show();
        QVERIFY(QTest::qWaitForWindowExposed(&dialog));
        begin(fullDisk);
        QVERIFY(!writes(dialog, file));
        const auto* notice = dialog.findChild<NoticeBar*>();
        QVERIFY(notice->isVisible());
        check(notice->text(), file, fullDisk);
        QVERIFY(dialog.isVisible());
        end();
        QVERIFY(writes(dialog, file));
        QVERIFY(bytesOf(file) != old());
    }

    void aFolderOfFigures_data() {
        QTest::addColumn<bool>("fullDisk");
        QTest::newRow("full disk") << true;
        QTest::newRow("read-only folder") << false;
    }
    void aFolderOfFigures() {
        QFETCH(bool, fullDisk);
        const auto file = target() + QStringLiteral("/plot-1.png");
        writeFile(file, old());
        QString message;
        begin(fullDisk);
        try {
            writeReport(*m_explore->study(), m_explore->shownPlots(), target());
        } catch (const engine::Error& error) {
            message = QString::fromUtf8(error.what());
        }
        check(message, file, fullDisk);
        end();
        QCOMPARE(writeReport(*m_explore->study(), m_explore->shownPlots(), target()).size(), std::size_t{5});
    }
};

WIDGET_TEST(ExportedPlotsTest)
#include "exported_plots_test.moc"
