// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/parts/part_library.h"

#include <QDialog>

class QCheckBox;
class QLineEdit;
class QPushButton;
class QRadioButton;
class QVBoxLayout;

namespace heteroscape::widgets {

class TextLabel;

/// What a dialog about a part starts from.
struct PartStart {
    OwnPart part;
    bool isNew = true; ///< its id follows its name; else it replaces the part of its id
    PartOrigin keep = PartOrigin::Library;
    std::vector<engine::NodeId> nodes{}; ///< of a device: what may be given it
    bool use = false;                    ///< whether they are, or whether the part is served, at first
};

/// What editors of parts share: name and id, where the part is kept, what is wrong, the buttons. It opens
/// over its window and goes when it is closed. UI thread.
class PartDialog : public QDialog {
    Q_OBJECT
public:
    QString problem() const; ///< why it cannot be kept now; empty when it can
    std::string id() const { return m_id; }

    virtual OwnPart part() const = 0; ///< as it stands

signals:
    void kept(const QString& message); ///< what became of it, one line

protected:
    PartDialog(Document& document, PartLibrary& library, const PartStart& start, QWidget* parent);

    Document& document() const { return m_document; }
    QLineEdit* name() const { return m_name; }
    QVBoxLayout* body() const { return m_body; } ///< what the editor fills in, below name and id
    QVBoxLayout* side() const { return m_side; } ///< above where it is kept
    void setButtonTexts(const QString& ok, const QString& cancel);
    void setUseText(const QString& text); ///< of the box that uses the part at once
    void refresh();                       ///< call after every change, and once when all is there

    virtual QString fieldProblem() const = 0;                    ///< the first field that is wrong
    virtual std::vector<engine::GraphEdit> useEdits() const = 0; ///< when the box is ticked
    virtual std::vector<engine::GraphEdit> boundEdits() const { return {}; } ///< what must follow the part
    virtual void shown() {}                                                  ///< a preview follows

    void accept() override;

private:
    Document& m_document;
    PartLibrary& m_library;
    engine::PartKind m_kind;
    bool m_isNew;
    std::string m_id;
    QLineEdit* m_name;
    TextLabel* m_idLabel;
    QVBoxLayout* m_body;
    QVBoxLayout* m_side;
    QRadioButton* m_inDesign;
    QRadioButton* m_inLibrary;
    QCheckBox* m_use;
    TextLabel* m_problem;
    QPushButton* m_ok;
    QPushButton* m_cancel;
};

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
