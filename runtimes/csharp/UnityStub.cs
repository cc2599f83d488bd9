// Stands in for what CrowdtuneScene.cs uses of Unity, runs it without a screen, and checks that the capsules are where an own crowd says.
// It proves the scene's arithmetic, not Unity. From this folder:
//   mcs -define:UNITY_5_3_OR_NEWER $(pkg-config --libs newtonsoft-json) -out:scene.exe \
//     UnityStub.cs CrowdtuneScene.cs Walk.cs Crowdtune/*.cs
//   mono scene.exe preset.json place.json [SECONDS]

using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Linq;
using System.Reflection;
using Crowdtune;
using UnityEngine;

static class UnityStub
{
    /// <summary>A capsule is in single precision, m.</summary>
    const double Most = 1e-4;

    /// <summary>Where Unity's step and the crowd's do not fit, people go straight on for a moment, m.</summary>
    const double MostUnfit = 0.05;

    static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        if (args.Length < 2)
        {
            Console.Error.WriteLine("Say the two files: scene.exe preset.json place.json [SECONDS]");
            return 2;
        }
        double seconds = args.Length > 2 ? double.Parse(args[2]) : 20.0;
        bool ok = Complains();
        // 1/60 s six times is not quite 0.1 s; 0.03 s fits nothing.
        foreach (float step in new[] { 0.02f, 1f / 60f, 0.03f })
        {
            ok &= Run(File.ReadAllText(args[0]), File.ReadAllText(args[1]), seconds, step);
        }
        return ok ? 0 : 1;
    }

    /// <summary>Without files, and with a wrong one, the scene says so and stops.</summary>
    static bool Complains()
    {
        GameObject.All.Clear();
        var none = new CrowdtuneScene();
        var wrong = new CrowdtuneScene { preset = new TextAsset("{\"values\": {}}"), place = new TextAsset("{}") };
        Call(none, "Start");
        Call(wrong, "Start");
        bool ok = !none.enabled && !wrong.enabled && Debug.Errors.Count == 2 && GameObject.All.Count == 2;
        Console.WriteLine($"says: {string.Join(" | ", Debug.Errors)}  {(ok ? "ok" : "WRONG")}");
        return ok;
    }

    static bool Run(string preset, string place, double seconds, float step)
    {
        GameObject.All.Clear();
        Debug.Errors.Clear();
        var eye = new GameObject("Main Camera");
        Camera.main = new Camera { gameObject = eye };
        Time.fixedDeltaTime = step;
        Time.time = Time.fixedTime = 0f;
        var scene = new CrowdtuneScene { preset = new TextAsset(preset), place = new TextAsset(place) };
        Call(scene, "Start");

        Crowd own = Load.FromJson(preset, place);
        int all = own.People.Count;
        var states = new List<Dictionary<int, Vec2>> { Positions(own) };
        double period = Math.Max(own.TimeStepS, step);
        int per = (int)Math.Round(period / own.TimeStepS);
        // How many of the shorter steps make the longer one.
        double ratio = period / Math.Min(own.TimeStepS, step);
        bool fits = Math.Abs(ratio - Math.Round(ratio)) < 1e-6;
        if (!fits)
        {
            per = 1;
            period = own.TimeStepS;
        }
        double lag = Math.Max(own.TimeStepS, step);

        double worst = 0.0;
        long compared = 0, ticks = 0;
        var random = new System.Random(1);
        for (double now = 0.0; now < seconds; now += 0.005 + 0.03 * random.NextDouble())
        {
            while ((ticks + 1) * (double)step <= now)
            {
                ticks++;
                Time.time = Time.fixedTime = (float)(ticks * (double)step);
                Call(scene, "FixedUpdate");
            }
            Time.time = (float)now;
            Call(scene, "Update");

            long due = (long)Math.Floor((ticks * (double)step + 0.1 * Math.Min(own.TimeStepS, step)) / own.TimeStepS);
            while (states.Count <= due)
            {
                own.Step();
                states.Add(Positions(own));
            }
            double seen = Math.Max(now - lag, 0.0);
            int from = Math.Min((int)Math.Floor(seen / period + 1e-9) * per, (int)due);
            double share = seen / period - from / per;
            Dictionary<string, GameObject> capsules = GameObject.All
                .Where(thing => thing.Type == PrimitiveType.Capsule).ToDictionary(thing => thing.name);
            if (capsules.Count != states[(int)due].Count)
            {
                Console.WriteLine($"{capsules.Count} capsules for {states[(int)due].Count} people at {now:0.000} s  WRONG");
                return false;
            }
            foreach (int id in states[(int)due].Keys)
            {
                Vec2 a = states[from][id], b = states[Math.Min(from + per, (int)due)][id];
                Vec2 expected = a + own.Place.Apart(a, b) * share;
                Vector3 capsule = capsules["Person " + id].transform.localPosition;
                worst = Math.Max(worst, own.Place.Apart(expected, new Vec2(capsule.x, capsule.z)).Length);
                compared++;
            }
        }
        double walls = FarthestWall(own.Place);
        bool ok = worst <= (fits ? Most : MostUnfit) && walls <= Most && Debug.Errors.Count == 0;
        Console.WriteLine(
            $"step {step:0.0000} s  {all} people, {own.People.Count} at the end  {compared} places compared"
            + $"  capsules {worst:0.0e+0} m, walls {walls:0.0e+0} m off  {(ok ? "ok" : "WRONG")}");
        return ok;
    }

    /// <summary>How far the ends of a wall inside the rings are from those of the nearest cube, m.</summary>
    static double FarthestWall(Place place)
    {
        GameObject[] cubes = GameObject.All.Where(thing => thing.name == "Wall").ToArray();
        double worst = 0.0;
        foreach (Wall wall in place.Walls.Where(w => place.Wrap((w.A + w.B) * 0.5) == (w.A + w.B) * 0.5))
        {
            worst = Math.Max(worst, cubes.Min(cube =>
            {
                Transform t = cube.transform;
                Vector3 half = t.localRotation.Forward * (0.5f * t.localScale.z);
                Vector3 a = t.localPosition - half, b = t.localPosition + half;
                return Math.Max((new Vec2(a.x, a.z) - wall.A).Length, (new Vec2(b.x, b.z) - wall.B).Length);
            }));
        }
        return worst;
    }

    static Dictionary<int, Vec2> Positions(Crowd crowd) => crowd.People.ToDictionary(person => person.Id, person => person.Pos);

    /// <summary>Unity finds these by their names, too.</summary>
    static void Call(CrowdtuneScene scene, string name) =>
        typeof(CrowdtuneScene).GetMethod(name, BindingFlags.Instance | BindingFlags.NonPublic).Invoke(scene, null);
}

namespace UnityEngine
{
    public struct Vector3
    {
        public float x, y, z;

        public static readonly Vector3 zero = new Vector3(0f, 0f, 0f);
        public static readonly Vector3 down = new Vector3(0f, -1f, 0f);

        public Vector3(float x, float y, float z)
        {
            this.x = x;
            this.y = y;
            this.z = z;
        }

        public float magnitude => (float)Math.Sqrt(x * x + y * y + z * z);

        public static Vector3 operator +(Vector3 a, Vector3 b) => new Vector3(a.x + b.x, a.y + b.y, a.z + b.z);

        public static Vector3 operator -(Vector3 a, Vector3 b) => new Vector3(a.x - b.x, a.y - b.y, a.z - b.z);

        public static Vector3 operator *(Vector3 a, float s) => new Vector3(a.x * s, a.y * s, a.z * s);

        public static Vector3 operator *(float s, Vector3 a) => a * s;
    }

    /// <summary>Only what looks along a direction.</summary>
    public struct Quaternion
    {
        public Vector3 Forward;

        public static Quaternion LookRotation(Vector3 forward) =>
            new Quaternion { Forward = forward * (1f / forward.magnitude) };
    }

    public struct Bounds
    {
        Vector3 low, high;

        public Bounds(Vector3 center, Vector3 size)
        {
            low = center - 0.5f * size;
            high = center + 0.5f * size;
        }

        public Vector3 center => 0.5f * (low + high);

        public Vector3 size => high - low;

        public void Encapsulate(Vector3 p)
        {
            low = new Vector3(Math.Min(low.x, p.x), Math.Min(low.y, p.y), Math.Min(low.z, p.z));
            high = new Vector3(Math.Max(high.x, p.x), Math.Max(high.y, p.y), Math.Max(high.z, p.z));
        }

        public void Expand(float amount)
        {
            var half = new Vector3(0.5f * amount, 0.5f * amount, 0.5f * amount);
            low = low - half;
            high = high + half;
        }
    }

    public struct Color
    {
        public Color(float r, float g, float b)
        {
        }

        public static Color HSVToRGB(float h, float s, float v) => new Color(h, s, v);
    }

    public static class Mathf
    {
        public static float Max(float a, float b) => Math.Max(a, b);

        public static float Repeat(float t, float length) => t - (float)Math.Floor(t / length) * length;
    }

    public static class Time
    {
        public static float time, fixedTime, fixedDeltaTime;
    }

    public static class Debug
    {
        public static readonly List<string> Errors = new List<string>();

        public static void LogError(object message, Object context) => Errors.Add(message.ToString());
    }

    [AttributeUsage(AttributeTargets.Field)]
    public sealed class TooltipAttribute : Attribute
    {
        public TooltipAttribute(string tooltip)
        {
        }
    }

    public class Object
    {
        public string name;

        public static void Destroy(Object thing)
        {
            if (thing is GameObject made)
            {
                GameObject.All.Remove(made);
            }
        }
    }

    public class Component : Object
    {
        public GameObject gameObject;

        public Transform transform => gameObject.transform;
    }

    public class MonoBehaviour : Component
    {
        public bool enabled = true;

        public MonoBehaviour()
        {
            gameObject = new GameObject("Scene");
        }
    }

    public sealed class TextAsset : Object
    {
        public TextAsset(string text)
        {
            this.text = text;
        }

        public string text { get; }
    }

    public sealed class Camera : Component
    {
        public static Camera main;
    }

    public sealed class Collider : Component
    {
    }

    public sealed class Material : Object
    {
        public Color color;
    }

    public sealed class Renderer : Component
    {
        public readonly Material material = new Material();
    }

    public enum PrimitiveType
    {
        Capsule,
        Cube,
    }

    public sealed class Transform : Component
    {
        public Vector3 localPosition, localScale, position;
        public Quaternion localRotation;

        public void SetParent(Transform parent, bool worldPositionStays)
        {
        }

        public void LookAt(Vector3 there)
        {
        }

        public Vector3 TransformPoint(Vector3 p) => p;
    }

    public sealed class GameObject : Object
    {
        /// <summary>Whatever is in the scene.</summary>
        public static readonly List<GameObject> All = new List<GameObject>();

        public PrimitiveType? Type;
        public readonly Transform transform = new Transform();
        readonly Renderer renderer = new Renderer();
        readonly Collider collider = new Collider();

        public GameObject(string title)
        {
            name = title;
            transform.gameObject = this;
            All.Add(this);
        }

        public static GameObject CreatePrimitive(PrimitiveType type) => new GameObject(type.ToString()) { Type = type };

        public T GetComponent<T>() where T : Component => renderer as T ?? collider as T;
    }
}
