// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/evaluation/metric.h"
#include "engine/scenario/scenario.h"

#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// What served systems are told apart by where it is asked how far predictions are off.
struct ServedCase {
    std::string server;           ///< id: "vllm"
    std::string_view kind;        ///< of the model: kindOf()
    std::string_view regime;      ///< one of servedRegimes()
    bool older = false;           ///< software of another age than the server's constants
    std::string_view crowd;       ///< users or requests at once: one of servedCrowds(); empty: not known
    std::string_view stepPrompts; ///< prompt tokens a step, users x prompt / answer: one of
                                  ///< servedStepPrompts(); empty: not known
};

/// "at_once": a batch, a backlog; "users": lengths that differ; "users_fixed": equal lengths; "apart":
/// prompts are prefilled apart; "speculating".
std::span<const std::string_view> servedRegimes();
std::span<const std::string_view> servedCrowds();      ///< "to 8", "to 64", "over 64"
std::span<const std::string_view> servedStepPrompts(); ///< "to 64", "to 512", "over 512"

/// Who ask at the same time: users, the requests of a backlog, a batch; NaN: not known.
double askedAtOnce(const Scenario& scenario);

/// None where no accelerator has a server.
std::optional<ServedCase> servedCaseOf(const Scenario& scenario);
/// Of a design with a server that stands for software of a date.
ServedCase servedCaseOf(const Scenario& served, std::string_view date);

std::string_view ageName(bool older); ///< "current", "older"

/// Whether software of `date` ("2025-03", a day after it is not read) is of another age than constants of
/// `constants`: by more than nine months.
bool isOlder(std::string_view date, std::string_view constants);

/// What a system is measured in.
enum class SystemQuantity { Prompts, Tokens, Rates, Energy, Money };
std::string_view systemQuantityName(SystemQuantity quantity); ///< "prompts", "tokens", ...
/// Throws Error for another name; "power" is energy.
SystemQuantity systemQuantityNamed(std::string_view name);
std::optional<SystemQuantity> systemQuantityOf(Metric metric); ///< none: no whole system was measured in it

/// Of predictions of whole systems by constants that had not seen them: half of the measured values lay
/// within a factor of 1 + half of the prediction, either way, 80 % within 1 + most.
struct SystemError {
    double half = 0.0;
    double most = 0.0;

    bool holdsHalf(double predicted, double measured) const { return within(predicted, measured, half); }
    bool holdsMost(double predicted, double measured) const { return within(predicted, measured, most); }

private:
    static bool within(double predicted, double measured, double width) {
        return measured <= predicted * (1.0 + width) && predicted <= measured * (1.0 + width);
    }
};

/// The table of presets/servers/system_errors.csv, which packaging/fit_servers.py makes.
class SystemErrors {
public:
    /// Throws Error naming file and line.
    explicit SystemErrors(const std::string& path);
    /// That of this installation, read when it is first asked for.
    static const SystemErrors& shipped();

    /// ln(1 + half) is that of any case times a factor for each thing that the case has and that was
    /// measured (its kind, its kind and age, regime, crowd, prompts a step, server), and so is ln(1 + most),
    /// which is 1.2 times the other at least. Money: of rates, and of prices.
    SystemError of(const ServedCase& served, SystemQuantity quantity) const;
    SystemError ofPrices() const; ///< what prices are off by, without rates

private:
    struct Factor {
        std::string quantity;
        std::string of, level; ///< empty: of any case, as ln(1 + width)
        double half, most;
    };
    std::vector<Factor> m_factors;

    SystemError find(const ServedCase& served, std::string_view quantity) const;
};

} // namespace heteroscape::engine
