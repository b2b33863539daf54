// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "study_window.h"
#include "widgets/plots/export_button.h"
#include "widgets/plots/notice_bar.h"

#include <QFile>

namespace heteroscape::widgets {

/// The window with studies, and what is written there by the menus of export buttons.
struct ExportWindow : StudyWindow {
    using StudyWindow::StudyWindow;

    /// Clicks an entry of a button's menu.
    static void chooseIn(ExportButton* button, const char* entry) {
        click(button);
        QVERIFY(openMenu());
        choose(openMenu(), QLatin1String(entry));
    }
    /// By an entry and the file dialog that it opens.
    void exportBy(ExportButton* button, const char* entry, const char* name) const {
        QFile::remove(file(name)); // else it is asked about
        FileAnswer dialog(file(name));
        chooseIn(button, entry);
        QTRY_COMPARE(dialog.asked(), 1);
        QVERIFY2(QFile::exists(file(name)), name);
        QVERIFY(dialog.offered().endsWith(QString::fromLatin1(name).section(u'.', -1)));
        const auto* notice = explore().findChild<NoticeBar*>(QStringLiteral("studyNotice"));
        QVERIFY(notice->isVisible());
        QCOMPARE(notice->text(), QStringLiteral("Written: %1").arg(file(name)));
    }
    QByteArray read(const char* name) const {
        QFile written(file(name));
        return written.open(QIODevice::ReadOnly) ? written.readAll() : QByteArray();
    }
};

} // namespace heteroscape::widgets
