// Walks the crowd of a place and writes its tracks as PedPy reads them: `walk [PLACE.json [SECONDS]]`.

#include "crowdtune/load.hpp"

#include <cstddef>
#include <cstdio>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <iomanip>
#include <stdexcept>
#include <string>

namespace {

void walk(const std::string& place, double seconds) {
    crowdtune::Crowd crowd = crowdtune::load(crowdtune::read("preset.json"), crowdtune::read(place));
    const std::size_t all = crowd.people.size();
    std::ofstream tracks("tracks.txt");
    tracks << std::setprecision(10) << "# framerate: " << 1.0 / crowd.dt << " fps\n# x/y/z in m\n# id frame x y z\n";
    tracks << std::fixed << std::setprecision(4);
    for (int frame = 0; crowd.time_s() < seconds && !crowd.people.empty(); ++frame) {
        for (const crowdtune::Person& person : crowd.people) {
            tracks << person.id << ' ' << frame << ' ' << person.pos.x << ' ' << person.pos.y << " 0.0\n";
        }
        crowd.step();
    }
    tracks.close();
    if (!tracks) {
        throw std::runtime_error("cannot write tracks.txt in this folder");
    }
    const std::size_t left = all - crowd.people.size();
    std::printf("%zu of %zu people left within %.1f s; tracks.txt has everybody's way\n", left, all, crowd.time_s());
}

} // namespace

int main(int count, char** words) {
    char* end = nullptr;
    const double seconds = count > 2 ? std::strtod(words[2], &end) : 60.0;
    if (count > 3 || (count > 2 && (end == words[2] || *end != '\0'))) {
        std::fprintf(stderr, "walk [PLACE.json [SECONDS]]\n");
        return 2;
    }
    try {
        walk(count > 1 ? words[1] : "place.json", seconds);
        return 0;
    } catch (const std::exception& problem) {
        std::fprintf(stderr, "%s\n", problem.what());
        return 1;
    }
}
