/// The properties that a dictionary has been given, in no order.
///
/// As a rule there are few: they are a list that is searched through. Many get an index besides.
struct PropertyTable: Sendable {
    struct Property: Sendable {
        let key: String
        /// Nil where one of the source has been removed.
        var value: MutableFleeceValue?
    }

    private static let mostWithoutIndex = 12

    private(set) var properties: [Property] = []
    /// Where each key stands, if there are many.
    private var places: [ExactString: Int]?

    var count: Int { properties.count }

    var isEmpty: Bool { properties.isEmpty }

    mutating func reserve(_ count: Int) {
        properties.reserveCapacity(count)
    }

    /// Where a key stands, until one is added or removed.
    @inline(__always)
    func place(of key: String) -> Int? {
        if properties.isEmpty { return nil }
        return places == nil ? search(key) : places?[ExactString(key)]
    }

    private func search(_ key: String) -> Int? {
        properties.withUnsafeBufferPointer { properties in
            for place in 0..<properties.count where properties[place].key.hasSameBytes(as: key) {
                return place
            }
            return nil
        }
    }

    /// The value at a place, which then has no second owner here.
    mutating func take(_ place: Int) -> MutableFleeceValue? {
        properties[place].value.take()
    }

    mutating func set(_ value: MutableFleeceValue?, at place: Int) {
        properties[place].value = value
    }

    /// Adds a key that is not there.
    mutating func append(_ key: String, _ value: MutableFleeceValue?) {
        properties.append(Property(key: key, value: value))
        if places != nil {
            places?[ExactString(key)] = properties.count - 1
        } else if properties.count > Self.mostWithoutIndex {
            makeIndex()
        }
    }

    @inline(never)
    private mutating func makeIndex() {
        var index: [ExactString: Int] = [:]
        for (place, property) in properties.enumerated() {
            index[ExactString(property.key)] = place
        }
        places = index
    }

    /// Removes a key; the last one takes its place.
    mutating func remove(at place: Int) {
        places?[ExactString(properties[place].key)] = nil
        let last = properties.removeLast()
        guard place < properties.count else { return }
        properties[place] = last
        places?[ExactString(last.key)] = place
    }

    /// The places of those that have a value, in the order of their keys' bytes.
    var order: [Int] {
        properties.withUnsafeBufferPointer { properties in
            var keys: [(prefix: UInt64, place: Int)] = []
            keys.reserveCapacity(properties.count)
            for place in properties.indices {
                if case nil = properties[place].value { continue }
                keys.append((PropertyKey.prefix(of: properties[place].key), place))
            }
            keys.sort { left, right in
                left.prefix == right.prefix
                    ? PropertyKey.precedes(properties[left.place].key, properties[right.place].key)
                    : left.prefix < right.prefix
            }
            return keys.map(\.place)
        }
    }
}

/// The order in which the format has the keys of a dictionary.
enum PropertyKey {
    /// Whether the first key comes before the second one in the format's order: those with a
    /// number by their numbers, then the others by their bytes.
    static func precedes(_ left: (String, number: Int?), _ right: (String, number: Int?)) -> Bool {
        switch (left.number, right.number) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): precedes(left.0, right.0)
        }
    }

    /// Whether the bytes of the first key come before those of the second one.
    @inline(__always)
    static func precedes(_ left: String, _ right: String) -> Bool {
        var (left, right) = (left, right)
        return left.withUTF8 { left in
            right.withUTF8 { right in
                compare(UnsafeRawBufferPointer(left), UnsafeRawBufferPointer(right)) < 0
            }
        }
    }

    /// The first eight bytes, the first one highest: of two that differ, the key of the lower one
    /// comes before the other.
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
