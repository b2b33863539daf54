// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_words.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>

namespace heteroscape::widgets {

namespace {

class ValidationWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ValidationPage)
};

struct KindWords {
    std::string_view id; ///< a whole label, or the beginning of one where it ends in '_'
    const char* text;
    int series;
    ChartMarker marker;
};

constexpr std::array<KindWords, 26> kKinds{{
    {"gemm", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "GEMM"), 0, ChartMarker::Circle},
    {"attention_context", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Attention, prefill"), 2,
     ChartMarker::Square},
    {"attention_generation", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Attention, decode"),
     1, ChartMarker::Diamond},
    {"allreduce", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "All-reduce"), 3,
     ChartMarker::Circle},
    {"nccl_all_reduce", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "NCCL all-reduce"), 4,
     ChartMarker::Square},
    {"nccl_all_gather", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "NCCL all-gather"), 4,
     ChartMarker::Triangle},
    {"nccl_reduce_scatter", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "NCCL reduce-scatter"),
     4, ChartMarker::Diamond},
    {"nccl_alltoall", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "NCCL all-to-all"), 4,
     ChartMarker::Circle},
    {"cast_fp8", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Cast to FP8"), 7,
     ChartMarker::Diamond},
    {"moe", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Experts"), 5, ChartMarker::Circle},
    {"mla_decode", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Latent attention, decode"), 6,
     ChartMarker::Diamond},
    {"mla_prefill", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Latent attention, prefill"), 6,
     ChartMarker::Square},
    {"mla_bmm_pre", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Latent product before"), 6,
     ChartMarker::Circle},
    {"mla_bmm_post", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Latent product after"), 6,
     ChartMarker::Triangle},
    {"deepep_ll_dispatch", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Dispatch, low latency"),
     3, ChartMarker::Square},
    {"deepep_ll_combine", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Combine, low latency"),
     3, ChartMarker::Triangle},
    {"deepep_normal_dispatch", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Dispatch"), 4,
     ChartMarker::Square},
    {"deepep_normal_combine", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Combine"), 4,
     ChartMarker::Triangle},
    {"alltoall_dispatch", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "All-to-all, dispatch"),
     3, ChartMarker::Diamond},
    {"alltoall_combine", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "All-to-all, combine"), 3,
     ChartMarker::Circle},
    {"gdn_decode_core", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Delta rule, decode"), 1,
     ChartMarker::Triangle},
    {"gdn_prefill_core", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Delta rule, prefill"), 2,
     ChartMarker::Triangle},
    {"gdn_decode_conv",
     QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Delta rule, decode convolution"), 1,
     ChartMarker::Circle},
    {"gdn_prefill_conv",
     QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Delta rule, prefill convolution"), 2,
     ChartMarker::Circle},
    {"server_ttft", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Server, TTFT"), 2,
     ChartMarker::Diamond},
    {"server_tpot", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Server, TPOT"), 0,
     ChartMarker::Diamond},
}};

struct Word {
    std::string_view id;
    const char* text;
};

/// Names that are the same in every language.
constexpr std::array<Word, 18> kNames{{{"trtllm", "TensorRT-LLM"},
                                       {"sglang", "SGLang"},
                                       {"vllm", "vLLM"},
                                       {"nccl", "NCCL"},
                                       {"deepep", "DeepEP"},
                                       {"bf16", "BF16"},
                                       {"bfloat16", "BF16"},
                                       {"fp16", "FP16"},
                                       {"half", "FP16"},
                                       {"fp8", "FP8"},
                                       {"nvfp4", "NVFP4"},
                                       {"mxfp4", "MXFP4"},
                                       {"kv_heads", "KV heads"},
                                       {"mxfp4a8", "MXFP4 × MXFP8"},
                                       {"int4_g128", "INT4 g128"},
                                       {"sq", "INT8 SmoothQuant"},
                                       {"ep", "EP"},
                                       {"tp", "TP"}}};

constexpr std::array<Word, 21> kWords{
    {{"fp8_block", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "FP8 block")},
     {"int4_wo", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "INT4 weights")},
     {"int8_wo", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "INT8 weights")},
     {"seq", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "tokens")},
     {"head_dim", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "head size")},
     {"inter", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "width")},
     {"topk", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "chosen experts")},
     {"sms", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "SMs")},
     {"tensor peaks", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Tensor peaks")},
     {"memory bandwidth", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Memory bandwidth")},
     {"exponentials", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Exponentials")},
     {"link", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Link")},
     {"network", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Network")},
     {"starts and waits", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Starts and waits")},
     {"launch", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Launch")},
     {"tensor", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Tensor cores")},
     {"operands", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Operands")},
     {"memory", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Memory")},
     {"waves", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Waves")},
     {"latency", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "Latency")},
     {"-", QT_TRANSLATE_NOOP("heteroscape::widgets::ValidationPage", "not told")}}};

QString wordOf(std::string_view id) {
    for (const auto& word : kNames)
        if (word.id == id)
            return QString::fromUtf8(word.text);
    for (const auto& word : kWords)
        if (word.id == id)
            return ValidationWords::tr(word.text);
    return QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
}

/// "h100_sxm" is "H100 SXM", "rtx_pro_6000_server" "RTX PRO 6000 Server".
QString deviceWord(const std::string& id) {
    constexpr qsizetype kInitials = 4; // letters of what is written in capitals
    QStringList words;
    for (const auto& word : QString::fromStdString(id).split(u'_', Qt::SkipEmptyParts))
        words << (word.size() <= kInitials ? word.toUpper() : word.left(1).toUpper() + word.mid(1));
    return words.join(u' ');
}

} // namespace

QString measuredKeyText(MeasuredKey key) {
    switch (key) {
    case MeasuredKey::Kind:
        return ValidationWords::tr("Kind");
    case MeasuredKey::Device:
        return ValidationWords::tr("Device");
    case MeasuredKey::Framework:
        return ValidationWords::tr("Framework");
    case MeasuredKey::Precision:
        return ValidationWords::tr("Precision");
    case MeasuredKey::Bound:
        return ValidationWords::tr("Bound");
    }
    return {};
}

QString measuredLabelText(MeasuredKey key, const std::string& label) {
    if (key == MeasuredKey::Kind) {
        const auto* known = std::find_if(kKinds.begin(), kKinds.end(),
                                         [&](const KindWords& kind) { return kind.id == label; });
        return known == kKinds.end() ? QString::fromStdString(label) : ValidationWords::tr(known->text);
    }
    return key == MeasuredKey::Device && label != "-" ? deviceWord(label) : wordOf(label);
}

QString measuredColumnText(std::string_view column) {
    return wordOf(column);
}

MeasuredLook measuredLook(MeasuredKey key, const std::string& label, std::size_t ordinal) {
    constexpr std::array kMarkers{ChartMarker::Circle, ChartMarker::Square, ChartMarker::Diamond,
                                  ChartMarker::Triangle};
    constexpr std::size_t kHues = 8;
    if (key == MeasuredKey::Kind)
        for (const auto& kind : kKinds)
            if (kind.id == label)
                return {ChartColor::series(kind.series), kind.marker};
    return {ChartColor::series(static_cast<int>(ordinal % kHues)),
            kMarkers[(ordinal + ordinal / kHues) % kMarkers.size()]};
}

QString serversSource() {
    return ValidationWords::tr("Server runs");
}

QString signedPercent(double share) {
    const auto text = errorPercent(std::abs(100.0 * share));
    return (share < 0 ? QStringLiteral("\u2212") : QStringLiteral("+")) + text;
}

QString errorPercent(double percent) {
    if (!std::isfinite(percent))
        return QStringLiteral("\u2013");
    return withUnit(QString::number(percent, 'f', std::abs(percent) < 99.95 ? 1 : 0), QStringLiteral("%"));
}

} // namespace heteroscape::widgets
