using System;

namespace Crowdtune
{
    /// <summary>A point or a vector in double precision, m or m/s: x to the east, y to the north.</summary>
    public struct Vec2 : IEquatable<Vec2>
    {
        public readonly double X;
        public readonly double Y;

        public static readonly Vec2 Zero = new Vec2(0.0, 0.0);

        public Vec2(double x, double y)
        {
            X = x;
            Y = y;
        }

        public double Length => Math.Sqrt(X * X + Y * Y);

        public double LengthSquared => X * X + Y * Y;

        /// <summary>Turned left by a right angle.</summary>
        public Vec2 Left => new Vec2(-Y, X);

        /// <summary>Of length 1; zero for what is shorter than 1e-12.</summary>
        public Vec2 Unit
        {
            get
            {
                double length = Length;
                return length > 1e-12 ? this * (1.0 / length) : Zero;
            }
        }

        public double Dot(Vec2 o) => X * o.X + Y * o.Y;

        /// <summary>Positive if <paramref name="o"/> is to the left.</summary>
        public double Cross(Vec2 o) => X * o.Y - Y * o.X;

        /// <summary>Cut to a length of <paramref name="most"/>.</summary>
        public Vec2 Limited(double most)
        {
            double length2 = LengthSquared;
            return length2 > most * most ? this * (most / Math.Sqrt(length2)) : this;
        }

        /// <summary>Turned left by the angle of a unit vector.</summary>
        public Vec2 Rotated(Vec2 by) => new Vec2(X * by.X - Y * by.Y, X * by.Y + Y * by.X);

        public static Vec2 operator +(Vec2 a, Vec2 b) => new Vec2(a.X + b.X, a.Y + b.Y);

        public static Vec2 operator -(Vec2 a, Vec2 b) => new Vec2(a.X - b.X, a.Y - b.Y);

        public static Vec2 operator -(Vec2 a) => new Vec2(-a.X, -a.Y);

        public static Vec2 operator *(Vec2 a, double s) => new Vec2(a.X * s, a.Y * s);

        public static bool operator ==(Vec2 a, Vec2 b) => a.X == b.X && a.Y == b.Y;

        public static bool operator !=(Vec2 a, Vec2 b) => !(a == b);

        public bool Equals(Vec2 o) => this == o;

        public override bool Equals(object o) => o is Vec2 && this == (Vec2)o;

        public override int GetHashCode() => X.GetHashCode() * 31 + Y.GetHashCode();

        public override string ToString() => FormattableString.Invariant($"({X}, {Y})");
    }
}
