import DocumentStore
import SampleData

/// What a database made at random holds, beside the file itself.
struct RandomDatabase {
    /// A document.
    struct Item: Equatable {
        /// Nil for a tombstone.
        var body: Int?
        var expiration: Int64?
    }

    /// The documents of each collection, by id.
    var collections: [String: [String: Item]] = ["_default": [:]]

    private static let names = ["_default", "notes", "hr.staff"]
    private static let ids =
        (0..<20).map { "doc\($0)" }
        + ["a b", "é", "日本", "-x", "a/b", "\"q\"", "*", "A", "\u{1F600}", "it's"]

    /// A database, and what has become of it.
    static func pair(_ seed: UInt64) -> (RandomDatabase, RandomDatabase) {
        var random = SeededGenerator(seed: seed)
        var first = RandomDatabase()
        first.change(25, &random)
        var second = first
        second.change(15, &random)
        return (first, second)
    }

    private mutating func change(_ count: Int, _ random: inout SeededGenerator) {
        for _ in 0..<count {
            let name = random.pick(Self.names)
            let id = random.pick(Self.ids)
            switch random.below(12) {
            case 0 where name != "_default": collections[name] = nil
            case 1: collections[name, default: [:]][id] = nil
            case 2...3: collections[name, default: [:]][id] = Item()
            case 4:
                guard collections[name]?[id]?.body != nil else { continue }
                collections[name]?[id]?.expiration =
                    random.below(2) == 0 ? nil : 4_102_444_800_000 + Int64(random.below(1000))
            default:
                let old = collections[name]?[id]
                collections[name, default: [:]][id] = Item(
                    body: random.below(16),
                    expiration: old?.body == nil ? nil : old?.expiration)
            }
        }
    }

    /// Writes it into a new file.
    ///
    /// - Parameter isReversed: whether bodies are written with their keys in another order, which
    ///   makes other shared keys.
    func write(to path: String, isReversed: Bool) throws {
        let file = try DataFile(path: path, options: DataFileOptions(access: .create))
        try file.write { transaction in
            for (name, items) in collections.sorted(by: { $0.key < $1.key }) {
                let collection = DocumentCollection(try CollectionName(name))
                try collection.create(in: transaction)
                for (id, item) in items.sorted(by: { $0.key < $1.key }) {
                    _ = try collection.save(id, in: transaction) {
                        try Self.write(item.body ?? 0, isReversed, &$0)
                    }
                    if item.body == nil { _ = try collection.delete(id, in: transaction) }
                    if let expiration = item.expiration {
                        try collection.keyStore.setExpiration(expiration, of: id, in: transaction)
                    }
                }
            }
        }
        file.close()
    }

    /// Bodies that are all different, of every kind of value.
    private static func write(
        _ number: Int, _ isReversed: Bool, _ encoder: inout FleeceEncoder
    ) throws {
        encoder.beginDictionary()
        let keys = ["number", "text", "list", "inner", "last"]
        for key in isReversed ? keys.reversed() : keys {
            try encoder.writeKey(key)
            switch key {
            case "number":
                isReversed ? try encoder.writeDouble(Double(number)) : encoder.writeInt(number)
            case "text":
                encoder.writeString(String(repeating: "text \(number / 2) ", count: number))
            case "list":
                encoder.beginArray()
                for element in 0..<(number % 5) { encoder.writeInt(element + number / 8) }
                try encoder.endArray()
            case "inner":
                encoder.beginDictionary()
                try encoder.writeKey("n\(number % 3)")
                encoder.writeBool(number % 4 == 0)
                try encoder.endDictionary()
            default: try writeLast(number, &encoder)
            }
        }
        try encoder.endDictionary()
    }

    /// What JSON lacks, among others.
    private static func writeLast(_ number: Int, _ encoder: inout FleeceEncoder) throws {
        switch number % 6 {
        case 0: encoder.writeNull()
        case 1: encoder.writeData([0, 1, UInt8(number), 0xFF])
        case 2: try encoder.writeFloat(0.1 * Float(number))
        case 3: try encoder.writeDouble(.infinity)
        default: encoder.writeUInt(.max - UInt64(number))
        }
    }
}

extension RandomDatabase {
    /// What `diff` is to find, as `change collection/id`; a collection alone without an id.
    func differences(to other: RandomDatabase, meta: Bool, deleted: Bool) -> Set<String> {
        var found: Set<String> = []
        for name in Set(collections.keys).union(other.collections.keys) {
            let (olds, news) = (collections[name], other.collections[name])
            if (olds == nil) != (news == nil) {
                found.insert("\(olds == nil ? "added" : "removed") \(name)")
            }
            let (old, new) = (olds ?? [:], news ?? [:])
            for id in Set(old.keys).union(new.keys) {
                let change = Self.change(old[id], new[id], meta: meta, deleted: deleted)
                if let change { found.insert("\(change) \(name)/\(id)") }
            }
        }
        return found
    }

    private static func change(
        _ old: Item?, _ new: Item?, meta: Bool, deleted: Bool
    ) -> String? {
        switch (old?.body, new?.body) {
        case (nil, nil):
            guard deleted, (old == nil) != (new == nil) else { return nil }
            return old == nil ? "added" : "removed"
        case (nil, _): return "added"
        case (_, nil): return "removed"
        case (let before, let after):
            let isSame = before == after && (!meta || old?.expiration == new?.expiration)
            return isSame ? nil : "changed"
        }
    }
}
