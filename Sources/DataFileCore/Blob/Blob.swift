/// A document's reference to a blob: bytes that stand in a file of their own.
///
/// ```swift
/// let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
/// try file.write { transaction in
///     _ = try people.save("ada", in: transaction) { encoder in
///         encoder.beginDictionary()
///         try encoder.writeKey("photo")
///         try encoder.write(photo)
///         try encoder.endDictionary()
///     }
/// }
/// ```
/// Two references are equal if they say the same; the bytes are the same if the digests are.
public struct Blob: Hashable, Sendable {
    /// The SHA-1 of the bytes, which they are found by.
    public let digest: BlobDigest
    /// How many bytes there are; nil if the reference does not say.
    public let length: Int?
    /// What they are, as a MIME type; nil if the reference does not say.
    public let contentType: String?

    /// A reference to bytes with this digest. A negative length counts as none.
    public init(digest: BlobDigest, length: Int? = nil, contentType: String? = nil) {
        self.digest = digest
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.contentType = contentType
    }
}

/// The names that a reference has in a document, as Couchbase Lite writes them.
package enum BlobKey {
    static let type = "@type"
    static let digest = "digest"
    static let length = "length"
    static let contentType = "content_type"
    /// The value of `type`.
    static let blob = "blob"
    /// The property with the references of Couchbase Lite 1.
    package static let attachments = "_attachments"
}
