// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <pybind11/pybind11.h>

#include <chrono>
#include <future>
#include <optional>
#include <stop_token>
#include <thread>
#include <type_traits>
#include <utility>

namespace heteroscape::python {

/// Does work(stop_token) on a thread of its own, without Python's lock: other threads of Python go on. A
/// signal whose handler raises (Ctrl+C) asks it to stop; when it has, what was raised goes on, and what the
/// work came to is dropped. Signals are looked at every 20 ms, by the main thread alone, as Python has it.
template <class Work>
auto interruptible(Work work) {
    namespace py = pybind11;
    using Answer = std::invoke_result_t<Work, std::stop_token>;
    std::stop_source stop;
    std::packaged_task<Answer()> task([&] { return work(stop.get_token()); });
    auto answer = task.get_future();
    std::optional<py::error_already_set> raised;
    {
        const py::gil_scoped_release released;
        const std::jthread thread(std::move(task));
        while (answer.wait_for(std::chrono::milliseconds(20)) != std::future_status::ready) {
            if (stop.stop_requested())
                continue;
            const py::gil_scoped_acquire held;
            if (PyErr_CheckSignals() != 0) {
                raised.emplace();
                stop.request_stop();
            }
        }
    }
    if (raised)
        throw *raised;
    return answer.get();
}

} // namespace heteroscape::python
