// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include <algorithm>
#include <cstddef>
#include <memory>
#include <new>
#include <span>
#include <type_traits>

namespace heteroscape::engine {

/// A list of plain values that allocates nothing up to `Inline` of them, and copies only those that it has.
template <class T, std::size_t Inline>
class SmallList {
    static_assert(std::is_trivially_copyable_v<T> && std::is_trivially_destructible_v<T>);

public:
    SmallList() = default;
    SmallList(const SmallList& other) { assign(other); }
    SmallList& operator=(const SmallList& other) {
        if (this != &other)
            assign(other);
        return *this;
    }
    ~SmallList() = default;

    T& add(const T& value = {}) {
        if (m_size == m_capacity)
            grow(2 * m_capacity);
        return *::new (data() + m_size++) T(value);
    }

    std::size_t size() const { return m_size; }
    T& operator[](std::size_t i) { return data()[i]; }
    const T& operator[](std::size_t i) const { return data()[i]; }
    std::span<T> span() { return {data(), m_size}; }
    std::span<const T> span() const { return {data(), m_size}; }

private:
    std::unique_ptr<std::byte[]> m_more; // these three lie beside the first values: one line of a cache
    std::size_t m_size = 0;
    std::size_t m_capacity = Inline;
    alignas(T) std::byte m_inline[Inline * sizeof(T)]; // not initialised: only what was added is read

    T* data() { return reinterpret_cast<T*>(m_more ? m_more.get() : m_inline); }
    const T* data() const { return reinterpret_cast<const T*>(m_more ? m_more.get() : m_inline); }
    void grow(std::size_t capacity) {
        static_assert(alignof(T) <= __STDCPP_DEFAULT_NEW_ALIGNMENT__);
        auto more = std::make_unique_for_overwrite<std::byte[]>(capacity * sizeof(T));
        std::uninitialized_copy_n(data(), m_size, reinterpret_cast<T*>(more.get()));
        m_more = std::move(more);
        m_capacity = capacity;
    }
    void assign(const SmallList& other) {
        m_size = 0;
        if (other.m_size > m_capacity)
            grow(other.m_size);
        std::uninitialized_copy_n(other.data(), other.m_size, data());
        m_size = other.m_size;
    }
};

} // namespace heteroscape::engine
