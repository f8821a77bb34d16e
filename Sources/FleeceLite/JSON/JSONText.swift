/// JSON being written: text with its escapes and numbers in the reference's form.
///
/// Commas and brackets are the caller's business; `JSONWriter` writes whole values.
public struct JSONText: Sendable {
    /// The UTF-8 so far.
    public var utf8: [UInt8] = []

    /// No text yet.
    public init() {}

    /// The text so far.
    public var string: String { String(decoding: utf8, as: UTF8.self) }

    /// Appends text as it stands.
    public mutating func append(_ text: StaticString) {
        utf8.append(
            contentsOf: UnsafeBufferPointer(
                start: text.utf8Start, count: text.utf8CodeUnitCount))
    }

    /// Appends a string in quotes, escaped.
    public mutating func append(quoted text: String) {
        var text = text
        text.withUTF8 { append(quoted: UnsafeRawBufferPointer($0)) }
    }

    /// Appends an integer.
    public mutating func append(_ number: some FixedWidthInteger) {
        utf8.append(contentsOf: String(number).utf8)
    }

    /// Appends UTF-8 in quotes, escaped.
    mutating func append(quoted text: UnsafeRawBufferPointer) {
        utf8.append(UInt8(ascii: "\""))
        var run = 0
        for (index, byte) in text.enumerated() where Self.isSpecial(byte) {
            utf8.append(contentsOf: text[run..<index])
            append(escaped: byte)
            run = index + 1
        }
        utf8.append(contentsOf: text[run...])
        utf8.append(UInt8(ascii: "\""))
    }

    private static func isSpecial(_ byte: UInt8) -> Bool {
        byte < 0x20 || byte == 0x22 || byte == 0x5C || byte == 0x7F
    }

    private mutating func append(escaped byte: UInt8) {
        switch byte {
        case 0x22: append("\\\"")
        case 0x5C: append("\\\\")
        case 0x0A: append("\\n")
        case 0x0D: append("\\r")
        case 0x09: append("\\t")
        default:
            append("\\u00")
            for digit in [byte >> 4, byte & 0x0F] {
                utf8.append(digit < 10 ? 0x30 + digit : 0x61 + digit - 10)
            }
        }
    }
}
