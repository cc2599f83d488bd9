//! Columns in single precision that kernels read and write eight numbers at a time.
#![allow(unsafe_code, reason = "one check for all columns instead of one for each")]

use super::lanes::{Lanes, WIDTH};
use std::ops::Range;

/// `N` columns of one length.
#[derive(Clone, Debug, Default)]
pub struct Planes<const N: usize> {
    /// One column after the other.
    numbers: Vec<f32>,
    /// Length of a column: at least [`WIDTH`], or 0 as long as there is none.
    len: usize,
    /// Number of indices from which eight numbers can be read.
    starts: usize,
}

impl<const N: usize> Planes<N> {
    /// Grows the columns so that eight numbers can be read from every index below `end`; old numbers stay, new ones are
    /// 0.
    #[inline]
    pub fn reserve(&mut self, end: usize) {
        if self.starts < end {
            self.grow(end);
        }
    }

    #[cold]
    fn grow(&mut self, end: usize) {
        let len = 2 * end + WIDTH;
        let mut numbers = vec![0.0; N * len];
        for plane in 0..N {
            numbers[plane * len..][..self.len].copy_from_slice(&self.numbers[plane * self.len..][..self.len]);
        }
        *self = Self { numbers, len, starts: len - WIDTH + 1 };
    }

    /// A number of a column.
    ///
    /// # Panics
    /// If there is no such column or place.
    #[inline(always)]
    pub fn get(&self, plane: usize, at: usize) -> f32 {
        assert!(at < self.len, "place {at} of {}", self.len);
        self.numbers[plane * self.len + at]
    }

    /// Sets one number of each of the first `M` columns.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub fn set<const M: usize>(&mut self, at: usize, numbers: [f32; M]) {
        self.write().set(at, numbers);
    }

    /// For reading in a loop: the compiler can rely on the columns staying where they are.
    #[inline(always)]
    pub fn read(&self) -> Read<'_, N> {
        Read { numbers: &self.numbers, len: self.len, starts: self.starts }
    }

    /// For reading and writing in a loop.
    #[inline(always)]
    pub fn write(&mut self) -> Write<'_, N> {
        Write { len: self.len, starts: self.starts, numbers: &mut self.numbers }
    }

    /// Eight numbers of each of the first `M` columns.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn load<L: Lanes, const M: usize>(&self, at: usize) -> [L; M] {
        self.read().load(at)
    }

    /// Sets eight numbers of each of the first `M` columns.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn put<L: Lanes, const M: usize>(&mut self, at: usize, lanes: [L; M]) {
        self.write().put(at, lanes);
    }
}

/// Columns to read.
#[derive(Clone, Copy, Debug)]
pub struct Read<'a, const N: usize> {
    numbers: &'a [f32],
    len: usize,
    starts: usize,
}

impl<'a, const N: usize> Read<'a, N> {
    /// One number of each column.
    ///
    /// # Panics
    /// If there is no such place.
    #[inline(always)]
    pub fn row(&self, at: usize) -> [f32; N] {
        assert!(at < self.len, "place {at} of {}", self.len);
        let mut row = [0.0; N];
        for (plane, number) in row.iter_mut().enumerate() {
            // SAFETY: `numbers` has N * len places, and `at` is below len.
            *number = unsafe { *self.numbers.get_unchecked(plane * self.len + at) };
        }
        row
    }

    /// The first numbers of the first column.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn first(&self, count: usize) -> &'a [f32] {
        assert!(count <= self.len, "{count} of {}", self.len);
        &self.numbers[..count]
    }

    /// The first `count` blocks of eight of each of the first `M` columns: a loop over them checks nothing.
    ///
    /// # Panics
    /// If there are fewer.
    #[inline(always)]
    pub fn blocks<const M: usize>(&self, count: usize) -> [&'a [[f32; WIDTH]]; M] {
        const { assert!(M <= N) };
        let mut blocks = [&[][..]; M];
        for (plane, blocks) in blocks.iter_mut().enumerate() {
            *blocks = self.numbers[plane * self.len..][..self.len].as_chunks().0;
            *blocks = &blocks[..count];
        }
        blocks
    }

    /// As [`Planes::load`].
    #[inline(always)]
    pub fn load<L: Lanes, const M: usize>(&self, at: usize) -> [L; M] {
        const { assert!(M <= N) };
        assert!(at < self.starts, "place {at} of {}", self.starts);
        let mut lanes = [L::splat(0.0); M];
        for (plane, lanes) in lanes.iter_mut().enumerate() {
            // SAFETY: `numbers` has N * len places, and eight of len are there from `at` on.
            *lanes = L::of(unsafe { &*self.numbers.as_ptr().add(plane * self.len + at).cast() });
        }
        lanes
    }
}

/// Columns to read and write.
#[derive(Debug)]
pub struct Write<'a, const N: usize> {
    numbers: &'a mut [f32],
    len: usize,
    starts: usize,
}

impl<const N: usize> Write<'_, N> {
    /// As [`Planes::load`].
    #[inline(always)]
    pub fn load<L: Lanes, const M: usize>(&self, at: usize) -> [L; M] {
        Read::<N> { numbers: self.numbers, len: self.len, starts: self.starts }.load(at)
    }

    /// As [`Planes::put`].
    #[inline(always)]
    pub fn put<L: Lanes, const M: usize>(&mut self, at: usize, lanes: [L; M]) {
        const { assert!(M <= N) };
        assert!(at < self.starts, "place {at} of {}", self.starts);
        for (plane, lanes) in lanes.into_iter().enumerate() {
            // SAFETY: as in `Read::load`.
            lanes.put(unsafe { &mut *self.numbers.as_mut_ptr().add(plane * self.len + at).cast() });
        }
    }

    /// As [`Planes::set`].
    #[inline(always)]
    pub fn set<const M: usize>(&mut self, at: usize, numbers: [f32; M]) {
        const { assert!(M <= N) };
        assert!(at < self.len, "place {at} of {}", self.len);
        for (plane, number) in numbers.into_iter().enumerate() {
            // SAFETY: `numbers` has N * len places, and `at` is below len.
            unsafe { *self.numbers.get_unchecked_mut(plane * self.len + at) = number };
        }
    }

    /// Copies these places of the first `M` columns, eight at a time; what stands behind the last one is overwritten too.
    ///
    /// # Panics
    /// If eight numbers cannot be read or written from any of these places on.
    #[inline(always)]
    pub fn copy<L: Lanes, const M: usize>(&mut self, at: usize, from: &Read<'_, N>, places: Range<usize>) {
        const { assert!(M <= N) };
        let count = places.end.saturating_sub(places.start);
        if count == 0 {
            return;
        }
        assert!(places.end <= from.starts, "places to {} of {}", places.end, from.starts);
        let room = at.checked_add(count).is_some_and(|end| end <= self.starts);
        assert!(room, "{count} places from {at} of {}", self.starts);
        let mut block = 0;
        while block < count {
            for plane in 0..M {
                // SAFETY: block is below count, so that both places are below `starts`, from where on eight numbers of each column are there.
                unsafe {
                    let lanes = L::of(&*from.numbers.as_ptr().add(plane * from.len + places.start + block).cast());
                    lanes.put(&mut *self.numbers.as_mut_ptr().add(plane * self.len + at + block).cast());
                }
            }
            block += WIDTH;
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::math::lanes::Plain;

    #[test]
    fn growing_keeps_what_is_there() {
        let mut planes = Planes::<2>::default();
        planes.reserve(3);
        for at in 0..10 {
            planes.set(at, [at as f32, 100.0 + at as f32]);
        }
        planes.put(1, [Plain::splat(7.0), Plain::splat(8.0)]);
        planes.reserve(500);
        assert_eq!((planes.get(0, 0), planes.get(1, 0), planes.get(1, 9)), (0.0, 100.0, 109.0));
        let [a, b] = planes.load::<Plain, _>(2);
        assert_eq!((a.store()[6], a.store()[7], b.store()[0], b.store()[7]), (7.0, 9.0, 8.0, 109.0));
    }

    #[test]
    fn stretches_and_blocks_are_those_of_single_numbers() {
        let (mut from, mut to) = (Planes::<2>::default(), Planes::<2>::default());
        from.reserve(40);
        to.reserve(30);
        for at in 0..40 {
            from.set(at, [at as f32, 100.0 + at as f32]);
        }
        let mut write = to.write();
        write.copy::<Plain, 2>(0, &from.read(), 3..14);
        write.copy::<Plain, 2>(11, &from.read(), 20..20);
        write.copy::<Plain, 1>(11, &from.read(), 30..31);
        let [first, second] = to.read().blocks(2);
        let numbers = [3, 4, 5, 6, 7, 8, 9, 10, 11, 12, 13, 30].map(|x: u8| f32::from(x));
        assert_eq!(first.as_flattened()[..12], numbers);
        assert_eq!(second.as_flattened()[..11], numbers.map(|x| 100.0 + x)[..11]);
    }

    #[test]
    #[should_panic(expected = "30 places from 0 of 25")]
    fn a_stretch_has_to_fit() {
        let (mut from, mut to) = (Planes::<1>::default(), Planes::<1>::default());
        from.reserve(40);
        to.reserve(12);
        to.write().copy::<Plain, 1>(0, &from.read(), 0..30);
    }

    #[test]
    #[should_panic(expected = "place 25 of 25")]
    fn eight_numbers_have_to_be_there() {
        let mut planes = Planes::<1>::default();
        planes.reserve(12);
        let [_] = planes.load::<Plain, _>(24);
        let [_] = planes.load::<Plain, _>(25);
    }
}
