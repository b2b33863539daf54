// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/frontier/frontier.h"
#include "widgets/document/document.h"
#include "widgets/explore/source_forms.h"
#include "widgets/jobs/job.h"

#include <memory>
#include <optional>
#include <string>
#include <vector>

class QCheckBox;
class QComboBox;
class QDoubleSpinBox;
class QLineEdit;
class QMenu;
class QPushButton;
class QSpinBox;
class QVBoxLayout;

namespace heteroscape::widgets {

/// Where a frontier is set up: a shipped one, its model, lengths, users, systems, limits and what lies on its
/// axes. What is set up is an edit of the design, which keeps it (Scenario::frontier); until then the first
/// shipped one is there. Its study is made on a thread, and runs when it is first seen and when something
/// that is computed is changed: what the store has is not computed again. UI thread.
class FrontierSetup : public SourceForm {
    Q_OBJECT
public:
    explicit FrontierSetup(Document* document, QWidget* parent = nullptr);

    QWidget* tools() const { return m_tools; } ///< its part of the bar above the page
    const engine::FrontierDefinition& definition() const { return m_definition; }
    void showFrontier(const QString& id); ///< a shipped one
    void addDesign(const QString& name, const engine::Scenario& design);

    std::optional<engine::Study> study() override { return m_study; }
    bool isBusy() const override { return m_making.isBusy(); }
    bool makes(const engine::Study& study) const override { return engine::isFrontier(study); }
    bool isCurrent(const LoadedStudy& study) const override;
    void takeStudy(const engine::Study& study) override;
    void awaitStudy() override;
    void showsStudy(const LoadedStudy& study) override;
    std::vector<engine::Limit> limits() const override;
    void setLimits(const std::vector<engine::Limit>& limits) override;
    void keepLimits(const std::vector<engine::Limit>& limits) override;
    RunRow* runRow() const override { return m_run; }
    void setRunning(bool running) override;
    std::vector<engine::StudyPlot> plots(const engine::Study& study) const override;
    QString emptyHeading() const override;
    QString emptyWords(bool isReady) const override;

protected:
    void showEvent(QShowEvent* event) override; ///< catches up with the design

private:
    /// A limit beside its tick; 0 is off.
    struct LimitField {
        QCheckBox* on = nullptr;
        QDoubleSpinBox* value = nullptr;
        double get() const;
        void set(double limit) const;
    };

    void makeTools();
    QComboBox* addChoice(const char* id, const QString& name);
    void layOut();
    LimitField addLimit(QVBoxLayout* column, const char* id, const QString& words, const QString& unit,
                        int decimals, double usual);
    void connectFields();
    void remakeSystems();
    void fillAddMenu();
    void addSystem(const QString& name, engine::FrontierSystem system);
    void takeUsers();
    void readFields(engine::FrontierDefinition& definition) const;
    void showFields();
    /// Makes a definition the design's, as an undoable step.
    void change(engine::FrontierDefinition to, const QString& text, const QString& gesture = {});
    void changeShown(const engine::FrontierShown& to, const QString& text, const QString& gesture = {});
    void follow(); ///< the design's frontier may be another
    void adopt(engine::FrontierDefinition definition);
    void make(); ///< the study

    Document* m_document;
    engine::FrontierDefinition m_definition;    ///< as it is set up
    std::optional<engine::KeptFrontier> m_kept; ///< the design's, of which it is; none before there is one
    std::string m_madeWith;                     ///< what of the definition the study is of
    std::size_t m_shipped = 0;                  ///< of its systems; the others are the user's
    std::optional<engine::Study> m_study;
    bool m_unrun = false;                ///< it was made while nobody saw it
    std::vector<engine::Limit> m_others; ///< limits that the fields do not have
    std::vector<std::string> m_rowsOf;   ///< what the systems' rows were made of
    std::vector<double> m_numbers;       ///< of users, as they are
    Job m_making{Job::Order::Patient};

    QWidget* m_tools;
    QComboBox* m_frontier = nullptr;
    QComboBox* m_axis = nullptr;
    QComboBox* m_along = nullptr;
    QComboBox* m_model = nullptr;
    QSpinBox* m_prompt = nullptr;
    QSpinBox* m_output = nullptr;
    QLineEdit* m_users = nullptr;
    QComboBox* m_load = nullptr;
    QPushButton* m_add = nullptr;
    QMenu* m_addMenu;
    QVBoxLayout* m_systems = nullptr;
    LimitField m_token, m_firstToken, m_price, m_goal;
    RunRow* m_run;
};

/// Numbers of users from words, and back: "1, 8, 64" or "1:1024:*2". Throws Error naming the piece.
std::vector<double> usersFrom(const QString& text);
QString usersText(const std::vector<double>& users);

} // namespace heteroscape::widgets
