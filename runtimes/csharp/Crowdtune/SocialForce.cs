using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>
    /// Helbing, Farkas, Vicsek, Nature 407, 487 (2000): drive, repulsion, body contact and sliding friction.
    /// </summary>
    public sealed class SocialForce : IModel
    {
        /// <summary>Constants of a group, with the keys of the preset.</summary>
        public sealed class Constants
        {
            public double RepulsionStrengthN;
            public double RepulsionRangeM;
            public bool WallRepulsion;
            public double WallRepulsionStrengthN;
            public double WallRepulsionRangeM;
            public double BodyStiffnessKgPerS2;
            public double SlidingFrictionKgPerMS;
            public double RelaxationTimeS;
            public double Anisotropy;
            public double NegligibleMPerS2;
        }

        /// <summary>A symmetric matrix of two rows.</summary>
        struct Block
        {
            public double XX, XY, YY;

            /// <summary>along n n^T + across t t^T, t the normal of n.</summary>
            public static Block Of(Vec2 n, double along, double across)
            {
                double nxx = n.X * n.X, nxy = n.X * n.Y, nyy = n.Y * n.Y;
                return new Block
                {
                    XX = along * nxx + across * nyy,
                    XY = (along - across) * nxy,
                    YY = along * nyy + across * nxx,
                };
            }

            public void Add(Block o)
            {
                XX += o.XX;
                XY += o.XY;
                YY += o.YY;
            }

            public Vec2 Times(Vec2 v) => new Vec2(XX * v.X + XY * v.Y, XY * v.X + YY * v.Y);

            public Block Inverse()
            {
                double per = 1.0 / (XX * YY - XY * XY);
                return new Block { XX = YY * per, XY = -XY * per, YY = XX * per };
            }
        }

        /// <summary>Two people in contact.</summary>
        struct Link
        {
            public int Row, Other;
            public Block Block;
        }

        readonly Constants[] groups;
        /// <summary>Mass of the lightest person, kg; says which repulsion is negligible.</summary>
        readonly double minMass;
        readonly List<int> around = new List<int>();
        readonly List<Contact> contacts = new List<Contact>();
        readonly List<Link> links = new List<Link>();
        /// <summary>By row: matrix, right side, and what solving needs.</summary>
        Block[] diagonal = new Block[0];
        Block[] inverse;
        Vec2[] right, residual, product, search;

        /// <summary>Constants by group, for people of at least this mass.</summary>
        public SocialForce(Constants[] groups, double minMass)
        {
            this.groups = groups;
            this.minMass = minMass;
        }

        public double Reach(List<Person> people)
        {
            double widest = 0.0, gap = 0.0;
            foreach (Person person in people)
            {
                widest = Math.Max(widest, person.Radius);
            }
            foreach (Constants c in groups)
            {
                gap = Math.Max(gap, Felt(c.RepulsionStrengthN, c.RepulsionRangeM, c.NegligibleMPerS2));
            }
            return 2.0 * widest + gap;
        }

        /// <summary>Gap between bodies beyond which a repulsion is negligible, m.</summary>
        double Felt(double strength, double range, double negligible) =>
            strength <= 0.0 ? 0.0 : Math.Max(range * Math.Log(strength / minMass / negligible), 0.0);

        /// <summary>Drive, friction, body force and walls are implicit: all velocities solve one set of equations.</summary>
        public void Steer(Place place, List<Person> people, Cells cells, double dt, Vec2[] next)
        {
            int n = people.Count;
            if (diagonal.Length < n)
            {
                diagonal = new Block[n];
                inverse = new Block[n];
                right = new Vec2[n];
                residual = new Vec2[n];
                product = new Vec2[n];
                search = new Vec2[n];
            }
            links.Clear();
            for (int i = 0; i < n; i++)
            {
                SetRow(place, people, cells, dt, i);
                next[i] = people[i].Vel;
            }
            Solve(next, n);
        }

        /// <summary>The equation of one person.</summary>
        void SetRow(Place place, List<Person> people, Cells cells, double dt, int i)
        {
            Person me = people[i];
            Constants c = groups[me.Group];
            double stiffness = groups[0].BodyStiffnessKgPerS2, friction = groups[0].SlidingFrictionKgPerMS;
            double feels = Felt(c.RepulsionStrengthN, c.RepulsionRangeM, c.NegligibleMPerS2);
            Vec2 force = Vec2.Zero, carried = Vec2.Zero;
            var block = new Block();
            cells.FindAround(me.Pos, around);
            foreach (int j in around)
            {
                Person other = people[j];
                Vec2 apart = place.Apart(other.Pos, me.Pos);
                double touch = me.Radius + other.Radius;
                double d = apart.Length;
                if (j == i || d > touch + feels)
                {
                    continue;
                }
                Vec2 n = d > 1e-9 ? apart * (1.0 / d) : Person.Parting(me.Id, other.Id);
                double seen = c.Anisotropy + (1.0 - c.Anisotropy) * 0.5 * (1.0 - n.Dot(me.Way));
                double push = c.RepulsionStrengthN * Math.Exp((touch - d) / c.RepulsionRangeM) * seen;
                if (d >= touch)
                {
                    force += n * push;
                    continue;
                }
                double overlap = touch - d;
                Block soft = Block.Of(n, dt * dt * push / c.RepulsionRangeM, 0.0);
                block.Add(soft);
                carried += soft.Times(other.Vel);
                force += n * (push + stiffness * overlap);
                links.Add(new Link
                {
                    Row = i,
                    Other = j,
                    Block = Block.Of(n, dt * dt * stiffness, dt * friction * overlap),
                });
            }
            double strength = c.WallRepulsion ? c.WallRepulsionStrengthN : 0.0, range = c.WallRepulsionRangeM;
            place.FindContacts(me.Pos, me.Radius + Felt(strength, range, c.NegligibleMPerS2), contacts);
            foreach (Contact wall in contacts)
            {
                double overlap = me.Radius - wall.Distance;
                double push = strength * Math.Exp(overlap / range);
                double along = dt * dt * push / range, across = 0.0;
                force += wall.Normal * push;
                if (overlap > 0.0)
                {
                    force += wall.Normal * (stiffness * overlap);
                    along += dt * dt * stiffness;
                    across = dt * friction * overlap;
                }
                block.Add(Block.Of(wall.Normal, along, across));
            }
            double speed = me.Walks ? me.Speed : 0.0;
            Vec2 moved = me.Vel + me.Way * (speed / c.RelaxationTimeS * dt);
            double inertia = me.Mass * (1.0 + dt / c.RelaxationTimeS);
            block.Add(new Block { XX = inertia, XY = 0.0, YY = inertia });
            diagonal[i] = block;
            right[i] = moved * me.Mass + force * dt + carried;
        }

        /// <summary>Solves for the velocities by conjugate gradients, from the old ones.</summary>
        void Solve(Vec2[] v, int n)
        {
            foreach (Link link in links)
            {
                diagonal[link.Row].Add(link.Block);
            }
            Multiply(v, n);
            double rho = 0.0;
            for (int i = 0; i < n; i++)
            {
                inverse[i] = diagonal[i].Inverse();
                residual[i] = right[i] - product[i];
                search[i] = inverse[i].Times(residual[i]);
                rho += residual[i].Dot(search[i]);
            }
            double stop = rho * 1e-26;
            for (int round = 0; round < 200 && rho > stop && rho > 1e-300; round++)
            {
                Multiply(search, n);
                double curvature = 0.0;
                for (int i = 0; i < n; i++)
                {
                    curvature += search[i].Dot(product[i]);
                }
                double alpha = rho / curvature;
                double next = 0.0;
                for (int i = 0; i < n; i++)
                {
                    v[i] += search[i] * alpha;
                    residual[i] -= product[i] * alpha;
                    product[i] = inverse[i].Times(residual[i]);
                    next += residual[i].Dot(product[i]);
                }
                double beta = next / rho;
                rho = next;
                for (int i = 0; i < n; i++)
                {
                    search[i] = product[i] + search[i] * beta;
                }
            }
        }

        void Multiply(Vec2[] v, int n)
        {
            for (int i = 0; i < n; i++)
            {
                product[i] = diagonal[i].Times(v[i]);
            }
            foreach (Link link in links)
            {
                product[link.Row] -= link.Block.Times(v[link.Other]);
            }
        }
    }
}
