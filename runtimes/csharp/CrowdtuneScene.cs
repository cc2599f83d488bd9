using System;
using System.Collections.Generic;
using UnityEngine;

namespace Crowdtune
{
    /// <summary>
    /// Walks a crowd: put it on an empty object and give it the two files. Place x is Unity's x, place y is Unity's z, both in meters.
    /// </summary>
    public sealed class CrowdtuneScene : MonoBehaviour
    {
        const float WallHeight = 2.5f;
        const float WallThickness = 0.1f;
        const float BodyHeight = 1.75f;
        const float GoalHeight = 0.05f;

        [Tooltip("preset.json")]
        public TextAsset preset;

        [Tooltip("place.json, or the one of several places that you want")]
        public TextAsset place;

        [Tooltip("Put the main camera above the place at the start")]
        public bool placeCamera = true;

        /// <summary>The crowd from Start on: set its FindWay, add and take out people.</summary>
        public Crowd Crowd { get; private set; }

        readonly Dictionary<int, Body> bodies = new Dictionary<int, Body>();
        readonly List<int> left = new List<int>();
        double clock, timeBefore;

        /// <summary>A capsule, and where its person was before the last step.</summary>
        sealed class Body
        {
            public Transform Shape;
            public Vec2 Before;
            public Vec2 Now;
            public bool Stays;
        }

        void Start()
        {
            if (preset == null || place == null)
            {
                Debug.LogError("CrowdtuneScene: drag preset.json and place.json onto its two fields in the Inspector.", this);
                enabled = false;
                return;
            }
            try
            {
                Crowd = Load.FromJson(preset.text, place.text);
            }
            catch (FormatException e)
            {
                Debug.LogError("CrowdtuneScene: " + e.Message, this);
                enabled = false;
                return;
            }
            BuildPlace();
            Follow();
        }

        void FixedUpdate()
        {
            clock += Time.fixedDeltaTime;
            // The clock sums single precision: 5 x 0.02 s may be a little less than 0.1 s, and the step is due all the same.
            double due = clock + 0.1 * Math.Min(Time.fixedDeltaTime, Crowd.TimeStepS);
            if (Crowd.TimeS + Crowd.TimeStepS > due)
            {
                return;
            }
            timeBefore = Crowd.TimeS;
            while (Crowd.TimeS + Crowd.TimeStepS <= due)
            {
                Crowd.Step();
            }
            Follow();
        }

        void Update()
        {
            // What is seen lags by one step, for only then is it known where that step leads. Where Unity's steps and the crowd's do not
            // fit, people go straight on for a moment.
            double lag = Math.Max(Crowd.TimeStepS, Time.fixedDeltaTime);
            double seen = clock + (Time.time - Time.fixedTime) - lag;
            double share = Crowd.TimeS > timeBefore ? (seen - timeBefore) / (Crowd.TimeS - timeBefore) : 1.0;
            foreach (Body body in bodies.Values)
            {
                Vec2 way = Crowd.Place.Apart(body.Before, body.Now);
                body.Shape.localPosition = At(body.Before + way * share, 0.5f * BodyHeight);
            }
        }

        /// <summary>Notes where people are now; new people get a capsule, capsules of who has left go.</summary>
        void Follow()
        {
            foreach (Person person in Crowd.People)
            {
                if (!bodies.TryGetValue(person.Id, out Body body))
                {
                    body = new Body { Shape = BuildBody(person), Now = person.Pos };
                    bodies.Add(person.Id, body);
                }
                body.Before = body.Now;
                body.Now = person.Pos;
                body.Stays = true;
            }
            left.Clear();
            foreach (KeyValuePair<int, Body> entry in bodies)
            {
                if (!entry.Value.Stays)
                {
                    left.Add(entry.Key);
                }
                entry.Value.Stays = false;
            }
            foreach (int id in left)
            {
                Destroy(bodies[id].Shape.gameObject);
                bodies.Remove(id);
            }
        }

        Transform BuildBody(Person person)
        {
            // Golden steps of hue keep groups apart, however many.
            Color color = Color.HSVToRGB(Mathf.Repeat(0.58f + 0.618f * person.Group, 1f), 0.7f, 0.9f);
            Transform shape = Build(PrimitiveType.Capsule, "Person " + person.Id, color);
            float width = 2f * (float)person.Radius;
            // Unity's capsule is 1 wide and 2 high.
            shape.localScale = new Vector3(width, 0.5f * BodyHeight, width);
            shape.localPosition = At(person.Pos, 0.5f * BodyHeight);
            return shape;
        }

        void BuildPlace()
        {
            Place where = Crowd.Place;
            var corners = new List<Vec2>();
            foreach (Wall wall in where.Walls)
            {
                Vec2 middle = (wall.A + wall.B) * 0.5;
                // A ring has copies of its walls beyond its ends, where nobody walks.
                if (where.Wrap(middle) == middle)
                {
                    BuildBar("Wall", wall.A, wall.B, WallThickness, WallHeight, new Color(0.6f, 0.6f, 0.6f));
                    corners.Add(wall.A);
                    corners.Add(wall.B);
                }
            }
            foreach (Goal goal in where.Goals)
            {
                BuildGoal(goal, corners);
            }
            foreach (Person person in Crowd.People)
            {
                corners.Add(person.Pos);
            }
            if (corners.Count == 0)
            {
                return;
            }
            var bounds = new Bounds(At(corners[0], 0f), Vector3.zero);
            foreach (Vec2 corner in corners)
            {
                bounds.Encapsulate(At(corner, 0f));
            }
            bounds.Expand(2f);
            Transform floor = Build(PrimitiveType.Cube, "Floor", new Color(0.25f, 0.27f, 0.3f));
            floor.localPosition = bounds.center + 0.05f * Vector3.down;
            floor.localScale = new Vector3(bounds.size.x, 0.1f, bounds.size.z);
            if (placeCamera && Camera.main != null)
            {
                float size = Mathf.Max(bounds.size.x, bounds.size.z);
                Transform eye = Camera.main.transform;
                eye.position = transform.TransformPoint(bounds.center + new Vector3(0f, 0.9f * size, -0.5f * size));
                eye.LookAt(transform.TransformPoint(bounds.center));
            }
        }

        void BuildGoal(Goal goal, List<Vec2> corners)
        {
            var color = new Color(0.3f, 0.75f, 0.4f);
            if (goal is DoorGoal door)
            {
                BuildBar("Door", door.A, door.B, 0.3f, GoalHeight, color);
                corners.Add(door.A);
                corners.Add(door.B);
            }
            else if (goal is PointGoal point)
            {
                var reach = new Vec2(point.Radius, 0.0);
                BuildBar("Point", point.At - reach, point.At + reach, 2f * (float)point.Radius, GoalHeight, color);
                corners.Add(point.At);
            }
            else if (goal is AreaGoal area)
            {
                for (int i = 0; i < area.Points.Count; i++)
                {
                    BuildBar("Area", area.Points[i], area.Points[(i + 1) % area.Points.Count], 0.3f, GoalHeight, color);
                    corners.Add(area.Points[i]);
                }
            }
        }

        /// <summary>A cube stretched from one point on the floor to another.</summary>
        void BuildBar(string title, Vec2 from, Vec2 to, float thickness, float height, Color color)
        {
            Transform bar = Build(PrimitiveType.Cube, title, color);
            bar.localPosition = At((from + to) * 0.5, 0.5f * height);
            bar.localRotation = Quaternion.LookRotation(At(to - from, 0f));
            bar.localScale = new Vector3(thickness, height, (float)(to - from).Length);
        }

        Transform Build(PrimitiveType type, string title, Color color)
        {
            GameObject made = GameObject.CreatePrimitive(type);
            made.name = title;
            made.GetComponent<Renderer>().material.color = color;
            // Only for the eye: the crowd keeps clear of walls and of each other by itself.
            Destroy(made.GetComponent<Collider>());
            made.transform.SetParent(transform, false);
            return made.transform;
        }

        static Vector3 At(Vec2 p, float height) => new Vector3((float)p.X, height, (float)p.Y);
    }
}
