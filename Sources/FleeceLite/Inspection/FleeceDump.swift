internal import StorePlatform

/// The bytes of a document, value by value, to be looked at; also of one that is corrupt.
///
/// ```swift
/// let dump = FleeceDump(bytes)
/// ```
/// Its `description` for `{"foo":123}`:
///
/// ```
/// 0000  43 66 6f 6f               string "foo"
/// 0004  70 01                     dictionary of 1
/// 0006  80 03                       key: pointer back 6 to 0000: string "foo"
/// 0008  00 7b                       value: integer 123
/// 000a  80 03                     root: pointer back 6 to 0004: dictionary of 1
/// ```
/// A line is an address, up to 8 bytes from there, and what they mean; where something is wrong,
/// it ends with ` ! ` and what it is. What the root does not lead to is shown as well, as values
/// if it looks like some. The text is less than 400 times as long as the document, plus a line.
public struct FleeceDump: Sendable {
    /// The document.
    public let bytes: [UInt8]
    /// The keys that numbered keys refer to; if it is empty, numbers are shown without complaint.
    public let sharedKeys: SharedKeys
    /// The document that extern pointers lead into, empty if it is not known. It is not shown
    /// itself.
    public let base: [UInt8]
    private let reach: DumpReach

    /// Finds out which places in the bytes the root leads to, in a time that grows as their number
    /// does. The bytes may be anything.
    public init(
        _ bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys(), base: [UInt8] = []
    ) {
        self.bytes = bytes
        self.sharedKeys = sharedKeys
        self.base = base
        reach = bytes.withUnsafeBytes { DumpReach($0, baseCount: base.count) }
    }

    /// A value, a slot of a collection, the pointer at the end, or a gap.
    public struct Line: Hashable, Sendable {
        /// Where it begins.
        public let offset: Int
        /// How many bytes it takes, padding aside.
        public let count: Int
        /// Whether it is a slot of the collection above it.
        public let isSlot: Bool
        /// What the bytes stand for.
        public let meaning: String
        /// What is wrong with them, nil if nothing is.
        public let problem: String?
    }

    /// Hands over the lines, those of smaller addresses first. A collection's slots follow its
    /// header, so that addresses go back where values overlap.
    public func forEachLine(_ body: (Line) throws -> Void) rethrows {
        try bytes.withUnsafeBytes { bytes in
            try base.withUnsafeBytes { base in
                let text = DumpText(bytes: bytes, base: base, sharedKeys: sharedKeys)
                var reader = DumpReader(text, reach: reach)
                while let lines = reader.next() {
                    for line in lines { try body(line) }
                }
            }
        }
    }

    /// All lines.
    public var lines: [Line] {
        var lines: [Line] = []
        forEachLine { lines.append($0) }
        return lines
    }

    /// Whether a line says that something is wrong.
    ///
    /// A document without problems here may still be one that `FleeceValidation` finds fault with.
    public var hasProblems: Bool {
        var found = false
        forEachLine { if $0.problem != nil { found = true } }
        return found
    }
}

extension FleeceDump: CustomStringConvertible {
    /// The lines as text, each with a line feed.
    public var description: String {
        var text = ""
        forEachLine { line in
            text += self.text(of: line)
            text += "\n"
        }
        return text
    }

    /// A line as text, without a line feed.
    public func text(of line: Line) -> String {
        let shown = min(line.count, FleeceLimits.dumpedBytes)
        let end = min(line.offset + shown, bytes.count)
        var hex = bytes[min(line.offset, end)..<end].map { Hexadecimal.encoded([$0]) }
            .joined(separator: " ")
        if shown < line.count { hex += "…" }
        // Eight bytes, the sign that there are more, and two blanks.
        hex += String(repeating: " ", count: 26 - hex.count)
        let address = DumpText.address(line.offset)
        let problem = line.problem.map { " ! \($0)" } ?? ""
        return "\(address)  \(hex)\(line.isSlot ? "  " : "")\(line.meaning)\(problem)"
    }
}

extension FleeceDocument {
    /// The document's bytes, value by value, to be looked at.
    public func dump() -> FleeceDump {
        FleeceDump(
            [UInt8](bytes), sharedKeys: sharedKeys,
            base: base.map { [UInt8]($0.bytes) } ?? [])
    }
}

extension FleeceLimits {
    /// Bytes of UTF-8 that the `description` of a value has at most, before its `…`.
    public static let descriptionLength = 1000

    /// Bytes of a line of a dump that are shown in hexadecimal.
    static let dumpedBytes = 8
    /// Bytes of a string that a dump shows where the string lies, and where a pointer leads to it.
    static let dumpedText = 48
    static let dumpedPreview = 24
    /// Bytes of two keys that a dump compares to see if they are in order.
    static let comparedKeyBytes = 256
}
