internal import Crypto
internal import StoreFormat
internal import StorePlatform

/// The rules for document IDs.
///
/// An ID is 1 to 240 bytes of UTF-8 without control characters, and does not start with `_`. Saving
/// checks it; validate it earlier where a user enters it:
///
/// ```swift
/// do {
///     try DocumentID.validate(id)
/// } catch let error as StoreError where error.has(.badDocumentID) {
///     show(error.message)
/// }
/// ```
///
/// IDs are compared by their bytes: two spellings of `é` are two IDs.
public enum DocumentID {
    /// The maximum length of an ID in bytes of UTF-8: 240.
    public static let maximumLength = 240

    /// Checks an ID: 1 to 240 bytes of UTF-8, no control characters, no `_` at the start.
    ///
    /// - Throws: ``StoreError/Code/badDocumentID``, with the reason.
    public static func validate(_ id: String) throws {
        let reason: String
        if id.isEmpty {
            reason = "it is empty"
        } else if id.utf8.count > maximumLength {
            reason = "it has \(id.utf8.count) bytes, over \(maximumLength)"
        } else if id.utf8.first == UInt8(ascii: "_") {
            reason = "IDs that start with '_' are reserved"
        } else if id.hasByte(below: 0x20, or: 0x7F) {
            reason = "it has a control character"
        } else {
            return
        }
        throw StoreError(.badDocumentID, "the document ID \(shown(id)) is not allowed: \(reason)")
    }

    /// The ID for a document that is identified by any string, such as an address: the string
    /// itself if it is a valid ID and does not start with `#`, otherwise `#` and its SHA-256 in 64
    /// hexadecimal digits. Strings of different bytes have different IDs.
    ///
    /// ```swift
    /// let page = DocumentID.naming("https://example.com/a/very/long/path?with=parameters")
    /// _ = try file.write { try people.save(page, in: $0) { try $0.encode(["visits": 1]) } }
    /// ```
    ///
    /// The string cannot be recovered from a digest, so store it in the document, too.
    public static func naming(_ text: String) -> String {
        let isID =
            !text.isEmpty && text.utf8.count <= maximumLength
            && text.utf8.first != UInt8(ascii: "_") && text.utf8.first != UInt8(ascii: "#")
            && !text.hasByte(below: 0x20, or: 0x7F)
        if isID { return text }
        let digest = SHA256.hash(data: Array(text.utf8))
        return "#" + Hexadecimal.encoded(digest)
    }

    /// Generates an ID: `~` and 22 characters of URL-safe base64, 132 random bits.
    ///
    /// Saving does it for a document without an ID; generate one to refer to a document before it
    /// is saved:
    ///
    /// ```swift
    /// let id = DocumentID.generate()
    /// let author = MutableDocument(id, ["name": "Ada"])
    /// let book = MutableDocument(nil, ["author": .string(id)])
    /// ```
    public static func generate() -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return "~" + String((0..<22).map { _ in digits[Int.random(in: 0..<64)] })
    }

    /// An ID in an error message: quoted, on one line, and truncated if it is long.
    private static func shown(_ id: String) -> String {
        let text = id.prefix(40).map { letter in
            guard letter.asciiValue.map({ $0 < 0x20 || $0 == 0x7F }) == true else {
                return String(letter)
            }
            return letter.unicodeScalars.map { $0.escaped(asASCII: true) }.joined()
        }
        return "\"\(text.joined())\(id.count > 40 ? "…" : "")\""
    }
}
