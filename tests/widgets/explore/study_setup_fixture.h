// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/layout_choices.h"
#include "engine/scenario/scenario_json.h"
#include "tests/shipped_catalog.h"
#include "tests/widgets/widget_test.h"
#include "widgets/canvas/part_mime.h"
#include "widgets/explore/axis_row.h"
#include "widgets/explore/default_axes.h"
#include "widgets/explore/drop_slot.h"
#include "widgets/explore/limit_list.h"
#include "widgets/explore/run_row.h"
#include "widgets/explore/study_setup.h"
#include "widgets/inspector/property_rows.h"
#include "widgets/inspector/quantity_row.h"
#include "widgets/window/file_drops.h"

#include <QApplication>
#include <QCheckBox>
#include <QComboBox>
#include <QDragEnterEvent>
#include <QDropEvent>
#include <QFile>
#include <QLabel>
#include <QLineEdit>
#include <QListWidget>
#include <QMenu>
#include <QMimeData>
#include <QPushButton>
#include <QScrollArea>
#include <QSignalSpy>
#include <QTabBar>
#include <QTemporaryDir>
#include <QTest>
#include <QToolButton>
#include <QUrl>

#include <cmath>
#include <limits>

using namespace heteroscape;
using namespace heteroscape::widgets;

/// The set-up of a study as narrow as the sidebar, fresh for each test.
class StudySetupFixture : public QObject {
    Q_OBJECT

protected:
    std::unique_ptr<Document> m_document;
    std::unique_ptr<QScrollArea> m_area; ///< as narrow as the sidebar
    StudySetup* m_setup = nullptr;

    template <class T>
    T* named(const char* name) const {
        return m_setup->findChild<T*>(QLatin1String(name));
    }
    AxisRow* row(std::size_t index) const {
        QList<AxisRow*> shown;
        for (auto* each : m_setup->findChildren<AxisRow*>())
            if (!each->isHidden())
                shown << each;
        return shown.at(static_cast<qsizetype>(index));
    }
    QString shownText() const { return words(m_setup); }
    /// A drag over the set-up's middle; the text of the slot, then dropped.
    QString drop(std::unique_ptr<QMimeData> data, bool* accepted = nullptr) {
        const QPoint at = m_setup->rect().center();
        QDragEnterEvent enter(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
        QApplication::sendEvent(m_setup, &enter);
        const auto* slot = m_setup->findChild<DropSlot*>();
        const auto words = slot->isVisible() ? slot->text() : QString();
        if (enter.isAccepted()) {
            QDropEvent drop(at, Qt::CopyAction, data.get(), Qt::LeftButton, {});
            QApplication::sendEvent(m_setup, &drop);
            if (accepted)
                *accepted = drop.isAccepted();
        } else if (accepted)
            *accepted = false;
        return words;
    }
    void openMenuAndChoose(AxisRow* axis, const QString& name) {
        auto* button = axis->findChild<QToolButton*>(QStringLiteral("valueForms"));
        QVERIFY(button->isVisible());
        emit button->menu()->aboutToShow();
        for (auto* action : button->menu()->actions())
            if (action->text().startsWith(name)) {
                QVERIFY(action->isEnabled());
                action->trigger();
                return;
            }
        QFAIL("no such form");
    }

protected slots:
    void init() {
        m_document = std::make_unique<Document>(shippedCatalog());
        m_document->openPreset("glitches/a100-7u280");
        m_area = std::make_unique<QScrollArea>();
        m_setup = new StudySetup(m_document.get());
        m_setup->setContentsMargins(12, 12, 12, 12);
        m_area->setWidget(m_setup);
        m_area->setWidgetResizable(true);
        m_area->setHorizontalScrollBarPolicy(Qt::ScrollBarAlwaysOff);
        expose(*m_area, {252, 820});
    }
    void cleanup() {
        m_area.reset();
        m_document.reset();
    }
};
