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
    void writeTo(const QString& path); ///< written(), or failed() with the reason in the dialog

signals:
    void written(const QString& path);
    void failed();

private:
    void fail(const QString& message);
    void ask(const QString& suffix);
    void updateButtons();

    DesignReport m_report;
    QString m_folder;
    ReportWriter m_writer;
    NoticeBar* m_notice;
    QListWidget* m_list; ///< tables first, then pictures
    QPushButton* m_html;
    QPushButton* m_pdf;
};

} // namespace heteroscape::widgets
