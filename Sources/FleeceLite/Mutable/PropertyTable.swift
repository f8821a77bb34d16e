/// The properties that have been set in a dictionary, unordered.
///
/// Usually there are few: they are a list that is searched linearly. Many properties get an index.
struct PropertyTable: Sendable {
    struct Property: Sendable {
        let key: String
        /// Nil for a removed property of the source.
        var value: MutableFleeceValue?
    }

    private static let mostWithoutIndex = 12

    private(set) var properties: [Property] = []
    /// The index of each key in the list, if there are many.
    private var positions: [ExactString: Int]?

    var count: Int { properties.count }

    var isEmpty: Bool { properties.isEmpty }

    mutating func reserve(_ count: Int) {
        properties.reserveCapacity(count)
    }

    /// The index of a key, valid until one is added or removed.
    @inline(__always)
    func position(of key: String) -> Int? {
        if properties.isEmpty { return nil }
        return positions == nil ? search(key) : positions?[ExactString(key)]
    }

    private func search(_ key: String) -> Int? {
        properties.withUnsafeBufferPointer { properties in
            for position in 0..<properties.count
            where properties[position].key.hasSameBytes(as: key) {
                return position
            }
            return nil
        }
    }

    /// Removes the value at an index from the storage, so that the caller is its only owner.
    mutating func take(_ position: Int) -> MutableFleeceValue? {
        properties[position].value.take()
    }

    mutating func set(_ value: MutableFleeceValue?, at position: Int) {
        properties[position].value = value
    }

    /// Adds a key that does not exist yet.
    mutating func append(_ key: String, _ value: MutableFleeceValue?) {
        properties.append(Property(key: key, value: value))
        if positions != nil {
            positions?[ExactString(key)] = properties.count - 1
        } else if properties.count > Self.mostWithoutIndex {
            makeIndex()
        }
    }

    @inline(never)
    private mutating func makeIndex() {
        var index: [ExactString: Int] = [:]
        for (position, property) in properties.enumerated() {
            index[ExactString(property.key)] = position
        }
        positions = index
    }

    /// Removes a key; the last one moves to its index.
    mutating func remove(at position: Int) {
        positions?[ExactString(properties[position].key)] = nil
        let last = properties.removeLast()
        guard position < properties.count else { return }
        properties[position] = last
        positions?[ExactString(last.key)] = position
    }

    /// The indexes of the properties that have a value, in the order of their keys' bytes.
    var order: [Int] {
        properties.withUnsafeBufferPointer { properties in
            var keys: [(prefix: UInt64, position: Int)] = []
            keys.reserveCapacity(properties.count)
            for position in properties.indices {
                if case nil = properties[position].value { continue }
                keys.append((PropertyKey.prefix(of: properties[position].key), position))
            }
            keys.sort { left, right in
                left.prefix == right.prefix
                    ? PropertyKey.precedes(
                        properties[left.position].key, properties[right.position].key)
                    : left.prefix < right.prefix
            }
            return keys.map(\.position)
        }
    }
}

/// The order of the keys of a dictionary in the format.
enum PropertyKey {
    /// Returns whether the first key sorts before the second one in the format's order: those with
    /// a number by their numbers, then the others by their bytes.
    static func precedes(_ left: (String, number: Int?), _ right: (String, number: Int?)) -> Bool {
        switch (left.number, right.number) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): precedes(left.0, right.0)
        }
    }

    /// Whether the bytes of the first key sort before those of the second one.
    @inline(__always)
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) < 0
            }
        }
    }

    /// The first eight bytes, the first one highest: if two differ, the lower one belongs to the
    /// key that sorts first.
    @inline(__always)
    static func prefix(of text: String) -> UInt64 {
        var text = text
        return text.withUTF8 { bytes in
            var prefix: UInt64 = 0
            for index in 0..<min(bytes.count, 8) {
                prefix |= UInt64(bytes[index]) &<< UInt64(truncatingIfNeeded: 56 &- 8 &* index)
            }
            return prefix
        }
    }
}
