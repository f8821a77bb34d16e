import EngineTestSupport
import FleeceLite
import SampleData
import StoreFormat

/// Rows with version vectors: bodies, remotes' revisions, and damage to both.
struct RandomRows {
    private var random: SeededGenerator
    private var vectors: RandomVectors

    init(seed: UInt64) {
        random = SeededGenerator(seed: seed)
        vectors = RandomVectors(seed: seed)
    }

    mutating func below(_ bound: Int) -> Int { random.below(bound) }

    /// A body of a few properties of all kinds, now and then none.
    mutating func document(_ keys: inout SharedKeys) throws -> FleeceDocument {
        let count = random.below(8)
        let names = Set((0..<count).map { _ in key() }).sorted()
        let pairs = names.map { "\"\($0)\":\(value(depth: 0))" }
        return try RemoteRows.body("{\(pairs.joined(separator: ","))}", &keys)
    }

    /// A body that shares some properties with another.
    mutating func changed(
        _ document: FleeceDocument, _ keys: inout SharedKeys
    ) throws -> FleeceDocument {
        var encoder = FleeceEncoder(sharedKeys: keys)
        encoder.beginDictionary()
        var used: Set<String> = []
        for key in document.root.dictionary?.keys ?? [] {
            guard let value = document.root[key], random.below(4) > 0 else { continue }
            try encoder.writeKey(key)
            try encoder.write(value)
            used.insert(key)
        }
        for _ in 0..<random.below(3) {
            let key = key()
            guard used.insert(key).inserted else { continue }
            var none = SharedKeys()
            let new = try RemoteRows.body("{\"new\":\(value(depth: 0))}", &none)
            guard let value = new.root["new"] else { continue }
            try encoder.writeKey(key)
            try encoder.write(value)
        }
        try encoder.endDictionary()
        let bytes = try encoder.finish()
        keys = encoder.sharedKeys ?? keys
        return try FleeceDocument(trusted: bytes, sharedKeys: keys)
    }

    /// A remote's revision of a document: the same, a similar one, or none.
    mutating func revision(
        _ keys: inout SharedKeys, like body: FleeceDocument
    ) throws -> RemoteRevision {
        let document: FleeceDocument? =
            switch random.below(6) {
            case 0: nil
            case 1: try document(&keys)
            case 2: body
            default: try changed(body, &keys)
            }
        let id: RevisionID =
            random.below(5) == 0
            ? .digest(
                generation: UInt64(1 + random.below(300)),
                digest: (0..<20).map { _ in UInt8(random.below(256)) })
            : .vector(vectors.next(4))
        let flags = random.pick([[], .deleted, .conflicted, .hasAttachments] as [DocumentFlags])
        var revision = RemoteRevision(
            remote: 0, revisionID: id, flags: flags, properties: document?.root.dictionary)
        if flags == .conflicted, random.below(2) == 0 {
            revision.base = RemoteRevision.Base(
                revisionID: .vector(vectors.next(4)), flags: random.pick([[], .deleted]),
                properties: try changed(body, &keys).root.dictionary)
        }
        return revision
    }

    /// A body and its extra.
    mutating func row(
        _ keys: inout SharedKeys
    ) throws -> (body: FleeceDocument, extra: [UInt8]) {
        let body = try document(&keys)
        var remotes = RemoteRevisions()
        if random.below(3) == 0 { remotes.setLegacy(.digest(generation: 2, digest: [1, 2, 3])) }
        for _ in 0...random.below(4) {
            remotes.setRemote(1 + random.below(6), to: try revision(&keys, like: body))
        }
        guard let extra = try remotes.encoded(body: body, sharedKeys: keys) else {
            throw StoreError(.corruptData, "a row without remotes")
        }
        return (body, extra)
    }

    /// Changes, cuts out or doubles a few bytes.
    mutating func damage(_ bytes: inout [UInt8]) {
        guard bytes.count > 2 else { return bytes.append(UInt8(random.below(256))) }
        let index = random.below(bytes.count)
        let even = index & ~1
        switch random.below(8) {
        case 0: bytes[index] = UInt8(random.below(256))
        case 1: bytes[index] = random.pick([0, 1, 0x60, 0x70, 0x7F, 0x80, 0x90, 0xC0, 0xFF])
        case 2: bytes[index] &+= random.below(2) == 0 ? 1 : 255
        case 3: bytes.removeSubrange(even..<min(bytes.count, even + 2))
        case 4: bytes.insert(contentsOf: bytes[even..<min(bytes.count, even + 8)], at: even)
        default: bytes[index] ^= 1 << UInt8(random.below(8))
        }
    }

    private mutating func key() -> String {
        random.pick(["a", "b", "name", "list", "two words", "of more than 16 bytes", "é", "n"])
    }

    private mutating func value(depth: Int) -> String {
        switch random.below(depth > 2 ? 6 : 8) {
        case 0: return "\(random.below(10))"
        case 1: return "\(Int(truncatingIfNeeded: random.next()))"
        case 2: return random.pick(["1.0", "2.5", "-1e300"])
        case 3: return random.pick(["true", "false", "null"])
        case 4: return "\"t\(random.below(5))\""
        case 5: return "\"\(String(repeating: "text ", count: random.below(9)))\""
        case 6:
            let items = (0..<random.below(4)).map { _ in value(depth: depth + 1) }
            return "[\(items.joined(separator: ","))]"
        default: return "{\"\(key())\":\(value(depth: depth + 1))}"
        }
    }
}
