/// A path to a nested value in the notation of RFC 6901: `/likes/0`, `/a~1b` for the key `a/b`, and
/// the empty string for the value itself.
///
/// JSON Pointers occur in JSON Patch and in the messages of schema validators. Use a pointer as a
/// subscript of a ``FleeceValue``:
///
/// ```swift
/// let pointer = try JSONPointer(parsing: "/contacts/1/emails/0")
/// let email = fleece.root[pointer]?.string
/// ```
///
/// A step such as `1` is a key or an index, depending on the value to which it applies. A
/// ``PropertyPath`` distinguishes them, counts negative indexes from the end, and can also be set.
public struct JSONPointer: Hashable, Sendable {
    /// The steps, unescaped: keys of dictionaries, and decimal indexes of arrays.
    ///
    /// No steps stand for the value itself.
    public var tokens: [String]

    /// Creates a pointer from its steps.
    ///
    /// ```swift
    /// let pointer = JSONPointer(["rates", "EUR/USD", "0"])
    /// show(pointer.description)  // /rates/EUR~1USD/0
    /// ```
    /// - Parameter tokens: the steps without escapes, the first one first.
    public init(_ tokens: [String]) {
        self.tokens = tokens
    }

    /// Parses a pointer: empty, or a `/` before each step, in which `~1` stands for `/` and `~0`
    /// for `~`.
    ///
    /// - Parameter text: the pointer. The form in a URL fragment, `#/likes/0`, is not accepted.
    /// - Throws: ``FleeceError/Code/invalidData`` with the byte offset of the error: one that does
    ///   not begin with `/`, or a `~` that neither 0 nor 1 follows.
    public init(parsing text: String) throws {
        let utf8 = Array(text.utf8)
        guard utf8.isEmpty || utf8[0] == UInt8(ascii: "/") else {
            throw FleeceError(.invalidData, "a JSON Pointer begins with '/'", offset: 0)
        }
        var steps: [[UInt8]] = []
        var position = 0
        while position < utf8.count {
            let byte = utf8[position]
            position += 1
            if byte == UInt8(ascii: "/") {
                steps.append([])
            } else if byte == UInt8(ascii: "~") {
                let escaped = position < utf8.count ? utf8[position] : 0
                guard escaped == UInt8(ascii: "0") || escaped == UInt8(ascii: "1") else {
                    throw FleeceError(
                        .invalidData, "after '~' comes 0 or 1", offset: position - 1)
                }
                position += 1
                steps[steps.count - 1].append(UInt8(ascii: escaped == 0x30 ? "~" : "/"))
            } else {
                steps[steps.count - 1].append(byte)
            }
        }
        tokens = steps.map { String(decoding: $0, as: UTF8.self) }
    }
}

extension JSONPointer: CustomStringConvertible {
    /// The pointer's text, with escapes, which parses as the same pointer.
    public var description: String {
        var text = String.UnicodeScalarView()
        for token in tokens {
            text.append("/")
            for scalar in token.unicodeScalars {
                switch scalar {
                case "~": text.append(contentsOf: "~0".unicodeScalars)
                case "/": text.append(contentsOf: "~1".unicodeScalars)
                default: text.append(scalar)
                }
            }
        }
        return String(text)
    }
}

extension FleeceValue {
    /// The value at a pointer; nil if there is none.
    ///
    /// An index is decimal without a sign or leading zeros; `-`, the position after the last
    /// element, has no value. Each step is a lookup in a dictionary or an array.
    ///
    /// - Parameter pointer: the pointer from this value; an empty one leads to the value itself.
    public subscript(pointer: JSONPointer) -> FleeceValue? {
        pointer.tokens.reduce(self as FleeceValue?) { value, token in
            if let array = value?.array {
                return JSONPointer.index(token).flatMap { array[at: $0] }
            }
            return value?.dictionary?[token]
        }
    }
}

extension JSONPointer {
    fileprivate static func index(_ token: String) -> Int? {
        let digits = token.utf8
        guard let first = digits.first, digits.allSatisfy({ $0 >= 0x30 && $0 <= 0x39 }),
            first != 0x30 || digits.count == 1
        else { return nil }
        return Int(token)
    }
}
