internal import DocumentStore

/// Turns stored bodies into JSON and back, where both ways give the same bytes.
struct BodyText: ~Copyable {
    private var encoder: FleeceEncoder
    private let place: FleeceDocument

    private static let maximumBytes = 1 << 26

    init(sharedKeys: SharedKeys) throws {
        encoder = FleeceEncoder(sharedKeys: sharedKeys)
        encoder.addsSharedKeys = false
        place = try FleeceDocument.empty(sharedKeys: sharedKeys)
    }

    /// Appends a body as JSON; false, and nothing, if the JSON would not give the same bytes.
    mutating func append(_ body: UnsafeRawBufferPointer, to text: inout JSONText) -> Bool {
        let start = text.utf8.count
        do {
            try place.withUnsafeRoot(of: body) { root in
                guard let root, root.dictionary != nil else { throw Unreadable() }
                try root.appendJSON(to: &text, maximumBytes: Self.maximumBytes)
            }
            let isSame = try text.utf8.withUnsafeBytes { bytes in
                try encoder.writeJSON(UnsafeRawBufferPointer(rebasing: bytes[start...]))
                return try encoder.withFinishedBytes { $0.elementsEqual(body) }
            }
            if isSame { return true }
        } catch {
            encoder.reset()
        }
        text.utf8.removeSubrange(start...)
        return false
    }

    /// The body of a JSON text.
    mutating func body(_ json: UnsafeRawBufferPointer) throws -> [UInt8] {
        do {
            try encoder.writeJSON(json)
            return try encoder.finish()
        } catch {
            encoder.reset()
            throw error
        }
    }

    private struct Unreadable: Error {}
}
