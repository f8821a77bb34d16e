internal import BLIP
internal import FleeceLite
internal import Replication

/// The parts of a body of JSON.
enum JSONBody {
    /// - Throws: a `FleeceError` if the bytes are not JSON.
    static func value(_ bytes: [UInt8]) throws -> FleeceValue {
        // The parser takes objects and arrays alone.
        let isCollection = bytes.first.map { $0 == UInt8(ascii: "{") || $0 == UInt8(ascii: "[") }
        guard isCollection == false else { return try document(bytes).root }
        return try document([UInt8(ascii: "[")] + bytes + [UInt8(ascii: "]")]).root[0]
            ?? document(bytes).root
    }

    private static func document(_ bytes: [UInt8]) throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        _ = try bytes.withUnsafeBytes { try encoder.writeJSON($0) }
        return try FleeceDocument(trusted: encoder.finish())
    }

    static func document(_ properties: MutableFleeceDictionary) throws -> FleeceDocument {
        var encoder = FleeceEncoder()
        try encoder.write(properties)
        return try FleeceDocument(trusted: encoder.finish())
    }

    /// The JSON of a value, compact, and with sorted keys, as sequences are compared.
    static func text(of value: FleeceValue) throws -> String {
        try value.json(JSONWriter.Options(canonical: true))
    }
}

extension BLIPMessage {
    /// The body as an array of JSON.
    ///
    /// - Parameter isResponse: whether an empty body stands for an empty array.
    /// - Throws: `ReplicationError` if it is something else; `null` stands for an empty array.
    func array(isResponse: Bool = false) throws -> [FleeceValue] {
        if isResponse, body.isEmpty { return [] }
        do {
            let root = try JSONBody.value(body)
            if let array = root.array { return Array(array) }
            if root.isNull { return [] }
        } catch {}
        throw ReplicationError(
            .badRemoteData, "the other side sent a message whose body is not an array of JSON")
    }
}
