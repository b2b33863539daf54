// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/part_dialog.h"

namespace heteroscape::widgets {

/// What a model is, its name to edit and where it is kept. A model that was just read is served already when
/// this opens; closing it otherwise than by its button leaves it so, in this design alone. UI thread.
class ModelSummary : public PartDialog {
    Q_OBJECT
public:
    /// `start.part` holds a Model. `served`: it was just read and is served now.
    ModelSummary(Document& document, PartLibrary& library, const PartStart& start, bool served,
                 QWidget* parent);

    OwnPart part() const override;
    QStringList facts() const { return m_facts; } ///< "Parameters: 7.62 B", ...

protected:
    QString fieldProblem() const override { return {}; }
    std::vector<engine::GraphEdit> useEdits() const override;
    std::vector<engine::GraphEdit> boundEdits() const override; ///< a served model takes the new name

private:
    void addFact(const QString& label, const QString& value);

    engine::Model m_model;
    QStringList m_facts;
};

} // namespace heteroscape::widgets
