// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/device_peaks.h"

#include "engine/timing/kernels/kernel_catalog.h"
#include "engine/units/units.h"

namespace heteroscape::engine {

namespace {

constexpr std::string_view kGpuFigures = "presets/kernels/gpus.json";

/// The rate per clock and SM that a peak is made of.
Quantity Device::*perClock(Quantity Device::*peak) {
    if (peak == &Device::peakFp16)
        return &Device::fp16PerClock;
    if (peak == &Device::peakInt8)
        return &Device::int8PerClock;
    return peak == &Device::peakFp8 ? &Device::fp8PerClock : &Device::fp4PerClock;
}

bool isSetByHand(const Quantity& peak) {
    return peak.isSet() && (peak.provenance == Provenance::User || peak.provenance == Provenance::Calibrated);
}

/// The device's figure, else the measured GPU's; not set where neither is.
template <class V>
V figureOr(const Device& device, Quantity Device::*member, const Gpu* gpu, double measured,
           std::string_view name, Measure measure) {
    if ((device.*member).isSet() || !gpu)
        return Numbers<V>::quantity(deviceFields, device, member);
    return Numbers<V>::leaf(name, measured, measure, kGpuFigures);
}

template <class V>
V peakOf(const Device& device, Quantity Device::*peak) {
    using N = Numbers<V>;
    const auto& stated = device.*peak;
    const auto rate = perClock(peak);
    const bool follows = device.sms.isSet() || device.clock.isSet() || (device.*rate).isSet();
    if (!follows || isSetByHand(stated))
        return N::quantity(deviceFields, device, peak);
    constexpr Measure hertz{"MHz", units::mega};
    const auto* gpu = measuredGpu(device);
    const double measuredClock = gpu ? gpu->figures.clockGhz * units::giga : 0.0;
    const V sms = figureOr<V>(device, &Device::sms, gpu, gpu ? gpu->figures.sms : 0.0, "SMs, measured GPU",
                              measures::count);
    const V clock = figureOr<V>(device, &Device::clock, gpu, measuredClock, "Clock, measured GPU", hertz);
    if ((device.*rate).isSet() && valueOf(sms) == valueOf(sms) && valueOf(clock) == valueOf(clock))
        return N::named(sms * N::quantity(deviceFields, device, rate) * clock, "Peak of the SMs",
                        measures::flopRate, device.name);
    if (!gpu || !stated.isSet())
        return N::quantity(deviceFields, device, peak);
    V scaled = N::quantity(deviceFields, device, peak);
    if (device.sms.isSet())
        scaled = scaled *
                 N::named(sms / N::leaf("SMs, measured GPU", gpu->figures.sms, measures::count, kGpuFigures),
                          "SMs over those measured", measures::count);
    if (device.clock.isSet())
        scaled = scaled * N::named(clock / N::leaf("Clock, measured GPU", measuredClock, hertz, kGpuFigures),
                                   "Clock over that measured", measures::count);
    return N::named(scaled, "Peak of the SMs", measures::flopRate, device.name);
}

} // namespace

const Gpu* measuredGpu(const Device& device) {
    if (!device.kernels.empty())
        for (const auto& gpu : shippedKernels().gpus)
            if (gpu.id == device.kernels)
                return &gpu;
    return nullptr;
}

double devicePeak(const Device& device, Quantity Device::*peak) {
    return peakOf<double>(device, peak);
}

Term explainDevicePeak(const Device& device, Quantity Device::*peak) {
    return peakOf<Term>(device, peak);
}

} // namespace heteroscape::engine
