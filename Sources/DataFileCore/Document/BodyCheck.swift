internal import FleeceLite
internal import StoreFormat

/// What must hold of a body before it is stored, and what its flags depend on.
enum BodyCheck {
    /// A body as the row will have it.
    struct Content {
        /// Nil for a body without properties, which is stored as `NULL`.
        let body: UnsafeRawBufferPointer?
        /// Whether it refers to blobs.
        let hasBlobs: Bool
    }

    /// Properties that the store itself gives to a document.
    private static let reserved = ["_id", "_rev", "_deleted"]

    /// Whether a body can have properties that the store gives, or attachments.
    ///
    /// Keys such as these are always shared while there is room: while the table lacks them, no
    /// body can have them. Looked up once for each state of the table.
    private static func mayHoldReserved(
        _ sharedKeys: SharedKeys, _ transaction: Transaction
    ) throws -> Bool {
        if transaction.keyCountWithoutReserved == sharedKeys.count { return false }
        guard sharedKeys.count < FleeceLimits.sharedKeys,
            (reserved + [BlobKey.attachments]).allSatisfy({ sharedKeys.index(of: $0) == nil })
        else { return true }
        transaction.keyCountWithoutReserved = sharedKeys.count
        return false
    }

    /// Checks the bytes that the encoder has written.
    ///
    /// Throws `.invalidParameter` if they are no dictionary or hold a reserved property.
    static func check(_ encoded: EncodedBody, in transaction: Transaction) throws -> Content {
        guard let body = RawBody(encoded.bytes, sharedKeys: encoded.sharedKeys) else {
            throw StoreError(.invalidParameter, "a document's body must be an object")
        }
        // `@type` is never shared.
        var hasBlobs = encoded.hasTextKeys && body.hasBlobs
        if try mayHoldReserved(encoded.sharedKeys, transaction) {
            hasBlobs = hasBlobs || body.hasAttachments
            for name in reserved where body.contains(key: name) {
                throw StoreError(
                    .invalidParameter, "the property \"\(name)\" is reserved and cannot be stored")
            }
        }
        return Content(body: body.isEmpty ? nil : encoded.bytes, hasBlobs: hasBlobs)
    }
}
