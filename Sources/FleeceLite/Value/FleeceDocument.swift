/// The owner of a Fleece document's bytes and of the table that its dictionary keys refer to.
///
/// Values, arrays and dictionaries taken from it keep it alive.
public final class FleeceDocument: @unchecked Sendable {
    // Unchecked because of the pointer: the bytes are written once, before anyone sees them.

    /// The document's bytes, a copy of its own.
    package let bytes: UnsafeRawBufferPointer
    /// The keys that integer keys stand for.
    public let sharedKeys: SharedKeys
    let rawRoot: RawValue

    /// Copies a document whose origin is trusted: only its root is looked for now.
    ///
    /// Reading stays inside the bytes even if they are corrupt; what cannot be read is then
    /// `undefined`, or an error where one can be thrown.
    ///
    /// Throws `.invalidData` if the bytes have no root.
    public init(trusted source: [UInt8], sharedKeys: SharedKeys = SharedKeys()) throws {
        let copy = UnsafeMutableRawBufferPointer.allocate(byteCount: source.count, alignment: 8)
        copy.copyBytes(from: source)
        bytes = UnsafeRawBufferPointer(copy)
        guard let root = RawValue.root(of: bytes) else {
            copy.deallocate()
            throw FleeceError(.invalidData, "no Fleece root in \(source.count) bytes")
        }
        self.sharedKeys = sharedKeys
        rawRoot = root
    }

    deinit {
        bytes.deallocate()
    }

    /// The outermost value.
    public var root: FleeceValue { FleeceValue(document: self, raw: rawRoot) }
}
