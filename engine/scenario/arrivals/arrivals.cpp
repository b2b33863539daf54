// SPDX-License-Identifier: GPL-3.0-or-later
// The one place where kinds of arrivals are listed.
#include "engine/catalog/workload.h"
#include "engine/scenario/serving.h"

#include <limits>

namespace heteroscape::engine {

const ArrivalKind& steadyArrivals();
const ArrivalKind& backlogArrivals();
const ArrivalKind& poissonArrivals();
const ArrivalKind& traceArrivals();
const ArrivalKind& closedLoopArrivals();

Registry<ArrivalKind>& arrivalKinds() {
    static Registry<ArrivalKind> kinds(
        "kind of arrivals",
        {&steadyArrivals(), &backlogArrivals(), &poissonArrivals(), &traceArrivals(), &closedLoopArrivals()});
    return kinds;
}

const ArrivalKind* arrivalsNamed(std::string_view id) {
    return &arrivalKinds().at(id, "serving.arrivals");
}

std::vector<const ArrivalKind*> simulatedArrivals() {
    std::vector<const ArrivalKind*> kinds;
    for (const auto* kind : arrivalKinds().all())
        if (kind->isSimulated())
            kinds.push_back(kind);
    return kinds;
}

std::string simulatedArrivalsText() {
    const auto kinds = simulatedArrivals();
    return idsInWords(std::vector<const ServingKind*>(kinds.begin(), kinds.end()));
}

std::string idsInWords(std::span<const ServingKind* const> kinds) {
    std::string text;
    for (std::size_t i = 0; i < kinds.size(); ++i)
        text.append(i == 0 ? "" : i + 1 == kinds.size() ? " or " : ", ").append(kinds[i]->id());
    return text;
}

namespace {

class AllAtOnce final : public RequestSource {
public:
    using RequestSource::RequestSource;
    void next(Request&) override {}
};

} // namespace

double ArrivalKind::meanRate(const Serving&) const {
    return std::numeric_limits<double>::quiet_NaN();
}

std::unique_ptr<RequestSource> ArrivalKind::requests(const Serving& serving, const Workload&) const {
    return std::make_unique<AllAtOnce>(
        static_cast<std::uint64_t>(serving[kRequestsParameter.spec.key].value));
}

RequestLengths ArrivalKind::lengths(const Serving&, const Workload& workload) const {
    return {workload.promptTokens.value, workload.promptTokens.value,
            workload.promptTokens.value + workload.outputTokens.value};
}

} // namespace heteroscape::engine
