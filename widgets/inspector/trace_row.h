// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/scenario/serving.h"

#include <QWidget>

#include <memory>

class QMimeData;
class QPushButton;

namespace heteroscape::widgets {

class Document;
class TextLabel;

/// The recorded requests of a design: their file, what they are like, and a button to choose another. What is
/// wrong with a file that was refused stands below until another is tried or the arrivals change; the design
/// keeps what it had. UI thread.
class TraceRow : public QWidget {
    Q_OBJECT
public:
    explicit TraceRow(Document& document, QWidget* parent = nullptr);

    void choose();                  ///< asks for a file
    void load(const QString& path); ///< reads and takes it, or says why not
    void refresh();
    QPushButton* button() const { return m_button; }
    QString message() const; ///< why the last file was refused; empty: it was not

    /// The one trace (.csv) that is dragged; empty when it is anything else.
    static QString fileIn(const QMimeData* data);

private:
    QString summary() const;

    Document& m_document;
    QWidget* m_line;
    TextLabel* m_name;
    QPushButton* m_button;
    TextLabel* m_summary;
    TextLabel* m_error;
    QString m_refused;    ///< why the last chosen file was; empty: it was not
    QPushButton* m_allow; ///< reads a file that the design names outside its folder
    std::shared_ptr<const engine::RequestTrace> m_known; ///< whose means are told
    double m_prompt = 0.0;                               ///< mean tokens
    double m_output = 0.0;
    const engine::ArrivalKind* m_arrivals = nullptr; ///< when last looked at
};

} // namespace heteroscape::widgets
