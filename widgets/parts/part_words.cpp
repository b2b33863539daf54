// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/parts/part_words.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>

namespace heteroscape::widgets {

namespace {

struct PartWordsText {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::PartWords)
};

QString number(const engine::Quantity& quantity, int digits = 6) {
    return QString::fromStdString(engine::plainText(quantity.value, digits));
}

QString parameterCount(double parameters) {
    return parameters < 1e9
               ? PartWordsText::tr("%1 M").arg(QString::fromStdString(engine::plainText(parameters / 1e6, 3)))
               : PartWordsText::tr("%1 B").arg(
                     QString::fromStdString(engine::plainText(parameters / 1e9, 3)));
}

} // namespace

QString modelLine(const engine::Model& model) {
    const auto line =
        PartWordsText::tr("%1, %2 layers").arg(parameterCount(model.parameters()), number(model.layers));
    return model.isMixture() ? PartWordsText::tr("%1, %2 experts").arg(line, number(model.experts)) : line;
}

QString workloadLine(const engine::Workload& workload) {
    const auto shape = PartWordsText::tr("%1 \u2192 %2 tokens")
                           .arg(number(workload.promptTokens), number(workload.outputTokens));
    return workload.batch.isSet() ? PartWordsText::tr("%1 \u00d7 %2").arg(number(workload.batch), shape)
                                  : shape;
}

QString workloadSentence(const engine::Workload& workload) {
    const auto each = PartWordsText::tr("a prompt of %1 tokens, then %2 tokens of output")
                          .arg(number(workload.promptTokens), number(workload.outputTokens));
    if (!workload.batch.isSet())
        return PartWordsText::tr("Each request: %1; the batch stays as it is").arg(each);
    if (workload.batch.value == 1.0)
        return PartWordsText::tr("One request at a time: %1").arg(each);
    return PartWordsText::tr("%1 requests at once, each %2").arg(number(workload.batch), each);
}

} // namespace heteroscape::widgets
