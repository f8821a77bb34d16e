internal import StorePlatform

/// JSON being written: strings with their escapes, and numbers in the reference's form.
///
/// Commas and brackets are written by the caller; ``JSONWriter`` writes whole values. Combine both
/// to compose JSON without an intermediate document:
///
/// ```swift
/// var text = JSONText()
/// text.append(#"{"id":"#)
/// text.append(quoted: id)
/// text.append(",\"size\":")
/// text.append(bytes.count)
/// text.append("}")
/// show(text.string)
/// ```
///
/// The bytes are appended to an array, so appending takes constant time per byte.
public struct JSONText: Sendable {
    /// The UTF-8 written so far. Bytes can be appended to it directly.
    public var utf8: [UInt8] = []

    /// Creates an empty text.
    public init() {}

    /// The text written so far; each call creates a new string.
    public var string: String { String(decoding: utf8, as: UTF8.self) }

    /// Appends text without changes, such as brackets and commas.
    ///
    /// - Parameter text: a literal. Use ``append(quoted:)`` for a variable string.
    public mutating func append(_ text: StaticString) {
        utf8.append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string in quotes, escaped.
    ///
    /// - Parameter text: the string; quotes, backslashes and control characters in it are escaped.
    public mutating func append(quoted text: String) {
        var text = text
        var buffer = JSONBuffer()
        text.withUTF8 { _ = buffer.append(quoted: UnsafeRawBufferPointer($0)) }
        utf8.append(contentsOf: buffer.contents)
    }

    /// Appends an integer in decimal digits.
    ///
    /// - Parameter number: an integer of any type. Readers in JavaScript round those beyond 53
    ///   bits.
    public mutating func append(_ number: some FixedWidthInteger) {
        utf8.append(contentsOf: String(number).utf8)
    }

    /// Appends bytes as Base64 with padding (RFC 4648).
    ///
    /// The quotes are not added:
    ///
    /// ```swift
    /// var text = JSONText()
    /// text.append("\"")
    /// text.append(base64: bytes)
    /// text.append("\"")
    /// ```
    public mutating func append(base64 bytes: [UInt8]) {
        bytes.withUnsafeBytes { Base64.encode($0) { utf8.append($0) } }
    }
}
