internal import FleeceLite

/// The total sizes of the properties of many documents.
struct PropertyWeights {
    private(set) var properties: [ExactString: SizeProfile.Property] = [:]
    private(set) var keyUses: [Int]
    private(set) var textKeyUses = 0
    private let sharedKeys: SharedKeys

    init(_ sharedKeys: SharedKeys) {
        self.sharedKeys = sharedKeys
        keyUses = Array(repeating: 0, count: sharedKeys.count)
    }

    /// Adds a document.
    ///
    /// - Parameter size: the size of its body in bytes. A small body can refer to its parts many
    ///     times, so this limits the work.
    mutating func add(_ document: UnsafeFleeceDictionary, size: Int) {
        var budget = 1024 + 16 * size
        document.forEachPair { text, value in
            let key = ExactString(String(decoding: text, as: UTF8.self))
            let keyBytes = use(key.string)
            let bytes = Self.slots + keyBytes + contents(of: value, &budget)
            properties[key, default: SizeProfile.Property(name: key.string)].count += 1
            properties[key]?.bytes += bytes
        }
    }

    /// The size of a key and its value, two bytes each.
    private static let slots = 4

    /// Counts the use of a key. Returns its size in addition to its slot.
    private mutating func use(_ key: String) -> Int {
        if let number = sharedKeys.index(of: key) {
            keyUses[number] += 1
            return 0
        }
        textKeyUses += 1
        return Self.size(ofText: key.utf8.count)
    }

    /// The size of a value in addition to its slot.
    private mutating func contents(of value: UnsafeFleeceValue, _ budget: inout Int) -> Int {
        var waiting: [UnsafeFleeceItems] = []
        var bytes = Self.size(of: value, &waiting)
        while let items = waiting.popLast(), budget > 0 {
            bytes += items.count * (items.isDictionary ? Self.slots : 2)
            for index in 0..<items.count {
                guard budget > 0 else { break }
                budget -= 1
                if let key = items.key(at: index) {
                    bytes += use(String(decoding: key, as: UTF8.self))
                }
                bytes += Self.size(of: items.value(at: index), &waiting)
            }
        }
        return bytes
    }

    /// The size of a value in addition to its slot, without the elements of a collection.
    private static func size(
        of value: UnsafeFleeceValue, _ waiting: inout [UnsafeFleeceItems]
    ) -> Int {
        switch value.content {
        case .undefined, .null, .bool: return 0
        case .integer(let number):
            if (-2048..<2048).contains(number) { return 0 }
            let bits = Int64.bitWidth - (number < 0 ? ~number : number).leadingZeroBitCount
            return even(1 + bits / 8 + 1)
        case .unsigned: return 10
        case .double(let number): return Double(Float(number)) == number ? 6 : 10
        case .string(let text): return size(ofText: text.count)
        case .data(let data): return size(ofText: data.count)
        case .array, .dictionary:
            if let items = UnsafeFleeceItems(value) { waiting.append(items) }
            return 2
        }
    }

    /// The size of a string; a short one is stored in the slot itself.
    private static func size(ofText count: Int) -> Int {
        if count <= 1 { return 0 }
        let length = count < 15 ? 1 : count < 128 ? 2 : count < 16_384 ? 3 : 5
        return even(length + count)
    }

    private static func even(_ count: Int) -> Int { count + count % 2 }
}
