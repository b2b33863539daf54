// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/calibration/calibration_source.h"
#include "widgets/jobs/job.h"

#include <QDialog>

#include <functional>

class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QProgressBar;
class QPushButton;
class QTableWidget;

namespace heteroscape::widgets {

class ConstantsTree;
class Document;
class NoticeBar;
class PlotView;
class TextLabel;

/// Fits constants to a CSV of the user's own: kernel times, or metrics of systems. A fit begins as soon as a
/// file is there and again whenever what is asked for changes; the scatter moves with it. What is accepted is
/// one edit of the document; closed otherwise it leaves no trace. UI thread; files are read and fits are done
/// on threads of their own.
class CalibrateDialog : public QDialog {
    Q_OBJECT
public:
    explicit CalibrateDialog(Document* document, QWidget* parent = nullptr);

    void openFile(const QString& path);
    bool isBusy() const { return m_reading.isBusy() || m_fitting.isBusy(); }
    const std::optional<CalibrationOutcome>& outcome() const { return m_outcome; } ///< of the newest fit
    QString warnings() const;

    /// Asks whether what is worse on held-out rows is wanted nevertheless; replaced by tests.
    std::function<bool(const QString& question)> confirm;

    void accept() override;

private:
    QWidget* makeFilePart();
    QWidget* makeConstantsPart();
    QWidget* makeFitPart();
    QWidget* makeFooter();
    void take(const QString& path, std::shared_ptr<const CalibrationSource> source);
    void fit();
    void showProgress(const CalibrationProgress& progress);
    void present(CalibrationOutcome outcome);
    void showState();

    Document* m_document;
    std::shared_ptr<const CalibrationSource> m_source;
    std::optional<CalibrationOutcome> m_outcome;
    QString m_file;

    NoticeBar* m_notice;
    TextLabel* m_fileName;
    TextLabel* m_passed;
    QDoubleSpinBox* m_heldOut;
    QComboBox* m_loss;
    QDoubleSpinBox* m_scale;
    TextLabel* m_chosen;
    QPushButton* m_all;
    ConstantsTree* m_constants;
    TextLabel* m_warnings;
    TextLabel* m_state;
    QProgressBar* m_progress;
    PlotView* m_plot;
    QTableWidget* m_errors;
    QPushButton* m_again;
    QLineEdit* m_name;
    TextLabel* m_says;
    QPushButton* m_accept;
    Job m_reading;
    Job m_fitting;
};

} // namespace heteroscape::widgets
