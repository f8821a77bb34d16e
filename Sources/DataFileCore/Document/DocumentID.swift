internal import Crypto
internal import StoreFormat
internal import StorePlatform

/// The rules for document ids.
public enum DocumentID {
    /// The maximum length of an id in bytes of UTF-8.
    public static let maximumLength = 240

    /// Checks an id: 1 to 240 bytes of UTF-8, no control characters, no `_` at the start.
    ///
    /// Throws `.badDocumentID`.
    public static func validate(_ id: String) throws {
        let reason: String
        if id.isEmpty {
            reason = "it is empty"
        } else if id.utf8.count > maximumLength {
            reason = "it has \(id.utf8.count) bytes, over \(maximumLength)"
        } else if id.utf8.first == UInt8(ascii: "_") {
            reason = "ids that start with '_' are reserved"
        } else if id.hasByte(below: 0x20, or: 0x7F) {
            reason = "it has a control character"
        } else {
            return
        }
        throw StoreError(.badDocumentID, "the document id \(shown(id)) is not allowed: \(reason)")
    }

    /// The id for a document that is identified by any string, such as an address: the string
    /// itself if it is a valid id and does not start with `#`, otherwise `#` and its SHA-256 in 64
    /// hexadecimal digits. Strings of different bytes have different ids.
    public static func naming(_ text: String) -> String {
        let isID =
            !text.isEmpty && text.utf8.count <= maximumLength
            && text.utf8.first != UInt8(ascii: "_") && text.utf8.first != UInt8(ascii: "#")
            && !text.hasByte(below: 0x20, or: 0x7F)
        if isID { return text }
        let digest = SHA256.hash(data: Array(text.utf8))
        return "#" + Hexadecimal.encoded(digest)
    }

    /// Generates an id: `~` and 22 characters of URL-safe base64, 132 random bits.
    public static func generate() -> String {
        let digits = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_")
        return "~" + String((0..<22).map { _ in digits[Int.random(in: 0..<64)] })
    }

    /// An id in an error message: quoted, on one line, and truncated if it is long.
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
