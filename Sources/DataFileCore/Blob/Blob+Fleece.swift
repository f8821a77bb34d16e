public import FleeceLite

extension Blob {
    /// Nil unless the dictionary's `@type` is `blob` and its digest is valid.
    init?(_ dictionary: FleeceDictionary) {
        guard dictionary[BlobKey.type]?.string == BlobKey.blob else { return nil }
        self.init(reference: dictionary)
    }

    /// Nil unless the dictionary's digest is valid.
    private init?(reference dictionary: FleeceDictionary) {
        guard let digest = dictionary[BlobKey.digest]?.string.flatMap({ try? BlobDigest($0) })
        else { return nil }
        self.init(
            digest: digest, length: dictionary[BlobKey.length]?.int.flatMap(Int.init(exactly:)),
            contentType: dictionary[BlobKey.contentType]?.string)
    }

    /// All references in a document, in document order: those at any depth, and those of Couchbase
    /// Lite 1 in its property `_attachments`.
    ///
    /// ```swift
    /// let blobs = document.properties.map { Blob.references(in: $0) } ?? []
    /// let bytes = blobs.compactMap(\.length).reduce(0, +)
    /// ```
    ///
    /// A dictionary that the document shares between several places counts once. Visits all of the
    /// document; ``DocumentFlags/hasAttachments`` states without reading the body whether there are
    /// any.
    ///
    /// - Parameter properties: the properties of the document.
    public static func references(in properties: FleeceDictionary) -> [Blob] {
        var blobs: [Blob] = []
        properties.forEachDictionary { dictionary in
            if let blob = Blob(dictionary) { blobs.append(blob) }
        }
        guard let attachments = properties[BlobKey.attachments]?.dictionary else { return blobs }
        for (_, value) in attachments {
            guard let attachment = value.dictionary, Blob(attachment) == nil,
                let blob = Blob(reference: attachment)
            else { continue }
            blobs.append(blob)
        }
        return blobs
    }
}

extension FleeceValue {
    /// The blob reference; nil for any other value, also for one without a valid digest.
    ///
    /// ```swift
    /// let photo = document["photo"]?.blob
    /// ```
    public var blob: Blob? { dictionary.flatMap { Blob($0) } }
}

extension MutableFleeceValue {
    /// Creates a dictionary that is a reference to a blob.
    ///
    /// ```swift
    /// var ada = document.mutableCopy()
    /// ada["photo"] = MutableFleeceValue(photo)
    /// ```
    public init(_ blob: Blob) {
        var pairs: [(String, MutableFleeceValue)] = [
            (BlobKey.type, .string(BlobKey.blob)), (BlobKey.digest, .string("\(blob.digest)")),
        ]
        if let length = blob.length { pairs.append((BlobKey.length, .int(Int64(length)))) }
        if let type = blob.contentType { pairs.append((BlobKey.contentType, .string(type))) }
        self = .dictionary(MutableFleeceDictionary(pairs))
    }

    /// The blob reference; nil for any other value, also for one without a valid digest.
    public var blob: Blob? {
        guard let dictionary, dictionary[BlobKey.type]?.string == BlobKey.blob,
            let digest = dictionary[BlobKey.digest]?.string.flatMap({ try? BlobDigest($0) })
        else { return nil }
        return Blob(
            digest: digest, length: dictionary[BlobKey.length]?.int.flatMap(Int.init(exactly:)),
            contentType: dictionary[BlobKey.contentType]?.string)
    }
}

extension FleeceEncoder {
    /// Writes a reference to a blob:
    /// `{"@type":"blob","content_type":"text/plain","digest":"sha1-…","length":22}`.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     _ = try people.save("ada", in: transaction) { encoder in
    ///         encoder.beginDictionary()
    ///         try encoder.writeKey("photo")
    ///         try encoder.write(photo)
    ///         try encoder.endDictionary()
    ///     }
    /// }
    /// ```
    ///
    /// - Parameter blob: the reference. Fields that are nil are not written.
    /// - Throws: ``FleeceError`` if no value is expected here.
    public mutating func write(_ blob: Blob) throws {
        beginDictionary()
        try writeKey(BlobKey.type)
        writeString(BlobKey.blob)
        if let type = blob.contentType {
            try writeKey(BlobKey.contentType)
            writeString(type)
        }
        try writeKey(BlobKey.digest)
        writeString(blob.digest.description)
        if let length = blob.length {
            try writeKey(BlobKey.length)
            writeInt(length)
        }
        try endDictionary()
    }
}
