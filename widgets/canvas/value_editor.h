// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/document/document.h"

#include <QDoubleSpinBox>
#include <QPointer>

#include <variant>

namespace heteroscape::widgets {

class CanvasView;

/// A number of a node or a link, edited in place: Enter or leaving takes it, Esc does not. One undo step.
class ValueEditor : public QDoubleSpinBox {
    Q_OBJECT
public:
    ValueEditor(Document& document, const engine::Node& node, QWidget* parent); ///< its count
    ValueEditor(Document& document, const engine::Link& link, QWidget* parent); ///< its bandwidth

    bool isOfDesign() const; ///< false once what it edits is gone
    QString textFromValue(double value) const override;

signals:
    void finished(); ///< once, whichever way it ends

protected:
    void keyPressEvent(QKeyEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;

private:
    void begin(const engine::FieldSpec& spec, double value, const QString& name);
    void finish(bool take);

    Document& m_document;
    std::variant<engine::NodeId, engine::LinkId> m_of;
    std::string m_path;
    double m_before = 0.0; ///< as shown: looking at a quantity with more digits is no edit
    bool m_finished = false;
};

/// What is edited in place on a canvas, one number at a time.
class ValueEditing : public QObject {
    Q_OBJECT
public:
    explicit ValueEditing(CanvasView& view);

    void editCount();     ///< of the one selected node
    void editBandwidth(); ///< of the one selected link
    void close();
    ValueEditor* editor() const { return m_editor; } ///< null unless a number is being edited

private:
    template <class Part>
    void open(const Part& part, const QRectF& over, QSize size);

    CanvasView& m_view;
    QPointer<ValueEditor> m_editor;
};

/// Takes an editor off the canvas, which nobody listens to any more. It may be the sender, so that it goes
/// later.
void retire(QWidget* editor, const QObject* listener, CanvasView& view);

} // namespace heteroscape::widgets
