// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/catalog.h"
#include "engine/frontier/frontier_definition.h"
#include "widgets/plots/surface.h"

#include <QString>

#include <memory>

class QComboBox;
class QLineEdit;
class QSpinBox;

namespace heteroscape::widgets {

class TextLabel;

/// What a frontier is computed for: the model, the lengths, the numbers of users and what they are for
/// designs. UI thread.
class FrontierBar : public Surface {
    Q_OBJECT
public:
    /// The models that can be chosen are the catalogue's of now.
    explicit FrontierBar(const engine::Catalog& catalog, QWidget* parent = nullptr);

    void setDefinition(const engine::FrontierDefinition& definition); ///< tells nobody
    void put(engine::FrontierDefinition& definition) const;           ///< as the fields say
    void setCount(const QString& words);                              ///< what stands at the right

signals:
    void changed(const QString& which); ///< the name of the field
    void refused(const QString& message);

private:
    void takeUsers();

    QComboBox* m_model;
    QSpinBox* m_prompt;
    QSpinBox* m_output;
    QComboBox* m_load;
    QLineEdit* m_users;
    std::vector<double> m_numbers; ///< of users, as they are
    TextLabel* m_count;
};

/// Numbers of users from words, and back: "1, 8, 64" or "1:1024:*2". Throws Error naming the piece.
std::vector<double> usersFrom(const QString& text);
QString usersText(const std::vector<double>& users);

} // namespace heteroscape::widgets
