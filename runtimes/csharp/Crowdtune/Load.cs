using System;
using System.Collections.Generic;
using System.Linq;
using Newtonsoft.Json;
using Newtonsoft.Json.Linq;

namespace Crowdtune
{
    /// <summary>Makes a crowd from preset.json and place.json, as crowdtune writes them.</summary>
    public static class Load
    {
        /// <param name="preset">The text of preset.json.</param>
        /// <param name="place">The text of place.json.</param>
        /// <exception cref="FormatException">Names the key that is missing or is not what it should be.</exception>
        public static Crowd FromJson(string preset, string place) =>
            FromJson(Parse(preset, "preset"), Parse(place, "place"));

        public static Crowd FromJson(JObject preset, JObject place)
        {
            var shared = preset["values"] as JObject;
            if (shared == null)
            {
                throw new FormatException("`values` of the preset is missing: is it a preset.json of crowdtune?");
            }
            Goal[] goals = List(place, "goals").Select(ReadGoal).ToArray();
            var lines = List(place, "walls").Select(ReadLine).ToArray();
            JArray groupList = List(place, "groups");
            Group[] groups = groupList.Select(group => ReadGroup(group, goals)).ToArray();
            List<Person> people = List(place, "people").Select((person, id) => ReadPerson(person, id, groups.Length)).ToList();
            double lightest = people.Count > 0 ? people.Min(person => person.Mass) : double.PositiveInfinity;
            Constants[] constants = groupList.Select(group => new Constants(group["constants"] as JObject, shared)).ToArray();
            IModel model = ReadModel(place, constants, lightest);
            JObject rings = place["rings"] == null || place["rings"].Type == JTokenType.Null ? null : Object(place["rings"]);
            var walkable = new Place(lines, goals) { RingX = ReadRing(rings?["x"]), RingY = ReadRing(rings?["y"]) };
            double step = Number(place, "time_step_s");
            return new Crowd(walkable, groups, people, model, step > 0.0 ? step : throw Wrong(place, "time_step_s", "over 0"));
        }

        static JObject Parse(string text, string name)
        {
            try
            {
                return JObject.Parse(text);
            }
            catch (JsonReaderException e)
            {
                throw new FormatException($"The {name} is no JSON object: {e.Message}", e);
            }
        }

        static IModel ReadModel(JObject place, Constants[] constants, double lightest)
        {
            switch (Said(place["model"]))
            {
                case "social_force":
                    return new SocialForce(Array.ConvertAll(constants, ReadSocialForce), lightest);
                case "five_force":
                    return new FiveForce(Array.ConvertAll(constants, ReadFiveForce));
                case "orca":
                    return new Orca(Array.ConvertAll(constants, ReadOrca));
                default:
                    throw new FormatException("`model` of the place is none of social_force, five_force and orca");
            }
        }

        /// <summary>The constants of a group: its own, else those that all share.</summary>
        sealed class Constants
        {
            readonly JObject own;
            readonly JObject shared;

            public Constants(JObject own, JObject shared)
            {
                this.own = own;
                this.shared = shared;
            }

            JToken Get(string key) => own?[key] ?? shared[key];

            public double Number(string key)
            {
                JToken value = Get(key);
                return IsNumber(value) ? (double)value : throw Wrong(key, "a number");
            }

            public bool Switch(string key)
            {
                JToken value = Get(key);
                return value?.Type == JTokenType.Boolean ? (bool)value : throw Wrong(key, "true or false");
            }

            /// <summary>Number of a word among those that are known.</summary>
            public int Word(string key, params string[] words)
            {
                int at = Array.IndexOf(words, Said(Get(key)));
                return at >= 0 ? at : throw Wrong(key, "one of " + string.Join(", ", words));
            }

            FormatException Wrong(string key, string wanted)
            {
                string found = Get(key)?.ToString(Formatting.None) ?? "missing";
                return new FormatException($"The constant `{key}` is {found}; it must be {wanted}");
            }
        }

        static SocialForce.Constants ReadSocialForce(Constants c) => new SocialForce.Constants
        {
            RepulsionStrengthN = c.Number("repulsion_strength_n"),
            RepulsionRangeM = c.Number("repulsion_range_m"),
            WallRepulsion = c.Switch("wall_repulsion"),
            WallRepulsionStrengthN = c.Number("wall_repulsion_strength_n"),
            WallRepulsionRangeM = c.Number("wall_repulsion_range_m"),
            BodyStiffnessKgPerS2 = c.Number("body_stiffness_kg_per_s2"),
            SlidingFrictionKgPerMS = c.Number("sliding_friction_kg_per_m_s"),
            RelaxationTimeS = c.Number("relaxation_time_s"),
            Anisotropy = c.Number("anisotropy"),
            NegligibleMPerS2 = c.Number("negligible_m_per_s2"),
        };

        static FiveForce.Constants ReadFiveForce(Constants c) => new FiveForce.Constants
        {
            AttractionWeight = c.Number("attraction_weight"),
            SeparationWeight = c.Number("separation_weight"),
            AlignmentWeight = c.Number("alignment_weight"),
            CohesionWeight = c.Number("cohesion_weight"),
            RepulsionWeight = c.Number("repulsion_weight"),
            GainMPerS2 = c.Number("gain_m_per_s2"),
            FieldOfViewDeg = c.Number("field_of_view_deg"),
            RangeDiameters = c.Number("range_diameters"),
            TurnLimitDeg = c.Number("turn_limit_deg"),
            UnitTimeS = c.Number("unit_time_s"),
            LookAheadS = c.Number("look_ahead_s"),
            ClearanceM = c.Number("clearance_m"),
            PerceivesAll = c.Word("perceives", "group", "all") == 1,
            CollisionStrategies = c.Switch("collision_strategies"),
            StrategiesRespectTurnLimit = c.Switch("strategies_respect_turn_limit"),
            PedestrianDirections = ReadDirections(c, "pedestrian_directions"),
            WallDirections = ReadDirections(c, "wall_directions"),
        };

        static FiveForce.Directions ReadDirections(Constants c, string key) =>
            (FiveForce.Directions)c.Word(key, "four_forward", "four_diagonal", "seven");

        static Orca.Constants ReadOrca(Constants c) => new Orca.Constants
        {
            TimeHorizonS = c.Number("time_horizon_s"),
            ObstacleTimeHorizonS = c.Number("obstacle_time_horizon_s"),
            NeighborDistanceM = c.Number("neighbor_distance_m"),
            MaxNeighbors = (int)Math.Min(c.Number("max_neighbors"), int.MaxValue),
            Responsibility = c.Number("responsibility"),
            MarginM = c.Number("margin_m"),
            MaxSpeedFactor = c.Number("max_speed_factor"),
        };

        static Vec2[] ReadLine(JToken wall)
        {
            var ends = wall as JArray;
            if (ends == null || ends.Count != 2)
            {
                throw new FormatException($"`{wall.Path}` of the place must be two points [[x, y], [x, y]]");
            }
            return new[] { Point(ends[0]), Point(ends[1]) };
        }

        static Ring ReadRing(JToken ring)
        {
            if (ring == null || ring.Type == JTokenType.Null)
            {
                return null;
            }
            Vec2 ends = Point(ring);
            return new Ring(ends.X, ends.Y);
        }

        static Goal ReadGoal(JToken token)
        {
            var goal = Object(token);
            if (goal["door"] != null)
            {
                Vec2[] posts = ReadLine(goal["door"]);
                return new DoorGoal(posts[0], posts[1], Point(goal, "out"));
            }
            if (goal["area"] != null)
            {
                return new AreaGoal(List(goal, "area").Select(Point).ToArray());
            }
            return new PointGoal(Point(goal, "point"), Number(goal, "radius_m"));
        }

        static Group ReadGroup(JToken token, Goal[] goals)
        {
            var group = Object(token);
            JToken stay = group["stay"];
            return new Group
            {
                Stages = List(group, "stages").Select(stage => ReadStage(stage, goals)).ToArray(),
                OwnGoals = IsTrue(group["own_goals"]),
                Rounds = IsTrue(group["rounds"]),
                Heading = group["heading"] == null ? (Vec2?)null : Point(group, "heading"),
                Stay = stay == null ? null : new PointGoal(Point(Object(stay), "at"), Number(Object(stay), "radius_m")),
            };
        }

        static Goal[] ReadStage(JToken stage, Goal[] goals)
        {
            var numbers = stage as JArray;
            if (numbers == null || numbers.Count == 0 || !numbers.All(n => IsNumber(n) && (double)n >= 0.0 && (double)n < goals.Length))
            {
                throw new FormatException($"`{stage.Path}` of the place must be a list of numbers of goals, 0 to {goals.Length - 1}");
            }
            return numbers.Select(n => goals[(int)n]).ToArray();
        }

        static Person ReadPerson(JToken token, int id, int groups)
        {
            var person = Object(token);
            double group = Number(person, "group");
            if (!(group >= 0.0 && group < groups))
            {
                throw new FormatException($"`{person["group"].Path}` of the place must be the number of a group, 0 to {groups - 1}");
            }
            JToken most = person["max_speed_m_per_s"];
            return new Person
            {
                Id = id,
                Group = (int)group,
                Rank = (int)Number(person, "rank"),
                Pos = new Vec2(Number(person, "x"), Number(person, "y")),
                Vel = new Vec2(Number(person, "vx"), Number(person, "vy")),
                Radius = Number(person, "radius_m"),
                Mass = Number(person, "mass_kg"),
                Speed = Number(person, "desired_speed_m_per_s"),
                MaxSpeed = IsNumber(most) ? (double)most : double.PositiveInfinity,
                StartS = Number(person, "start_time_s"),
            };
        }

        static bool IsNumber(JToken value) => value?.Type == JTokenType.Float || value?.Type == JTokenType.Integer;

        static bool IsTrue(JToken value) => value?.Type == JTokenType.Boolean && (bool)value;

        static string Said(JToken value) => value?.Type == JTokenType.String ? (string)value : null;

        static JObject Object(JToken token) =>
            token as JObject ?? throw new FormatException($"`{token.Path}` of the place must be an object {{...}}");

        static JArray List(JObject from, string key) => from[key] as JArray ?? throw Wrong(from, key, "a list");

        static double Number(JObject from, string key) =>
            IsNumber(from[key]) ? (double)from[key] : throw Wrong(from, key, "a number");

        static Vec2 Point(JObject from, string key) => Point(from[key] ?? throw Wrong(from, key, "a point [x, y]"));

        static Vec2 Point(JToken from)
        {
            var xy = from as JArray;
            if (xy == null || xy.Count != 2 || !IsNumber(xy[0]) || !IsNumber(xy[1]))
            {
                throw new FormatException($"`{from.Path}` of the place must be two numbers [.., ..]");
            }
            return new Vec2((double)xy[0], (double)xy[1]);
        }

        static FormatException Wrong(JObject from, string key, string wanted)
        {
            string path = from.Path == "" ? key : from.Path + "." + key;
            string found = from[key]?.ToString(Formatting.None) ?? "missing";
            return new FormatException($"`{path}` of the place is {found}; it must be {wanted}");
        }
    }
}
