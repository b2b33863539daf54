// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/application.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>
#include <vector>

namespace heteroscape::widgets {

/// The program with windows, watched: times every event on the UI thread that is not part of another, and
/// remembers for those that take longer than allowed how long, how much of that was work of this thread (the
/// rest is waiting, for a disk or for its turn on a busy machine), how late a thread came meanwhile that does
/// nothing but sleep (what the machine itself stood still), and where it worked: the functions that were on
/// the stack in most of the looks taken at it. Work is what counts: it is the same on a busy machine. One at
/// a time.
class EventWatch : public Application {
public:
    EventWatch(int& argc, char** argv, double allowedMs);
    ~EventWatch() override;

    bool notify(QObject* receiver, QEvent* event) override;

    /// Times what is not an event, or is a part of one, as if it were one. `work` returns its name.
    template <class Work>
    void act(Work work) {
        const auto span = begin();
        end(span, work());
    }

    /// The kinds of events that took longer than allowed, those with most work first.
    void print() const;
    bool isKept() const; ///< none worked longer

private:
    static constexpr int kFrames = 64, kLooks = 64;
    /// The frames on the stack at one moment of an event.
    struct Look {
        std::array<void*, kFrames> frames{};
        int count = 0;
    };
    struct Kind {
        int times = 0, tooLong = 0;                ///< over what is allowed: by the clock, by work
        double longest = 0, worked = 0, stood = 0; ///< ms; `stood`: of the longest
        std::vector<Look> looks;                   ///< at the one with most work
    };

    struct Span {
        bool isEvent = false; ///< and not a part of one
        std::int64_t began = 0;
        double worked = 0;
    };
    Span begin();
    void end(const Span& span, const std::string& name);
    std::int64_t overslept() const; ///< ns, by the watcher until now
    static void look(int);          ///< the signal's handler: keeps the stack

    const double m_allowedMs;
    unsigned long long m_events = 0;
    double m_longestWork = 0; ///< ms
    std::map<std::string, Kind> m_long;

    std::atomic<std::int64_t> m_began{0}; ///< ns; 0: no event is under way
    std::atomic<std::int64_t> m_slept{0}; ///< when the watcher went to sleep
    std::atomic<std::int64_t> m_late{0};  ///< ns that it overslept since the event began, at most
    std::array<Look, kLooks> m_looks{};   ///< at the event under way
    std::atomic<std::size_t> m_looked{0}; ///< how many
    std::jthread m_watcher;
};

} // namespace heteroscape::widgets
