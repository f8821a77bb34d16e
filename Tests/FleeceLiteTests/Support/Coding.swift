import Testing

import FleeceLite

/// The JSON of an encoded value; keys are in the order of their bytes.
func codedJSON(
    _ value: some Encodable, as form: FleeceRowEncoder = FleeceRowEncoder()
) throws -> String {
    try json(form.encode(value))
}

/// Decodes a value from JSON that was converted to Fleece.
func decoded<Value: Decodable>(
    _ type: Value.Type, json: String, as form: FleeceRowDecoder = FleeceRowDecoder()
) throws -> Value {
    // The reader accepts only collections.
    let document = try FleeceDocument(trusted: encoded(json: "[\(json)]"))
    let root = try #require(document.root.array?.first)
    return try form.decode(type, from: root)
}

/// Encodes a value with and without shared keys, checks that the documents are as strict as an
/// encoder's, and that the value is decoded unchanged.
func expectRoundTrip<Value: Codable & Equatable>(
    _ value: Value, sourceLocation: SourceLocation = #_sourceLocation
) throws {
    let encoder = FleeceRowEncoder()
    let decoder = FleeceRowDecoder()
    let plain = try encoder.encode(value)
    _ = try FleeceDocument(validating: plain, level: .strict)
    let back = try decoder.decode(Value.self, from: plain)
    #expect(back == value, sourceLocation: sourceLocation)
    var keys = SharedKeys()
    let numbered = try encoder.encode(value, sharedKeys: &keys)
    _ = try FleeceDocument(validating: numbered, sharedKeys: keys, level: .strict)
    let again = try decoder.decode(Value.self, from: numbered, sharedKeys: keys)
    #expect(again == value, sourceLocation: sourceLocation)
}

/// A failure: the kind of error, its coding path, and its message.
struct CodingFailure: Equatable, CustomStringConvertible {
    let kind: String
    let path: String
    let message: String

    init(_ kind: String, _ path: String, _ message: String) {
        (self.kind, self.path, self.message) = (kind, path, message)
    }

    init?(_ error: any Error) {
        switch error {
        case EncodingError.invalidValue(_, let context): self.init("invalidValue", context)
        case DecodingError.typeMismatch(_, let context): self.init("typeMismatch", context)
        case DecodingError.valueNotFound(_, let context): self.init("valueNotFound", context)
        case DecodingError.keyNotFound(_, let context): self.init("keyNotFound", context)
        case DecodingError.dataCorrupted(let context): self.init("dataCorrupted", context)
        default: return nil
        }
    }

    private init(_ kind: String, _ context: EncodingError.Context) {
        self.init(kind, Self.text(context.codingPath), context.debugDescription)
    }

    private init(_ kind: String, _ context: DecodingError.Context) {
        self.init(kind, Self.text(context.codingPath), context.debugDescription)
    }

    /// `a.0.b`
    static func text(_ path: [any CodingKey]) -> String {
        path.map { key in key.intValue.map(String.init) ?? key.stringValue }
            .joined(separator: ".")
    }

    var description: String { "\(kind) at \"\(path)\": \(message)" }
}

/// The failure of `body`; nil if it succeeds.
func codingFailure(_ body: () throws -> Void) throws -> CodingFailure? {
    do {
        try body()
        return nil
    } catch {
        guard let failure = CodingFailure(error) else { throw error }
        return failure
    }
}
