// SPDX-License-Identifier: GPL-3.0-or-later
#include "engine/timing/collective.h"

#include "engine/units/number_text.h"

namespace heteroscape::engine {

double Collective::trafficFactor() const {
    if (devices <= 1.0)
        return 0.0;
    return convention == AllReduceConvention::Ring ? 2.0 * (devices - 1.0) / devices : 1.0;
}

double Collective::allReduceSeconds(double payloadBytes) const {
    return devices <= 1.0 ? 0.0 : latency + trafficFactor() * payloadBytes / bandwidth;
}

double Collective::transferSeconds(double payloadBytes) const {
    return devices <= 1.0 ? 0.0 : trafficFactor() * payloadBytes / bandwidth;
}

Term Collective::quantity(Quantity LinkType::*member, std::string name, double value, Measure measure) const {
    return link ? Numbers<Term>::quantity(linkTypeFields, *link, member)
                : Term::counted(std::move(name), value, measure, "of the network");
}

Term Collective::explainTransfer(const Term& payloadBytes) const {
    if (devices <= 1.0)
        return {};
    const auto factor =
        Term::counted("Times the payload is sent", trafficFactor(), measures::count,
                      std::string(allReduceConventionNames()[static_cast<std::size_t>(convention)]) +
                          " allreduce over " + plainText(devices) + " devices");
    const auto sent = (factor * payloadBytes).named("Bytes sent", measures::megabytes);
    return (sent / quantity(&LinkType::bandwidth, "Bandwidth", bandwidth, measures::byteRate))
        .named("Transfer", measures::microseconds);
}

Term Collective::explain(const Term& payloadBytes) const {
    if (devices <= 1.0)
        return {};
    return quantity(&LinkType::latency, "Latency", latency, measures::microseconds) +
           explainTransfer(payloadBytes);
}

} // namespace heteroscape::engine
