// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/calibration/calibrate_kernels.h"

#include "engine/base/error.h"
#include "engine/timing/kernels/device_class.h"
#include "engine/timing/power.h"
#include "engine/units/number_text.h"
#include "engine/units/units.h"
#include "engine/validation/measured_table.h"
#include "engine/validation/row_shapes.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <functional>
#include <set>
#include <sstream>

namespace heteroscape::engine {

namespace {

constexpr std::size_t kMostDeviceRows = 100000;
constexpr double kFarthestOfDevice = 30.0; ///< factor from the start that bounds allow

/// What the model gives for a row with these values of the parameters.
using Predict = std::function<double(std::size_t row, std::span<const double> values)>;

DeviceFit fitted(std::string title, std::vector<DeviceFit::Point> points,
                 const std::vector<FitParameter>& parameters, const Predict& predict,
                 const CalibrationOptions& options) {
    DeviceFit result;
    result.title = std::move(title);
    const auto heldOut = heldOutRows(points.size(), options.heldOutShare, options.seed);
    std::vector<double> start;
    for (const auto& parameter : parameters)
        start.push_back(parameter.start);
    std::vector<std::size_t> rows;
    for (std::size_t i = 0; i < points.size(); ++i) {
        points[i].heldOut = heldOut[i];
        points[i].before = predict(i, start);
        if (!heldOut[i])
            rows.push_back(i);
    }
    FitOptions fitting;
    fitting.loss = options.loss;
    fitting.seed = options.seed;
    fitting.starts = options.starts;
    fitting.stop = options.stop;
    result.fit = fit(
        [&](std::span<const double> values, std::span<double> out) {
            for (std::size_t i = 0; i < rows.size(); ++i)
                out[i] = std::log(predict(rows[i], values) / points[rows[i]].measured);
        },
        rows.size(), parameters, fitting);
    const auto values = result.fit.values();
    for (std::size_t i = 0; i < points.size(); ++i)
        points[i].after = predict(i, values);
    result.points = std::move(points);
    return result;
}

Quantity calibrated(double value, const DeviceFit& of, const std::string& path) {
    KernelConstants words;
    words.calibratedOn = path.substr(path.find_last_of("/\\") + 1).substr(0, 200);
    words.rows = static_cast<double>(of.points.size());
    words.errors = of.errors(of.errors(true, true).rows > 0.0, true);
    return {value, Provenance::Calibrated, words.text()};
}

bool isTold(const DeviceFit& of, std::size_t parameter) {
    return of.fit.parameters[parameter].standing != Standing::Undetermined;
}

// ---- Watts

struct PowerRow {
    PhaseRates rates;
    double limit = 0.0, idle = 0.0; ///< W; 0: the device's
};

struct PowerParameter {
    Quantity Device::*member;
    double PowerConstants::Figures::*known; ///< null: of memory
    double PhaseRates::*rate;               ///< what it is of
};
constexpr std::array<PowerParameter, 6> kPowerParameters{
    {{&Device::powerBusy, &PowerConstants::Figures::busy, &PhaseRates::kernels},
     {&Device::powerMemory, nullptr, &PhaseRates::memory},
     {&Device::powerFlop16, &PowerConstants::Figures::flop16, &PhaseRates::flops16},
     {&Device::powerFlop8, &PowerConstants::Figures::flop8, &PhaseRates::flops8},
     {&Device::powerFlop4, &PowerConstants::Figures::flop4, &PhaseRates::flops4},
     {&Device::powerUnpack, &PowerConstants::Figures::unpack, &PhaseRates::unpacked}}};

const FieldSpec& specOf(Quantity Device::*member) {
    const auto fields = deviceFields();
    return std::find_if(fields.begin(), fields.end(),
                        [&](const Field<Device>& field) { return field.member == member; })
        ->spec;
}

/// Unless it is named a byte of memory is that of its kind: who reads more also runs more kernels, and served
/// rows alone tell the two hardly apart.
bool isWanted(const std::vector<std::string>& names, std::string_view key) {
    return names.empty() ? key != "power_memory_pj"
                         : std::find(names.begin(), names.end(), key) != names.end();
}

void checkNames(const std::vector<std::string>& names) {
    std::vector<std::string_view> there;
    for (const auto& one : kPowerParameters)
        there.push_back(specOf(one.member).key);
    for (const auto& name : names)
        if (std::find(there.begin(), there.end(), name) == there.end())
            throw Error(ErrorCode::NotFound, "constant", "unknown name " + quotedPiece(name),
                        "Allowed: " + joined(there));
}

void throwSeveral(const std::string& path, const std::set<std::string, std::less<>>& devices) {
    if (devices.size() > 1)
        throwInvalid(path, "its rows are of several devices: " + *devices.begin() + ", " + *devices.rbegin(),
                     "Give a file for each device");
}

void fitPower(DeviceCalibration& into, CsvReader& csv, const std::string& path,
              const CalibrationOptions& options) {
    checkNames(options.constants);
    std::vector<PowerRow> rows;
    std::vector<DeviceFit::Point> points;
    std::set<std::string, std::less<>> devices;
    const RowCells cells(csv);
    csv.eachRow(kMostDeviceRows, "Give one line for each measurement", [&] {
        PowerRow row;
        DeviceFit::Point point{csv.line()};
        cells.read("watts", point.measured, false, 1e6);
        if (!(point.measured > 0.0))
            csv.failAt(cells.place("watts"), "no power was measured in this row", "Give W, or leave it out");
        const auto rate = [&](std::string_view column, double& value) {
            cells.read(column, value, false, 1e6);
            value *= units::tera;
        };
        row.rates.known = true;
        cells.read("kernel_share", row.rates.kernels, false, 100.0);
        rate("tb_s", row.rates.memory);
        rate("tflops16", row.rates.flops16);
        rate("tflops8", row.rates.flops8);
        rate("tflops4", row.rates.flops4);
        rate("unpack_tb_s", row.rates.unpacked);
        rate("slow_tb_s", row.rates.slow);
        cells.read("link_gb_s", row.rates.sent, false, 1e6);
        row.rates.sent *= units::giga;
        row.rates.linkEnergy = shippedPower().link;
        cells.read("limit_w", row.limit, false, 1e6);
        cells.read("idle_w", row.idle, false, 1e6);
        devices.emplace(cells.text("device"));
        rows.push_back(row);
        points.push_back(point);
    });
    throwSeveral(path, devices);
    auto& device = into.device;
    for (auto* stated : {&device.powerPrefill, &device.powerDecode}) // what was measured goes first
        *stated = {};
    if (!hasPowerModel(device) || !powerLacks(device).empty())
        throwInvalid("device " + device.id,
                     "its power follows from nothing: " +
                         std::string(hasPowerModel(device) ? powerLacks(device) : "power_limit_w") +
                         " is not set, or it is no GPU or NPU",
                     "Set it");
    const auto known = powerFigures(device);
    std::vector<FitParameter> parameters;
    std::vector<const PowerParameter*> moved;
    for (const auto& one : kPowerParameters) {
        const auto& spec = specOf(one.member);
        const double start = one.known ? known.*one.known : device.powerMemory.valueOr(shippedPower().memory);
        if (start > 0.0 && isWanted(options.constants, spec.key) &&
            std::any_of(rows.begin(), rows.end(),
                        [&](const PowerRow& row) { return row.rates.*one.rate > 0.0; })) {
            parameters.push_back({std::string(spec.key), start / spec.scale,
                                  start / spec.scale / kFarthestOfDevice,
                                  start / spec.scale * kFarthestOfDevice});
            moved.push_back(&one);
        }
    }
    if (parameters.empty())
        throwInvalid(path, "no row says what the device did",
                     "Give kernel_share, tb_s, tflops16 or others of them beside watts");
    auto trial = device;
    const auto predict = [&](std::size_t i, std::span<const double> values) {
        for (std::size_t j = 0; j < moved.size(); ++j)
            (trial.*moved[j]->member).value = values[j] * specOf(moved[j]->member).scale;
        if (rows[i].limit > 0.0)
            trial.powerLimit.value = rows[i].limit;
        if (rows[i].idle > 0.0)
            trial.powerIdle.value = rows[i].idle;
        return phasePower(trial, Phase::Decode, rows[i].rates).total;
    };
    const auto& of = into.fits.emplace_back(fitted("power", std::move(points), parameters, predict, options));
    for (std::size_t j = 0; j < moved.size(); ++j)
        if (isTold(of, j))
            device.*moved[j]->member =
                calibrated(of.fit.parameters[j].value * specOf(moved[j]->member).scale, of, path);
    const bool held = of.errors(true, true).rows > 0.0;
    std::vector<double> off;
    for (const auto& point : of.points)
        if (point.heldOut == held)
            off.push_back(std::log(point.after / point.measured));
    device.powerBand = calibrated(bandWithin(std::move(off), held ? 0 : moved.size()), of, path);
}

// ---- Kernels

/// us at the peaks.
struct AtPeak {
    ClassKernel kernel;
    double compute, memory;
};

/// Nothing for an operation that no class of kernels takes in. Throws Error for a shape that is not there.
std::optional<AtPeak> atPeak(const Device& device, const MeasuredRow& row) {
    const auto figures = classFigures(device);
    const auto in = [](double amount, double perSecond) { return amount / perSecond / units::micro; };
    const auto op = row.text("op");
    if (op == "gemm") {
        const auto* precision = findGemmPrecision(row.text("precision"));
        if (!precision || precision->rate == Rate::Fp4)
            return std::nullopt;
        const bool narrow = precision->rate != Rate::Bf16;
        const auto [m, n, k] = measuredGemm(row);
        return AtPeak{
            narrow ? ClassKernel::Gemm8 : ClassKernel::Gemm16,
            in(2 * m * n * k, narrow ? figures.peak8 : figures.peak16),
            in(m * k * precision->bytesX + n * k * precision->bytesW + 2 * m * n, figures.bandwidth)};
    }
    if (op == "attention_context") {
        const auto shape = measuredContext(row);
        if (shape.window > 0)
            return std::nullopt;
        const double s = shape.tokens, d = shape.headSize;
        return AtPeak{ClassKernel::AttentionContext,
                      in(2 * shape.batch * s * s * shape.heads * d, figures.peak16),
                      in(4 * shape.batch * s * d * (shape.heads + shape.kvHeads), figures.bandwidth)};
    }
    if (op == "attention_generation") {
        const auto shape = measuredGeneration(row);
        if (shape.window > 0)
            return std::nullopt;
        const double s = shape.cached, d = shape.headSize;
        return AtPeak{ClassKernel::AttentionGeneration,
                      in(4 * shape.batch * s * shape.heads * d, figures.peak16),
                      in(shape.batch * (2 * s * shape.kvHeads * d * shape.kvBytes + 4 * shape.heads * d),
                         figures.bandwidth)};
    }
    return std::nullopt;
}

void fitKernels(DeviceCalibration& into, const MeasuredTable& table, const std::string& path,
                const CalibrationOptions& options) {
    constexpr std::array<std::string_view, kClassKernels> kTitles{"gemm16", "gemm8", "attention_context",
                                                                  "attention_generation", "allreduce"};
    constexpr std::size_t kFewest = 6; // rows for three constants
    auto& device = into.device;
    const auto& classes = shippedClasses();
    std::array<std::vector<AtPeak>, kClassKernels> peaks;
    std::array<std::vector<DeviceFit::Point>, kClassKernels> points;
    std::set<std::string, std::less<>> devices;
    for (const auto& row : table.rows) {
        devices.emplace(row.text("device"));
        const auto at = atPeak(device, row);
        if (!at || !std::isfinite(at->compute + at->memory)) {
            ++into.passed;
            continue;
        }
        peaks[static_cast<std::size_t>(at->kernel)].push_back(*at);
        points[static_cast<std::size_t>(at->kernel)].push_back({row.line(), row.measuredUs()});
    }
    throwSeveral(path, devices);
    std::array<ClassTheta, kClassKernels> over; // of what the class has; 1 where nothing was fitted
    std::array<const DeviceFit*, kClassKernels> found{};
    into.fits.reserve(kClassKernels);
    for (std::size_t kernel = 0; kernel < kClassKernels; ++kernel) {
        const auto& at = peaks[kernel];
        if (at.size() < kFewest) {
            into.passed += at.size();
            continue;
        }
        const auto& prior = classes.kernels[kernel];
        const auto* known = prior.find(classes.of(device));
        const auto& start = known ? *known : prior.mean;
        const auto& of = into.fits.emplace_back(fitted(
            std::string(kTitles[kernel]), std::move(points[kernel]),
            {{"t0_us", start.startUs, start.startUs / kFarthestOfDevice, start.startUs * kFarthestOfDevice},
             {"compute", start.compute, 0.01, 2.0},
             {"memory", start.memory, 0.01, 2.0}},
            [&at](std::size_t i, std::span<const double> values) {
                return values[0] + std::hypot(at[i].compute / values[1], at[i].memory / values[2]);
            },
            options));
        found[kernel] = &of;
        over[kernel].compute = isTold(of, 1) ? of.fit.parameters[1].value / start.compute : 1.0;
        over[kernel].memory = isTold(of, 2) ? of.fit.parameters[2].value / start.memory : 1.0;
    }
    if (into.fits.empty())
        throwInvalid(path, "no operation has the six rows that its constants take",
                     "Give rows of gemm, attention_context or attention_generation");
    const auto& step = classes.step;
    const auto share = [&](ClassKernel kernel, StepFormat format, Quantity Device::*own) {
        if (const auto i = static_cast<std::size_t>(kernel); found[i] && isTold(*found[i], 1))
            device.*own =
                calibrated(step.compute[static_cast<std::size_t>(format)] * over[i].compute, *found[i], path);
    };
    share(ClassKernel::Gemm16, StepFormat::Bf16, &Device::classCompute16);
    share(ClassKernel::Gemm8, StepFormat::EightBit, &Device::classCompute8);
    double logs = 0.0, count = 0.0;
    const DeviceFit* last = nullptr;
    for (const auto kernel : {ClassKernel::Gemm16, ClassKernel::AttentionGeneration})
        if (const auto i = static_cast<std::size_t>(kernel); found[i] && isTold(*found[i], 2)) {
            logs += std::log(over[i].memory);
            count += 1.0;
            last = found[i];
        }
    if (last)
        device.classMemory = calibrated(step.peaks.bytes * std::exp(logs / count), *last, path);
}

} // namespace

KernelConstants::Errors DeviceFit::errors(bool heldOut, bool after) const {
    std::vector<double> all;
    for (const auto& point : points)
        if (point.heldOut == heldOut)
            all.push_back(100.0 * std::abs((after ? point.after : point.before) / point.measured - 1.0));
    return errorSummary(std::move(all), heldOut);
}

DeviceCalibration calibrateDevice(const Device& device, const std::string& text, const std::string& name,
                                  const CalibrationOptions& options) {
    checkHeldOutShare(options.heldOutShare);
    DeviceCalibration calibration;
    calibration.device = device;
    std::istringstream file(text), again(text);
    CsvReader csv(file, name);
    if (std::find(csv.header().begin(), csv.header().end(), "watts") != csv.header().end()) {
        fitPower(calibration, csv, name, options);
        return calibration;
    }
    if (!options.constants.empty())
        throwInvalid("constants", "a device's kernels are fitted in all that their rows tell", "Name none");
    fitKernels(calibration, parseMeasured(again, name), name, options);
    return calibration;
}

} // namespace heteroscape::engine
