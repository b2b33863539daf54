// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/claims/claims.h"

#include <QPushButton>
#include <QWidget>

#include <string>
#include <vector>

class QHBoxLayout;
class QMenu;

namespace heteroscape::widgets {

class ChoiceEdit;
class Document;
class NumberEdit;

/// The precisions that the design is served in, "W16 A16 KV16" for weights, activations and KV cache in bits;
/// its menu sets one of them for all the runtimes of the design in one step. Hidden while nothing runs.
/// UI thread.
class PrecisionButton : public QPushButton {
    Q_OBJECT
public:
    explicit PrecisionButton(Document* document, QWidget* parent = nullptr);

signals:
    void quantityRequested(const std::string& path); ///< another precision is to be typed here

private:
    void refresh();
    void fillMenu();
    void addRecipes();
    void setAll(const std::string& key, double bits);

    Document* m_document;
};

/// The second row of the window: the design and its presets, model, workload and technique switches. Those
/// that are on, or can act in this system, have a chip each as far as there is room; a menu has the others.
/// UI thread.
class ContextBar : public QWidget {
    Q_OBJECT
public:
    explicit ContextBar(Document* document, QWidget* parent = nullptr);

    void setCompact(bool compact); ///< a narrow window: the techniques become one menu
    bool isCompact() const { return m_compact; }

    /// The presets, each opening by presetRequested().
    void fillPresetMenu(QMenu* menu);
    const std::vector<engine::PresetInfo>& presets() const { return m_presets; }
    void showPresets(); ///< opens the menu of presets

signals:
    void presetRequested(const std::string& id);
    void quantityRequested(const std::string& path);
    void messageChanged(const QString& message); ///< of the field being typed in; empty: nothing is wrong

protected:
    void paintEvent(QPaintEvent* event) override;
    void resizeEvent(QResizeEvent* event) override;

private:
    struct Chip {
        std::string id;
        const engine::Technique* kind;
        QPushButton* button;
        QAction* action; ///< in the menu
    };
    void addField(QHBoxLayout* row, const std::string& path);
    void addChips(QHBoxLayout* row);
    void refresh();
    void placeChips();      ///< as many as there is room for
    void fitDesign();       ///< its name, into what room there is
    int fixedWidth() const; ///< of all beside the chips and their menu, with room for the design's name
    QString chipText(const Chip& chip) const;
    QString chipTip(const Chip& chip) const;

    Document* m_document;
    std::vector<engine::PresetInfo> m_presets;
    QPushButton* m_design;
    ChoiceEdit* m_model;
    PrecisionButton* m_precision;
    std::vector<Chip> m_chips;
    QPushButton* m_techniques;
    bool m_compact = false;
    int m_fixedItems = 0; ///< of the row, before the chips and their menu
};

} // namespace heteroscape::widgets
