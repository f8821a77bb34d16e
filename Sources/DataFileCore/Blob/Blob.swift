internal import StoreFormat

/// A document's reference to a blob: bytes stored in a separate file.
///
/// Photos, sounds and other large bytes do not belong in a document, whose body is read and written
/// as a whole. A ``BlobStore`` stores them, and returns the reference to save in a document:
///
/// ```swift
/// let photo = try file.blobs.put(bytes, contentType: "image/jpeg")
/// try file.write { transaction in
///     var ada = MutableDocument("ada", ["name": "Ada"])
///     ada["photo"] = MutableFleeceValue(photo)
///     _ = try people.save(&ada, in: transaction)
/// }
/// ```
///
/// To read the bytes, pass the reference to the store:
///
/// ```swift
/// let ada = try file.read { try people.get("ada", in: $0) }
/// if let photo = ada?["photo"]?.blob {
///     show(try file.blobs.bytes(of: photo).count, photo.contentType ?? "")
/// }
/// ```
///
/// A reference is a dictionary anywhere in a document, in Couchbase Lite's form. It is `Codable`,
/// so it can be a property of a type:
///
/// ```swift
/// struct Contact: Codable, Sendable { var name: String, photo: Blob? }
/// let contacts = people.of(Contact.self)
/// try file.write { transaction in
///     let photo = try file.blobs.put(bytes, contentType: "image/png")
///     _ = try contacts.save(Contact(name: "Ada", photo: photo), id: "ada", in: transaction)
/// }
/// ```
///
/// Two references are equal if all their fields are; the bytes are equal if the digests are. Equal
/// bytes are stored once, whatever their content type. Nothing checks that a reference which is
/// saved has its bytes: put them first. A blob is retained as long as a saved document refers to
/// it; see ``BlobStore`` and `docs/blobs.md`.
public struct Blob: Hashable, Sendable {
    /// The SHA-1 of the bytes, which identifies them.
    public let digest: BlobDigest
    /// The number of bytes; nil if the reference does not state it. Reading a blob of another
    /// length throws ``StoreError/Code/corruptData``; without it any length is accepted.
    public let length: Int?
    /// The MIME type of the bytes, such as `image/jpeg`; nil if the reference does not state it.
    /// The store does not interpret it.
    public let contentType: String?

    /// Creates a reference to bytes with this digest, which need not be stored.
    ///
    /// ```swift
    /// let digest = try BlobDigest("sha1-tsgOzj5esl4upx/NQogsyltg9fE=")
    /// let isStored = try file.blobs.contains(Blob(digest: digest))
    /// ```
    ///
    /// - Parameters:
    ///   - digest: the SHA-1 of the bytes.
    ///   - length: the number of bytes; nil (default) if it is not known. A negative one is treated
    ///     as nil.
    ///   - contentType: the MIME type; nil by default.
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
    /// An invalid length or content type is ignored, since the digest alone identifies the bytes.
    ///
    /// - Throws: `DecodingError` if its `@type` is not `blob` or its digest is invalid.
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

    /// Encodes the dictionary that represents a reference in a document, without the fields that
    /// are nil.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(BlobKey.blob, forKey: .type)
        try values.encodeIfPresent(contentType, forKey: .contentType)
        try values.encode(digest.description, forKey: .digest)
        try values.encodeIfPresent(length, forKey: .length)
    }
}
