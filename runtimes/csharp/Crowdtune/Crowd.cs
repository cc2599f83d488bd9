using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>Somebody. Meters and seconds.</summary>
    public sealed class Person
    {
        /// <summary>Time to walk the last meter to a point, s, so that nobody walks past it.</summary>
        const double ArriveS = 1.0;

        /// <summary>Never used again, so give a new person a new one.</summary>
        public int Id;
        /// <summary>Number of the group.</summary>
        public int Group;
        /// <summary>How many of the group were there before; picks the goal where each has their own.</summary>
        public int Rank;
        /// <summary>Center of the body, m.</summary>
        public Vec2 Pos;
        /// <summary>m/s.</summary>
        public Vec2 Vel;
        /// <summary>m.</summary>
        public double Radius;
        /// <summary>kg.</summary>
        public double Mass;
        /// <summary>Speed that the person wants, m/s.</summary>
        public double Speed;
        /// <summary>Highest speed, m/s; infinite for none.</summary>
        public double MaxSpeed = double.PositiveInfinity;
        /// <summary>Starts to walk then, s.</summary>
        public double StartS;
        /// <summary>Stages of the journey that are done.</summary>
        public int Stage;
        /// <summary>False before the start.</summary>
        public bool Walks;
        /// <summary>Unit vector to where the person wants to go; zero for nowhere.</summary>
        public Vec2 Way;
        /// <summary>How far it is to where the person will stop, m; infinite for who will not stop.</summary>
        public double Distance;
        /// <summary>Where the person of the five-force model faces; zero before the first step and in other models.</summary>
        public Vec2 Heading;

        /// <summary>Highest speed, m/s: the own one, or so many times the desired one.</summary>
        internal double TopSpeed(double factor) => double.IsPositiveInfinity(MaxSpeed) ? factor * Speed : MaxSpeed;

        /// <summary>The speed with nobody in the way, m/s.</summary>
        internal double PreferredSpeed => Math.Min(Speed, Distance / ArriveS);

        /// <summary>Direction in which two people at the same place part; opposite for the two.</summary>
        internal static Vec2 Parting(int id, int other)
        {
            // The golden angle spreads pairs over all directions.
            double angle = 2.399963229728653 * (id + other);
            var way = new Vec2(Math.Cos(angle), Math.Sin(angle));
            return id < other ? way : -way;
        }
    }

    /// <summary>What the people of a group share.</summary>
    public sealed class Group
    {
        /// <summary>Goals to choose from, stage after stage.</summary>
        public Goal[][] Stages = new Goal[0][];
        /// <summary>True if each person has their own goal of each stage.</summary>
        public bool OwnGoals;
        /// <summary>True if the journey starts over at its end.</summary>
        public bool Rounds;
        /// <summary>Direction of people without stages, a unit vector.</summary>
        public Vec2? Heading;
        /// <summary>Where people without stages stay.</summary>
        public PointGoal Stay;

        /// <summary>Goals that somebody of the group can choose from now.</summary>
        internal ArraySegment<Goal> Choice(Person person)
        {
            if (person.Stage >= Stages.Length)
            {
                return default(ArraySegment<Goal>);
            }
            Goal[] stage = Stages[person.Stage];
            return OwnGoals ? new ArraySegment<Goal>(stage, person.Rank % stage.Length, 1) : new ArraySegment<Goal>(stage);
        }
    }

    /// <summary>What steers everybody.</summary>
    public interface IModel
    {
        /// <summary>How far people notice each other, m.</summary>
        double Reach(List<Person> people);

        /// <summary>Writes everybody's velocity of the next step.</summary>
        void Steer(Place place, List<Person> people, Cells cells, double dt, Vec2[] next);
    }

    /// <summary>A crowd that steps: everybody picks a way, the model gives velocities, people move and leave.</summary>
    public sealed class Crowd
    {
        /// <summary>Where it is.</summary>
        public readonly Place Place;
        /// <summary>What groups want.</summary>
        public readonly IReadOnlyList<Group> Groups;
        /// <summary>Who is there, in the order of ids.</summary>
        public readonly List<Person> People;
        /// <summary>What steers everybody.</summary>
        public readonly IModel Model;
        /// <summary>Step, s.</summary>
        public readonly double TimeStepS;

        /// <summary>Ways of your own (a navigation mesh): the unit vector for a person, or null for straight to the goal.</summary>
        public Func<Person, Place, Vec2?> FindWay;

        readonly Cells cells = new Cells();
        Vec2[] next = new Vec2[0];
        long steps;

        /// <summary>Simulated time, s.</summary>
        public double TimeS => steps * TimeStepS;

        public Crowd(Place place, IReadOnlyList<Group> groups, List<Person> people, IModel model, double timeStepS)
        {
            Place = place;
            Groups = groups;
            People = people;
            Model = model;
            TimeStepS = timeStepS;
        }

        public void Step()
        {
            foreach (Person person in People)
            {
                LookAhead(person);
            }
            if (next.Length < People.Count)
            {
                next = new Vec2[People.Count];
            }
            // Across the seam of a ring anybody may be near: one square for all.
            cells.Fill(People, Place.IsOpen ? Model.Reach(People) : double.PositiveInfinity);
            Model.Steer(Place, People, cells, TimeStepS, next);
            steps++;
            MoveAll();
        }

        /// <summary>Where somebody wants to go now, and how far it is.</summary>
        void LookAhead(Person person)
        {
            Group group = Groups[person.Group];
            Goal goal = Chosen(group, person);
            person.Walks = person.Walks || person.StartS <= TimeS;
            person.Way = Vec2.Zero;
            person.Distance = 0.0;
            if (goal != null)
            {
                bool stops = person.Stage + 1 == group.Stages.Length && goal is PointGoal;
                person.Way = goal.Toward(Place, person.Pos, person.Radius);
                person.Distance = stops ? goal.Distance(Place, person.Pos) : double.PositiveInfinity;
            }
            else if (group.Heading.HasValue)
            {
                person.Way = group.Heading.Value;
                person.Distance = double.PositiveInfinity;
            }
            else if (group.Stay != null)
            {
                Vec2 way = Place.Apart(person.Pos, group.Stay.At);
                person.Way = way.Length > group.Stay.Radius ? way.Unit : Vec2.Zero;
                person.Distance = way.Length;
            }
            person.Way = FindWay?.Invoke(person, Place) ?? person.Way;
            if (!person.Walks)
            {
                person.Way = Vec2.Zero;
            }
        }

        /// <summary>The nearest goal to choose from.</summary>
        Goal Chosen(Group group, Person person)
        {
            ArraySegment<Goal> choice = group.Choice(person);
            Goal best = null;
            double least = double.PositiveInfinity;
            for (int k = choice.Offset; k < choice.Offset + choice.Count; k++)
            {
                double distance = choice.Array[k].Distance(Place, person.Pos);
                if (best == null || distance < least)
                {
                    best = choice.Array[k];
                    least = distance;
                }
            }
            return best;
        }

        /// <summary>Moves everybody; who has reached the last goal leaves.</summary>
        void MoveAll()
        {
            int kept = 0;
            for (int row = 0; row < People.Count; row++)
            {
                Person person = People[row];
                Vec2 from = person.Pos, to = from + next[row] * TimeStepS;
                person.Pos = Place.Wrap(to);
                person.Vel = next[row];
                if (!HasLeft(person, from, to))
                {
                    People[kept++] = person;
                }
            }
            People.RemoveRange(kept, People.Count - kept);
        }

        /// <summary>Goes on to the next stage at a goal; true past the last.</summary>
        bool HasLeft(Person person, Vec2 from, Vec2 to)
        {
            Group group = Groups[person.Group];
            ArraySegment<Goal> choice = group.Choice(person);
            for (int k = choice.Offset; k < choice.Offset + choice.Count; k++)
            {
                if (!choice.Array[k].IsReached(Place, from, to, person.Radius))
                {
                    continue;
                }
                person.Stage++;
                if (person.Stage == group.Stages.Length && group.Rounds)
                {
                    person.Stage = 0;
                }
                return person.Stage == group.Stages.Length;
            }
            return false;
        }
    }
}
