import SampleData

import FleeceLite

/// Changes a mutable value and a model of it in the same way, at random.
struct RandomChanges {
    var random: SeededGenerator
    /// Whether there is data among the values; JSON has none.
    var makesData = true

    init(random: SeededGenerator, makesData: Bool = true) {
        self.random = random
        self.makesData = makesData
    }

    private static let keys = ["a", "b", "key", "longer key", "é", "type", "", "sixteen bytes key"]

    mutating func scalar() -> MutableFleeceValue {
        switch random.below(9) {
        case 0: .null
        case 1: .bool(random.oneIn(2))
        case 2: .int(Int64(bitPattern: random.next()) >> Int64(random.below(64)))
        case 3: .uint(random.next() >> UInt64(random.below(64)))
        case 4: .double(Double(random.below(2000) - 1000) / 8)
        case 5 where makesData: .data(Array(repeating: 7, count: random.below(5)))
        default: .string(String(repeating: random.pick(["x", "é", "🦊"]), count: random.below(12)))
        }
    }

    /// A value of a few levels; sometimes that of a small document instead of a new one.
    mutating func value(depth: Int = 0) throws -> MutableFleeceValue {
        let value: MutableFleeceValue
        switch depth > 2 ? 0 : random.below(4) {
        case 2:
            var array = MutableFleeceArray()
            for _ in 0..<random.below(4) { array.append(try self.value(depth: depth + 1)) }
            value = .array(array)
        case 3:
            var dictionary = MutableFleeceDictionary()
            for _ in 0..<random.below(5) {
                dictionary[random.pick(Self.keys)] = try self.value(depth: depth + 1)
            }
            value = .dictionary(dictionary)
        default: value = scalar()
        }
        guard random.oneIn(3) else { return value }
        let document = try FleeceDocument(trusted: encoded { try $0.write(value) })
        return .value(document.root)
    }

    /// One change, anywhere in the value.
    mutating func change(_ value: inout MutableFleeceValue, _ model: inout Plain) throws {
        switch model {
        case .scalar: try replace(&value, &model)
        case .array(var elements):
            model = .array([])
            defer { model = .array(elements) }
            try change(array: &value, &elements)
        case .dictionary(var pairs):
            model = .array([])
            defer { model = .dictionary(pairs) }
            try change(dictionary: &value, &pairs)
        }
    }

    private mutating func replace(_ value: inout MutableFleeceValue, _ model: inout Plain) throws {
        value = try self.value()
        model = Plain(value) ?? .array([])
    }

    private mutating func change(
        array: inout MutableFleeceValue, _ elements: inout [Plain]
    ) throws {
        let place = elements.isEmpty ? 0 : random.below(elements.count)
        let new = try value()
        let plain = Plain(new) ?? .array([])
        switch random.below(elements.isEmpty ? 2 : 9) {
        case 0:
            array.array?.append(new)
            elements.append(plain)
        case 1:
            array.array?.insert(new, at: place)
            elements.insert(plain, at: place)
        case 2:
            array.array?.remove(at: place)
            elements.remove(at: place)
        case 3:
            array[place - elements.count] = nil
            elements.remove(at: place)
        case 4:
            array[PropertyPath([.index(place)])] = new
            elements[place] = plain
        default:
            try descend(&array[place], &elements[place])
        }
    }

    private mutating func change(
        dictionary: inout MutableFleeceValue, _ pairs: inout [String: Plain]
    ) throws {
        let key = random.pick(Self.keys)
        let new = try value()
        let plain = Plain(new) ?? .array([])
        switch random.below(9) {
        case 0:
            dictionary[key] = new
            pairs[key] = plain
        case 1:
            dictionary.dictionary?[key] = nil
            pairs[key] = nil
        case 2:
            // Removed and set again, which must leave the count unchanged.
            dictionary[key] = nil
            dictionary[key] = new
            pairs[key] = plain
        case 3:
            dictionary[PropertyPath([.key(key)])] = random.oneIn(2) ? new : nil
            pairs[key] = dictionary[key] == nil ? nil : plain
        default:
            guard pairs[key] != nil else { return }
            try descend(&dictionary[key], &pairs[key])
        }
    }

    private mutating func descend(
        _ value: inout MutableFleeceValue?, _ model: inout Plain?
    ) throws {
        guard var inner = value, var plain = model else { return }
        value = nil
        defer { (value, model) = (inner, plain) }
        try change(&inner, &plain)
    }

    private mutating func descend(
        _ value: inout MutableFleeceValue?, _ model: inout Plain
    ) throws {
        guard value != nil else { return }
        try change(&value!, &model)
    }
}
