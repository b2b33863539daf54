// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/value_editor.h"

#include "widgets/canvas/canvas_view.h"

#include "engine/scenario/node_fields.h"
#include "engine/units/number_text.h"

#include <QKeyEvent>

#include <algorithm>

namespace heteroscape::widgets {

ValueEditor::ValueEditor(Document& document, const engine::Node& node, QWidget* parent)
    : QDoubleSpinBox(parent), m_document(document), m_of(node.id),
      m_path("nodes." + node.id.value + ".count") {
    setDecimals(0);
    begin(engine::findField(engine::nodeFields(), "count")->spec, node.count.valueOr(1.0),
          tr("Count of %1").arg(QString::fromStdString(node.shownName())));
}

ValueEditor::ValueEditor(Document& document, const engine::Link& link, QWidget* parent)
    : QDoubleSpinBox(parent), m_document(document), m_of(link.id),
      m_path("links." + link.id.value + ".bandwidth_gbps") {
    const auto& spec = engine::findField(engine::linkTypeFields(), "bandwidth_gbps")->spec;
    setDecimals(4);
    setSuffix(tr(" GB/s"));
    begin(spec, engine::shownValue(link.type.bandwidth.value, spec.scale),
          tr("Bandwidth of %1").arg(QString::fromStdString(link.type.name)));
}

void ValueEditor::begin(const engine::FieldSpec& spec, double value, const QString& name) {
    setRange(spec.minimum, spec.maximum);
    setAlignment(Qt::AlignRight);
    setValue(value);
    m_before = this->value();
    setAccessibleName(name);
    selectAll();
}

bool ValueEditor::isOfDesign() const {
    const auto* node = std::get_if<engine::NodeId>(&m_of);
    return node ? m_document.scenario().findNode(*node) != nullptr
                : m_document.scenario().findLink(std::get<engine::LinkId>(m_of)) != nullptr;
}

QString ValueEditor::textFromValue(double value) const {
    auto text = QDoubleSpinBox::textFromValue(value); // zeros at the end say nothing
    const auto point = locale().decimalPoint();
    if (!text.contains(point))
        return text;
    while (text.endsWith(QLatin1Char('0')))
        text.chop(1);
    if (text.endsWith(point))
        text.chop(static_cast<qsizetype>(point.size()));
    return text;
}

void ValueEditor::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        finish(false);
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        finish(true);
        return;
    default:
        QDoubleSpinBox::keyPressEvent(event);
    }
}

void ValueEditor::focusOutEvent(QFocusEvent* event) {
    QDoubleSpinBox::focusOutEvent(event);
    finish(true);
}

void ValueEditor::finish(bool take) {
    if (m_finished)
        return;
    m_finished = true;
    interpretText();
    if (take && isOfDesign() && value() != m_before)
        m_document.set(m_path, engine::exactText(value()));
    emit finished();
}

void retire(QWidget* editor, const QObject* listener, CanvasView& view) {
    editor->disconnect(listener);
    if (editor->hasFocus())
        view.setFocus(Qt::OtherFocusReason); // else hiding would hand it on as the Tab key does
    editor->hide();
    editor->deleteLater();
}

ValueEditing::ValueEditing(CanvasView& view) : m_view(view) {
    connect(&view.document(), &Document::changed, this, [this] {
        if (m_editor && !m_editor->isOfDesign())
            close();
    });
}

void ValueEditing::editCount() {
    close();
    const auto& nodes = m_view.document().selection().nodes;
    if (const auto* item = nodes.size() == 1 ? m_view.canvasScene().nodeItem(nodes.front()) : nullptr)
        open(*m_view.document().scenario().findNode(nodes.front()), item->badgeRect(), {76, 26});
}

void ValueEditing::editBandwidth() {
    close();
    if (const auto& links = m_view.document().selection().links; links.size() == 1)
        if (const auto* item = m_view.canvasScene().linkItem(links.front()))
            open(*m_view.document().scenario().findLink(links.front()), item->labelRect(), {128, 28});
}

template <class Part>
void ValueEditing::open(const Part& part, const QRectF& over, QSize size) {
    auto* editor = new ValueEditor(m_view.document(), part, m_view.viewport());
    m_editor = editor;
    connect(editor, &ValueEditor::finished, this, &ValueEditing::close);
    m_view.ensureVisible(over, 16, 16);
    QRect place({}, size);
    place.moveCenter(m_view.mapFromScene(over).boundingRect().center());
    const auto room = m_view.viewport()->rect();
    place.moveLeft(std::clamp(place.left(), 0, std::max(0, room.right() - place.width())));
    place.moveTop(std::clamp(place.top(), 0, std::max(0, room.bottom() - place.height())));
    editor->setGeometry(place);
    editor->show();
    editor->setFocus();
}

void ValueEditing::close() {
    if (!m_editor)
        return;
    auto* editor = m_editor.data();
    m_editor.clear(); // first: losing its focus ends it
    retire(editor, this, m_view);
}

} // namespace heteroscape::widgets

#include "moc_value_editor.cpp"
