using System;
using System.Collections.Generic;

namespace Crowdtune
{
    /// <summary>Who is in which square, so that neighbors are found without asking everybody.</summary>
    public sealed class Cells
    {
        double size;
        Vec2 corner;
        int columns, rows;
        /// <summary>Where each cell begins in <see cref="order"/>, and where the last one ends.</summary>
        int[] begin = new int[0];
        int[] free = new int[0];
        int[] order = new int[0];

        /// <summary>Sorts everybody into squares at least <paramref name="reach"/> wide.</summary>
        internal void Fill(List<Person> people, double reach)
        {
            Vec2 low = people.Count > 0 ? people[0].Pos : Vec2.Zero, high = low;
            foreach (Person person in people)
            {
                low = new Vec2(Math.Min(low.X, person.Pos.X), Math.Min(low.Y, person.Pos.Y));
                high = new Vec2(Math.Max(high.X, person.Pos.X), Math.Max(high.Y, person.Pos.Y));
            }
            corner = low;
            size = Math.Max(reach, 0.1);
            // A few people in a large place need no million of cells.
            while (Count(low.X, high.X) * Count(low.Y, high.Y) > 4.0 * people.Count + 64.0)
            {
                size *= 2.0;
            }
            columns = (int)Count(low.X, high.X);
            rows = (int)Count(low.Y, high.Y);
            int cells = columns * rows;
            if (begin.Length < cells + 1)
            {
                begin = new int[cells + 1];
                free = new int[cells + 1];
            }
            if (order.Length < people.Count)
            {
                order = new int[people.Count];
            }
            Array.Clear(begin, 0, cells + 1);
            foreach (Person person in people)
            {
                begin[CellOf(person.Pos) + 1]++;
            }
            for (int cell = 1; cell <= cells; cell++)
            {
                begin[cell] += begin[cell - 1];
            }
            Array.Copy(begin, free, cells + 1);
            for (int i = 0; i < people.Count; i++)
            {
                order[free[CellOf(people[i].Pos)]++] = i;
            }
        }

        /// <summary>Squares from one coordinate to another; a double, for it may be huge before they are widened.</summary>
        double Count(double low, double high) => Math.Floor((high - low) / size) + 1.0;

        int CellOf(Vec2 p) => (int)((p.Y - corner.Y) / size) * columns + (int)((p.X - corner.X) / size);

        /// <summary>
        /// Lists the rows of everybody in the squares around somebody's place, row by row: all within the reach and some beyond.
        /// </summary>
        public void FindAround(Vec2 p, List<int> found)
        {
            found.Clear();
            int column = (int)((p.X - corner.X) / size), middle = (int)((p.Y - corner.Y) / size);
            int left = Math.Max(column - 1, 0), right = Math.Min(column + 1, columns - 1);
            int last = Math.Min(middle + 1, rows - 1);
            for (int row = Math.Max(middle - 1, 0); row <= last; row++)
            {
                int to = begin[row * columns + right + 1];
                for (int k = begin[row * columns + left]; k < to; k++)
                {
                    found.Add(order[k]);
                }
            }
        }
    }
}
