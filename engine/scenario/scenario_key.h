// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/kind.h"
#include "engine/scenario/scenario.h"

#include <algorithm>
#include <array>
#include <bit>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// The key of a design for people: 32 hexadecimal digits, in the order of its bytes.
std::string keyText(const ScenarioKey& key);

/// appendStepBytes() of one replica on one node, where its steps read nothing of others but the
/// types of its links: these are told apart by name as well.
void appendNodeStepBytes(const Scenario& scenario, const Node& node, std::string& out);
void appendLinkTypeBytes(const LinkType& type, std::string& out);

// A key says what is set in a design, by name: (name, value) of every quantity that is set, enums and kinds
// by their names, switches where they are not as they are by default. So a property that is new, and not set,
// leaves the keys of stored points alone, and one that is set can never be taken for another. Names, words,
// positions and sources do not count; how requests come in counts where they are simulated.
//
// A name stands in the bytes as its hash of 64 bits, made once. Rows of a table are sorted by it: they may
// change places in their table. What is left out because it is as by default must stay the default, or
// kEquationsVersion is raised.

// What appendCanonicalBytes() is made of:

std::uint64_t nameHash(std::string_view name);

/// A name and what it has: the bits of a number, or the hash of another name.
struct KeyEntry {
    std::uint64_t name;
    std::uint64_t value;

    static KeyEntry number(std::uint64_t name, double value) {
        return {name, std::bit_cast<std::uint64_t>(value == 0.0 ? 0.0 : value)}; // -0 is 0
    }
};
void appendEntries(std::string& out, std::span<const KeyEntry> entries);

/// Entries on their way into the bytes, some at a time: most of a key's time is appending.
class KeyEntries {
public:
    explicit KeyEntries(std::string& out) : m_out(out) {}
    ~KeyEntries() { flush(); }
    KeyEntries(const KeyEntries&) = delete;
    KeyEntries& operator=(const KeyEntries&) = delete;

    void add(const KeyEntry& entry) {
        if (m_count == m_entries.size())
            flush();
        m_entries[m_count++] = entry;
    }

private:
    void flush() {
        appendEntries(m_out, std::span(m_entries).first(m_count));
        m_count = 0;
    }

    std::string& m_out;
    std::array<KeyEntry, 32> m_entries; // not initialised: only what was added is read
    std::size_t m_count = 0;
};

/// The rows of a table as they stand in keys.
template <class T>
class FieldKeys {
public:
    explicit FieldKeys(std::span<const Field<T>> fields) {
        for (const auto& field : fields)
            m_rows.push_back({nameHash(field.spec.key), field.member});
        std::sort(m_rows.begin(), m_rows.end(), [](const Row& a, const Row& b) { return a.name < b.name; });
    }

    /// Appends the quantities of `object` that are set.
    void append(std::string& out, const T& object) const {
        KeyEntries entries(out);
        for (const auto& row : m_rows)
            if (const auto& quantity = object.*row.member; quantity.isSet())
                entries.add(KeyEntry::number(row.name, quantity.value));
    }

private:
    struct Row {
        std::uint64_t name;
        Quantity T::*member;
    };
    std::vector<Row> m_rows;
};

/// Appends a kind and its settings in a design: `what` it is ("prefill_timing") with its id, the quantities
/// that are set, the options that differ from their initial value. Of a kind that is `off` only what differs
/// from its initial value, and nothing where nothing does: so another kind that nobody switched on is in no
/// key.
void appendSettings(std::string& out, const Kind& kind, const Settings& settings,
                    std::string_view what = "kind", bool off = false);

} // namespace heteroscape::engine
