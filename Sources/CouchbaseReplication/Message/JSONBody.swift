internal import BLIP
internal import FleeceLite
internal import Replication

/// The parts of a body of JSON.
enum JSONBody {
    /// - Throws: a `FleeceError` if the bytes are not JSON.
    static func parse(_ bytes: [UInt8]) throws -> FleeceDocument {
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
    /// - Parameter emptyForNull: whether `null` and an empty body stand for an empty array.
    /// - Throws: `ReplicationError` if it is something else.
    func array(emptyForNull: Bool = false) throws -> [FleeceValue] {
        if emptyForNull, body.isEmpty { return [] }
        do {
            let root = try JSONBody.parse(body).root
            if let array = root.array { return Array(array) }
            if emptyForNull, root.isNull { return [] }
        } catch {}
        throw ReplicationError(
            .badRemoteData, "the other side sent a message whose body is not an array of JSON")
    }
}
