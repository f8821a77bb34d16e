internal import StoreFormat

/// A document's reference to a blob: bytes stored in a separate file.
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
/// Two references are equal if all their fields are; the bytes are equal if the digests are.
public struct Blob: Hashable, Sendable {
    /// The SHA-1 of the bytes, which identifies them.
    public let digest: BlobDigest
    /// The number of bytes; nil if the reference does not state it.
    public let length: Int?
    /// The MIME type of the bytes; nil if the reference does not state it.
    public let contentType: String?

    /// Creates a reference to bytes with this digest. A negative length is treated as nil.
    public init(digest: BlobDigest, length: Int? = nil, contentType: String? = nil) {
        self.digest = digest
        self.length = length.flatMap { $0 < 0 ? nil : $0 }
        self.contentType = contentType
    }
}

/// The keys of a reference in a document, in Couchbase Lite's form.
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

extension Blob: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case digest
        case length
        case contentType = "content_type"
    }

    /// Decodes the dictionary that represents a reference in a document.
    ///
    /// Throws `DecodingError` if its `@type` is not `blob` or its digest is invalid.
    public init(from decoder: any Decoder) throws {
        let values = try decoder.container(keyedBy: CodingKeys.self)
        guard try values.decode(String.self, forKey: .type) == BlobKey.blob else {
            throw DecodingError.dataCorruptedError(
                forKey: .type, in: values, debugDescription: "the @type of a blob is \"blob\"")
        }
        let digest: BlobDigest
        do {
            digest = try BlobDigest(values.decode(String.self, forKey: .digest))
        } catch let error as StoreError {
            throw DecodingError.dataCorruptedError(
                forKey: .digest, in: values, debugDescription: error.message)
        }
        // Invalid values here are ignored: the digest alone identifies the bytes.
        self.init(
            digest: digest, length: try? values.decodeIfPresent(Int.self, forKey: .length),
            contentType: try? values.decodeIfPresent(String.self, forKey: .contentType))
    }

    /// Encodes the dictionary that represents a reference in a document.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(BlobKey.blob, forKey: .type)
        try values.encodeIfPresent(contentType, forKey: .contentType)
        try values.encode(digest.description, forKey: .digest)
        try values.encodeIfPresent(length, forKey: .length)
    }
}
