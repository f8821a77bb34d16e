import SampleData

import FleeceLite

/// Creates bytes that resemble documents more or less.
struct FuzzInputs {
    struct Input {
        var bytes: [UInt8]
        /// The document into which extern pointers lead.
        var base: FleeceDocument?
        var sharedKeys: SharedKeys
    }

    /// The keys to which numeric keys of all documents refer.
    static let keys = table(["name", "a", "id", "list", "text", "more"])

    private var random: SeededGenerator
    private let documents: [Input]

    init(random: SeededGenerator, documents: [Input]) {
        self.random = random
        self.documents = documents
    }

    mutating func next() -> Input {
        switch random.below(10) {
        case 0: return Input(bytes: randomBytes(), base: nil, sharedKeys: Self.keys)
        case 1, 2: return Input(bytes: likelyBytes(), base: nil, sharedKeys: Self.keys)
        default:
            var input = random.pick(documents)
            for _ in 0...random.below(3) { mutate(&input.bytes) }
            if let base = input.base, random.oneIn(4) {
                var bytes = [UInt8](base.bytes)
                mutate(&bytes)
                input.base = try? FleeceDocument(trusted: bytes)
            }
            return input
        }
    }

    private mutating func randomBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0, count: 2 * random.below(24))
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: random.next()) }
        return bytes
    }

    /// Tags and pointers with short distances, at even offsets.
    private mutating func likelyBytes() -> [UInt8] {
        var bytes = [UInt8](repeating: 0x80, count: 2 + 2 * random.below(20))
        for index in stride(from: 0, to: bytes.count, by: 2) {
            let bits = random.next()
            bytes[index] = Self.likely[Int(bits >> 32) % Self.likely.count]
            bytes[index + 1] = UInt8(bits % 20)
        }
        bytes[bytes.count - 2] = 0x80
        return bytes
    }

    private static let likely: [UInt8] = [
        0x00, 0x08, 0x14, 0x28, 0x30, 0x3C, 0x42, 0x4F, 0x54, 0x60, 0x68, 0x70, 0x78, 0x80, 0x80,
        0x80, 0xC0,
    ]

    private static let telling: [UInt8] = [
        0, 1, 0x08, 0x3C, 0x4F, 0x67, 0x6F, 0x77, 0x7F, 0x80, 0xC0, 0xFF,
    ]

    private mutating func mutate(_ bytes: inout [UInt8]) {
        guard bytes.count >= 2 else { return bytes.append(0x80) }
        let index = random.below(bytes.count)
        let even = index & ~1
        switch random.below(12) {
        case 0, 1: bytes[index] ^= 1 << random.below(8)
        case 2: bytes[index] = UInt8(truncatingIfNeeded: random.next())
        case 3: bytes[index] = random.pick(Self.telling)
        case 4: bytes[index] &+= random.oneIn(2) ? 1 : 255
        case 5: bytes.removeSubrange(even..<min(bytes.count, even + 2 * (1 + random.below(3))))
        case 6: bytes.insert(contentsOf: [random.pick(Self.likely), 2], at: even)
        case 7: bytes.removeLast(min(bytes.count - 2, index))
        case 8, 9:
            // A pointer to another target; more positions hold pointers than their tags show.
            guard even + 1 < bytes.count else { return }
            let marks = random.oneIn(6) ? 0xC0 : 0x80
            bytes[even] = UInt8(marks)
            bytes[even + 1] = UInt8(random.below(1 + even / 2) & 0xFF)
        case 10:
            let other = random.pick(documents).bytes
            let start = random.below(other.count) & ~1
            bytes.insert(contentsOf: other[start..<min(other.count, start + 12)], at: even)
        default: bytes.swapAt(index, random.below(bytes.count))
        }
    }
}

extension FuzzInputs {
    /// Small documents that together contain every form.
    static func ownDocuments() throws -> [Input] {
        let texts = [
            #"{"name":"Ada","a":[1,-2,2048,-70000,0.5,0.1,null]}"#,
            #"{"id":{"":"x","text":"sixteen bytes and","é":false,"more":[[],{}]}}"#,
            #"[18446744073709551615,1e300,true,"ab","ab",["ab"]]"#,
            #"[[[["deep"]]],{"a":{"a":{}}}]"#,
            #"{"x y":1,"a":2,"list":[{"a":1},{"a":2}]}"#,
        ]
        let hexadecimal = [
            "6805 1900 0800 1a70 1101 0005 0000 4000 0000 3800 0000 800b",
            "4366 6f6f 4362 6172 4568 656c 6c6f 7002 8006 8005 800a 007b 8005 "
                + "4366 6f6f 7002 0800 800a 8005 3c00 8005",
            "7001 0000 0001 7002 0800 8005 0001 0002 7003 0800 8007 0000 3c00 0002 0003 8007",
            "4268 6900 8000 0002 8000 0002 6003 8003 8004 5361 8004",
            "7801 4366 6f6f 007b 0000 8005",
            "4268 6900 6801 8000 0003 7801 0004 0000 8000 0006 6802 8000 000b 8000 0005 8005",
        ]
        let plain = try texts.map { try encoded(json: $0) } + hexadecimal.map { try bytes($0) }
        let numbered = try texts.map { text in
            try encoded(sharedKeys: keys) { try $0.writeJSON(text) }
        }
        let copied = try texts.map { text in
            try encoded(sharedKeys: keys) { try $0.write(document(json: text).root) }
        }
        let made = [
            Hostile.doubling(levels: 5), try Hostile.nested(levels: 12),
            Hostile.generations(count: 5),
            Hostile.disinherited(pairs: 3, levels: 3, uses: 2),
        ]
        return (plain + numbered + copied + made).map {
            Input(bytes: $0, base: nil, sharedKeys: keys)
        } + (try continuations())
    }

    /// Documents with a base: a child dictionary, and one that reuses parts of it.
    private static func continuations() throws -> [Input] {
        let base = try FleeceDocument(
            trusted: encoded(sharedKeys: keys) {
                try $0.writeJSON(#"{"name":"Ada","list":[1,[2,"text"]],"x y":{"a":1}}"#)
            }, sharedKeys: keys)
        var child = FleeceEncoder(sharedKeys: keys)
        try child.amend(base, reusingStrings: true, externPointers: true)
        guard let parent = base.root.dictionary else { return [] }
        try child.beginDictionary(inheriting: parent)
        try child.writeKey("name")
        child.writeUndefined()
        try child.writeKey("a")
        try child.write(base.root)
        try child.endDictionary()
        var parts = FleeceEncoder(sharedKeys: keys)
        try parts.amend(base, externPointers: true)
        parts.beginArray()
        for value in [base.root, base.root["list"], base.root["x y"]] {
            if let value { try parts.write(value) }
        }
        try parts.endArray()
        return [try child.finish(), try parts.finish()].map {
            Input(bytes: $0, base: base, sharedKeys: keys)
        }
    }

    /// Bodies from golden files of JSON, if there are any, that are not larger than `size`.
    static func goldenDocuments(size: Int) throws -> [Input] {
        guard let lines = Oracle.file("../litecore/names_100.json") else { return [] }
        var encoder = FleeceEncoder(sharedKeys: SharedKeys())
        let documents = try String(decoding: lines, as: UTF8.self).split(separator: "\n").prefix(20)
            .map { line in
                try encoder.writeJSON(String(line))
                return try encoder.finish()
            }
        let keys = encoder.sharedKeys ?? SharedKeys()
        return documents.filter { $0.count <= size }.map {
            Input(bytes: $0, base: nil, sharedKeys: keys)
        }
    }
}
