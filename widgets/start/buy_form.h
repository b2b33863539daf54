// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/recommend.h"

#include <QWidget>

#include <functional>
#include <optional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

class QCheckBox;
class QComboBox;
class QGridLayout;
class QPushButton;

namespace heteroscape::widgets {

class QuantityEntry;
class TextLabel;

/// Of an id of a RecommendQuestion's software: "vLLM V1", "Rule of its class".
std::string softwareName(const engine::Catalog& catalog, const std::string& id);

/// The question what to buy as a form: what is served to whom, limits, money, and what may be taken. Numbers
/// are typed with or without their units. UI thread.
class BuyForm : public QWidget {
    Q_OBJECT
public:
    explicit BuyForm(const engine::Catalog& catalog, QWidget* parent = nullptr);

    void setModels(const engine::Catalog& catalog); ///< the chosen one stays where it is among them
    void offer(const engine::GpuServers& servers);  ///< what may be taken: all of it at first

    bool isOffered() const { return !m_choices.front().boxes.empty(); }

    /// As it stands; none while something in it does not hold.
    const std::optional<engine::RecommendQuestion>& question() const { return m_question; }
    QuantityEntry* entry(std::string_view key) const; ///< of a RecommendNumber
    QComboBox* model() const { return m_model; }
    QPushButton* findButton() const { return m_find; }

    void setFinding(bool finding); ///< nothing is asked meanwhile
    void showProblem(const QString& problem);

signals:
    void asked();

private:
    /// What may be taken, each with a tick.
    struct Choice {
        std::vector<std::string> engine::RecommendQuestion::*ids = nullptr;
        QString name;
        QWidget* room = nullptr;
        std::vector<std::pair<std::string, QCheckBox*>> boxes{};
    };

    QWidget* makeNumbers(const engine::RecommendQuestion& usual);
    QWidget* makeMoney();
    QWidget* makeMore();
    QWidget* makeFoot();
    QuantityEntry* addNumber(const engine::RecommendNumber& number, const engine::RecommendQuestion& usual,
                             QGridLayout* grid, int cell);
    QComboBox* addWords(const QString& name, const char* id, const QStringList& words);
    void fill(Choice& choice, const std::vector<std::string>& ids,
              const std::function<std::string(const std::string&)>& nameOf);
    void orderTabs();
    void read();

    std::optional<engine::RecommendQuestion> m_question;
    QComboBox* m_model;
    QComboBox* m_owning;
    QComboBox* m_best;
    QComboBox* m_tpot;
    std::vector<std::pair<const engine::RecommendNumber*, QuantityEntry*>> m_numbers;
    std::vector<Choice> m_choices;
    QPushButton* m_more;
    QWidget* m_room; ///< what few people ask for
    TextLabel* m_problem;
    QPushButton* m_find;
    bool m_finding = false;
};

} // namespace heteroscape::widgets
