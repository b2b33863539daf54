// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/compare/compared_designs.h"
#include "widgets/jobs/job.h"
#include "widgets/plots/surface.h"

#include <QObject>
#include <optional>
#include <vector>

class QPushButton;

namespace heteroscape::engine {
struct EditList;
}

namespace heteroscape::widgets {

class Pill;
class TextLabel;

/// The head of one compared design: its name, what limits it or why it cannot run, whether it is the
/// reference; made the reference, opened and taken out here. UI thread.
class DesignCard : public Surface {
    Q_OBJECT
public:
    DesignCard(const QString& name, bool isOpen, bool isReference, QWidget* parent);

    void setDesign(const ComparedDesign& design);

signals:
    void referenceChosen();
    void removed();
    void opened();

private:
    TextLabel* m_status;
    Pill* m_ideal;
    QPushButton* m_reference;
};

/// The designs that stand side by side. The first is the open design; the others are put in and taken out.
/// Evaluates on a thread of its own, only what changed; what is shown stays until the new metrics are there.
/// UI thread.
class DesignSet : public QObject {
    Q_OBJECT
public:
    explicit DesignSet(QObject* parent = nullptr);

    void setOpen(DesignInput open); ///< the design of the first column
    /// A name that is taken is told apart by the one thing that differs, or else by a number.
    void add(DesignInput design);
    void remove(std::size_t index); ///< not the first
    /// Lets the others serve what the open design serves: its model, its workload and its requests.
    void serveAlike();
    /// Exchanges the software of the others: an edit for each of inputs(), the first is not looked at.
    void timeAlike(const std::vector<engine::EditList>& edits);
    void serveOwn();             ///< each as it was before serveAlike() and timeAlike()
    bool anyServesAlike() const; ///< and not as it was put in
    bool isTimedAlike() const { return m_timedAlike; }
    void setReference(std::size_t index);

    const std::vector<DesignInput>& inputs() const { return m_inputs; }
    std::size_t reference() const { return m_reference; } ///< of inputs()
    bool isBusy() const { return m_job.isBusy(); }        ///< the results are those of before

    /// Results, in the order of inputs() unless isBusy(); never null.
    const ComparedDesigns& designs() const { return m_designs; }
    const std::vector<engine::PropertyComparison>& properties() const { return m_properties; }

signals:
    void inputsChanged();
    void evaluated();                    ///< other results, or another reference
    void failed(const QString& message); ///< the results stay those of before

private:
    void run();
    void exchange(std::size_t i, engine::Scenario design, const QString& name);
    QString freeName(const QString& stem) const; ///< with a number where it is taken

    std::vector<DesignInput> m_inputs{{}};
    std::size_t m_reference = 0;
    ComparedDesigns m_designs;
    std::vector<engine::PropertyComparison> m_properties;
    bool m_timedAlike = false; ///< since the last serveOwn()
    Job m_job;
    /// Of each of m_inputs how it was put in, where it was changed to be like the open design.
    std::vector<std::optional<DesignInput>> m_own = std::vector<std::optional<DesignInput>>(1);
};

} // namespace heteroscape::widgets
