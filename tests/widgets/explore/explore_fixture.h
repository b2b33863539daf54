// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/exporters/study_csv.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/explore/explore_workspace.h"
#include "widgets/explore/study_board.h"
#include "widgets/explore/study_marks.h"
#include "widgets/explore/study_setup.h"
#include "widgets/explore/study_tile.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"
#include "widgets/plots/plot_view.h"

#include <QPushButton>
#include <QTableView>
#include <QTemporaryDir>

#include <memory>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// A document and the Explore workspace over it, fresh for each test, with a store in a folder of its own.
class ExploreFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<QTemporaryDir> m_folder;
    std::unique_ptr<Document> m_document;
    std::unique_ptr<ExploreWorkspace> m_explore;

    /// The design that each test starts with.
    virtual void openDesign() { m_document->openPreset("glitches/a100-7u280"); }

    QString store() const { return m_folder->filePath(QStringLiteral("studies.sqlite")); }
    template <class Widget>
    Widget* found(const char* name) const {
        return m_explore->findChild<Widget*>(QLatin1String(name));
    }
    QPushButton* button(const char* name) const { return found<QPushButton>(name); }
    StudySetup* setup() const { return m_explore->findChild<StudySetup*>(); }
    StudyMarks* marks() const { return m_explore->marks(); }
    StudyBoard* board() const { return child<StudyBoard>(m_explore); }
    QTableView* table() const { return m_explore->findChild<QTableView*>(); }
    StudyTile* tile(std::size_t index = 0) const { return board()->plots().at(index); }
    /// Of the study that is shown.
    const engine::StudyTable& points() const { return marks()->study()->table; }
    std::string countPath() const { return points().columns[0].name; }
    /// Of the first study in the file.
    engine::StudyTable stored() const {
        engine::Store file(store().toStdString());
        return file.read(file.studies().front().id);
    }

    /// What the first study of the store is exported as.
    std::string storedCsv() const {
        engine::Store file(store().toStdString());
        const auto id = file.studies().front().id;
        std::string text;
        engine::studyCsv(file, id, file.definition(id, *shippedCatalog()), {},
                         [&](std::string_view piece) { text += piece; });
        return text;
    }

    void start() {
        m_folder = std::make_unique<QTemporaryDir>();
        m_document = std::make_unique<Document>(shippedCatalog());
        openDesign();
        open();
    }
    /// As at the next start.
    void open() {
        m_explore.reset();
        m_explore = std::make_unique<ExploreWorkspace>(m_document.get(), store());
        expose(*m_explore, {1440, 860});
    }
    void runByClick() {
        QTest::mouseClick(button("run"), Qt::LeftButton);
        QVERIFY(m_explore->isRunning());
        QTRY_VERIFY_WITH_TIMEOUT(!m_explore->isRunning(), 60000);
        QVERIFY(marks()->study());
    }
    QString status() const { return words(setup()); }

private slots:
    void init() { start(); }
    void cleanup() {
        m_explore.reset();
        m_document.reset();
    }
};
