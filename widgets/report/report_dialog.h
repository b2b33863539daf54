// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/report/design_report.h"

#include <QDialog>

class QListWidget;
class QPushButton;

namespace heteroscape::widgets {

class NoticeBar;

/// Chooses which tables and pictures go into a report, and writes it as HTML or PDF.
class ReportDialog : public QDialog {
    Q_OBJECT
public:
    ReportDialog(DesignReport report, const QString& folder, QWidget* parent);

    DesignReport chosen() const;       ///< with what is ticked alone
    bool writeTo(const QString& path); ///< false, with the reason in the dialog, when it cannot
    QListWidget* list() const { return m_list; }

signals:
    void written(const QString& path);

private:
    void ask(const QString& suffix);
    void updateButtons();

    DesignReport m_report;
    QString m_folder;
    NoticeBar* m_notice;
    QListWidget* m_list; ///< tables first, then pictures
    QPushButton* m_html;
    QPushButton* m_pdf;
};

} // namespace heteroscape::widgets
