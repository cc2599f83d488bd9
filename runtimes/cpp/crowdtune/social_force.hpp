// Helbing, Farkas, Vicsek, Nature 407, 487 (2000): drive, repulsion, body contact and sliding friction.
#pragma once

#include "people.hpp"

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <utility>
#include <vector>

namespace crowdtune {

/// The model.
class SocialForce {
public:
    /// Constants of a group, with the keys of the preset.
    struct Constants {
        double repulsion_strength_n = 0.0;
        double repulsion_range_m = 0.0;
        bool wall_repulsion = false;
        double wall_repulsion_strength_n = 0.0;
        double wall_repulsion_range_m = 0.0;
        double body_stiffness_kg_per_s2 = 0.0;
        double sliding_friction_kg_per_m_s = 0.0;
        double relaxation_time_s = 0.0;
        double anisotropy = 0.0;
        double negligible_m_per_s2 = 0.0;
    };

    /// Constants by group, for people of at least this mass, kg.
    SocialForce(std::vector<Constants> groups, double min_mass) : groups_(std::move(groups)), min_mass_(min_mass) {}

    /// How far people feel each other, m.
    double reach(const std::vector<Person>& people) const {
        double widest = 0.0, gap = 0.0;
        for (const Person& person : people) {
            widest = std::max(widest, person.radius);
        }
        for (const Constants& c : groups_) {
            gap = std::max(gap, felt(c.repulsion_strength_n, c.repulsion_range_m, c.negligible_m_per_s2));
        }
        return 2.0 * widest + gap;
    }

    /// Velocities of the next step: drive, friction, body force and walls are implicit.
    void steer(const Place& place, const std::vector<Person>& people, const Cells& cells, double dt,
               std::vector<Vec2>& next) {
        links_.clear();
        diagonal_.clear();
        right_.clear();
        for (std::size_t i = 0; i < people.size(); ++i) {
            row(place, people, cells, dt, i);
            next[i] = people[i].vel;
        }
        solve(next);
    }

private:
    /// A symmetric matrix of two rows.
    struct Block {
        double xx = 0.0;
        double xy = 0.0;
        double yy = 0.0;

        /// `along` n n^T + `across` t t^T, t the normal of n.
        static Block of(Vec2 n, double along, double across) {
            const double nxx = n.x * n.x, nxy = n.x * n.y, nyy = n.y * n.y;
            return {along * nxx + across * nyy, (along - across) * nxy, along * nyy + across * nxx};
        }

        void add(const Block& o) {
            xx += o.xx;
            xy += o.xy;
            yy += o.yy;
        }

        Vec2 times(Vec2 v) const { return {xx * v.x + xy * v.y, xy * v.x + yy * v.y}; }

        Block inverse() const {
            const double per = 1.0 / (xx * yy - xy * xy);
            return {yy * per, -xy * per, xx * per};
        }
    };

    /// Two people in contact.
    struct Link {
        std::size_t row;
        std::size_t other;
        Block block;
    };

    /// Gap between bodies beyond which a repulsion is negligible, m.
    double felt(double strength, double range, double negligible) const {
        return strength <= 0.0 ? 0.0 : std::max(0.0, range * std::log(strength / min_mass_ / negligible));
    }

    /// The equation of one person.
    void row(const Place& place, const std::vector<Person>& people, const Cells& cells, double dt, std::size_t i) {
        const Person& me = people[i];
        const Constants& c = groups_[me.group];
        const double stiffness = groups_[0].body_stiffness_kg_per_s2;
        const double friction = groups_[0].sliding_friction_kg_per_m_s;
        const double feels = felt(c.repulsion_strength_n, c.repulsion_range_m, c.negligible_m_per_s2);
        Vec2 force, carried;
        Block block;
        cells.around(me.pos, [&](std::size_t j) {
            const Person& other = people[j];
            const Vec2 apart = place.apart(other.pos, me.pos);
            const double touch = me.radius + other.radius, d = apart.length();
            if (j == i || d > touch + feels) {
                return;
            }
            const Vec2 n = d > 1e-9 ? apart * (1.0 / d) : parting(me.id, other.id);
            const double seen = c.anisotropy + (1.0 - c.anisotropy) * 0.5 * (1.0 - n.dot(me.way));
            const double push = c.repulsion_strength_n * std::exp((touch - d) / c.repulsion_range_m) * seen;
            if (d >= touch) {
                force += n * push;
                return;
            }
            const double overlap = touch - d;
            const Block soft = Block::of(n, dt * dt * push / c.repulsion_range_m, 0.0);
            block.add(soft);
            carried += soft.times(other.vel);
            force += n * (push + stiffness * overlap);
            links_.push_back({i, j, Block::of(n, dt * dt * stiffness, dt * friction * overlap)});
        });
        const double strength = c.wall_repulsion ? c.wall_repulsion_strength_n : 0.0;
        const double range = c.wall_repulsion_range_m;
        const double wall_reach = me.radius + felt(strength, range, c.negligible_m_per_s2);
        place.contacts(me.pos, wall_reach, [&](const Contact& wall) {
            const double overlap = me.radius - wall.distance;
            const double push = strength * std::exp(overlap / range);
            double along = dt * dt * push / range, across = 0.0;
            force += wall.normal * push;
            if (overlap > 0.0) {
                force += wall.normal * (stiffness * overlap);
                along += dt * dt * stiffness;
                across = dt * friction * overlap;
            }
            block.add(Block::of(wall.normal, along, across));
        });
        const double speed = me.walks ? me.speed : 0.0;
        const Vec2 moved = me.vel + me.way * (speed / c.relaxation_time_s * dt);
        const double inertia = me.mass * (1.0 + dt / c.relaxation_time_s);
        block.add({inertia, 0.0, inertia});
        diagonal_.push_back(block);
        right_.push_back(moved * me.mass + force * dt + carried);
    }

    /// Solves for the velocities by conjugate gradients, from the old ones.
    void solve(std::vector<Vec2>& v) {
        const std::size_t n = v.size();
        for (const Link& link : links_) {
            diagonal_[link.row].add(link.block);
        }
        inverse_.clear();
        for (const Block& block : diagonal_) {
            inverse_.push_back(block.inverse());
        }
        residual_.resize(n);
        product_.resize(n);
        search_.resize(n);
        multiply(v);
        double rho = 0.0;
        for (std::size_t i = 0; i < n; ++i) {
            residual_[i] = right_[i] - product_[i];
            search_[i] = inverse_[i].times(residual_[i]);
            rho += residual_[i].dot(search_[i]);
        }
        const double stop = rho * 1e-26;
        for (int round = 0; round < 200 && rho > stop && rho > 1e-300; ++round) {
            multiply(search_);
            double curvature = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                curvature += search_[i].dot(product_[i]);
            }
            const double alpha = rho / curvature;
            double next = 0.0;
            for (std::size_t i = 0; i < n; ++i) {
                v[i] += search_[i] * alpha;
                residual_[i] -= product_[i] * alpha;
                product_[i] = inverse_[i].times(residual_[i]);
                next += residual_[i].dot(product_[i]);
            }
            const double beta = next / rho;
            rho = next;
            for (std::size_t i = 0; i < n; ++i) {
                search_[i] = product_[i] + search_[i] * beta;
            }
        }
    }

    /// The matrix times `v`.
    void multiply(const std::vector<Vec2>& v) {
        for (std::size_t i = 0; i < v.size(); ++i) {
            product_[i] = diagonal_[i].times(v[i]);
        }
        for (const Link& link : links_) {
            product_[link.row] -= link.block.times(v[link.other]);
        }
    }

    std::vector<Constants> groups_;
    double min_mass_; ///< Mass of the lightest person, kg; says which repulsion is negligible.
    std::vector<Link> links_;
    // By row: matrix, right side, and what solving needs.
    std::vector<Block> diagonal_;
    std::vector<Block> inverse_;
    std::vector<Vec2> right_;
    std::vector<Vec2> residual_;
    std::vector<Vec2> product_;
    std::vector<Vec2> search_;
};

} // namespace crowdtune
