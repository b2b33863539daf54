// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/catalog/field.h"
#include "engine/catalog/named.h"

#include <cstdint>
#include <limits>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace heteroscape::engine {

/// One number that a kind is told: what is known of it, and the value that a new design starts with.
struct KindParameter {
    FieldSpec spec;
    double initial = std::numeric_limits<double>::quiet_NaN(); ///< SI; NaN: not set
};

/// A switch within a kind.
struct KindOption {
    std::string_view key; ///< last step of its path: "weights"
    std::string_view label;
    std::string_view about;
    bool initial = true;
};

/// What the project has more than one of and will have more of next year: timing models, techniques,
/// arrivals, ways to batch. A kind is one object in a file of its own, listed once in its Registry; it says
/// its names and parameters, from which JSON, parameter paths, sweeps, `show`, the inspector and keys of
/// points follow. Kinds are immutable, live as long as the program and are compared by address.
class Kind {
public:
    Kind(std::string_view id, std::string_view label, std::string_view about)
        : m_id(id), m_label(label), m_about(about) {}
    Kind(const Kind&) = delete;
    Kind& operator=(const Kind&) = delete;
    virtual ~Kind() = default;

    std::string_view id() const { return m_id; }       ///< "load_merging": in JSON, paths and keys
    std::string_view label() const { return m_label; } ///< "Load merging"
    std::string_view about() const { return m_about; } ///< one or two sentences
    virtual std::span<const KindParameter> parameters() const { return {}; }
    virtual std::span<const KindOption> options() const { return {}; } ///< at most 32

    /// Index of a parameter by its key; -1 when there is none.
    int indexOf(std::string_view key) const;

    /// Its place in the registry that lists it: what designs hold of every kind is found by it.
    std::size_t position() const { return m_position; }

private:
    template <class K>
    friend class Registry;

    std::string_view m_id;
    std::string_view m_label;
    std::string_view m_about;
    mutable std::size_t m_position = 0; ///< set once, by the registry
};

/// The values of a kind's parameters and switches in a design, parallel to its tables.
class Settings {
public:
    Settings() = default;
    explicit Settings(const Kind& kind); ///< its initial values

    Quantity& quantity(std::size_t parameter) { return m_quantities[parameter]; }
    const Quantity& quantity(std::size_t parameter) const { return m_quantities[parameter]; }
    double operator[](std::size_t parameter) const {
        return m_quantities[parameter].value;
    } ///< SI; NaN: not set
    std::size_t size() const { return m_quantities.size(); }

    bool isOn(std::size_t option) const { return (m_options >> option & 1U) != 0; }
    void switchOn(std::size_t option, bool on);

    bool operator==(const Settings&) const = default;

private:
    std::vector<Quantity> m_quantities;
    std::uint32_t m_options = 0;
};

/// Reads and writes settings as members of `object` under the parameters' and options' keys; what is absent
/// keeps its initial value, or throws where the parameter is required and has none.
void readSettings(const Kind& kind, Settings& settings, JsonObject& object, const Quantity& defaults);
void writeSettings(const Kind& kind, const Settings& settings, Json& object);

[[noreturn]] void throwUnknownKind(std::string_view id, std::string_view what, std::string_view known,
                                   const std::string& where);

/// All kinds of one sort, in their order. The built-in ones are listed where the registry is defined; others
/// are added before the first design is read (see Registered), not later.
template <class K>
class Registry {
public:
    /// `what` they are, for errors: "timing model".
    Registry(std::string_view what, std::initializer_list<const K*> builtIn) : m_what(what) {
        for (const auto* kind : builtIn)
            add(*kind);
    }

    std::span<const K* const> all() const { return m_all; }
    std::size_t size() const { return m_all.size(); }
    const K* find(std::string_view id) const {
        for (const auto* kind : m_all)
            if (kind->id() == currentName(id))
                return kind;
        return nullptr;
    }
    /// Throws Error (InvalidInput) at `where`, naming those that there are.
    const K& at(std::string_view id, const std::string& where) const {
        if (const auto* kind = find(id))
            return *kind;
        std::string known;
        for (const auto* kind : m_all)
            known.append(known.empty() ? "" : ", ").append(kind->id());
        throwUnknownKind(id, m_what, known, where);
    }
    void add(const K& kind) {
        kind.m_position = m_all.size();
        m_all.push_back(&kind);
    }
    /// Adds a kind, or puts it in the place of the one of its id: what holds that one keeps it. Only of kinds
    /// of which no design holds a value each, and not while another thread reads designs.
    void put(const K& kind) {
        const auto* there = find(kind.id());
        if (!there)
            return add(kind);
        kind.m_position = there->m_position;
        m_all[kind.m_position] = &kind;
    }

private:
    std::string_view m_what;
    std::vector<const K*> m_all;
};

/// Adds a kind from a file that nobody else names:
///   static const Registered<TimingModel> registered(timingModels(), toy);
template <class K>
struct Registered {
    Registered(Registry<K>& registry, const K& kind) { registry.add(kind); }
};

} // namespace heteroscape::engine
