// Walks the crowd of a place without Unity, and writes its tracks as PedPy reads them: walk.exe [PLACE.json [SECONDS]].
#if !UNITY_5_3_OR_NEWER

using System;
using System.Globalization;
using System.IO;
using Crowdtune;

static class Walk
{
    static int Main(string[] args)
    {
        // Points in numbers, whatever the computer's language.
        CultureInfo.CurrentCulture = CultureInfo.InvariantCulture;
        string place = args.Length > 0 ? args[0] : "place.json";
        double seconds = 60.0;
        if (args.Length > 1 && !double.TryParse(args[1], out seconds))
        {
            Console.Error.WriteLine($"`{args[1]}` is no number of seconds: walk.exe [PLACE.json [SECONDS]]");
            return 2;
        }
        try
        {
            Run(Load.FromJson(File.ReadAllText("preset.json"), File.ReadAllText(place)), seconds);
            return 0;
        }
        catch (Exception e) when (e is IOException || e is FormatException)
        {
            Console.Error.WriteLine(e.Message);
            return 1;
        }
    }

    static void Run(Crowd crowd, double seconds)
    {
        int all = crowd.People.Count;
        using (var tracks = new StreamWriter("tracks.txt"))
        {
            tracks.NewLine = "\n";
            tracks.WriteLine($"# framerate: {1.0 / crowd.TimeStepS} fps");
            tracks.WriteLine("# x/y/z in m");
            tracks.WriteLine("# id frame x y z");
            for (int frame = 0; crowd.TimeS < seconds && crowd.People.Count > 0; frame++)
            {
                foreach (Person person in crowd.People)
                {
                    tracks.WriteLine($"{person.Id} {frame} {person.Pos.X:F4} {person.Pos.Y:F4} 0.0");
                }
                crowd.Step();
            }
        }
        int left = all - crowd.People.Count;
        Console.WriteLine($"{left} of {all} people left within {crowd.TimeS:F1} s; tracks.txt has everybody's way");
    }
}

#endif
