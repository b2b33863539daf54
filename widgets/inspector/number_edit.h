// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/scenario/parameters.h"

#include <QAbstractSpinBox>
#include <QString>

#include <optional>
#include <string>
#include <vector>

namespace heteroscape::widgets {

class Document;

/// Edits one quantity of the open design, in the shown unit. What is typed is applied at once while it is
/// valid; all that happens between focus in and Enter or focus out is one undo step. Invalid text is marked,
/// reported by messageChanged() and never reaches the design: as long as it stands, and when it is left (Esc,
/// focus out), the design holds the value from before. An empty optional quantity means "not set". With
/// several paths it shows the value that they share, or that there are several, and sets it for all of them.
/// UI thread.
class NumberEdit : public QAbstractSpinBox {
    Q_OBJECT
public:
    /// `path` must name a quantity of the document's scenario; throws engine::Error otherwise.
    NumberEdit(Document& document, std::string path, QWidget* parent = nullptr);
    /// The same quantity of several nodes or links; at least one path.
    NumberEdit(Document& document, std::vector<std::string> paths, QWidget* parent = nullptr);

    const std::string& path() const { return m_paths.front(); }
    bool hasSeveralValues() const { return m_mixed; }
    const engine::FieldSpec& spec() const { return m_spec; }
    const engine::Quantity& quantity() const { return m_shown; } ///< as last read from the design
    bool isInvalid() const { return !m_message.isEmpty(); }
    QString message() const { return m_message; } ///< why the text is not allowed; empty when it is

    void refresh(); ///< shows the design's value, leaving focus, cursor and text being typed alone
    void setUnsetText(const QString& text); ///< what an empty field means; "not set" at first
    void clearQuantity();                   ///< makes an optional quantity "not set", as one undo step

    void stepBy(int steps) override;
    QSize sizeHint() const override;
    QSize minimumSizeHint() const override;

signals:
    void messageChanged(const QString& message); ///< empty: the text is allowed again
    void refreshed();

protected:
    StepEnabled stepEnabled() const override;
    bool event(QEvent* event) override;
    void keyPressEvent(QKeyEvent* event) override;
    void focusInEvent(QFocusEvent* event) override;
    void focusOutEvent(QFocusEvent* event) override;
    void paintEvent(QPaintEvent* event) override;

private:
    void begin(); ///< a new gesture starts from the present value
    void textTyped(const QString& text);
    std::optional<double> typedNumber() const;    ///< in the shown unit
    void apply(const engine::Quantity& quantity); ///< to all paths
    void apply(const std::vector<engine::Quantity>& quantities);
    void show(std::vector<engine::Quantity> quantities); ///< takes them as those of the design
    void showPlaceholder();
    void restore(); ///< the value from before this gesture
    void setMessage(const QString& message);
    void showQuantity();
    std::optional<std::vector<engine::Quantity>> read(); ///< nothing when a node or link is gone
    bool isResolvedFor(const engine::Scenario& scenario) const;

    Document& m_document;
    std::vector<std::string> m_paths;
    std::vector<engine::ResolvedQuantity> m_resolved; ///< of the paths, as last read
    std::vector<std::string> m_order; ///< of nodes and links then, where that is all they go by
    engine::FieldSpec m_spec;
    std::vector<engine::Quantity> m_quantities; ///< of the paths, as last read
    std::vector<engine::Quantity> m_originals;  ///< at the start of the gesture
    engine::Quantity m_shown;                   ///< what they share; not set when they differ
    bool m_mixed = false;
    QString m_unset;
    QString m_gesture;
    QString m_message;
    bool m_applying = false;
};

} // namespace heteroscape::widgets
