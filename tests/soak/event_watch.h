// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "widgets/window/application.h"

#include <array>
#include <atomic>
#include <cstdint>
#include <map>
#include <string>
#include <thread>

namespace heteroscape::widgets {

/// The program with windows, watched: times every event on the UI thread that is not part of another, and
/// remembers for those that take longer than allowed how long, how much of that was work of this thread (the
/// rest is waiting, for a disk or for its turn on a busy machine), how late a thread came meanwhile that does
/// nothing but sleep (what the machine itself stood still), and where it was when the time was up. One at a
/// time.
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

    /// The kinds of events that took longer than allowed, the longest first.
    void print() const;
    bool isKept() const { return m_long.empty(); } ///< none took longer

private:
    static constexpr int kFrames = 48;
    struct Kind {
        int times = 0;
        double longest = 0, mostWorked = 0, stood = 0; ///< ms; `stood`: of the longest
        std::array<void*, kFrames> where{};            ///< of the longest: the frames on the stack
        int frames = 0;
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
    std::map<std::string, Kind> m_long;

    std::atomic<std::int64_t> m_began{0}; ///< ns; 0: no event is under way
    std::atomic<std::int64_t> m_seen{0};  ///< when the stack was kept
    std::atomic<std::int64_t> m_slept{0}; ///< when the watcher went to sleep
    std::atomic<std::int64_t> m_late{0};  ///< ns that it overslept since the event began, at most
    std::array<void*, kFrames> m_stack{};
    std::atomic<int> m_stackFrames{0};
    std::jthread m_watcher;
};

} // namespace heteroscape::widgets
