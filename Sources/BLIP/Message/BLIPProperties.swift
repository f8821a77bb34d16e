internal import FleeceLite

/// The properties of a message: names and values, in the order in which they are sent.
///
/// ```swift
/// var properties: BLIPProperties = ["Profile": "getCheckpoint", "client": "cp-1"]
/// properties["collection"] = "0"
/// ```
package struct BLIPProperties: Sendable, Equatable, ExpressibleByDictionaryLiteral {
    private var pairs: [(name: String, value: String)] = []

    /// Creates properties.
    package init(dictionaryLiteral elements: (String, String)...) {
        for (name, value) in elements { self[name] = value }
    }

    /// Whether there are none.
    package var isEmpty: Bool { pairs.isEmpty }

    /// The value of a property; nil if it is missing. The first of several of the same name. Their
    /// number is small, so that each is looked at. U+0000 is left out of what is set: it ends names
    /// and values.
    package subscript(name: String) -> String? {
        get { pairs.first { $0.name == name }?.value }
        set {
            let index = pairs.firstIndex { $0.name == name }
            guard let newValue else {
                if let index { pairs.remove(at: index) }
                return
            }
            let pair = (name.withoutNUL, newValue.withoutNUL)
            if let index { pairs[index] = pair } else { pairs.append(pair) }
        }
    }

    /// Whether a property is `true`, `yes` or a number other than 0; LiteCore writes `true` and
    /// `1`.
    package func bool(_ name: String) -> Bool {
        guard let value = self[name]?.lowercased() else { return false }
        return value == "true" || value == "yes" || Int64(value).map { $0 != 0 } ?? false
    }

    /// The value of a property as a number; nil if it is missing or something else.
    package func int(_ name: String) -> Int64? { self[name].flatMap { Int64($0) } }

    /// Whether they are the same, in the same order.
    package static func == (properties: Self, other: Self) -> Bool {
        properties.pairs.elementsEqual(other.pairs) { $0 == $1 }
    }
}

extension BLIPProperties {
    /// How many a message may have.
    private static let maximumCount = 1000

    /// Reads `name NUL value NUL …`; nil if it does not end with NUL, has a name without a value,
    /// is not UTF-8, or has too many of them.
    init?(encoded bytes: [UInt8]) {
        guard bytes.last ?? 0 == 0 else { return nil }
        let strings = bytes.dropLast().split(separator: 0, omittingEmptySubsequences: false)
        guard !bytes.isEmpty else { return }
        guard strings.count.isMultiple(of: 2), strings.count <= 2 * Self.maximumCount else {
            return nil
        }
        for index in stride(from: 0, to: strings.count, by: 2) {
            guard let name = String(validating: strings[index], as: UTF8.self),
                let value = String(validating: strings[index + 1], as: UTF8.self)
            else { return nil }
            pairs.append((name, value))
        }
    }

    /// Their length in bytes, then what ``init(encoded:)`` reads.
    var encoded: [UInt8] {
        var bytes: [UInt8] = []
        for (name, value) in pairs {
            bytes += name.utf8
            bytes.append(0)
            bytes += value.utf8
            bytes.append(0)
        }
        var result: [UInt8] = []
        Varint.append(UInt64(bytes.count), to: &result)
        return result + bytes
    }
}

extension String {
    fileprivate var withoutNUL: String {
        utf8.contains(0) ? String(unicodeScalars.filter { $0 != "\0" }) : self
    }
}
