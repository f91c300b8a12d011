//! A cache of a bounded size, which drops what was not used for longest.
//!
//! Entries are in two generations, each at most half of the cache. An entry that is used moves to the younger one. When
//! that is full, it becomes the older one, and what was left in that is dropped.

use std::borrow::Borrow;
use std::hash::Hash;

use foldhash::HashMap;

/// A cache. Keys and values that are dropped are not needed: they can be made again.
#[derive(Debug)]
pub struct Cache<K, V> {
    most: usize,
    young: Generation<K, V>,
    old: Generation<K, V>,
}

/// Entries with their weights, and the sum of these.
#[derive(Debug)]
struct Generation<K, V> {
    entries: HashMap<K, (V, usize)>,
    weight: usize,
}

impl<K, V> Default for Generation<K, V> {
    fn default() -> Self {
        Self { entries: HashMap::default(), weight: 0 }
    }
}

impl<K: Eq + Hash, V> Generation<K, V> {
    fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<(K, V, usize)>
    where
        K: Borrow<Q>,
    {
        let (key, (value, weight)) = self.entries.remove_entry(key)?;
        self.weight -= weight;
        Some((key, value, weight))
    }

    fn clear(&mut self) {
        self.entries.clear();
        self.weight = 0;
    }
}

impl<K: Eq + Hash, V: Clone> Cache<K, V> {
    /// An empty cache, whose entries have at most this weight together.
    #[must_use]
    pub fn new(most: usize) -> Self {
        Self { most, young: Generation::default(), old: Generation::default() }
    }

    /// The value for a key, which counts as used.
    pub fn get<Q: Eq + Hash + ?Sized>(&mut self, key: &Q) -> Option<V>
    where
        K: Borrow<Q>,
    {
        if let Some((value, _)) = self.young.entries.get(key) {
            return Some(value.clone());
        }
        let (key, value, weight) = self.old.remove(key)?;
        self.add(key, value.clone(), weight);
        Some(value)
    }

    /// Inserts a value of this weight. One that is heavier than half of the cache is not kept.
    pub fn insert(&mut self, key: K, value: V, weight: usize) {
        self.remove(&key);
        if weight <= self.most / 2 {
            self.add(key, value, weight);
        }
    }

    fn add(&mut self, key: K, value: V, weight: usize) {
        if self.young.weight + weight > self.most / 2 {
            self.age();
        }
        self.young.weight += weight;
        self.young.entries.insert(key, (value, weight));
    }

    /// Removes the value for a key.
    pub fn remove<Q: Eq + Hash + ?Sized>(&mut self, key: &Q)
    where
        K: Borrow<Q>,
    {
        if self.young.remove(key).is_none() {
            self.old.remove(key);
        }
    }

    /// Drops what was not used since this was called last, by itself or because the cache was full.
    pub fn age(&mut self) {
        std::mem::swap(&mut self.young, &mut self.old);
        self.young.clear();
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.young.clear();
        self.old.clear();
    }

    /// The weight of all entries.
    #[must_use]
    pub fn weight(&self) -> usize {
        self.young.weight + self.old.weight
    }

    /// Makes room in memory for this many entries.
    pub fn reserve(&mut self, entries: usize) {
        self.young.entries.reserve(entries);
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_used_stays_and_what_is_not_used_goes() {
        let mut cache = Cache::new(100);
        cache.insert(0, 0, 1);
        for n in 1..10_000 {
            cache.insert(n, n, 1);
            assert_eq!((cache.get(&0), cache.get(&n)), (Some(0), Some(n)));
            assert!(cache.weight() <= 100);
            let kept = (0..=n).filter(|n| cache.young.entries.contains_key(n) || cache.old.entries.contains_key(n));
            assert_eq!(kept.count(), cache.weight());
        }
        assert_eq!(cache.get(&5_000), None);
        assert!(cache.get(&9_960).is_some(), "the last ones were used lately");
    }

    #[test]
    fn a_key_has_one_value_and_its_weight_is_counted_once() {
        let mut cache = Cache::new(100);
        for value in 0..100 {
            cache.insert("a", value, 20);
            cache.insert("b", value, 30);
            assert_eq!((cache.get("a"), cache.get("b")), (Some(value), Some(value)));
            assert_eq!(cache.weight(), 50);
        }
        cache.insert("a", 1, 51);
        assert_eq!((cache.get("a"), cache.weight()), (None, 30), "too heavy to be kept");
        cache.remove("b");
        assert_eq!((cache.get("b"), cache.weight()), (None, 0));
        cache.insert("a", 1, 1);
        cache.clear();
        assert_eq!((cache.get("a"), cache.weight()), (None, 0));
    }
}
