internal import StorePlatform

/// Formats values as readable text: like compact JSON, but of limited length.
///
/// Data is shown as `<cafe>`, and `undefined`, `inf`, `-inf` and `nan` as such; `corrupt` stands
/// for unreadable values, and `…` for what exceeds the length.
struct ValueDescription {
    private var text = JSONText()
    private var closers: [StaticString] = []
    private var needsComma = false
    /// Whether values were left out.
    private var isCut = false

    static func text(_ value: FleeceValue) -> String {
        var description = ValueDescription()
        description.append(value.deepValues())
        return description.limited
    }

    private mutating func append(_ items: DeepValues) {
        for result in items {
            guard case .success(let item) = result, hasSpace else {
                isCut = true
                return
            }
            while closers.count > item.depth { close() }
            if needsComma { text.append(",") }
            needsComma = true
            if let key = item.key {
                text.append(quoted: key)
                text.append(":")
            }
            append(item.value)
        }
        while !closers.isEmpty { close() }
    }

    private mutating func append(_ value: FleeceValue) {
        switch value.kind {
        case .undefined: text.append("undefined")
        case .null: text.append("null")
        case .bool: text.append(value.bool == true ? "true" : "false")
        case .integer, .double: append(plain: value.text ?? "corrupt")
        case .string: append(string: value.raw.string)
        case .data: append(data: value.raw.bytes(tag: FleeceTag.data))
        case .array: value.array == nil ? text.append("corrupt") : open("[", "]")
        case .dictionary: value.dictionary == nil ? text.append("corrupt") : open("{", "}")
        }
    }

    private mutating func open(_ opener: StaticString, _ closer: StaticString) {
        text.append(opener)
        closers.append(closer)
        needsComma = false
    }

    private mutating func close() {
        text.append(closers.removeLast())
        needsComma = true
    }

    private mutating func append(plain: String) {
        text.utf8.append(contentsOf: plain.utf8)
    }

    /// A prefix suffices if the text is truncated later.
    private mutating func append(string bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return text.append("corrupt") }
        let prefix = bytes.prefix(FleeceLimits.descriptionLength)
        text.append(quoted: String(decoding: prefix, as: UTF8.self))
    }

    private mutating func append(data bytes: UnsafeRawBufferPointer?) {
        guard let bytes else { return text.append("corrupt") }
        text.append("<")
        for byte in bytes.prefix(FleeceLimits.descriptionLength) {
            text.utf8.append(Hexadecimal.digit(byte >> 4))
            text.utf8.append(Hexadecimal.digit(byte))
        }
        text.append(">")
    }

    private var hasSpace: Bool { text.utf8.count <= FleeceLimits.descriptionLength }

    private var limited: String {
        guard isCut || !hasSpace else { return text.string }
        var length = min(text.utf8.count, FleeceLimits.descriptionLength)
        // Not in the middle of a character.
        while length > 0, length < text.utf8.count, text.utf8[length] & 0xC0 == 0x80 {
            length -= 1
        }
        return String(decoding: text.utf8[..<length], as: UTF8.self) + "…"
    }
}

extension FleeceValue: CustomStringConvertible {
    /// The value as readable text: like compact JSON, of at most ``FleeceLimits/descriptionLength``
    /// bytes, followed by `…` if it is truncated.
    ///
    /// Data is shown as `<cafe>`, and `undefined`, `inf`, `-inf` and `nan` as such; `corrupt`
    /// stands for unreadable values. It never fails, so it suits messages; use ``json(_:)`` for
    /// JSON.
    public var description: String {
        ValueDescription.text(self)
    }
}

extension FleeceArray: CustomStringConvertible {
    /// The elements, as ``FleeceValue/description`` shows them.
    public var description: String {
        ValueDescription.text(FleeceValue(document: document, raw: raw.value))
    }
}

extension FleeceDictionary: CustomStringConvertible {
    /// The pairs, as ``FleeceValue/description`` shows them.
    public var description: String {
        ValueDescription.text(FleeceValue(document: document, raw: raw.value))
    }
}

extension FleeceDocument: CustomStringConvertible {
    /// The root, as ``FleeceValue/description`` shows it; ``dump()`` shows the bytes.
    public var description: String { root.description }
}
