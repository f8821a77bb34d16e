internal import DocumentStore

/// A body as a patch carries it: JSON, and where that is not the same body, its Fleece, too.
///
/// JSON has no binary data, no infinity, and no numbers of single precision.
struct ExactBody {
    let json: JSONText
    /// Without numbered keys; nil if the JSON says it all.
    let fleece: [UInt8]?

    init(_ value: FleeceValue) throws {
        var writer = JSONWriter()
        try writer.write(value)
        json = writer.text
        guard !Self.isSame(json, value) else {
            fleece = nil
            return
        }
        var encoder = FleeceEncoder()
        try encoder.write(value)
        fleece = try encoder.finish()
    }

    private static func isSame(_ json: JSONText, _ value: FleeceValue) -> Bool {
        var encoder = FleeceEncoder()
        let bytes = try? json.utf8.withUnsafeBytes { text in
            try encoder.writeJSON(text)
            return try encoder.finish()
        }
        guard let bytes, let document = try? FleeceDocument(trusted: bytes) else { return false }
        return document.root == value
    }
}
