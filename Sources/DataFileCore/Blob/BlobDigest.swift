package import StoreFormat
internal import StorePlatform

/// The SHA-1 digest of a blob's bytes, which is its name.
///
/// In documents it is `sha1-` and 28 characters of Base64; as a file name it is those characters,
/// with `_` instead of `/`, and `.blob` (`docs/blobs.md`).
///
/// ```swift
/// let digest = try BlobDigest("sha1-tsgOzj5esl4upx/NQogsyltg9fE=")
/// show(digest.fileName)  // tsgOzj5esl4upx_NQogsyltg9fE=.blob
/// ```
///
/// ``BlobStore`` computes it when bytes are put. SHA-1 identifies bytes, as Couchbase Lite
/// requires, and detects damage; it does not protect against someone who constructs two files with
/// the same digest.
public struct BlobDigest: Hashable, Sendable {
    // 160 bits, the first byte in the most significant position.
    private var high: UInt64 = 0
    private var middle: UInt64 = 0
    private var low: UInt32 = 0

    /// The length in bytes.
    static let length = 20
    /// The length in Base64 characters; the last one is `=`.
    static let textLength = 28
    /// The prefix in documents.
    package static let prefix = "sha1-"
    static let suffix = ".blob"

    /// Nil unless there are 20 bytes.
    init?(bytes: some Sequence<UInt8>) {
        var count = 0
        for byte in bytes {
            guard count < Self.length else { return nil }
            shiftIn(UInt32(byte), bits: 8)
            count += 1
        }
        guard count == Self.length else { return nil }
    }

    /// Decodes 28 characters of Base64, which must be the canonical encoding of 20 bytes.
    private init?(base64: some Sequence<UInt8>, slash: UInt8) {
        var count = 0
        for character in base64 {
            guard count < Self.textLength else { return nil }
            count += 1
            if count == Self.textLength {
                guard character == UInt8(ascii: "=") else { return nil }
            } else {
                guard let value = Self.value(character, slash: slash),
                    shiftIn(character: value, count: count)
                else { return nil }
            }
        }
        guard count == Self.textLength else { return nil }
    }

    /// The last character has only four significant bits; false if the other two are not 0.
    private mutating func shiftIn(character value: UInt32, count: Int) -> Bool {
        guard count == Self.textLength - 1 else {
            shiftIn(value, bits: 6)
            return true
        }
        shiftIn(value >> 2, bits: 4)
        return value & 3 == 0
    }

    private mutating func shiftIn(_ value: UInt32, bits: Int) {
        high = high << UInt64(bits) | middle >> UInt64(64 - bits)
        middle = middle << UInt64(bits) | UInt64(low >> UInt32(32 - bits))
        low = low << UInt32(bits) | value
    }
}

extension BlobDigest: CustomStringConvertible {
    /// Parses a digest in the form used in documents: `sha1-` and 28 characters of standard Base64.
    ///
    /// - Parameter text: the digest, such as `sha1-tsgOzj5esl4upx/NQogsyltg9fE=`.
    /// - Throws: ``StoreError/Code/invalidParameter`` for anything else, also for Base64 that is
    ///   not canonical, so a digest cannot become a file name that leads to another directory.
    public init(_ text: String) throws {
        let utf8 = text.utf8
        guard utf8.starts(with: Self.prefix.utf8),
            let digest = BlobDigest(
                base64: utf8.dropFirst(Self.prefix.utf8.count), slash: UInt8(ascii: "/"))
        else {
            throw StoreError(
                .invalidParameter,
                "\(Self.shown(text)) is not the digest of a blob: use sha1- and 28 characters of "
                    + "Base64")
        }
        self = digest
    }

    /// Parses the name of a blob's file, such as `tsgOzj5esl4upx_NQogsyltg9fE=.blob`; nil for other
    /// names, also for those of encrypted blobs.
    public init?(fileName: String) {
        self.init(fileName: fileName, suffix: Self.suffix)
    }

    /// Parses a file name with another suffix.
    init?(fileName: String, suffix: String) {
        let utf8 = fileName.utf8
        guard utf8.count == Self.textLength + suffix.utf8.count,
            utf8.suffix(suffix.utf8.count).elementsEqual(suffix.utf8)
        else { return nil }
        self.init(base64: utf8.prefix(Self.textLength), slash: UInt8(ascii: "_"))
    }

    /// The form used in documents: `sha1-tsgOzj5esl4upx/NQogsyltg9fE=`.
    public var description: String { Self.prefix + base64(slash: UInt8(ascii: "/")) }

    /// The name of the file in the directory `Attachments`: `tsgOzj5esl4upx_NQogsyltg9fE=.blob`.
    ///
    /// It is not the name in an encrypted database; see ``BlobNames``.
    public var fileName: String { fileName(suffix: Self.suffix) }

    /// The file name with another suffix.
    func fileName(suffix: String) -> String { base64(slash: UInt8(ascii: "_")) + suffix }

    /// The 20 bytes of the SHA-1, as other tools print them in hexadecimal.
    public var bytes: [UInt8] {
        var rest = self
        return (0..<Self.length).map { _ in
            defer { rest.shiftIn(0, bits: 8) }
            return UInt8(rest.high >> 56)
        }
    }

    /// A shortened form for messages, in which characters other than printable ASCII are `?`.
    private static func shown(_ text: String) -> String {
        let start = text.unicodeScalars.prefix(60)
        let plain = start.map { (" "..."~").contains($0) ? Character($0) : "?" }
        return "\"\(String(plain))\(start.endIndex < text.unicodeScalars.endIndex ? "…" : "")\""
    }
}

// Base64, RFC 4648.
extension BlobDigest {
    private func base64(slash: UInt8) -> String {
        let text = Base64.encoded(bytes)
        guard slash != UInt8(ascii: "/") else { return text }
        return String(
            decoding: text.utf8.map { $0 == UInt8(ascii: "/") ? slash : $0 }, as: UTF8.self)
    }

    private static func value(_ character: UInt8, slash: UInt8) -> UInt32? {
        if character == slash { return 63 }
        guard character != UInt8(ascii: "/") else { return nil }
        return Base64.value(of: character).map(UInt32.init)
    }

    /// Decodes 27 characters at an offset in arbitrary bytes, more leniently than elsewhere:
    /// accepts `_` for `/` and `-` for `+`, and ignores the unused bits.
    ///
    /// Nil if they are not all Base64.
    package init?(found bytes: UnsafeRawBufferPointer, at offset: Int) {
        let count = Self.textLength - 1
        guard offset >= 0, count <= bytes.count, offset <= bytes.count - count else { return nil }
        for index in 0..<count {
            var character = bytes[offset + index]
            if character == UInt8(ascii: "_") { character = UInt8(ascii: "/") }
            if character == UInt8(ascii: "-") { character = UInt8(ascii: "+") }
            guard let value = Self.value(character, slash: UInt8(ascii: "/")) else { return nil }
            _ = shiftIn(character: value, count: index + 1)
        }
    }
}

extension BlobDigest {
    /// The digest of the bytes added to `hash`. Never throws, since a SHA-1 has 20 bytes.
    package init(_ hash: SHA1) throws {
        guard let digest = BlobDigest(bytes: hash.digest()) else {
            throw StoreError(.corruptData, "the SHA-1 does not have 20 bytes")
        }
        self = digest
    }

    /// The digest of bytes.
    init(of bytes: UnsafeRawBufferPointer) throws {
        var hash = SHA1()
        hash.add(bytes)
        try self.init(hash)
    }
}
