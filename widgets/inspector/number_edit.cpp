// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/inspector/number_edit.h"

#include "engine/base/error.h"
#include "engine/scenario/parameters.h"
#include "engine/units/number_text.h"
#include "widgets/document/document.h"
#include "widgets/inspector/value_text.h"
#include "widgets/theme/theme.h"

#include <QFocusEvent>
#include <QKeyEvent>
#include <QLineEdit>
#include <QPainter>
#include <QScopedValueRollback>
#include <QStyle>

#include <algorithm>
#include <cmath>

namespace heteroscape::widgets {

namespace {

QString figureText(const engine::Quantity& quantity, const engine::FieldSpec& spec) {
    return quantity.isSet()
               ? QString::fromStdString(engine::exactText(engine::shownValue(quantity.value, spec.scale)))
               : QString();
}

/// Of a node or link itself ("nodes.gpu.count"), found by its place among them: there as long as they are.
bool isOwnQuantity(const std::string& path) {
    return std::count(path.begin(), path.end(), '.') == 2 &&
           (path.starts_with("nodes.") || path.starts_with("links."));
}

std::vector<std::string> orderOf(const engine::Scenario& scenario) {
    std::vector<std::string> order;
    order.reserve(scenario.nodes.size() + scenario.links.size());
    for (const auto& node : scenario.nodes)
        order.push_back(node.id.value);
    for (const auto& link : scenario.links)
        order.push_back(link.id.value);
    return order;
}

} // namespace

NumberEdit::NumberEdit(Document& document, std::string path, QWidget* parent)
    : NumberEdit(document, std::vector<std::string>{std::move(path)}, parent) {}

NumberEdit::NumberEdit(Document& document, std::vector<std::string> paths, QWidget* parent)
    : QAbstractSpinBox(parent), m_document(document), m_paths(std::move(paths)),
      m_spec(engine::resolveQuantity(document.scenario(), m_paths.front()).spec), m_unset(tr("not set")) {
    setAlignment(Qt::AlignRight | Qt::AlignVCenter);
    setFocusPolicy(Qt::StrongFocus);
    setButtonSymbols(m_spec.integer ? UpDownArrows : NoButtons);
    setAccessibleName(QString::fromUtf8(m_spec.label));
    connect(lineEdit(), &QLineEdit::textEdited, this, &NumberEdit::textTyped);
    connect(&m_document, &Document::changed, this, &NumberEdit::refresh);
    show(read().value());
    begin();
    showQuantity();
}

void NumberEdit::setUnsetText(const QString& text) {
    m_unset = text;
    showPlaceholder();
    updateGeometry();
}

void NumberEdit::showPlaceholder() {
    lineEdit()->setPlaceholderText(m_mixed ? tr("several values") : m_unset);
}

void NumberEdit::show(std::vector<engine::Quantity> quantities) {
    m_quantities = std::move(quantities);
    m_mixed = std::any_of(m_quantities.begin(), m_quantities.end(), [this](const engine::Quantity& quantity) {
        return quantity.isSet() != m_quantities.front().isSet() ||
               (quantity.isSet() && quantity.value != m_quantities.front().value);
    });
    m_shown = m_mixed ? engine::Quantity() : m_quantities.front();
    showPlaceholder();
}

bool NumberEdit::isResolvedFor(const engine::Scenario& scenario) const {
    return !m_order.empty() && m_order == orderOf(scenario);
}

std::optional<std::vector<engine::Quantity>> NumberEdit::read() {
    try {
        const auto& scenario = m_document.scenario();
        if (!isResolvedFor(scenario)) {
            m_resolved.clear();
            m_order.clear();
            for (const auto& path : m_paths)
                m_resolved.push_back(engine::resolveQuantity(scenario, path));
            if (m_paths.size() > 1 && isOwnQuantity(m_paths.front()))
                m_order = orderOf(scenario);
        }
        std::vector<engine::Quantity> quantities;
        quantities.reserve(m_paths.size());
        for (const auto& resolved : m_resolved)
            quantities.push_back(resolved.in(scenario));
        return quantities;
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

void NumberEdit::refresh() {
    auto found = read();
    if (!found) // whoever owns this field removes it on the same signal
        return;
    const bool foreign = !m_applying && *found != m_quantities;
    show(std::move(*found));
    if (foreign) {
        begin();
        setMessage({});
        showQuantity();
    }
    emit refreshed();
}

void NumberEdit::clearQuantity() {
    begin();
    apply(engine::Quantity());
}

void NumberEdit::begin() {
    static int serial = 0;
    m_gesture = QStringLiteral("field:%1:%2").arg(QString::fromStdString(path())).arg(++serial);
    m_originals = m_quantities;
}

void NumberEdit::textTyped(const QString& text) {
    if (text.trimmed().isEmpty() && m_paths.size() > 1) { // nothing is typed: each keeps its own
        setMessage({});
        restore();
        return;
    }
    if (text.trimmed().isEmpty() && !m_spec.required) {
        setMessage({});
        apply(engine::Quantity());
        return;
    }
    // The text of the original value brings the original back, source and all.
    if (std::all_of(m_originals.begin(), m_originals.end(),
                    [&](const auto& one) { return text.trimmed() == figureText(one, m_spec); })) {
        setMessage({});
        restore();
        return;
    }
    try {
        const double value = typedValue(m_spec, text);
        setMessage({});
        apply(engine::Quantity{value * m_spec.scale, engine::Provenance::User, {}});
    } catch (const engine::Error& error) {
        restore();
        setMessage(problemText(error));
    }
}

void NumberEdit::apply(const engine::Quantity& quantity) {
    apply(std::vector<engine::Quantity>(m_paths.size(), quantity));
}

void NumberEdit::apply(const std::vector<engine::Quantity>& quantities) {
    const QScopedValueRollback<bool> guard(m_applying, true);
    if (quantities == m_quantities)
        return;
    if (m_paths.size() == 1) {
        m_document.perform(engine::SetQuantity{m_paths.front(), quantities.front()}, m_gesture);
        return;
    }
    engine::EditList list; // all of them each time, so that what is typed stays one step
    list.edits.reserve(m_paths.size());
    for (std::size_t i = 0; i < m_paths.size(); ++i)
        list.edits.push_back(engine::SetQuantity{m_paths[i], quantities[i]});
    m_document.perform(std::move(list), m_gesture);
}

void NumberEdit::restore() {
    apply(m_originals);
}

std::optional<double> NumberEdit::typedNumber() const {
    try {
        return typedValue(m_spec, text());
    } catch (const engine::Error&) {
        return std::nullopt;
    }
}

void NumberEdit::stepBy(int steps) {
    if (!m_spec.integer)
        return;
    const auto current = typedNumber();
    const double start = current ? *current : m_spec.minimum;
    const double next = std::clamp(std::floor(start) + steps, m_spec.minimum, m_spec.maximum);
    lineEdit()->setText(QString::fromStdString(engine::exactText(next)));
    textTyped(lineEdit()->text());
}

QAbstractSpinBox::StepEnabled NumberEdit::stepEnabled() const {
    if (!m_spec.integer)
        return StepNone;
    const auto current = typedNumber();
    StepEnabled enabled = StepNone;
    if (!current || *current < m_spec.maximum)
        enabled |= StepUpEnabled;
    if (current && *current > m_spec.minimum)
        enabled |= StepDownEnabled;
    return enabled;
}

bool NumberEdit::event(QEvent* event) {
    // Undo is the design's, not the text's: the same keys do the same thing wherever the focus is.
    if (event->type() == QEvent::ShortcutOverride) {
        auto* key = static_cast<QKeyEvent*>(event);
        if (key->matches(QKeySequence::Undo) || key->matches(QKeySequence::Redo)) {
            event->ignore();
            return true;
        }
    }
    return QAbstractSpinBox::event(event);
}

void NumberEdit::keyPressEvent(QKeyEvent* event) {
    switch (event->key()) {
    case Qt::Key_Escape:
        restore();
        setMessage({});
        showQuantity();
        lineEdit()->selectAll();
        event->accept();
        return;
    case Qt::Key_Return:
    case Qt::Key_Enter:
        if (!isInvalid()) {
            begin();
            showQuantity(); // in the field's own unit
            lineEdit()->selectAll();
        }
        event->accept();
        return;
    default:
        if (event->matches(QKeySequence::Undo) || event->matches(QKeySequence::Redo)) {
            event->ignore();
            return;
        }
        QAbstractSpinBox::keyPressEvent(event);
    }
}

void NumberEdit::focusInEvent(QFocusEvent* event) {
    if (event->reason() != Qt::PopupFocusReason && event->reason() != Qt::ActiveWindowFocusReason)
        begin();
    QAbstractSpinBox::focusInEvent(event);
}

void NumberEdit::focusOutEvent(QFocusEvent* event) {
    QAbstractSpinBox::focusOutEvent(event);
    if (event->reason() == Qt::PopupFocusReason || event->reason() == Qt::ActiveWindowFocusReason)
        return;
    setMessage({});
    showQuantity();
}

void NumberEdit::paintEvent(QPaintEvent* event) {
    QAbstractSpinBox::paintEvent(event);
    if (!isInvalid())
        return;
    QPainter painter(this);
    painter.setRenderHint(QPainter::Antialiasing);
    painter.setPen(QPen(Theme::instance().color(ColorRole::Error), 2.0));
    painter.drawRoundedRect(QRectF(rect()).adjusted(1, 1, -1, -1), 4, 4);
}

QSize NumberEdit::sizeHint() const {
    // Room for the digits that are really there: long exact values scroll, six digits never do.
    const int arrows = m_spec.integer ? 20 : 0;
    const int digits = fontMetrics().horizontalAdvance(QStringLiteral("123456"));
    return {digits + arrows + 12, 26};
}

QSize NumberEdit::minimumSizeHint() const {
    return sizeHint();
}

void NumberEdit::setMessage(const QString& message) {
    if (message == m_message)
        return;
    m_message = message;
    update();
    emit messageChanged(message);
}

void NumberEdit::showQuantity() {
    const auto text = figureText(m_shown, m_spec);
    if (lineEdit()->text() == text)
        return;
    lineEdit()->setText(text);
    lineEdit()->setCursorPosition(hasFocus() ? static_cast<int>(text.size()) : 0);
}

} // namespace heteroscape::widgets

#include "moc_number_edit.cpp"
