using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>
    /// van den Berg, Guy, Lin, Manocha, Reciprocal n-Body Collision Avoidance (2011): the velocity nearest to the preferred one that
    /// stays free of collisions for some time, provided that all share the avoidance.
    /// </summary>
    public sealed class Orca : IModel
    {
        /// <summary>Constants of a group, with the keys of the preset.</summary>
        public sealed class Constants
        {
            public double TimeHorizonS;
            public double ObstacleTimeHorizonS;
            public double NeighborDistanceM;
            public int MaxNeighbors;
            public double Responsibility;
            public double MarginM;
            public double MaxSpeedFactor;
        }

        /// <summary>Sine below which two lines are parallel.</summary>
        const double Parallel = 1e-5;
        /// <summary>Beyond any speed, m/s: the offset of a line that forbids nothing.</summary>
        const double Far = 1e6;
        /// <summary>Nearer people are at the same place, m.</summary>
        const double SamePlace = 1e-4;
        /// <summary>How much faster than allowed a step may approach a wall, m/s: rounding.</summary>
        const double Slack = 1e-9;

        /// <summary>
        /// Velocities to the left of a line are allowed: its offset to the left of velocity 0, m/s, and its direction.
        /// </summary>
        struct Line
        {
            public double Offset;
            public Vec2 Along;

            public static Line Through(Vec2 point, Vec2 along) => new Line { Offset = along.Cross(point), Along = along };

            /// <summary>How far a velocity is on the wrong side, m/s.</summary>
            public double Beyond(Vec2 v) => Offset - Along.Cross(v);
        }

        /// <summary>A side of a wall or somebody, and the distance squared.</summary>
        struct Near
        {
            public double D2;
            public int Row;
        }

        static readonly Comparison<Near> NearestFirst = (one, other) =>
        {
            int order = one.D2.CompareTo(other.D2);
            return order != 0 ? order : one.Row.CompareTo(other.Row);
        };

        readonly Constants[] groups;
        readonly List<Line> lines = new List<Line>();
        readonly List<Line> spare = new List<Line>();
        readonly List<Near> near = new List<Near>();
        readonly List<int> around = new List<int>();
        readonly List<Contact> contacts = new List<Contact>();

        /// <summary>Constants by group.</summary>
        public Orca(Constants[] groups)
        {
            this.groups = groups;
        }

        public double Reach(List<Person> people)
        {
            double reach = 0.0;
            foreach (Constants c in groups)
            {
                reach = Math.Max(reach, c.NeighborDistanceM);
            }
            return reach;
        }

        public void Steer(Place place, List<Person> people, Cells cells, double dt, Vec2[] next)
        {
            for (int i = 0; i < people.Count; i++)
            {
                Person me = people[i];
                Constants c = groups[me.Group];
                double most = me.TopSpeed(c.MaxSpeedFactor);
                next[i] = Vec2.Zero;
                if (most <= 0.0)
                {
                    continue;
                }
                lines.Clear();
                BoundByWalls(place, me, c, most, dt);
                int hard = lines.Count;
                BoundByPeople(place, people, cells, dt, i);
                next[i] = KeepOff(place, me, Solve(hard, most, me.Way * me.PreferredSpeed), dt);
            }
        }

        /// <summary>A line for each wall that would be hit within the horizon, nearest first.</summary>
        void BoundByWalls(Place place, Person me, Constants c, double most, double dt)
        {
            double radius = me.Radius + c.MarginM, ahead = Math.Max(c.ObstacleTimeHorizonS, dt);
            double per = 1.0 / ahead, reach = radius + most * ahead;
            near.Clear();
            for (int first = 0; first < place.Edges.Length; first += 2)
            {
                Edge edge = place.Edges[first];
                Vec2 way = me.Pos - edge.From;
                double side = edge.Along.Cross(way), t = way.Dot(edge.Along);
                double length = (edge.To - edge.From).Dot(edge.Along);
                double beside = t - Math.Min(Math.Max(t, 0.0), length);
                double d2 = side * side + beside * beside;
                if (d2 <= reach * reach)
                {
                    near.Add(new Near { D2 = d2, Row = side > 0.0 ? first + 1 : first });
                }
            }
            near.Sort(NearestFirst);
            foreach (Near n in near)
            {
                Edge seen = place.Edges[n.Row];
                Vec2 from = (seen.From - me.Pos) * per, to = (seen.To - me.Pos) * per;
                Line? line = IsCovered(from, to, radius * per - 1e-5) ? null : WallLine(seen, me.Pos, me.Vel, radius, per);
                if (line.HasValue)
                {
                    lines.Add(line.Value);
                }
            }
        }

        /// <summary>True if both ends of a wall, grown by the body, are on the wrong side of one line.</summary>
        bool IsCovered(Vec2 from, Vec2 to, double least)
        {
            foreach (Line line in lines)
            {
                if (line.Beyond(from) >= least && line.Beyond(to) >= least)
                {
                    return true;
                }
            }
            return false;
        }

        /// <summary>A line for each of the nearest people.</summary>
        void BoundByPeople(Place place, List<Person> people, Cells cells, double dt, int i)
        {
            Person me = people[i];
            Constants c = groups[me.Group];
            FindNear(place, people, cells, c, i);
            foreach (Near n in near)
            {
                Person other = people[n.Row];
                double sum = c.Responsibility + groups[other.Group].Responsibility;
                double share = groups.Length > 1 && sum > 0.0 ? c.Responsibility / sum : 0.5;
                if (share > 0.0)
                {
                    Vec2 way = place.Apart(me.Pos, other.Pos);
                    double radius = me.Radius + c.MarginM, horizon = Math.Max(c.TimeHorizonS, dt);
                    lines.Add(PersonLine(me, other, way, radius, horizon, share, dt));
                }
            }
        }

        /// <summary>The nearest people in order; of equally near ones the first stays in front.</summary>
        void FindNear(Place place, List<Person> people, Cells cells, Constants c, int i)
        {
            Vec2 p = people[i].Pos;
            near.Clear();
            cells.FindAround(p, around);
            foreach (int j in around)
            {
                double d2 = place.Apart(p, people[j].Pos).LengthSquared;
                if (j == i || d2 >= c.NeighborDistanceM * c.NeighborDistanceM || c.MaxNeighbors == 0)
                {
                    continue;
                }
                int at = near.Count;
                if (at == c.MaxNeighbors)
                {
                    at--;
                    if (d2 >= near[at].D2)
                    {
                        continue;
                    }
                    near.RemoveAt(at);
                }
                while (at > 0 && d2 < near[at - 1].D2)
                {
                    at--;
                }
                near.Insert(at, new Near { D2 = d2, Row = j });
            }
        }

        /// <summary>
        /// The velocity nearest to the wish that all lines allow, no faster than the most; or the one that violates the lines of people
        /// least, where the first lines are hard.
        /// </summary>
        Vec2 Solve(int hard, double most, Vec2 wish)
        {
            Vec2 v = wish.Limited(most);
            double wrong = 0.0;
            for (int at = Optimize(lines, most, wish, false, ref v); at < lines.Count; at++)
            {
                Line line = lines[at];
                if (line.Beyond(v) <= wrong)
                {
                    continue;
                }
                spare.Clear();
                for (int k = 0; k < at; k++)
                {
                    spare.Add(k < hard ? lines[k] : EquallyWrong(lines[k], line));
                }
                Vec2 way = line.Along.Left, best = way * most;
                // Stopped early only by rounding: then the velocity so far stays.
                if (Optimize(spare, most, way, true, ref best) == spare.Count)
                {
                    v = best;
                }
                wrong = line.Beyond(v);
            }
            return v;
        }

        /// <summary>
        /// The line on which two lines are violated equally; of parallel ones that face the same way none is before the other.
        /// </summary>
        static Line EquallyWrong(Line other, Line line)
        {
            Vec2 way = other.Along - line.Along;
            double length2 = way.LengthSquared;
            if (length2 <= Parallel * Parallel)
            {
                return new Line { Offset = -Far, Along = new Vec2(1.0, 0.0) };
            }
            double per = 1.0 / Math.Sqrt(length2);
            return new Line { Offset = (other.Offset - line.Offset) * per, Along = way * per };
        }

        /// <summary>
        /// Takes v to the best velocity for all lines and returns their number, or for those before the first that leaves nothing, and
        /// returns its number. Best is nearest to what is wanted, or farthest in its direction.
        /// </summary>
        static int Optimize(List<Line> lines, double most, Vec2 want, bool farthest, ref Vec2 v)
        {
            for (int at = 0; at < lines.Count; at++)
            {
                if (lines[at].Beyond(v) > 0.0)
                {
                    Vec2? best = BestOnLine(lines, at, most, want, farthest);
                    if (!best.HasValue)
                    {
                        return at;
                    }
                    v = best.Value;
                }
            }
            return lines.Count;
        }

        /// <summary>The best point of a line given those before it.</summary>
        static Vec2? BestOnLine(List<Line> lines, int at, double most, Vec2 want, bool farthest)
        {
            double offset = lines[at].Offset;
            Vec2 along = lines[at].Along;
            double space = most * most - offset * offset;
            if (space < 0.0)
            {
                return null;
            }
            double first = -Math.Sqrt(space), last = Math.Sqrt(space);
            for (int k = 0; k < at; k++)
            {
                Line other = lines[k];
                double sine = along.Cross(other.Along);
                double gap = offset * along.Dot(other.Along) - other.Offset;
                if (Math.Abs(sine) <= Parallel)
                {
                    if (gap < 0.0)
                    {
                        return null;
                    }
                }
                else if (sine > 0.0)
                {
                    last = Math.Min(last, gap / sine);
                }
                else
                {
                    first = Math.Max(first, gap / sine);
                }
            }
            if (first > last)
            {
                return null;
            }
            double t = along.Dot(want);
            t = farthest ? (t > 0.0 ? last : first) : Math.Min(Math.Max(t, first), last);
            return along * t + along.Left * offset;
        }

        /// <summary>
        /// The line due to somebody else: a share of the smallest change that keeps two bodies apart for the horizon.
        /// </summary>
        static Line PersonLine(Person me, Person other, Vec2 way, double radius, double horizon, double share, double dt)
        {
            Vec2 v = me.Vel - other.Vel;
            double touch = radius + other.Radius;
            double d2 = way.LengthSquared, touch2 = touch * touch;
            double per = d2 > touch2 ? 1.0 / horizon : 1.0 / dt;
            Vec2 w = v - way * per;
            double w2 = w.LengthSquared, onWay = w.Dot(way);
            if (w2 <= 1e-14)
            {
                // In the very middle: straight apart.
                double d = Math.Sqrt(d2);
                Vec2 apart = d > SamePlace ? way * (-1.0 / d) : Person.Parting(me.Id, other.Id);
                return Line.Through(me.Vel + apart * (touch * per * share), -apart.Left);
            }
            if (d2 <= touch2 || (onWay < 0.0 && onWay * onWay > touch2 * w2))
            {
                double length = Math.Sqrt(w2);
                Vec2 away = w * (1.0 / length);
                return Line.Through(me.Vel + away * ((touch * per - length) * share), -away.Left);
            }
            double leg = Math.Sqrt(d2 - touch2);
            leg = way.Cross(w) > 0.0 ? leg : -leg;
            Vec2 along = (way * leg + way.Left * touch) * (1.0 / d2);
            return Line.Through(me.Vel + (along * v.Dot(along) - v) * share, along);
        }

        /// <summary>The line due to one side of a wall; null if a neighboring side sets it.</summary>
        static Line? WallLine(Edge seen, Vec2 pos, Vec2 vel, double r, double per)
        {
            Edge left = seen, right = seen.After;
            Vec2 toLeft = left.From - pos, toRight = seen.To - pos;
            double left2 = toLeft.LengthSquared, right2 = toRight.LengthSquared, r2 = r * r;
            double t = -toLeft.Dot(seen.Along) / (seen.To - seen.From).Length;
            double aside = seen.Along.Cross(toLeft);
            bool inLine = aside * aside <= r2;
            // In contact: no nearer.
            if (t < 0.0 && left2 <= r2)
            {
                return left.Convex ? Line.Through(Vec2.Zero, OffEnd(toLeft, seen)) : (Line?)null;
            }
            if (t > 1.0 && right2 <= r2)
            {
                bool owns = right.Convex && toRight.Cross(right.Along) >= 0.0;
                return owns ? Line.Through(Vec2.Zero, OffEnd(toRight, seen)) : (Line?)null;
            }
            if (t >= 0.0 && t <= 1.0 && inLine)
            {
                return Line.Through(Vec2.Zero, -seen.Along);
            }
            // Directions that pass on the left and on the right; at a concave corner the wall itself.
            Vec2 leftLeg, rightLeg, leftAt = toLeft, rightAt = toRight;
            if (inLine)
            {
                // Seen end-on: the near end hides the rest.
                Edge end = t < 0.0 ? left : right;
                if (!end.Convex)
                {
                    return null;
                }
                Vec2 toEnd = t < 0.0 ? toLeft : toRight;
                leftLeg = LeftLeg(toEnd, r);
                rightLeg = RightLeg(toEnd, r);
                left = right = end;
                leftAt = rightAt = toEnd;
            }
            else
            {
                leftLeg = left.Convex ? LeftLeg(toLeft, r) : -seen.Along;
                rightLeg = right.Convex ? RightLeg(toRight, r) : seen.Along;
            }
            // A leg into the neighboring side is left to that side.
            Vec2 back = -left.Before.Along;
            bool leftForeign = left.Convex && leftLeg.Cross(back) >= 0.0;
            bool rightForeign = right.Convex && rightLeg.Cross(right.Along) <= 0.0;
            leftLeg = leftForeign ? back : leftLeg;
            rightLeg = rightForeign ? right.Along : rightLeg;
            // The nearest point of the velocity obstacle: on the cut between the ends, at a round end, or on a leg.
            Vec2 leftEnd = leftAt * per, rightEnd = rightAt * per;
            Vec2 fromLeft = vel - leftEnd, fromRight = vel - rightEnd, between = rightEnd - leftEnd;
            t = inLine ? 0.5 : fromLeft.Dot(between) / between.LengthSquared;
            double onLeft = fromLeft.Dot(leftLeg), onRight = fromRight.Dot(rightLeg);
            if ((t < 0.0 && onLeft < 0.0) || (inLine && onLeft < 0.0 && onRight < 0.0))
            {
                return RoundEnd(fromLeft, leftEnd, r * per, toLeft);
            }
            if (t > 1.0 && onRight < 0.0)
            {
                return RoundEnd(fromRight, rightEnd, r * per, toRight);
            }
            double far = double.PositiveInfinity;
            double toCut2 = inLine || !(t >= 0.0 && t <= 1.0) ? far : (fromLeft - between * t).LengthSquared;
            double toLeft2 = onLeft < 0.0 ? far : (fromLeft - leftLeg * onLeft).LengthSquared;
            double toRight2 = onRight < 0.0 ? far : (fromRight - rightLeg * onRight).LengthSquared;
            if (toCut2 <= toLeft2 && toCut2 <= toRight2)
            {
                return Shifted(leftEnd, -left.Along, r * per);
            }
            if (toLeft2 <= toRight2)
            {
                return leftForeign ? (Line?)null : Shifted(leftEnd, leftLeg, r * per);
            }
            return rightForeign ? (Line?)null : Shifted(rightEnd, -rightLeg, r * per);
        }

        /// <summary>Direction of the line for a body that touches an end.</summary>
        static Vec2 OffEnd(Vec2 toEnd, Edge edge)
        {
            Vec2 along = toEnd.Left.Unit;
            return along == Vec2.Zero ? -edge.Along : along;
        }

        /// <summary>The line at the round end of a velocity obstacle.</summary>
        static Line RoundEnd(Vec2 fromEnd, Vec2 end, double swollen, Vec2 toEnd)
        {
            Vec2 away = fromEnd.Unit;
            if (away == Vec2.Zero)
            {
                away = (-toEnd).Unit;
            }
            return Line.Through(end + away * swollen, -away.Left);
        }

        /// <summary>The line along a side of a velocity obstacle.</summary>
        static Line Shifted(Vec2 end, Vec2 along, double swollen) => Line.Through(end + along.Left * swollen, along);

        /// <summary>Direction that passes an end of a grown wall on its left.</summary>
        static Vec2 LeftLeg(Vec2 to, double radius) => (to * Tangent(to, radius) + to.Left * radius) * (1.0 / to.LengthSquared);

        /// <summary>And on its right.</summary>
        static Vec2 RightLeg(Vec2 to, double radius) => (to * Tangent(to, radius) - to.Left * radius) * (1.0 / to.LengthSquared);

        static double Tangent(Vec2 to, double radius) => Math.Sqrt(Math.Max(to.LengthSquared - radius * radius, 0.0));

        /// <summary>The velocity without what leads nearer to a wall than the body is wide; zero if nothing is left.</summary>
        Vec2 KeepOff(Place place, Person me, Vec2 wanted, double dt)
        {
            Vec2 vel = wanted;
            place.FindContacts(me.Pos, me.Radius + wanted.Length * dt, contacts);
            for (int round = 0; round < 4; round++)
            {
                bool turned = false;
                foreach (Contact wall in contacts)
                {
                    double into = -vel.Dot(wall.Normal) - Math.Max(wall.Distance - me.Radius, 0.0) / dt;
                    if (into > Slack)
                    {
                        vel += wall.Normal * into;
                        turned = true;
                    }
                }
                if (!turned)
                {
                    return place.Crosses(me.Pos, me.Pos + vel * dt) ? Vec2.Zero : vel;
                }
            }
            return Vec2.Zero;
        }
    }
}
