package import FleeceLite

/// The body of a document, as JSON and, where JSON is not exact, as Fleece.
struct DocumentBody {
    let json: [UInt8]
    let fleece: [UInt8]?

    /// Encodes properties.
    init(_ document: FleeceDocument) throws {
        var writer = JSONWriter()
        try writer.write(document.root)
        guard !document.withUnsafeRoot({ Self.isExact($0) }) else {
            (json, fleece) = (writer.text.utf8, nil)
            return
        }
        json = Self.withoutNUL(writer.text.utf8)
        var encoder = FleeceEncoder()
        try encoder.write(document.root)
        fleece = try encoder.finish()
    }

    /// JSON with U+FFFD instead of U+0000, which PostgreSQL does not store. Only for people: what
    /// is exact is the Fleece.
    private static func withoutNUL(_ json: [UInt8]) -> [UInt8] {
        let (nul, replacement) = (Array("\\u0000".utf8), Array("\\ufffd".utf8))
        var result: [UInt8] = []
        var index = 0
        while index < json.count {
            guard json[index] == UInt8(ascii: "\\") else {
                result.append(json[index])
                index += 1
                continue
            }
            // An escape of 2 bytes, or the beginning of one of 6.
            let isNUL = json[index...].starts(with: nul)
            result += isNUL ? replacement[...] : json[index...].prefix(2)
            index += isNUL ? nul.count : 2
        }
        return result
    }

    /// Whether a store of JSON returns a value as it is.
    ///
    /// Not bytes, which JSON lacks; U+0000 and invalid UTF-8, which PostgreSQL does not store;
    /// `-0`, infinity and numbers so large that their text has an exponent; and 32-bit numbers with
    /// a shorter text than the same number in 64 bits.
    private static func isExact(_ value: UnsafeFleeceValue) -> Bool {
        switch value.kind {
        case .null, .bool, .integer: return true
        case .undefined, .data: return false
        case .double: return value.double.map(isExact) ?? false
        case .string: return value.utf8.map(isExact) ?? false
        case .array:
            var isExact = true
            value.forEachElement { isExact = isExact && Self.isExact($0) }
            return isExact
        case .dictionary:
            var isExact = true
            value.dictionary?.forEachPair { key, value in
                isExact = isExact && Self.isExact(key) && Self.isExact(value)
            }
            return isExact
        }
    }

    private static func isExact(_ number: Double) -> Bool {
        guard number.magnitude < 1e15, number != 0 || number.sign == .plus else { return false }
        let isOf32Bits = Double(Float(number)) == number
        return !isOf32Bits || (number * 1024).rounded() == number * 1024
    }

    private static func isExact(_ text: UnsafeRawBufferPointer) -> Bool {
        var hasOnlyASCII = true
        for byte in text {
            if byte == 0 { return false }
            if byte >= 0x80 { hasOnlyASCII = false }
        }
        return hasOnlyASCII || String(validating: text, as: UTF8.self) != nil
    }
}

extension RemoteDocument {
    /// Writes the properties.
    func write(to encoder: inout FleeceEncoder) throws {
        do {
            if let fleece {
                try encoder.write(try FleeceDocument(validating: fleece).root)
            } else if body.isEmpty {
                encoder.beginDictionary()
                try encoder.endDictionary()
            } else {
                try body.withUnsafeBytes { _ = try encoder.writeJSON($0) }
            }
        } catch {
            throw ReplicationError(
                .badRemoteData,
                "the body of document \"\(id)\" at the remote is not valid: \(error)",
                underlying: error)
        }
    }

    /// The properties as a document of their own.
    package func decoded() throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        try write(to: &encoder)
        return try FleeceDocument(trusted: encoder.finish())
    }
}
