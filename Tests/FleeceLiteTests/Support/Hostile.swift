@testable import FleeceLite

/// Malicious documents.
enum Hostile {
    /// Arrays of two pointers to the previous array: a value for each of 2^levels paths.
    static func doubling(levels: Int) -> [UInt8] {
        let zeros: [UInt8] = [0x60, 2, 0, 0, 0, 0]
        let twice: [UInt8] = [0x60, 2, 0x80, 4, 0x80, 5]
        return zeros + Array(repeating: twice, count: levels).joined() + [0x80, 3]
    }

    /// Nested arrays, the innermost empty.
    static func nested(levels: Int) throws -> [UInt8] {
        try encoded { encoder in
            for _ in 0..<levels { encoder.beginArray() }
            for _ in 0..<levels { try encoder.endArray() }
        }
    }

    /// Nested dictionaries, the innermost {"a":1}.
    static func nestedDictionaries(levels: Int) throws -> [UInt8] {
        try encoded { encoder in
            for _ in 0..<levels {
                encoder.beginDictionary()
                try encoder.writeKey("a")
            }
            encoder.writeInt(1)
            for _ in 0..<levels { try encoder.endDictionary() }
        }
    }

    /// Dictionaries each of which inherits from the previous one, the first of them {"a":1}.
    static func generations(count: Int) -> [UInt8] {
        let first: [UInt8] = [0x70, 1, 0x41, 0x61, 0, 1]
        let child: [UInt8] = [0x70, 1, 0x08, 0, 0x80, 5]
        return first + Array(repeating: child, count: count).joined() + [0x80, 3]
    }

    /// A document of `uses` pointers to one dictionary, which stands for {}: it inherits `pairs`
    /// pairs over `levels` generations, and deletes them all.
    static func disinherited(pairs: Int, levels: Int, uses: Int) -> [UInt8] {
        var document: [UInt8] = []
        func append(_ tag: UInt8, count: Int) {
            document += [tag | UInt8(count >> 8), UInt8(count & 0xFF)]
        }
        func appendPointer(to offset: Int) {
            let units = (document.count - offset) / 2
            document += [0x80 | UInt8(units >> 8), UInt8(units & 0xFF)]
        }
        func appendPairs(_ value: UInt8) {
            for key in 0..<pairs { document += [UInt8(key >> 8), UInt8(key & 0xFF), value, 0] }
        }
        append(0x70, count: pairs)
        appendPairs(FleeceSpecial.true)
        var parent = 0
        for level in 1...levels {
            let child = document.count
            append(0x70, count: level == levels ? pairs + 1 : 1)
            document += [0x08, 0]
            appendPointer(to: parent)
            if level == levels { appendPairs(FleeceSpecial.undefined) }
            parent = child
        }
        let root = document.count
        append(0x60, count: uses)
        for _ in 0..<uses { appendPointer(to: parent) }
        appendPointer(to: root)
        return document
    }

    /// A dictionary of `pairs` pairs, over 2046, whose keys and values are all one string of
    /// `length` bytes, an even number over 127.
    static func oneKey(length: Int, pairs: Int) -> [UInt8] {
        oneString(length: length, tag: 0x7F, count: pairs, slots: 2 * pairs)
    }

    /// An array of `count` elements, over 2046, that are all one string of `length` bytes, an even
    /// number over 127.
    static func oneElement(length: Int, count: Int) -> [UInt8] {
        oneString(length: length, tag: 0x6F, count: count, slots: count)
    }

    private static func oneString(length: Int, tag: UInt8, count: Int, slots: Int) -> [UInt8] {
        var document: [UInt8] = [0x4F]
        Varint.append(UInt64(length), to: &document)
        document += Array(repeating: Array("é".utf8), count: length / 2).joined()
        if document.count % 2 != 0 { document.append(0) }
        func appendPointer(to offset: Int) {
            let units = (document.count - offset) / 2
            document += [0x80, UInt8(units >> 16), UInt8(units >> 8 & 0xFF), UInt8(units & 0xFF)]
        }
        let header = document.count
        document += [tag, 0xFF]
        Varint.append(UInt64(count - 2047), to: &document)
        if document.count % 2 != 0 { document.append(0) }
        for _ in 0..<slots { appendPointer(to: 0) }
        appendPointer(to: header)
        return document + [0x80, 2]
    }
}
