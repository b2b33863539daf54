// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/recovery_store.h"
#include "widgets/plots/surface.h"

#include <QDateTime>
#include <QString>
#include <functional>
#include <vector>

class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

/// When something was, as one would say it at `now`: "today 14:32", "yesterday 09:05", "17 Nov", "3 Mar
/// 2025".
QString timeText(const QDateTime& when, const QDateTime& now);

class TextLabel;

/// Designs that were open when the program ended without a word, each to recover or to discard. What cannot
/// be read says why, and stays until it is discarded. Hidden when there is nothing. UI thread.
class RecoveryList : public Surface {
    Q_OBJECT
public:
    explicit RecoveryList(QWidget* parent = nullptr);

    void setEntries(std::vector<RecoveryEntry> entries);
    const std::vector<RecoveryEntry>& entries() const { return m_entries; }

    /// Asks whether so many designs shall be deleted for good; a dialog at first.
    void setConfirm(std::function<bool(int count)> confirm) { m_confirm = std::move(confirm); }

signals:
    void recoverRequested(const std::vector<RecoveryEntry>& entries);
    void discardRequested(const std::vector<RecoveryEntry>& entries);

private:
    void addRow(const RecoveryEntry& entry);
    void discard(const std::vector<RecoveryEntry>& entries);

    std::vector<RecoveryEntry> m_entries;
    std::vector<QWidget*> m_rows;
    QVBoxLayout* m_column;
    TextLabel* m_title;
    QPushButton* m_recoverAll;
    QPushButton* m_discardAll;
    std::function<bool(int count)> m_confirm;
};

} // namespace heteroscape::widgets
