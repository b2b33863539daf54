// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/kernels/device_class.h"

#include "engine/base/file.h"
#include "engine/catalog/catalog.h"
#include "engine/timing/kernels/constants_table.h"
#include "engine/timing/kernels/gpu.h"
#include "engine/timing/machine.h"
#include "engine/units/units.h"

#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, kClassKernels> kKernelNames{"gemm16", "gemm8", "attention_context",
                                                                   "attention_generation", "allreduce"};
constexpr std::array<std::string_view, kStepFormats> kFormatNames{"bf16", "8bit", "fp4", "unpacked"};
constexpr double kMost = 1e6;

ClassTheta readTheta(JsonObject& object, bool overLink) {
    ClassTheta theta;
    theta.startUs = readConstant(object, "t0_us", 0, kMost);
    if (!overLink)
        theta.compute = readConstant(object, "compute", 0, kMost);
    theta.memory = readConstant(object, overLink ? "link" : "memory", 0, kMost);
    return theta;
}

ClassTheta readTheta(JsonObject& object, std::string_view key, bool overLink) {
    auto inner = object.object(key);
    const auto theta = readTheta(inner, overLink);
    inner.finish();
    return theta;
}

/// Calls read(row) for each object of a list.
template <class Read>
void readRows(JsonObject& object, std::string_view key, Read read) {
    std::size_t ordinal = 0;
    for (const auto& json : object.array(key)) {
        JsonObject row(json, object.place(key) + "[" + std::to_string(ordinal++) + "]");
        read(row);
        row.finish();
    }
}

ClassPrior readPrior(JsonObject& row, bool overLink) {
    ClassPrior prior;
    prior.mean = readTheta(row, "mean", overLink);
    prior.sdVendor = readTheta(row, "sd_vendor", overLink);
    prior.sdDevice = readTheta(row, "sd_device", overLink);
    prior.sdFramework = readTheta(row, "sd_framework", overLink);
    prior.sdRow = readConstant(row, "sd_row", 0, kMost);
    readRows(row, "classes", [&](JsonObject& one) {
        auto id = readRowName(one, "class");
        prior.classes.push_back({std::move(id), readTheta(one, overLink)});
    });
    return prior;
}

ClassStepRule readStep(JsonObject object) {
    ClassStepRule rule;
    const auto number = [&](std::string_view key) { return readConstant(object, key, 1e-6, kMost); };
    rule.slack = number("slack");
    rule.peaks.layer = number("layer_us") * units::micro;
    rule.peaks.sequence = number("sequence_us") * units::micro;
    rule.peaks.launchTokens = number("launch_tokens");
    rule.peaks.collective = number("collective_us") * units::micro;
    rule.peaks.bytes = number("memory");
    rule.peaks.link = number("link");
    rule.sdVendor = number("sd_vendor");
    rule.sdDevice = number("sd_device");
    rule.sdRow = number("sd_row");
    auto compute = object.object("compute");
    for (std::size_t i = 0; i < kStepFormats; ++i)
        rule.compute[i] = readConstant(compute, kFormatNames[i], 1e-6, kMost);
    compute.finish();
    readRows(object, "classes", [&](JsonObject& one) {
        auto id = readRowName(one, "class");
        rule.classes.push_back({std::move(id), readConstant(one, "factor", 1e-6, kMost)});
    });
    object.finish();
    return rule;
}

constexpr double kPastUnknown = 1.3; // a device of a maker that is known: its spread over few devices
constexpr double kMakerLeft = 0.4;   // what a maker's own factor leaves of the spread over makers

double squared(double x) {
    return x * x;
}

} // namespace

const ClassTheta* ClassPrior::find(std::string_view classId) const {
    for (const auto& one : classes)
        if (one.id == classId)
            return &one.theta;
    return nullptr;
}

double ClassFigures::peak(StepFormat format) const {
    if (format == StepFormat::Fp4)
        return peak4 == peak4 ? peak4 : peak8;
    return format == StepFormat::EightBit ? peak8 : peak16;
}

ClassFigures classFigures(const Device& device) {
    const auto* gpu = measuredGpu(device);
    const auto peakOr = [&](Quantity Device::*own, double other) {
        const double known = devicePeak(device, own);
        return known == known ? known : other;
    };
    const double fp4 = gpu ? gpu->figures.peak(Rate::Fp4) * units::tera : 0.0;
    return {devicePeak(device, &Device::peakFp16),
            peakOr(&Device::peakFp8, devicePeak(device, &Device::peakInt8)),
            peakOr(&Device::peakFp4, fp4 > 0.0 ? fp4 : std::numeric_limits<double>::quiet_NaN()),
            device.memoryBandwidth.value,
            device.classCompute16.value,
            device.classCompute8.value,
            device.classMemory.value};
}

ClassRates ClassStepRule::rates(const ClassFigures& figures, StepFormat format) const {
    auto rates = peaks;
    const bool narrow = format == StepFormat::EightBit || format == StepFormat::Fp4;
    const double own = narrow ? figures.compute8 : figures.compute16;
    const double reached =
        compute[static_cast<std::size_t>(narrow ? StepFormat::EightBit : StepFormat::Bf16)];
    rates.flops = figures.peak(format) * compute[static_cast<std::size_t>(format)] *
                  (own == own ? own / reached : 1.0) / slack;
    rates.bytes =
        figures.bandwidth * (figures.memory == figures.memory ? figures.memory : peaks.bytes) / slack;
    rates.link = peaks.link / slack;
    rates.collective = peaks.collective * slack;
    return rates;
}

bool ClassStepRule::knows(std::string_view classId) const {
    return std::any_of(classes.begin(), classes.end(), [&](const OfClass& one) { return one.id == classId; });
}

double ClassStepRule::factor(std::string_view classId) const {
    for (const auto& one : classes)
        if (one.id == classId)
            return one.factor;
    return 1.0;
}

double ClassStepRule::sd(std::string_view classId) const {
    if (knows(classId))
        return std::sqrt(squared(kMakerLeft * sdVendor) + kPastUnknown * squared(sdDevice) + squared(sdRow));
    const auto makers = static_cast<double>(classes.size());
    return std::sqrt(squared(sdVendor) * (1.0 + 1.0 / makers) + squared(sdDevice) + squared(sdRow));
}

ClassBand ClassStepRule::band(double seconds, std::string_view classId) const {
    const double median = seconds * factor(classId);
    const double apart = std::exp(kBandWidth * sd(classId));
    return {median, median / apart, median * apart};
}

std::string_view MakerClasses::of(const Device& device) const {
    for (const auto& one : classes)
        if (device.vendor == one.vendor && (one.type.empty() || one.type == deviceKindName(device.kind)) &&
            (one.kernels.empty() ||
             std::find(one.kernels.begin(), one.kernels.end(), device.kernels) != one.kernels.end()))
            return one.id;
    return {};
}

ClassBand MakerClasses::kernelUs(ClassKernel kernel, double a, double b, std::string_view classId) const {
    const auto& row = prior(kernel);
    const auto* own = row.find(classId);
    const auto& theta = own ? *own : row.mean;
    const double x = kernel == ClassKernel::AllReduce ? 0.0 : a / theta.compute;
    const double y = b / theta.memory;
    const double g = std::hypot(x, y);
    const double t = theta.startUs + g;
    const auto makers = static_cast<double>(row.classes.size());
    double variance = squared(row.sdRow);
    const auto add = [&](double ClassTheta::*of, double weight) {
        const double device = squared(row.sdDevice.*of), framework = squared(row.sdFramework.*of);
        variance +=
            squared(weight) * (own ? kPastUnknown * device + framework
                                   : squared(row.sdVendor.*of) * (1.0 + 1.0 / makers) + device + framework);
    };
    add(&ClassTheta::startUs, theta.startUs / t);
    if (g > 0.0) {
        add(&ClassTheta::memory, y * y / (g * t));
        if (x > 0.0)
            add(&ClassTheta::compute, x * x / (g * t));
    }
    const double apart = std::exp(kBandWidth * std::sqrt(variance));
    return {t, t / apart, t * apart};
}

MakerClasses loadMakerClasses(const std::string& presetsFolder) {
    const auto path = presetsFolder + "/classes/makers.json";
    const auto text = readFile(path);
    const auto json = parseJson(text, path);
    JsonObject object(json, path);
    for (const auto* key : {"id", "name", "about", "kind", "source"})
        object.text(key);
    MakerClasses all;
    readRows(object, "classes", [&](JsonObject& row) {
        MakerClass one{readRowName(row, "class"), row.text("vendor"), row.text("type", ""), {}};
        one.kernels = readTexts(row, "kernels");
        all.classes.push_back(std::move(one));
    });
    std::array<bool, kClassKernels> seen{};
    readRows(object, "kernels", [&](JsonObject& row) {
        const auto kernel = static_cast<std::size_t>(readName(row, "kernel", kKernelNames));
        all.kernels[kernel] = readPrior(row, kernel == static_cast<std::size_t>(ClassKernel::AllReduce));
        seen[kernel] = true;
    });
    for (std::size_t i = 0; i < kClassKernels; ++i)
        if (!seen[i])
            throwInvalid(object.place("kernels"), "there is no " + std::string(kKernelNames[i]),
                         "Give one row for each kind of kernel");
    all.step = readStep(object.object("step"));
    object.finish();
    all.fingerprint = contentHash(text);
    return all;
}

const MakerClasses& shippedClasses() {
    static const MakerClasses classes = loadMakerClasses(findPresetsFolder());
    return classes;
}

} // namespace heteroscape::engine
