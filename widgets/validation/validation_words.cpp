// SPDX-License-Identifier: GPL-3.0-or-later
#include "widgets/validation/validation_words.h"
#include "widgets/theme/plain_text.h"

#include "engine/units/number_text.h"

#include <QCoreApplication>
#include <QStringList>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>

namespace heteroscape::widgets {

namespace {

struct KindWords {
    std::string_view id; ///< a whole label
    const char* text;
    int series;
    ChartMarker marker;
};

class ValidationWords {
    Q_DECLARE_TR_FUNCTIONS(heteroscape::widgets::ValidationPage)
public:
    using enum ChartMarker;
    static constexpr KindWords kKinds[]{
        {"gemm", QT_TR_NOOP("GEMM"), 0, Circle},
        {"attention_context", QT_TR_NOOP("Attention, prefill"), 2, Square},
        {"attention_generation", QT_TR_NOOP("Attention, decode"), 1, Diamond},
        {"allreduce", QT_TR_NOOP("All-reduce"), 3, Circle},
        {"nccl_all_reduce", QT_TR_NOOP("NCCL all-reduce"), 4, Square},
        {"nccl_all_gather", QT_TR_NOOP("NCCL all-gather"), 4, Triangle},
        {"nccl_reduce_scatter", QT_TR_NOOP("NCCL reduce-scatter"), 4, Diamond},
        {"nccl_alltoall", QT_TR_NOOP("NCCL all-to-all"), 4, Circle},
        {"cast_fp8", QT_TR_NOOP("Cast to FP8"), 7, Diamond},
        {"copy", QT_TR_NOOP("Copy"), 7, Triangle},
        {"moe", QT_TR_NOOP("Experts"), 5, Circle},
        {"mla_decode", QT_TR_NOOP("Latent attention, decode"), 6, Diamond},
        {"mla_prefill", QT_TR_NOOP("Latent attention, prefill"), 6, Square},
        {"mla_bmm_pre", QT_TR_NOOP("Latent product before"), 6, Circle},
        {"mla_bmm_post", QT_TR_NOOP("Latent product after"), 6, Triangle},
        {"deepep_ll_dispatch", QT_TR_NOOP("Dispatch, low latency"), 3, Square},
        {"deepep_ll_combine", QT_TR_NOOP("Combine, low latency"), 3, Triangle},
        {"deepep_normal_dispatch", QT_TR_NOOP("Dispatch"), 4, Square},
        {"deepep_normal_combine", QT_TR_NOOP("Combine"), 4, Triangle},
        {"alltoall_dispatch", QT_TR_NOOP("All-to-all, dispatch"), 3, Diamond},
        {"alltoall_combine", QT_TR_NOOP("All-to-all, combine"), 3, Circle},
        {"gdn_decode_core", QT_TR_NOOP("Delta rule, decode"), 1, Triangle},
        {"gdn_prefill_core", QT_TR_NOOP("Delta rule, prefill"), 2, Triangle},
        {"gdn_decode_conv", QT_TR_NOOP("Delta rule, decode convolution"), 1, Circle},
        {"gdn_prefill_conv", QT_TR_NOOP("Delta rule, prefill convolution"), 2, Circle},
        {"gdn_rule_g", QT_TR_NOOP("Delta rule, decode"), 1, Triangle},
        {"gdn_rule_c", QT_TR_NOOP("Delta rule, prefill"), 2, Triangle},
        {"gdn_conv_g", QT_TR_NOOP("Delta rule, decode convolution"), 1, Circle},
        {"gdn_conv_c", QT_TR_NOOP("Delta rule, prefill convolution"), 2, Circle},
        {"mamba2_scan_c", QT_TR_NOOP("Mamba-2, scan"), 7, Square},
        {"mamba2_conv_g", QT_TR_NOOP("Mamba-2, decode convolution"), 7, Circle},
        {"dsa_generation", QT_TR_NOOP("Sparse latent attention, decode"), 3, Diamond},
        {"dsa_context", QT_TR_NOOP("Sparse latent attention, prefill"), 3, Square},
        {"dsa_context_dense", QT_TR_NOOP("Sparse latent attention, short prefill"), 3, Triangle},
        {"csa_generation", QT_TR_NOOP("Compressed attention, decode"), 4, Diamond},
        {"csa_context", QT_TR_NOOP("Compressed attention, prefill"), 4, Square},
        {"hca_generation", QT_TR_NOOP("Heavily compressed attention, decode"), 5, Diamond},
        {"hca_context", QT_TR_NOOP("Heavily compressed attention, prefill"), 5, Square},
        {"encoder_attention", QT_TR_NOOP("Attention of encoders"), 6, Circle},
        {"server_ttft", QT_TR_NOOP("Server, TTFT"), 2, Diamond},
        {"server_tpot", QT_TR_NOOP("Server, TPOT"), 0, Diamond},
    };
    static constexpr Word<std::string_view> kWords[]{{"fp8_block", QT_TR_NOOP("FP8 block")},
                                                     {"int4_wo", QT_TR_NOOP("INT4 weights")},
                                                     {"int8_wo", QT_TR_NOOP("INT8 weights")},
                                                     {"seq", QT_TR_NOOP("tokens")},
                                                     {"head_dim", QT_TR_NOOP("head size")},
                                                     {"inter", QT_TR_NOOP("width")},
                                                     {"topk", QT_TR_NOOP("chosen experts")},
                                                     {"sms", QT_TR_NOOP("SMs")},
                                                     {"tensor peaks", QT_TR_NOOP("Tensor peaks")},
                                                     {"memory bandwidth", QT_TR_NOOP("Memory bandwidth")},
                                                     {"exponentials", QT_TR_NOOP("Exponentials")},
                                                     {"link", QT_TR_NOOP("Link")},
                                                     {"network", QT_TR_NOOP("Network")},
                                                     {"starts and waits", QT_TR_NOOP("Starts and waits")},
                                                     {"launch", QT_TR_NOOP("Launch")},
                                                     {"tensor", QT_TR_NOOP("Tensor cores")},
                                                     {"operands", QT_TR_NOOP("Operands")},
                                                     {"memory", QT_TR_NOOP("Memory")},
                                                     {"waves", QT_TR_NOOP("Waves")},
                                                     {"latency", QT_TR_NOOP("Latency")},
                                                     {"-", QT_TR_NOOP("not told")}};
    static constexpr std::array<const char*, kMeasuredKeys> kKeys{
        QT_TR_NOOP("Kind"), QT_TR_NOOP("Device"), QT_TR_NOOP("Framework"), QT_TR_NOOP("Precision"),
        QT_TR_NOOP("Bound")};
};

/// Names that are the same in every language.
constexpr Word<std::string_view> kNames[]{{"trtllm", "TensorRT-LLM"},
                                          {"sglang", "SGLang"},
                                          {"vllm", "vLLM"},
                                          {"torch", "PyTorch"},
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
                                          {"tp", "TP"}};

QString wordOf(std::string_view id) {
    if (const auto* word = lookUp(ValidationWords::kWords, id, nullptr))
        return ValidationWords::tr(word);
    const auto* name = lookUp(kNames, id, nullptr);
    return name ? QString::fromUtf8(name) : QString::fromUtf8(id.data(), static_cast<qsizetype>(id.size()));
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
    return ValidationWords::tr(ValidationWords::kKeys[static_cast<std::size_t>(key)]);
}

QString measuredLabelText(MeasuredKey key, const std::string& label) {
    if (key == MeasuredKey::Kind) {
        const auto* known =
            std::find_if(std::begin(ValidationWords::kKinds), std::end(ValidationWords::kKinds),
                         [&](const KindWords& kind) { return kind.id == label; });
        return known == std::end(ValidationWords::kKinds) ? QString::fromStdString(label)
                                                          : ValidationWords::tr(known->text);
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
        for (const auto& kind : ValidationWords::kKinds)
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
