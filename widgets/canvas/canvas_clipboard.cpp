// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/canvas/canvas_clipboard.h"

#include "engine/scenario/clip.h"

#include <QMimeData>

namespace heteroscape::widgets {

namespace {

constexpr qsizetype kLongest = qsizetype{64} << 20;

} // namespace

std::unique_ptr<QMimeData> encodeSelection(const engine::Scenario& scenario, const Selection& selection) {
    const auto text =
        QByteArray::fromStdString(engine::writeClip(scenario, selection.nodes, selection.notes));
    auto data = std::make_unique<QMimeData>();
    data->setData(QString::fromLatin1(kNodesMimeType), text);
    data->setText(QString::fromUtf8(text));
    return data;
}

std::string nodesText(const QMimeData* data) {
    if (!data)
        return {};
    auto text = data->data(QString::fromLatin1(kNodesMimeType));
    if (text.isEmpty() && data->hasText()) {
        text = data->text().trimmed().toUtf8();
        // Any other text on the clipboard is nobody's mistake.
        if (!text.startsWith('{') || !text.contains("heteroscape-clip"))
            return {};
    }
    return text.size() > kLongest ? std::string() : text.toStdString();
}

} // namespace heteroscape::widgets
