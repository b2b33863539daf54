// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <memory>
#include <type_traits>
#include <utility>

namespace heteroscape::engine {

/// A value that nobody changes any more: copies share it, so they cost nothing however large it is. Compares
/// as the value does. May be read by several threads.
template <class Value>
class Shared {
public:
    Shared() : m_value(plain()) {}
    explicit Shared(std::shared_ptr<const Value> value) : m_value(std::move(value)) {} ///< not null
    /// Stands for the value, both ways. (No concepts: moc cannot read their header.)
    template <class From = Value, class = std::enable_if_t<std::is_convertible_v<From&&, Value> &&
                                                           !std::is_same_v<std::decay_t<From>, Shared>>>
    Shared(From&& value) : m_value(std::make_shared<const Value>(std::forward<From>(value))) {}
    operator const Value&() const { return *m_value; }
    const Value& operator*() const { return *m_value; }
    const Value* operator->() const { return m_value.get(); }
    /// Becomes a changed copy; whoever else holds the value keeps it.
    template <class Change>
    void change(const Change& change) {
        auto copy = *m_value;
        change(copy);
        *this = Shared(std::move(copy));
    }
    bool operator==(const Value& other) const { return *m_value == other; }
    bool operator==(const Shared& other) const {
        return m_value == other.m_value || *m_value == *other.m_value;
    }

private:
    std::shared_ptr<const Value> m_value; ///< not null

    static const std::shared_ptr<const Value>& plain() {
        static const auto value = std::make_shared<const Value>();
        return value;
    }
};

} // namespace heteroscape::engine
