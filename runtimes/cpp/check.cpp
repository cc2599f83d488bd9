// Checks the runtime against crowdtune's test cases: `check FOLDER [--speed]`.
// g++ -O2 -std=c++17 -Wall -Wextra -Werror -ffp-contract=off check.cpp -o check && ./check ../cases

#include "crowdtune/load.hpp"

#include <algorithm>
#include <chrono>
#include <cstddef>
#include <cstdio>
#include <exception>
#include <filesystem>
#include <string>
#include <vector>

namespace {

constexpr double tolerance_m = 1e-9;

/// Largest distance to where people should be, m; infinite if they are others.
double error(const crowdtune::Crowd& crowd, const nlohmann::json& people) {
    if (people.size() != crowd.people.size()) {
        return crowdtune::infinity;
    }
    double worst = 0.0;
    for (std::size_t i = 0; i < people.size(); ++i) {
        const crowdtune::Person& person = crowd.people[i];
        const crowdtune::Vec2 at{people[i][1].get<double>(), people[i][2].get<double>()};
        if (people[i][0].get<std::size_t>() != person.id) {
            return crowdtune::infinity;
        }
        const double distance = (person.pos - at).length();
        // NaN is wrong too.
        worst = distance <= worst ? worst : distance;
    }
    return worst;
}

/// True if the case agrees.
bool check_case(const nlohmann::json& test) {
    crowdtune::Crowd crowd = crowdtune::load(test["preset"], test["place"]);
    double worst = 0.0;
    int steps = 0;
    for (const nlohmann::json& after : test["after"]) {
        for (; steps < after["steps"].get<int>(); ++steps) {
            crowd.step();
        }
        const double now = error(crowd, after["people"]);
        worst = now <= worst ? worst : now;
    }
    const bool ok = worst <= tolerance_m;
    std::printf("%s  %.1e m  %s\n", test["name"].get<std::string>().c_str(), worst, ok ? "ok" : "WRONG");
    return ok;
}

void measure(const nlohmann::json& test) {
    using Clock = std::chrono::steady_clock;
    const crowdtune::Crowd start = crowdtune::load(test["preset"], test["place"]);
    double seconds = 0.0;
    std::size_t steps_of_people = 0;
    while (seconds < 2.0) {
        crowdtune::Crowd crowd = start;
        const auto begin = Clock::now();
        for (int step = 0; step < 300; ++step) {
            steps_of_people += crowd.people.size();
            crowd.step();
        }
        seconds += std::chrono::duration<double>(Clock::now() - begin).count();
    }
    std::printf("%s  %.0f agent-steps/s\n", test["name"].get<std::string>().c_str(),
                static_cast<double>(steps_of_people) / seconds);
}

int run(const std::string& folder, bool speed) {
    std::vector<std::string> files;
    for (const auto& file : std::filesystem::directory_iterator(folder)) {
        if (file.path().extension() == ".json") {
            files.push_back(file.path().string());
        }
    }
    std::sort(files.begin(), files.end());
    if (files.empty()) {
        std::fprintf(stderr, "%s has no case files\n", folder.c_str());
        return 1;
    }
    bool ok = true;
    for (const std::string& file : files) {
        ok = check_case(crowdtune::read(file)) && ok;
    }
    if (speed) {
        // One case a model.
        for (const char* name : {"orca_room", "five_force_room", "social_force_jam"}) {
            measure(crowdtune::read(folder + "/" + name + ".json"));
        }
    }
    return ok ? 0 : 1;
}

} // namespace

int main(int count, char** words) {
    const bool speed = count == 3 && std::string(words[2]) == "--speed";
    if (count != 2 && !speed) {
        std::fprintf(stderr, "check FOLDER [--speed]\n");
        return 2;
    }
    try {
        return run(words[1], speed);
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
}
