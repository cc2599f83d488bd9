using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>Where people can go.</summary>
    public abstract class Goal
    {
        /// <summary>Unit vector to the goal for a body of this radius; zero where it is reached.</summary>
        public abstract Vec2 Toward(Place place, Vec2 p, double radius);

        /// <summary>Straight distance to the nearest point of the goal, m; 0 where it is reached.</summary>
        public abstract double Distance(Place place, Vec2 p);

        /// <summary>True if a step takes a body of this radius to the goal.</summary>
        public abstract bool IsReached(Place place, Vec2 from, Vec2 to, double radius);

        /// <summary>The point of a line from a to b that is nearest to p.</summary>
        protected static Vec2 Nearest(Vec2 a, Vec2 b, Vec2 p)
        {
            Vec2 way = b - a;
            double length2 = way.LengthSquared;
            if (length2 <= 0.0)
            {
                return a;
            }
            double t = (p - a).Dot(way) / length2;
            return t <= 0.0 ? a : t >= 1.0 ? b : a + way * t;
        }
    }

    /// <summary>Reached within a radius of a point.</summary>
    public sealed class PointGoal : Goal
    {
        public readonly Vec2 At;
        public readonly double Radius;

        public PointGoal(Vec2 at, double radius)
        {
            At = at;
            Radius = radius;
        }

        public override Vec2 Toward(Place place, Vec2 p, double radius) =>
            (p - At).Length <= Radius ? Vec2.Zero : (At - p).Unit;

        public override double Distance(Place place, Vec2 p) => (At - p).Length;

        public override bool IsReached(Place place, Vec2 from, Vec2 to, double radius) =>
            (Nearest(from, to, At) - At).Length <= Radius;
    }

    /// <summary>Reached one body radius past a line.</summary>
    public sealed class DoorGoal : Goal
    {
        public readonly Vec2 A;
        public readonly Vec2 B;
        /// <summary>Unit vector across the line, away from where people come from.</summary>
        public readonly Vec2 Out;

        public DoorGoal(Vec2 a, Vec2 b, Vec2 @out)
        {
            A = a;
            B = b;
            Out = @out;
        }

        /// <summary>As far from the posts as the body is wide; straight out on the line and past it.</summary>
        public override Vec2 Toward(Place place, Vec2 p, double radius)
        {
            if (IsPast(place, p, -1e-6, radius))
            {
                return Out;
            }
            Vec2 along = (B - A).Unit;
            double length = (B - A).Length;
            double t = length > 2.0 * radius
                ? Math.Min(Math.Max((p - A).Dot(along), radius), length - radius)
                : 0.5 * length;
            return (A + along * t - p).Unit;
        }

        public override double Distance(Place place, Vec2 p) =>
            IsPast(place, p, 0.0, 0.0) ? 0.0 : (Nearest(A, B, p) - p).Length;

        public override bool IsReached(Place place, Vec2 from, Vec2 to, double radius)
        {
            double before = (from - A).Dot(Out), after = (to - A).Dot(Out);
            if (after < radius)
            {
                return false;
            }
            // Level with the door at the end, or while the body got through the line.
            return IsPast(place, to, radius, radius)
                || (before < radius
                    && IsPast(place, from + (to - from) * ((radius - before) / (after - before)), 0.0, radius));
        }

        /// <summary>True at least so deep past the line, level with it or so far beside it, with no wall in between.</summary>
        bool IsPast(Place place, Vec2 p, double depth, double beside)
        {
            if ((p - A).Dot(Out) < depth)
            {
                return false;
            }
            Vec2 along = (B - A).Unit;
            double length = (B - A).Length;
            double t = (p - A).Dot(along);
            if (t < -beside || t > length + beside)
            {
                return false;
            }
            Vec2 near = A + along * Math.Min(Math.Max(t, 0.0), length);
            return !place.Crosses(p, p + (near - p) * (1.0 - 1e-6));
        }
    }

    /// <summary>Reached inside an outline.</summary>
    public sealed class AreaGoal : Goal
    {
        readonly Vec2[] points;

        /// <summary>Corners, counterclockwise.</summary>
        public IReadOnlyList<Vec2> Points => points;

        public AreaGoal(Vec2[] points)
        {
            this.points = points;
        }

        public override Vec2 Toward(Place place, Vec2 p, double radius) => (NearestTo(p) - p).Unit;

        public override double Distance(Place place, Vec2 p) => (NearestTo(p) - p).Length;

        public override bool IsReached(Place place, Vec2 from, Vec2 to, double radius) => IsInside(to);

        Vec2 NearestTo(Vec2 p)
        {
            if (IsInside(p))
            {
                return p;
            }
            Vec2 best = p;
            double best2 = double.PositiveInfinity;
            for (int i = 0; i < points.Length; i++)
            {
                Vec2 q = Nearest(points[i], points[(i + 1) % points.Length], p);
                if ((p - q).LengthSquared < best2)
                {
                    best = q;
                    best2 = (p - q).LengthSquared;
                }
            }
            return best;
        }

        /// <summary>By the even-odd rule.</summary>
        bool IsInside(Vec2 p)
        {
            bool inside = false;
            for (int i = 0; i < points.Length; i++)
            {
                Vec2 a = points[i], b = points[(i + 1) % points.Length];
                if ((a.Y <= p.Y) != (b.Y <= p.Y))
                {
                    double side = a.Y < b.Y ? (b - a).Cross(p - a) : (a - b).Cross(p - b);
                    if (side > 0.0)
                    {
                        inside = !inside;
                    }
                }
            }
            return inside;
        }
    }
}
