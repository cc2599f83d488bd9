using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>A straight wall without thickness.</summary>
    public sealed class Wall
    {
        public readonly Vec2 A;
        public readonly Vec2 B;
        internal readonly Vec2 Along;
        internal readonly double Length;
        internal Corner CornerA;
        internal Corner CornerB;

        internal Wall(Vec2 a, Vec2 b)
        {
            A = a;
            B = b;
            Length = (b - a).Length;
            Along = (b - a) * (1.0 / Length);
        }
    }

    /// <summary>Where the ends of walls meet.</summary>
    internal sealed class Corner
    {
        public readonly List<Arm> Arms = new List<Arm>();
    }

    /// <summary>A wall that ends in a corner, and its direction away from there.</summary>
    internal sealed class Arm
    {
        public Wall Wall;
        public Vec2 At;
        public Vec2 Away;
        /// <summary>The side of the wall that begins here, and the one that ends here.</summary>
        public int Leaving, Coming;
    }

    /// <summary>One side of a wall, seen from its right; sides are linked into chains around what is solid.</summary>
    internal sealed class Edge
    {
        /// <summary>Its left end, seen from the walkable side.</summary>
        public readonly Vec2 From;
        public readonly Vec2 To;
        public readonly Vec2 Along;
        public Edge Before;
        public Edge After;
        /// <summary>True if the corner at <see cref="From"/> is convex or straight.</summary>
        public bool Convex = true;

        public Edge(Vec2 from, Vec2 to, Vec2 along)
        {
            From = from;
            To = to;
            Along = along;
        }
    }

    /// <summary>A point of a wall that acts on somebody.</summary>
    public struct Contact
    {
        /// <summary>Distance to the person's center, m.</summary>
        public double Distance;
        /// <summary>Unit vector from the wall to the person.</summary>
        public Vec2 Normal;
    }

    /// <summary>An interval of x or y, m, that is a ring: whoever leaves at one end comes back at the other.</summary>
    public sealed class Ring
    {
        public readonly double Low;
        public readonly double High;

        public Ring(double low, double high)
        {
            Low = low;
            High = high;
        }

        /// <summary>The shorter way round.</summary>
        internal double Shorter(double way)
        {
            double length = High - Low;
            return way > 0.5 * length ? way - length : way < -0.5 * length ? way + length : way;
        }

        /// <summary>Inside the ring.</summary>
        internal double Wrapped(double at)
        {
            if (at >= Low && at < High)
            {
                return at;
            }
            double inside = at - (High - Low) * Math.Floor((at - Low) / (High - Low));
            // Rounding may leave it at the upper end, which is the lower one.
            return inside < High ? Math.Max(inside, Low) : Low;
        }
    }

    /// <summary>Walls and goals. Walls may meet at their ends and cross nowhere else.</summary>
    public sealed class Place
    {
        /// <summary>Ends closer than this meet, m.</summary>
        const double Meet = 1e-9;

        readonly Wall[] walls;

        /// <summary>Both sides of wall i: 2 i and 2 i + 1.</summary>
        internal readonly Edge[] Edges;

        public IReadOnlyList<Wall> Walls => walls;

        public IReadOnlyList<Goal> Goals { get; }

        /// <summary>Null where x is no ring.</summary>
        public Ring RingX;
        /// <summary>Null where y is no ring.</summary>
        public Ring RingY;

        /// <summary>Joins walls that meet at their ends.</summary>
        /// <param name="lines">The two ends of each wall.</param>
        /// <param name="goals">Where people want to go.</param>
        public Place(IReadOnlyList<Vec2[]> lines, IReadOnlyList<Goal> goals)
        {
            Goals = goals;
            walls = new Wall[lines.Count];
            Edges = new Edge[2 * lines.Count];
            var corners = new List<Corner>();
            for (int i = 0; i < walls.Length; i++)
            {
                var wall = new Wall(lines[i][0], lines[i][1]);
                walls[i] = wall;
                Edges[2 * i] = new Edge(wall.A, wall.B, wall.Along);
                Edges[2 * i + 1] = new Edge(wall.B, wall.A, -wall.Along);
                var a = new Arm { Wall = wall, At = wall.A, Away = wall.Along, Leaving = 2 * i, Coming = 2 * i + 1 };
                var b = new Arm { Wall = wall, At = wall.B, Away = -wall.Along, Leaving = 2 * i + 1, Coming = 2 * i };
                wall.CornerA = Join(corners, a);
                wall.CornerB = Join(corners, b);
            }
            foreach (Corner corner in corners)
            {
                Link(corner);
            }
        }

        static Corner Join(List<Corner> corners, Arm arm)
        {
            Corner corner = corners.Find(c => (arm.At - c.Arms[0].At).Length <= Meet);
            if (corner == null)
            {
                corner = new Corner();
                corners.Add(corner);
            }
            corner.Arms.Add(arm);
            return corner;
        }

        /// <summary>Links the sides of walls: the chain goes on with the next side to the left of where it came from.</summary>
        void Link(Corner corner)
        {
            var arms = new List<Arm>(corner.Arms);
            arms.Sort((one, other) =>
            {
                int order = Turn(one.Away).CompareTo(Turn(other.Away));
                return order != 0 ? order : one.Leaving.CompareTo(other.Leaving);
            });
            for (int k = 0; k < arms.Count; k++)
            {
                Edge comes = Edges[arms[k].Coming];
                Edge after = Edges[arms[(k + 1) % arms.Count].Leaving];
                comes.After = after;
                after.Before = comes;
                after.Convex = comes.Along.Cross(after.Along) >= 0.0;
            }
        }

        /// <summary>Ascends with the angle of a unit vector from east, counterclockwise, from 0 to 4.</summary>
        static double Turn(Vec2 v)
        {
            if (v.Y >= 0.0)
            {
                return v.X >= 0.0 ? v.Y : 2.0 - v.Y;
            }
            return v.X < 0.0 ? 2.0 - v.Y : 4.0 + v.Y;
        }

        /// <summary>True if no axis is a ring.</summary>
        public bool IsOpen => RingX == null && RingY == null;

        /// <summary>The vector from one point to another, the shorter way round in a ring.</summary>
        public Vec2 Apart(Vec2 from, Vec2 to)
        {
            Vec2 way = to - from;
            return IsOpen ? way : new Vec2(RingX?.Shorter(way.X) ?? way.X, RingY?.Shorter(way.Y) ?? way.Y);
        }

        /// <summary>The point inside the rings.</summary>
        public Vec2 Wrap(Vec2 p) => new Vec2(RingX?.Wrapped(p.X) ?? p.X, RingY?.Wrapped(p.Y) ?? p.Y);

        /// <summary>
        /// Lists every point of a wall within reach that acts at <paramref name="p"/>: the nearest point of each wall, but a corner only
        /// where it is the nearest point of all walls that meet in it, and then once.
        /// </summary>
        public void FindContacts(Vec2 p, double reach, List<Contact> found)
        {
            found.Clear();
            foreach (Wall wall in walls)
            {
                Vec2 fromA = p - wall.A;
                if (Math.Abs(wall.Along.Cross(fromA)) > reach)
                {
                    continue;
                }
                double t = fromA.Dot(wall.Along);
                Vec2 point = wall.A + wall.Along * t;
                if (t <= Meet || t >= wall.Length - Meet)
                {
                    List<Arm> arms = (t <= Meet ? wall.CornerA : wall.CornerB).Arms;
                    if (arms[0].Wall != wall || IsBeside(arms, p))
                    {
                        continue;
                    }
                    point = arms[0].At;
                }
                Vec2 away = p - point;
                double distance = away.Length;
                if (distance <= reach)
                {
                    Vec2 normal = distance < Meet ? wall.Along.Left : away * (1.0 / distance);
                    found.Add(new Contact { Distance = distance, Normal = normal });
                }
            }
        }

        /// <summary>True where an inner point of one of the walls is nearer than their corner.</summary>
        static bool IsBeside(List<Arm> arms, Vec2 p)
        {
            foreach (Arm arm in arms)
            {
                if ((p - arm.At).Dot(arm.Away) > Meet)
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>True if a straight step crosses a wall.</summary>
        public bool Crosses(Vec2 from, Vec2 to)
        {
            foreach (Wall wall in walls)
            {
                double s = wall.Along.Cross(from - wall.A), e = wall.Along.Cross(to - wall.A);
                if ((s >= 0.0) == (e >= 0.0))
                {
                    continue;
                }
                double t = (from + (to - from) * (s / (s - e)) - wall.A).Dot(wall.Along);
                if (t >= -Meet && t <= wall.Length + Meet)
                {
                    return true;
                }
            }
            return false;
        }
    }
}
