// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "widgets/jobs/job.h"

#include <QObject>
#include <QString>

#include <array>
#include <memory>

namespace heteroscape::widgets {

class Document;

/// How sure the figures of the open design are: found on a thread of its own after each change, and only for
/// designs that rest on measured constants. UI thread.
class ExpectedErrorFinder : public QObject {
    Q_OBJECT
public:
    /// The one of this document, made when first asked for; the document owns it.
    static ExpectedErrorFinder& of(Document& document);

    bool isBusy() const { return m_job.isBusy(); }
    QString note(engine::Metric metric) const; ///< "±9 %, interpolated"; empty while nothing is known
    QString tip(engine::Metric metric) const;  ///< what that means, and what was calibrated on what

signals:
    void found();

private:
    struct Errors;
    explicit ExpectedErrorFinder(Document& document);
    void look();

    Document& m_document;
    std::shared_ptr<const Errors> m_errors; ///< null: nothing rests on measured constants, or not yet known
    Job m_job;
};

} // namespace heteroscape::widgets
