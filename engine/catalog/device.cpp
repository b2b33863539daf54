// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/catalog/device.h"

#include "engine/catalog/named.h"
#include "engine/units/units.h"

#include <array>
#include <nlohmann/json.hpp>

namespace heteroscape::engine {

namespace {

constexpr std::array<std::string_view, 7> kKindNames{"gpu", "npu", "fpga", "cpu", "ssd", "csd", "switch"};
constexpr std::array<std::string_view, 7> kKindLabels{"GPU", "NPU", "FPGA", "CPU", "SSD", "CSD", "Switch"};

using namespace units;
constexpr double pico = 1e-12;

const auto kDeviceFields = std::to_array<Field<Device>>({
    {{"peak_fp16_tflops", "Peak FP16", "TFLOP/s", tera, 1e-3, 1e6, false, false,
      "Dense peak with FP16 inputs; a multiply-add counts as two operations."},
     &Device::peakFp16},
    {{"peak_int8_tops", "Peak INT8", "TOP/s", tera, 1e-3, 1e6, false, false,
      "Dense peak with INT8 inputs; a multiply-add counts as two operations."},
     &Device::peakInt8},
    {{"peak_fp8_tflops", "Peak FP8", "TFLOP/s", tera, 1e-3, 1e6, false, false,
      "Dense peak with FP8 inputs; without it that of the GPU whose kernels were measured."},
     &Device::peakFp8},
    {{"peak_fp4_tflops", "Peak FP4", "TFLOP/s", tera, 1e-3, 1e6, false, false,
      "Dense peak with FP4 inputs; without it that of the GPU whose kernels were measured."},
     &Device::peakFp4},
    {{"sms", "SMs", "", 1, 1, 1e5, true, false,
      "Streaming multiprocessors that are enabled, to which kernels are dealt out in blocks; peaks that are "
      "not set by hand follow."},
     &Device::sms},
    {{"fp16_per_clock", "FP16 per clock and SM", "FLOP", 1, 1, 1e7, false, false,
      "Dense FLOPs with FP16 inputs of one SM in a clock; the FP16 peak follows."},
     &Device::fp16PerClock},
    {{"int8_per_clock", "INT8 per clock and SM", "op", 1, 1, 1e7, false, false,
      "Dense operations with INT8 inputs of one SM in a clock; the INT8 peak follows."},
     &Device::int8PerClock},
    {{"fp8_per_clock", "FP8 per clock and SM", "FLOP", 1, 1, 1e7, false, false,
      "Dense FLOPs with FP8 inputs of one SM in a clock; the FP8 peak follows."},
     &Device::fp8PerClock},
    {{"fp4_per_clock", "FP4 per clock and SM", "FLOP", 1, 1, 1e7, false, false,
      "Dense FLOPs with FP4 inputs of one SM in a clock; the FP4 peak follows."},
     &Device::fp4PerClock},
    {{"exp_per_clock", "Exponentials per clock and SM", "", 1, 1e-3, 1e6, false, false,
      "Exponentials that the special function units of one SM take in a clock."},
     &Device::expPerClock},
    {{"memory_gb", "Memory capacity", "GB", GB, 1e-3, 1e6, false, false,
      "Capacity of the device memory, 1 GB = 1e9 B."},
     &Device::memoryCapacity},
    {{"memory_reported", "Memory, as reported", "", 1, 0.5, 1.5, false, false,
      "What the driver reports to a server, over the capacity, where datasheets count in other gigabytes: "
      "the "
      "81,559 MiB of an H100 are 1.069 of 80 GB. What a server keeps and leaves is counted of it."},
     &Device::memoryReported},
    {{"memory_bandwidth_gbps", "Memory bandwidth", "GB/s", giga, 1e-3, 1e9, false, false,
      "Peak bandwidth of the device memory. Decode is mostly bound by it."},
     &Device::memoryBandwidth},
    {{"memory_channels", "Memory channels", "", 1, 1, 1024, true, false,
      "Independent channels or pseudo-channels of the device memory; an instruction stream runs on each."},
     &Device::memoryChannels},
    {{"l2_mb", "L2 capacity", "MB", MB, 1e-3, 1e6, false, false,
      "On-chip memory shared by all cores, 1 MB = 1e6 B; prefetching needs it."},
     &Device::l2Capacity},
    {{"l2_bandwidth_gbps", "L2 bandwidth", "GB/s", giga, 1e-3, 1e9, false, false,
      "Peak bandwidth between L2 and the cores."},
     &Device::l2Bandwidth},
    {{"clock_mhz", "Clock", "MHz", mega, 1, 1e5, false, false,
      "Clock of the accelerator's logic; of a GPU that at which its peaks hold."},
     &Device::clock},
    {{"lanes", "PCIe lanes", "", 1, 1, 4096, true, false,
      "PCIe lanes of a host or switch; each link takes some."},
     &Device::lanes},
    {{"power_prefill_w", "Power in prefill", "W", 1, 0, 1e6, false, false,
      "Measured power while a prefill runs."},
     &Device::powerPrefill},
    {{"power_decode_w", "Power in decode", "W", 1, 0, 1e6, false, false, "Measured power while decoding."},
     &Device::powerDecode},
    {{"power_idle_w", "Idle power", "W", 1, 0, 1e6, false, false, "Power while waiting for work."},
     &Device::powerIdle},
    {{"power_limit_w", "Power limit", "W", 1, 0, 1e6, false, false, "Board power limit."},
     &Device::powerLimit},
    {{"power_busy_w", "Power of clocks and issue", "W", 1, 0, 1e6, false, false,
      "What it draws more than idle while kernels run, whatever they do; without it as its class or its "
      "power "
      "limit has it."},
     &Device::powerBusy},
    {{"power_memory_pj", "Energy of a byte", "pJ/B", pico, 0, 1e6, false, false,
      "Energy of one byte from or to the device memory; without it that of HBM3."},
     &Device::powerMemory},
    {{"power_flop16_pj", "Energy of a FLOP, 16 bits", "pJ", pico, 0, 1e6, false, false,
      "Energy of one FLOP that is multiplied in 16 bits."},
     &Device::powerFlop16},
    {{"power_flop8_pj", "Energy of a FLOP, 8 bits", "pJ", pico, 0, 1e6, false, false,
      "Energy of one FLOP that is multiplied in 8 bits."},
     &Device::powerFlop8},
    {{"power_flop4_pj", "Energy of a FLOP, 4 bits", "pJ", pico, 0, 1e6, false, false,
      "Energy of one FLOP that is multiplied in 4 bits."},
     &Device::powerFlop4},
    {{"power_unpack_pj", "Energy of unpacking", "pJ/B", pico, 0, 1e6, false, false,
      "Energy of one byte of packed weights that are unpacked before they are multiplied, beside reading "
      "it."},
     &Device::powerUnpack},
    {{"power_link_pj", "Energy of a byte sent", "pJ/B", pico, 0, 1e6, false, false,
      "Energy of one byte that it sends over links; without it as the kind of link has it."},
     &Device::powerLink},
    {{"power_l2_pj", "Energy of a byte of L2", "pJ/B", pico, 0, 1e6, false, false,
      "Energy of one byte between L2 and the cores, in timing models that see it; without it none."},
     &Device::powerL2},
    {{"power_hop_nj", "Energy of a hop", "nJ", nano, 0, 1e9, false, false,
      "Energy of each collective and each send between devices beside its bytes; without it none."},
     &Device::powerHop},
    {{"power_cap_w", "Power cap", "W", 1, 1, 1e6, false, false,
      "A power limit that its user sets below its own: clocks fall until it is kept. Under 40 % of the limit "
      "speeds are not to be trusted."},
     &Device::powerCap},
    {{"power_clock", "Clock, of the stock clock", "", 1, 0.01, 1, false, false,
      "A clock that its user sets, over the one that it has: work that is bound by compute takes longer, and "
      "draws less."},
     &Device::powerClock},
    {{"power_band_pct", "Power, 80 % within", "%", 0.01, 0.1, 1000, false, false,
      "80 % of what was measured of it lay within so much of the predicted power, either way; without it as "
      "its "
      "class has it."},
     &Device::powerBand},
    {{"class_factor", "Steps, over its class", "", 1, 0.01, 100, false, false,
      "How many times longer than the rule of its class its steps were measured to take; without it as those "
      "of its maker."},
     &Device::classFactor},
    {{"class_compute16", "Share of peak, 16 bits", "", 1, 0.01, 2, false, false,
      "What the rule of its class takes matrices in 16 bits to reach of the peak, by its own kernels."},
     &Device::classCompute16},
    {{"class_compute8", "Share of peak, 8 bits", "", 1, 0.01, 2, false, false,
      "The same in 8 bits and fewer."},
     &Device::classCompute8},
    {{"class_memory", "Share of bandwidth", "", 1, 0.01, 2, false, false,
      "What the rule of its class takes it to reach of its memory bandwidth, by its own kernels."},
     &Device::classMemory},
    {{"class_band_pct", "Steps, 80 % within", "%", 0.01, 0.1, 1000, false, false,
      "80 % of its measured times lay within so much of what the rule with its own factor says, either way. "
      "With it the device counts as measured."},
     &Device::classBand},
    {{"price_usd", "Price, each", "$", 1, 0, 1e9, false, false, "Price of one device."}, &Device::price},
    {{"rent_usd_per_hour", "Rent, each", "$/h", 1.0 / hour, 0, 1e6, false, false,
      "What an hour of one device is let for, with its share of server, power and building."},
     &Device::rent},
    {{"die_area_mm2", "Die area", "mm\u00b2", mm2, 1e-3, 1e6, false, false,
      "Area of the device's die; without it cores x area of one core + L2 x area of one MB, where these are "
      "set."},
     &Device::dieArea},
    {{"core_tops", "Peak of one core", "TOP/s", tera, 1e-6, 1e6, false, false,
      "Dense INT8 peak of one core; the device has peak / core peak cores."},
     &Device::coreThroughput},
    {{"core_area_mm2", "Area of one core", "mm\u00b2", mm2, 1e-6, 1e6, false, false, "Die area of one core."},
     &Device::coreArea},
    {{"core_power_w", "Power of one core", "W", 1, 0, 1e6, false, false, "Power of one core at work."},
     &Device::corePower},
    {{"l2_area_mm2_per_mb", "Area of L2", "mm\u00b2/MB", mm2 / MB, 0, 1e6, false, false,
      "Die area of one MB of L2."},
     &Device::l2AreaPerByte},
    {{"host_memory_gib", "Host memory", "GiB", GiB, 0, 1e6, false, false,
      "DRAM of a host, 1 GiB = 2^30 B, for weights, KV cache and activations that are offloaded."},
     &Device::hostMemory},
    {{"write_bandwidth_gbps", "Write bandwidth", "GB/s", giga, 1e-3, 1e6, false, false,
      "Bandwidth of large writes to the storage; large reads have the memory bandwidth."},
     &Device::writeBandwidth},
    {{"p2p_bandwidth_gbps", "Internal path", "GB/s", giga, 1e-3, 1e6, false, false,
      "Bandwidth from the flash to the accelerator inside one CSD, for very large chunks. Small ones get "
      "bandwidth x chunk / (chunk + chunk at half of it) (INF2, section 4.1)."},
     &Device::p2pBandwidth},
    {{"p2p_half_kb", "Chunk at half of it", "KB", 1e3, 0, 1e9, false, false,
      "Chunk, 1 KB = 1000 B, at which the internal path reaches half its bandwidth."},
     &Device::p2pHalfChunk},
    {{"kernel_gbps", "Attention kernel", "GB/s", giga, 1e-3, 1e6, false, false,
      "KV cache that the attention kernel of one CSD takes in a second (INF2, section 5.1)."},
     &Device::kernelBandwidth},
    {{"kernel_power_w", "Power of the kernel", "W", 1, 0, 1e6, false, false,
      "Power of the CSD's accelerator, beside that of its storage."},
     &Device::kernelPower},
    {{"small_write_ms", "One small write", "ms", milli, 0, 1e6, false, false,
      "Time of one synchronous write of less than a page; delayed writeback collects them (INF2, section "
      "4.2)."},
     &Device::smallWrite},
    {{"page_bytes", "Page", "B", 1, 1, 1 << 30, true, false, "Unit in which the storage writes."},
     &Device::pageSize},
});

} // namespace

std::span<const std::string_view> deviceKindNames() {
    return kKindNames;
}

std::string_view deviceKindName(DeviceKind kind) {
    return kKindNames[static_cast<std::size_t>(kind)];
}

std::string_view deviceKindLabel(DeviceKind kind) {
    return kKindLabels[static_cast<std::size_t>(kind)];
}

bool isAccelerator(DeviceKind kind) {
    return kind == DeviceKind::Gpu || kind == DeviceKind::Npu || kind == DeviceKind::Fpga;
}

bool isFabric(DeviceKind kind) {
    return kind == DeviceKind::Cpu || kind == DeviceKind::Switch;
}

bool isStorage(DeviceKind kind) {
    return kind == DeviceKind::Ssd || kind == DeviceKind::Csd;
}

std::span<const Field<Device>> deviceFields() {
    return kDeviceFields;
}

namespace {

template <class V>
V coresOf(const Device& device) {
    return Numbers<V>::named(Numbers<V>::quantity(deviceFields, device, &Device::peakInt8) /
                                 Numbers<V>::quantity(deviceFields, device, &Device::coreThroughput),
                             "Cores", measures::count);
}

template <class V>
V areaOf(const Device& device) {
    using N = Numbers<V>;
    const auto quantity = [&](Quantity Device::*member) { return N::quantity(deviceFields, device, member); };
    if (device.dieArea.isSet())
        return quantity(&Device::dieArea);
    return N::named(
        N::named(coresOf<V>(device) * quantity(&Device::coreArea), "Area of the cores", measures::area) +
            N::named(quantity(&Device::l2Capacity) * quantity(&Device::l2AreaPerByte), "Area of the L2",
                     measures::area),
        "Die", measures::area);
}

template <class V>
V powerOf(const Device& device, Phase phase) {
    using N = Numbers<V>;
    const auto member = phase == Phase::Prefill ? &Device::powerPrefill : &Device::powerDecode;
    V measured = (device.*member).isSet() || !device.corePower.isSet()
                     ? N::quantity(deviceFields, device, member)
                     : N::named(coresOf<V>(device) * N::quantity(deviceFields, device, &Device::corePower),
                                "Power of the cores", measures::watts);
    if (device.kind != DeviceKind::Csd || !device.kernelPower.isSet())
        return measured;
    return N::named(measured + N::quantity(deviceFields, device, &Device::kernelPower),
                    "Power with the kernel", measures::watts);
}

} // namespace

double coreCount(const Device& device) {
    return coresOf<double>(device);
}

double dieArea(const Device& device) {
    return areaOf<double>(device);
}

double powerIn(Phase phase, const Device& device) {
    return powerOf<double>(device, phase);
}

bool powerFollowsLimit(const Device& device) {
    return (device.kind == DeviceKind::Gpu || device.kind == DeviceKind::Npu) && device.powerLimit.isSet() &&
           !device.corePower.isSet();
}

bool hasPowerModel(const Device& device) {
    constexpr std::array kEnergies{&Device::powerMemory, &Device::powerFlop16, &Device::powerFlop8,
                                   &Device::powerFlop4,  &Device::powerUnpack, &Device::powerLink,
                                   &Device::powerL2,     &Device::powerHop,    &Device::powerBusy};
    return powerFollowsLimit(device) ||
           (isAccelerator(device.kind) &&
            std::any_of(kEnergies.begin(), kEnergies.end(),
                        [&](Quantity Device::*energy) { return (device.*energy).isSet(); }));
}

Term explainCores(const Device& device) {
    return coresOf<Term>(device);
}

Term explainDieArea(const Device& device) {
    return areaOf<Term>(device);
}

Term explainPower(Phase phase, const Device& device) {
    return powerOf<Term>(device, phase);
}

Device readDevice(const Json& json, const std::string& where) {
    JsonObject object(json, where);
    Device device;
    device.id = readId(object, "id");
    device.name = object.text("name");
    device.kind = static_cast<DeviceKind>(readName(object, "type", kKindNames));
    device.vendor = object.text("vendor", "");
    device.about = object.text("about", "");
    device.ports = readTexts(object, "ports");
    device.morePorts = readTexts(object, "more_ports");
    if (object.has("runtime"))
        device.runtime = readId(object, "runtime");
    if (object.has("kernels"))
        device.kernels = readId(object, "kernels");
    readFields(device, deviceFields(), object, readDefaultSource(object));
    object.finish();
    return device;
}

Json writeDevice(const Device& device) {
    Json json = {{"id", device.id}, {"name", device.name}, {"type", deviceKindName(device.kind)}};
    writeText(json, "vendor", device.vendor);
    writeText(json, "about", device.about);
    if (!device.ports.empty())
        json["ports"] = device.ports;
    if (!device.morePorts.empty())
        json["more_ports"] = device.morePorts;
    writeText(json, "runtime", device.runtime);
    writeText(json, "kernels", device.kernels);
    writeFields(device, deviceFields(), json);
    return json;
}

} // namespace heteroscape::engine
