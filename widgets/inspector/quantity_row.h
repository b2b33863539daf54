// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/device.h"

#include <QWidget>
#include <string>
#include <string_view>
#include <vector>

class QLabel;
class QToolButton;

namespace heteroscape::widgets {

/// The section of the inspector in which a quantity of a device stands.
enum class QuantityGroup { Compute, Memory, L2, Cost, Die };
QuantityGroup quantityGroup(std::string_view key);

/// Whether a quantity of a device is worth a row although nobody set it.
bool quantityMatters(std::string_view key, engine::DeviceKind kind);

class Document;
class NumberEdit;
class TextLabel;

/// One quantity of the design in the inspector: label, field, unit, mark of its source, and a button that
/// asks for a sweep over it; dragged by its label it is the property itself (PropertyDrag). What is wrong
/// with a typed text stands below. UI thread.
class QuantityRow : public QWidget {
    Q_OBJECT
public:
    static constexpr QLatin1String kSweepName{"sweepQuantity"}; ///< the button's object name

    QuantityRow(Document& document, const std::string& path, QWidget* parent = nullptr);
    /// The same quantity of several nodes or links; without a sweep.
    QuantityRow(Document& document, const std::vector<std::string>& paths, QWidget* parent = nullptr);

    NumberEdit* field() const { return m_field; }
    void setLabel(const QString& text);     ///< instead of the quantity's own
    void setUnsetText(const QString& text); ///< what an empty field means; the field grows to show it

signals:
    void sweepRequested(const std::string& path);

protected:
    void contextMenuEvent(QContextMenuEvent* event) override;

private:
    void refresh();
    void recolour();
    void showMessage(const QString& message);

    NumberEdit* m_field;
    TextLabel* m_label;
    QLabel* m_mark;
    TextLabel* m_message;
    QToolButton* m_sweep;
};

} // namespace heteroscape::widgets
