// SPDX-License-Identifier: GPL-3.0-or-later
// Exports to a place that cannot be written: what is wrong is said, and what was there before stays whole.
#include "engine/base/error.h"
#include "engine/exporters/study_csv.h"
#include "tests/widgets/explore/bad_places.h"
#include "tests/widgets/explore/explore_fixture.h"
#include "tests/widgets/report/dialog_writes.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/study_export.h"
#include "widgets/report/design_pictures.h"

#include <QDir>

#include <optional>

using namespace heteroscape::widgets::test;

class FailedExportTest : public ExploreFixture {
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
    void putOld(const QString& file) {
        QFile out(file);
        QVERIFY(out.open(QIODevice::WriteOnly));
        QCOMPARE(out.write(old()), old().size());
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
        putOld(file);
        begin(fullDisk);
        QVERIFY(!save->exportTo(file));
        const auto* notice = m_explore->findChild<NoticeBar*>(QStringLiteral("studyNotice"));
        QVERIFY(notice->isVisible());
        check(notice->text(), file, fullDisk);
        end();
        QVERIFY(save->exportTo(file));
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
        putOld(file);
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
                                               : QStringLiteral("you may write to it")),
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
        putOld(file);
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
        putOld(file);
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

WIDGET_TEST(FailedExportTest)
#include "failed_export_test.moc"
