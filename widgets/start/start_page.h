// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/recovery_store.h"
#include "widgets/start/start_tile.h"

#include <QWidget>

#include <memory>
#include <vector>

class QCheckBox;
class QPushButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class HeadlineNumbers;
class RecoveryList;
class Settings;
class TextLabel;
class WhatToBuy;

/// What the window shows before there is a design: a new one, files, recent designs, what was left unsaved,
/// what to buy, and the systems of the papers. It only asks; the window does. UI thread.
class StartPage : public QWidget {
    Q_OBJECT
public:
    StartPage(std::shared_ptr<const engine::Catalog> catalog, Settings* settings, QWidget* parent = nullptr);

    void refreshRecent();
    void setRecovery(std::vector<RecoveryEntry> entries);

    WhatToBuy* buying() const { return m_buying; }
    QPushButton* newButton() const { return m_new; }
    QCheckBox* atStart() const { return m_atStart; }
    const std::vector<StartTile*>& recent() const { return m_recent; }
    const std::vector<PaperStartCard*>& cards() const { return m_cards; }
    bool isBusy() const; ///< still works out the metrics of the papers, or what to buy

signals:
    void newRequested();
    void openRequested();
    void fileRequested(const QString& path);
    void presetRequested(const std::string& id);
    void recoverRequested(const std::vector<RecoveryEntry>& entries);
    void discardRequested(const std::vector<RecoveryEntry>& entries);

protected:
    void resizeEvent(QResizeEvent* event) override;
    void showEvent(QShowEvent* event) override;

private:
    QWidget* makeRail();
    QWidget* makePapers();
    QWidget* makeSystems(QWidget* parent);
    QWidget* makeSteps(QWidget* parent);

    std::shared_ptr<const engine::Catalog> m_catalog;
    Settings* m_settings;
    HeadlineNumbers* m_numbers;
    std::vector<engine::Paper> m_papers;
    QPushButton* m_new;
    QPushButton* m_open;
    QPushButton* m_clear;
    QCheckBox* m_atStart;
    QVBoxLayout* m_recentColumn;
    TextLabel* m_noRecent;
    std::vector<StartTile*> m_recent;
    RecoveryList* m_recovery;
    WhatToBuy* m_buying;
    std::vector<PaperStartCard*> m_cards;
    QWidget* m_steps = nullptr;
    bool m_started = false;
};

} // namespace heteroscape::widgets
