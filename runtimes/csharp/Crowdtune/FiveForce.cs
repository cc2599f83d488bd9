using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>
    /// Wang, Simulating Crowd Motion with Evolutionary Computation, NCCU 2005: five weighted forces, then one person after the other
    /// steps where nobody and nothing is.
    /// </summary>
    public sealed class FiveForce : IModel
    {
        /// <summary>Constants of a group, with the keys of the preset.</summary>
        public sealed class Constants
        {
            public double AttractionWeight;
            public double SeparationWeight;
            public double AlignmentWeight;
            public double CohesionWeight;
            public double RepulsionWeight;
            public double GainMPerS2;
            public double FieldOfViewDeg;
            public double RangeDiameters;
            public double TurnLimitDeg;
            public double UnitTimeS;
            public double LookAheadS;
            public double ClearanceM;
            public bool PerceivesAll;
            public bool CollisionStrategies;
            public bool StrategiesRespectTurnLimit;
            public Directions PedestrianDirections;
            public Directions WallDirections;
        }

        /// <summary>The sets of directions in which to step aside.</summary>
        public enum Directions
        {
            FourForward,
            FourDiagonal,
            Seven,
        }

        const double Half = 0.7071067811865476;
        const double Radians = Math.PI / 180.0;
        /// <summary>Nearer people are at the same place, m.</summary>
        const double SamePlace = 1e-4;
        /// <summary>Nearer to a wall touches it, m.</summary>
        const double Touch = 1e-3;
        /// <summary>Sine of the angle to a wall below which a way slides along it.</summary>
        const double Grazes = 1e-3;
        /// <summary>Most moves on the way to a wall, and how far each looks, m.</summary>
        const int Moves = 24;
        const double Look = 2.0;
        /// <summary>Overlap that is rounding, m.</summary>
        const double Slack = 1e-10;
        /// <summary>Share of the speed below which the neighbors' velocity is no step.</summary>
        const double LeastShare = 0.1;
        /// <summary>Most points of a trace.</summary>
        const int Points = 200;

        /// <summary>Turns by <see cref="Directions"/>, left before right.</summary>
        static readonly Vec2[][] Turns =
        {
            new[] { new Vec2(Half, Half), new Vec2(Half, -Half), new Vec2(0.0, 1.0), new Vec2(0.0, -1.0) },
            new[] { new Vec2(Half, Half), new Vec2(Half, -Half), new Vec2(-Half, Half), new Vec2(-Half, -Half) },
            new[]
            {
                new Vec2(Half, Half),
                new Vec2(Half, -Half),
                new Vec2(0.0, 1.0),
                new Vec2(0.0, -1.0),
                new Vec2(-Half, Half),
                new Vec2(-Half, -Half),
                new Vec2(-1.0, 0.0),
            },
        };

        /// <summary>Where the first member of a group has walked.</summary>
        sealed class Trace
        {
            public readonly List<Vec2> Points = new List<Vec2>();
            public int? Leader;
        }

        /// <summary>Somebody in the way: where, and how near a step may come, m.</summary>
        struct Close
        {
            public Vec2 At;
            public double Least;
        }

        /// <summary>What a step leads into.</summary>
        enum Hit
        {
            Nothing,
            Person,
            Wall,
        }

        readonly Constants[] groups;
        readonly Trace[] traces;
        readonly List<int> around = new List<int>();
        readonly List<Contact> contacts = new List<Contact>();
        readonly List<Close> close = new List<Close>();
        /// <summary>By row: heading and velocity after the forces, mean velocity of those in sight, place in this step.</summary>
        Vec2[] facing = new Vec2[0];
        Vec2[] wanted, mean, at;
        // What all of a step share.
        Place place;
        List<Person> people;
        double dt, fastest, widest;

        /// <summary>Constants by group.</summary>
        public FiveForce(Constants[] groups)
        {
            this.groups = groups;
            traces = Array.ConvertAll(groups, _ => new Trace());
        }

        /// <summary>At least as far as bodies can meet in a step.</summary>
        public double Reach(List<Person> people)
        {
            double body = 0.0, diameters = 1.0;
            foreach (Person person in people)
            {
                body = Math.Max(body, person.Radius);
            }
            foreach (Constants c in groups)
            {
                diameters = Math.Max(diameters, c.RangeDiameters);
            }
            return 2.0 * body * diameters;
        }

        public void Steer(Place place, List<Person> people, Cells cells, double dt, Vec2[] next)
        {
            this.place = place;
            this.people = people;
            this.dt = dt;
            if (facing.Length < people.Count)
            {
                facing = new Vec2[people.Count];
                wanted = new Vec2[people.Count];
                mean = new Vec2[people.Count];
                at = new Vec2[people.Count];
            }
            foreach (Person person in people)
            {
                if (person.Heading == Vec2.Zero && person.Walks && person.TopSpeed(1.0) > 0.0)
                {
                    person.Heading = FirstHeading(person);
                }
            }
            for (int i = 0; i < people.Count; i++)
            {
                Drive(cells, i);
            }
            if (people.Count > 0 && groups[0].CollisionStrategies)
            {
                WalkAll(next);
                return;
            }
            for (int i = 0; i < people.Count; i++)
            {
                people[i].Heading = facing[i];
                next[i] = wanted[i];
            }
        }

        /// <summary>Along the velocity, else to the goal, else one direction for each id.</summary>
        static Vec2 FirstHeading(Person person)
        {
            if (person.Vel.Unit != Vec2.Zero)
            {
                return person.Vel.Unit;
            }
            return person.Way != Vec2.Zero ? person.Way : Person.Parting(person.Id, person.Id + 1);
        }

        /// <summary>The five forces on one person, the highest speed and the turn limit.</summary>
        void Drive(Cells cells, int i)
        {
            Person me = people[i];
            Constants c = groups[me.Group];
            double cap = me.TopSpeed(1.0);
            mean[i] = me.Vel;
            facing[i] = me.Heading;
            wanted[i] = Vec2.Zero;
            if (!me.Walks || cap <= 0.0)
            {
                return;
            }
            double range = c.RangeDiameters * 2.0 * me.Radius;
            double view = c.FieldOfViewDeg < 360.0 ? Math.Cos(0.5 * c.FieldOfViewDeg * Radians) : -2.0;
            double count = 0.0;
            Vec2 apart = Vec2.Zero, vel = Vec2.Zero, to = Vec2.Zero;
            cells.FindAround(me.Pos, around);
            foreach (int j in around)
            {
                Person other = people[j];
                if (j == i || !(groups[0].PerceivesAll || other.Group == me.Group))
                {
                    continue;
                }
                Vec2 toOther = place.Apart(me.Pos, other.Pos);
                double d = toOther.Length;
                if (d > range)
                {
                    continue;
                }
                if (d <= SamePlace)
                {
                    count += 1.0;
                    apart += Person.Parting(me.Id, other.Id);
                    vel += other.Vel;
                }
                else if (me.Heading.Dot(toOther) >= view * d)
                {
                    count += 1.0;
                    // 1/d, relative to its value in contact.
                    apart -= toOther * (2.0 * me.Radius / Math.Max(d * d, 2.0 * me.Radius * d));
                    vel += other.Vel;
                    to += toOther;
                }
            }
            double sum = c.AttractionWeight + c.SeparationWeight + c.AlignmentWeight + c.CohesionWeight + c.RepulsionWeight;
            double share = sum > 0.0 ? c.GainMPerS2 / sum : 0.0;
            Vec2 acceleration = Vec2.Zero;
            if (me.Way != Vec2.Zero || me.Distance > 0.0)
            {
                Vec2 drive = me.Way * (Math.Min(me.Speed, cap) * Math.Min(me.Distance / range, 1.0));
                acceleration += ((drive - me.Vel) * (0.5 / cap)).Limited(1.0) * (share * c.AttractionWeight);
            }
            if (count > 0.0)
            {
                mean[i] = vel * (1.0 / count);
                acceleration += apart * (1.0 / count) * (share * c.SeparationWeight);
                acceleration += ((mean[i] - me.Vel) * (0.5 / cap)).Limited(1.0) * (share * c.AlignmentWeight);
                acceleration += (to * (1.0 / (count * range))).Limited(1.0) * (share * c.CohesionWeight);
            }
            Vec2 way = me.Vel.Unit;
            if (c.RepulsionWeight > 0.0 && way != Vec2.Zero)
            {
                double speed = me.Vel.Length;
                double? free = FreeWay(me.Pos, way, me.Radius, speed * c.LookAheadS);
                if (free.HasValue)
                {
                    // A brake: it can stop people but not push them back.
                    Vec2 push = way * (-me.Radius / Math.Max(free.Value, me.Radius) * share * c.RepulsionWeight);
                    acceleration += push.Limited(speed / dt);
                }
            }
            facing[i] = Turned(me.Heading, (me.Vel + acceleration * dt).Limited(cap), MostTurn(me), out wanted[i]);
        }

        /// <summary>The largest turn of a step, radians.</summary>
        double MostTurn(Person person)
        {
            Constants c = groups[person.Group];
            return c.TurnLimitDeg * Radians / c.UnitTimeS * dt;
        }

        /// <summary>
        /// Heading and velocity of who faces a heading and wants a velocity, but turns no farther than so many radians. The part of the
        /// velocity beyond is lost; a turn right round goes left.
        /// </summary>
        static Vec2 Turned(Vec2 heading, Vec2 wanted, double most, out Vec2 vel)
        {
            Vec2 to = wanted.Unit;
            if (to == Vec2.Zero)
            {
                vel = Vec2.Zero;
                return heading;
            }
            double cos = Math.Cos(most), sin = Math.Sin(most);
            if (most >= Math.PI || heading.Dot(to) >= cos)
            {
                vel = wanted;
                return to;
            }
            double side = heading.Cross(to) < 0.0 ? -1.0 : 1.0;
            Vec2 facing = heading.Rotated(new Vec2(cos, side * sin)).Unit;
            vel = facing * Math.Max(wanted.Dot(facing), 0.0);
            return facing;
        }

        /// <summary>Moves everybody one after the other: each sees the new places of those before.</summary>
        void WalkAll(Vec2[] next)
        {
            Record();
            fastest = 0.0;
            widest = 0.0;
            for (int i = 0; i < people.Count; i++)
            {
                fastest = Math.Max(fastest, wanted[i].Length);
                widest = Math.Max(widest, people[i].Radius);
                at[i] = people[i].Pos;
            }
            for (int i = 0; i < people.Count; i++)
            {
                Person me = people[i];
                next[i] = Vec2.Zero;
                if (wanted[i] == Vec2.Zero)
                {
                    me.Heading = facing[i];
                    continue;
                }
                FindClose(i);
                Vec2 vel = Avoided(i);
                at[i] = place.Wrap(me.Pos + vel * dt);
                next[i] = vel;
                // A sidestep turns the body no faster than the forces would; who is stopped keeps turning.
                bool asWanted = vel == wanted[i] || vel == Vec2.Zero;
                me.Heading = asWanted ? facing[i] : Turned(me.Heading, vel, MostTurn(me), out _);
            }
        }

        /// <summary>The velocity that somebody wants, or one that leads around what it would lead into.</summary>
        Vec2 Avoided(int i)
        {
            switch (Meets(people[i], wanted[i]))
            {
                case Hit.Person:
                    return Aligned(i) ?? Best(i, Turns[(int)groups[0].PedestrianDirections]) ?? Vec2.Zero;
                case Hit.Wall:
                    return Traced(i) ?? Best(i, Turns[(int)groups[0].WallDirections]) ?? Vec2.Zero;
                default:
                    return wanted[i];
            }
        }

        /// <summary>Adds a point to the trace of each group for every body width that its first member has walked.</summary>
        void Record()
        {
            foreach (Person person in people)
            {
                if (!person.Walks)
                {
                    continue;
                }
                Trace trace = traces[person.Group];
                trace.Leader = trace.Leader ?? person.Id;
                if (trace.Leader != person.Id)
                {
                    continue;
                }
                List<Vec2> points = trace.Points;
                if (points.Count == 0 || place.Apart(points[points.Count - 1], person.Pos).Length >= 2.0 * person.Radius)
                {
                    if (points.Count == Points)
                    {
                        points.RemoveAt(0);
                    }
                    points.Add(person.Pos);
                }
            }
        }

        /// <summary>Lists who can be in the way of a step.</summary>
        void FindClose(int i)
        {
            Person me = people[i];
            double clearance = groups[me.Group].ClearanceM;
            double reach = me.Radius + widest + clearance + (wanted[i].Length + fastest) * dt;
            close.Clear();
            for (int j = 0; j < people.Count; j++)
            {
                Person other = people[j];
                if (j == i || place.Apart(me.Pos, other.Pos).LengthSquared > reach * reach)
                {
                    continue;
                }
                Vec2 way = place.Apart(me.Pos, at[j]);
                // The gap is kept to people ahead; of two people one is.
                double along = way.Dot(me.Way + other.Way);
                bool ahead = along > 0.0 || (along == 0.0 && j < i);
                double gap = ahead ? clearance : 0.0;
                double least = Math.Min(me.Radius + other.Radius + gap - Slack, way.Length);
                close.Add(new Close { At = me.Pos + way, Least = least });
            }
        }

        /// <summary>What a step leads into, walls first.</summary>
        Hit Meets(Person me, Vec2 vel)
        {
            Vec2 way = vel * dt, to = me.Pos + way;
            double r = me.Radius;
            if (place.Crosses(me.Pos, to) || Gap(to, r) < Math.Min(Gap(me.Pos, r), r - Slack))
            {
                return Hit.Wall;
            }
            bool jumps = way.Length > r;
            foreach (Close other in close)
            {
                if ((other.At - to).Length < other.Least)
                {
                    return Hit.Person;
                }
                if (jumps)
                {
                    Vec2 apart = other.At - me.Pos;
                    double along = Math.Min(Math.Max(apart.Dot(way) / way.LengthSquared, 0.0), 1.0);
                    if ((apart - way * along).Length < other.Least)
                    {
                        return Hit.Person;
                    }
                }
            }
            return Hit.Nothing;
        }

        /// <summary>True if a step is free and turns no farther than it may.</summary>
        bool IsFree(Person me, Vec2 vel)
        {
            bool slow = !groups[0].StrategiesRespectTurnLimit
                || (vel.Unit != Vec2.Zero && me.Heading.Dot(vel.Unit) >= Math.Cos(MostTurn(me)));
            return slow && Meets(me, vel) == Hit.Nothing;
        }

        /// <summary>The neighbors' mean velocity, no faster than wanted, if it leads on.</summary>
        Vec2? Aligned(int i)
        {
            double speed = wanted[i].Length;
            Vec2 vel = mean[i].Limited(speed);
            bool leadsOn = vel.Dot(wanted[i]) >= LeastShare * speed * speed;
            return leadsOn && IsFree(people[i], vel) ? vel : (Vec2?)null;
        }

        /// <summary>The free one of some turns that leads farthest along the way; the first of equal ones.</summary>
        Vec2? Best(int i, Vec2[] turns)
        {
            Person me = people[i];
            Vec2? best = null;
            double most = double.NegativeInfinity;
            foreach (Vec2 turn in turns)
            {
                Vec2 vel = wanted[i].Rotated(turn);
                double gain = vel.Dot(me.Way);
                if (gain > most && IsFree(me, vel))
                {
                    best = vel;
                    most = gain;
                }
            }
            return best;
        }

        /// <summary>Towards the newest point of the group's trace that is in sight and ahead.</summary>
        Vec2? Traced(int i)
        {
            Person me = people[i];
            Trace trace = traces[me.Group];
            if (trace.Leader == me.Id)
            {
                return null;
            }
            Vec2 ahead = me.Way == Vec2.Zero ? me.Heading : me.Way;
            double range = groups[me.Group].RangeDiameters * 2.0 * me.Radius, width = 2.0 * me.Radius;
            for (int k = trace.Points.Count - 1; k >= 0; k--)
            {
                Vec2 way = place.Apart(me.Pos, trace.Points[k]);
                double d = way.Length;
                if (d <= range && d >= width && way.Dot(ahead) > 0.0 && !place.Crosses(me.Pos, me.Pos + way))
                {
                    Vec2 vel = way * (wanted[i].Length / d);
                    return IsFree(me, vel) ? vel : (Vec2?)null;
                }
            }
            return null;
        }

        /// <summary>How far a body can move in a direction before it meets a wall, m; null if it can go the whole length.</summary>
        double? FreeWay(Vec2 p, Vec2 way, double radius, double length)
        {
            double gone = 0.0;
            for (int move = 0; move < Moves; move++)
            {
                double look = Math.Max(Math.Min(length - gone, Look - radius), Touch);
                // A move brings no wall nearer than its own length.
                double gap = look;
                place.FindContacts(p + way * gone, radius + look, contacts);
                foreach (Contact wall in contacts)
                {
                    if (way.Dot(wall.Normal) < -Grazes)
                    {
                        gap = Math.Min(gap, wall.Distance - radius);
                    }
                }
                if (gap <= Touch && gap < look)
                {
                    return gone;
                }
                gone += gap;
                if (gone >= length)
                {
                    return null;
                }
            }
            return gone;
        }

        /// <summary>Distance to the nearest wall, or the radius where that is less.</summary>
        double Gap(Vec2 p, double radius)
        {
            double gap = radius;
            place.FindContacts(p, radius, contacts);
            foreach (Contact wall in contacts)
            {
                gap = Math.Min(gap, wall.Distance);
            }
            return gap;
        }
    }
}
