// Compares this runtime with what the Rust one did in every file of a folder; `--speed` measures it. From this folder:
//   mcs -optimize+ $(pkg-config --libs newtonsoft-json) -out:check.exe Check.cs Crowdtune/*.cs && mono check.exe ../cases --speed

using System;
using System.Collections.Generic;
using System.Diagnostics;
using System.Globalization;
using System.IO;
using System.Linq;
using Crowdtune;
using Newtonsoft.Json.Linq;

static class Check
{
    /// <summary>Largest difference of a position, m.</summary>
    const double Most = 1e-9;

    /// <summary>A case of each model to measure the speed with.</summary>
    static readonly string[] Measured = { "orca_room", "social_force_jam", "five_force_room" };

    static int Main(string[] args)
    {
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        string folder = args.FirstOrDefault(arg => !arg.StartsWith("--"));
        string[] files = folder == null ? new string[0] : Directory.GetFiles(folder, "*.json").OrderBy(name => name).ToArray();
        if (files.Length == 0)
        {
            Console.Error.WriteLine("Say the folder of the cases: check.exe ../cases [--speed]");
            return 2;
        }
        List<JObject> cases = files.Select(name => JObject.Parse(File.ReadAllText(name))).ToList();
        bool ok = true;
        foreach (JObject test in cases)
        {
            string difference = Differ(test, out double worst);
            bool same = difference == null && worst <= Most;
            string verdict = difference ?? (same ? "ok" : "differs");
            Console.WriteLine($"{test["name"]}  {worst:0.0e+0} m  {verdict}");
            ok = ok && same;
        }
        if (args.Contains("--speed"))
        {
            foreach (string name in Measured)
            {
                JObject test = cases.Find(c => (string)c["name"] == name);
                if (test != null)
                {
                    Console.WriteLine($"{name}  {Speed(test):0} agent-steps/s");
                }
            }
        }
        return ok ? 0 : 1;
    }

    /// <summary>Where ids differ; null if nowhere.</summary>
    static string Differ(JObject test, out double worst)
    {
        worst = 0.0;
        Crowd crowd = Start(test);
        int steps = 0;
        foreach (JToken after in test["after"])
        {
            for (; steps < (int)after["steps"]; steps++)
            {
                crowd.Step();
            }
            var there = (JArray)after["people"];
            if (!there.Select(row => (int)row[0]).SequenceEqual(crowd.People.Select(person => person.Id)))
            {
                return $"other people are there after {steps} steps";
            }
            for (int i = 0; i < there.Count; i++)
            {
                double off = (crowd.People[i].Pos - new Vec2((double)there[i][1], (double)there[i][2])).Length;
                // Max keeps what is no number; a comparison would overlook it.
                worst = Math.Max(worst, off);
            }
        }
        return null;
    }

    static double Speed(JObject test)
    {
        var watch = new Stopwatch();
        long agentSteps = 0;
        // The first round is for the compiler.
        for (int round = 0; round == 0 || watch.Elapsed.TotalSeconds < 2.0; round++)
        {
            Crowd crowd = Start(test);
            if (round > 0)
            {
                watch.Start();
            }
            for (int step = 0; step < 300; step++)
            {
                agentSteps += round > 0 ? crowd.People.Count : 0;
                crowd.Step();
            }
            watch.Stop();
        }
        return agentSteps / watch.Elapsed.TotalSeconds;
    }

    static Crowd Start(JObject test) => Load.FromJson((JObject)test["preset"], (JObject)test["place"]);
}
