// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/bandwidth_editor.h"

#include "engine/units/number_text.h"

#include <QKeyEvent>

namespace heteroscape::widgets {

BandwidthEditor::BandwidthEditor(Document& document, engine::LinkId id, QWidget* parent)
    : QDoubleSpinBox(parent), m_document(document), m_id(std::move(id)) {
    const auto& spec = engine::findField(engine::linkTypeFields(), "bandwidth_gbps")->spec;
    setDecimals(4);
    setRange(spec.minimum, spec.maximum);
    setSuffix(tr(" GB/s"));
    setAlignment(Qt::AlignRight);
    if (const auto* link = document.scenario().findLink(m_id)) {
        setValue(engine::toEdge(link->type.bandwidth.value, spec.scale));
        m_before = value(); // as shown: looking at a quantity with more digits is no edit
        setAccessibleName(tr("Bandwidth of %1").arg(QString::fromStdString(link->type.name)));
    }
    selectAll();
}

QString BandwidthEditor::textFromValue(double value) const {
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

void BandwidthEditor::keyPressEvent(QKeyEvent* event) {
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

void BandwidthEditor::focusOutEvent(QFocusEvent* event) {
    QDoubleSpinBox::focusOutEvent(event);
    finish(true);
}

void BandwidthEditor::finish(bool take) {
    if (m_finished)
        return;
    m_finished = true;
    interpretText();
    if (take && m_document.scenario().findLink(m_id) && value() != m_before)
        m_document.set("links." + m_id.value + ".bandwidth_gbps", engine::exactText(value()));
    emit finished();
}

} // namespace heteroscape::widgets
