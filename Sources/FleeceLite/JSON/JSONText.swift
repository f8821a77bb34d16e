internal import StorePlatform

/// JSON being written: strings with their escapes, and numbers in the reference's form.
///
/// Commas and brackets are written by the caller; `JSONWriter` writes whole values.
public struct JSONText: Sendable {
    /// The UTF-8 written so far.
    public var utf8: [UInt8] = []

    /// Creates an empty text.
    public init() {}

    /// The text written so far.
    public var string: String { String(decoding: utf8, as: UTF8.self) }

    /// Appends text without changes.
    public mutating func append(_ text: StaticString) {
        utf8.append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string in quotes, escaped.
    public mutating func append(quoted text: String) {
        var text = text
        var buffer = JSONBuffer()
        text.withUTF8 { _ = buffer.append(quoted: UnsafeRawBufferPointer($0)) }
        utf8.append(contentsOf: buffer.contents)
    }

    /// Appends an integer.
    public mutating func append(_ number: some FixedWidthInteger) {
        utf8.append(contentsOf: String(number).utf8)
    }

    /// Appends bytes as Base64 with padding (RFC 4648).
    public mutating func append(base64 bytes: [UInt8]) {
        bytes.withUnsafeBytes { Base64.encode($0) { utf8.append($0) } }
    }
}
