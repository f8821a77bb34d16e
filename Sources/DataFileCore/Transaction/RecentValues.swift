/// Values by keys, of which those are kept that were used last.
///
/// There are two generations: when the young one is full it becomes the old one, and what nobody
/// has asked for since then is dropped.
///
/// Inlinable, so that each module has it for its own keys.
@usableFromInline
package struct RecentValues<Key: Hashable, Value> {
    @usableFromInline let capacity: Int
    @usableFromInline var young: [Key: Value] = [:]
    @usableFromInline var old: [Key: Value] = [:]

    /// - Parameter capacity: the most values of one generation.
    @inlinable
    package init(capacity: Int) {
        self.capacity = capacity
    }

    /// The value of a key, which is young from now on; nil if none is kept.
    @inlinable
    package mutating func value(_ key: Key) -> Value? {
        if let value = young[key] { return value }
        guard let value = old.removeValue(forKey: key) else { return nil }
        keep(value, key)
        return value
    }

    /// Keeps a value.
    @inlinable
    package mutating func keep(_ value: Value, _ key: Key) {
        if young.count >= capacity, young[key] == nil {
            old = young
            young = [:]
        }
        young[key] = value
    }

    /// Drops all values.
    mutating func removeAll() {
        young = [:]
        old = [:]
    }
}
