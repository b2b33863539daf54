// SPDX-License-Identifier: GPL-3.0-or-later
#pragma once

#include "engine/servers/served_plan.h"

#include <string>
#include <vector>

namespace heteroscape::engine {

/// What starts the servers of a design, for a shell: a line for each copy of the model on each node, with its
/// layout, formats, limits and speculation, behind comments that say what it runs on and what no option says.
/// Throws Error (InvalidInput) naming a node that works without a server.
std::string launchScript(const Scenario& design, const Catalog& catalog);

/// The same as a manifest for Kubernetes: a deployment and a service for each node. Throws also where a copy
/// needs several machines.
std::string launchManifest(const Scenario& design, const Catalog& catalog);

/// What launch lines do not say.
struct LaunchSurroundings {
    std::string device = "h100-sxm"; ///< of the catalogue
    std::string model;               ///< a preset's id, in place of the one that the lines name; empty: that
    double users = 64, prompt = 1024, output = 1024;
};

/// The design of what lines of a shell start: each copy's layout, formats and limits, in a closed loop of
/// users. Lines that are alike are copies; lines of prompts and of decodes alone are disaggregated.
/// `leftAside`: what they say that a design does not have. Throws Error naming the line: software, model or
/// device that is not known, numbers that do not fit.
Scenario launchedDesign(const GpuServers& servers, const std::string& text, const std::string& where,
                        const LaunchSurroundings& surroundings, std::vector<std::string>& leftAside);

} // namespace heteroscape::engine
