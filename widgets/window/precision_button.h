// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <QPushButton>

#include <string>

namespace heteroscape::widgets {

class Document;

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

} // namespace heteroscape::widgets
