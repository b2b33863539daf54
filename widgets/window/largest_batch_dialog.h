// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/study/largest_within.h"
#include "widgets/jobs/job.h"

#include <QDialog>

#include <optional>

class QPushButton;

namespace heteroscape::widgets {

class Document;
class LimitList;
class TextLabel;

/// Which batch a design can take within limits that its user sets, and what stops it there; sets it. Steady
/// state. The answer follows the limits, and is looked for off the UI thread. UI thread.
class LargestBatchDialog : public QDialog {
    Q_OBJECT
public:
    explicit LargestBatchDialog(Document* document, QWidget* parent = nullptr);

    LimitList* limits() const { return m_limits; }
    QString answer() const;
    QPushButton* setButton() const { return m_set; } ///< disabled until there is an answer

private:
    void seek();
    void showFound(const engine::LargestWithin& found);
    void showProblem(const QString& problem);
    void setBatch();

    Document* m_document;
    LimitList* m_limits;
    TextLabel* m_answer;
    TextLabel* m_stop;
    QPushButton* m_set;
    std::optional<double> m_found;
    Job m_job;
};

} // namespace heteroscape::widgets
