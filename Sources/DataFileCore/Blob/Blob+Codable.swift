internal import StoreFormat

extension Blob: Codable {
    private enum CodingKeys: String, CodingKey {
        case type = "@type"
        case digest
        case length
        case contentType = "content_type"
    }

    /// Reads the dictionary that a reference is in a document.
    ///
    /// Throws `DecodingError` if its `@type` is not `blob` or its digest is not one.
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
        // What is not as it should be here does no harm: the bytes are found by their digest.
        self.init(
            digest: digest, length: try? values.decodeIfPresent(Int.self, forKey: .length),
            contentType: try? values.decodeIfPresent(String.self, forKey: .contentType))
    }

    /// Writes the dictionary that a reference is in a document.
    public func encode(to encoder: any Encoder) throws {
        var values = encoder.container(keyedBy: CodingKeys.self)
        try values.encode(BlobKey.blob, forKey: .type)
        try values.encodeIfPresent(contentType, forKey: .contentType)
        try values.encode(digest.description, forKey: .digest)
        try values.encodeIfPresent(length, forKey: .length)
    }
}
