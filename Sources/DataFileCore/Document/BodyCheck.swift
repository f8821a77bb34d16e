internal import FleeceLite

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

    /// Checks the bytes that the encoder has written.
    ///
    /// Throws `.invalidParameter` if they are no dictionary or hold a reserved property.
    static func check(_ bytes: UnsafeRawBufferPointer, sharedKeys: SharedKeys) throws -> Content {
        guard let body = RawBody(bytes, sharedKeys: sharedKeys) else {
            throw StoreError(.invalidParameter, "a document's body must be an object")
        }
        for name in reserved where body.contains(key: name) {
            throw StoreError(
                .invalidParameter, "the property \"\(name)\" is reserved and cannot be stored")
        }
        return Content(body: body.isEmpty ? nil : bytes, hasBlobs: body.refersToBlobs)
    }
}
