/// A dictionary in a Fleece document.
public struct FleeceDictionary: @unchecked Sendable {
    // Unchecked because of the pointer in `raw`: `document` keeps its bytes, which never change.
    let document: FleeceDocument
    let raw: RawCollection

    /// The value of a key, nil if there is none or if it is `undefined`. Binary search.
    public subscript(key: String) -> FleeceValue? {
        guard let found = rawValue(of: key) else { return nil }
        return FleeceValue(document: document, raw: found)
    }

    @inline(__always)
    private func rawValue(of key: String) -> RawValue? {
        // Without a copy of the string, which would cost a count of references.
        let found = key.utf8.withContiguousStorageIfAvailable {
            raw.value(of: UnsafeRawBufferPointer($0), in: document)
        }
        return found ?? rawValue(ofBridged: key)
    }

    /// The same for a string that comes from elsewhere and is not UTF-8 yet.
    private func rawValue(ofBridged key: String) -> RawValue? {
        var key = key
        return key.withUTF8 { raw.value(of: UnsafeRawBufferPointer($0), in: document) }
    }

    /// The value of a prepared key, which remembers where it was found.
    public func value(_ key: inout FleeceKey) -> FleeceValue? {
        defer { extendLifetime(document) }
        return key.value(in: raw, document.keys).map { FleeceValue(document: document, raw: $0) }
    }

    /// The value of a prepared key, nil if there is none or if it is `undefined`.
    public subscript(key: FleeceKey) -> FleeceValue? {
        var key = key
        return value(&key)
    }

    /// The number of pairs, also of those whose key cannot be read; O(n) for a dictionary that
    /// inherits from another.
    public var count: Int { raw.parent == nil ? raw.count : Array(RawPairs(raw)).count }

    /// Whether it has no pairs.
    public var isEmpty: Bool { count == 0 }

    /// The keys in the order they are stored in: numbered ones by number, then by their bytes.
    public var keys: [String] { map(\.key) }
}

extension FleeceDictionary: Sequence {
    /// A key and its value.
    public typealias Element = (key: String, value: FleeceValue)

    /// The pairs in the order they are stored in, inherited ones merged in.
    ///
    /// A pair whose key cannot be read, or is a number that `sharedKeys` lacks, is left out;
    /// writing JSON makes it an error instead.
    public func makeIterator() -> some IteratorProtocol<Element> {
        RawPairs(raw).lazy.compactMap { pair -> Element? in
            let value = FleeceValue(document: document, raw: pair.value ?? .undefined)
            return switch pair.key {
            case .string(let text): (String(decoding: text, as: UTF8.self), value)
            case .number(let number):
                document.sharedKeys.key(at: number).map { ($0, value) }
            case nil: nil
            }
        }.makeIterator()
    }
}

/// The pairs of a dictionary on the raw view, with those that it inherits.
struct RawPairs: Sequence {
    struct Pair {
        let key: RawCollection.Key?
        let value: RawValue?
    }

    private let pairs: [Pair]?
    private let own: RawCollection

    init(_ own: RawCollection) {
        self.init(own, parents: FleeceLimits.parents)
    }

    private init(_ own: RawCollection, parents: Int) {
        self.own = own
        pairs = own.parent.map { parent in
            let inherited = parents == 0 ? [] : Array(RawPairs(parent, parents: parents - 1))
            return Self.merged(own, inherited[...])
        }
    }

    func makeIterator() -> AnyIterator<Pair> {
        if let pairs { return AnyIterator(pairs.makeIterator()) }
        var index = 0
        return AnyIterator {
            guard index < own.count else { return nil }
            defer { index += 1 }
            return Self.pair(own, index)
        }
    }

    private static func pair(_ dictionary: RawCollection, _ index: Int) -> Pair {
        Pair(key: dictionary.key(index), value: dictionary.slot(2 * index + 1))
    }

    /// Both are sorted: the smaller key goes first, and an heir's own wins over the inherited.
    private static func merged(_ own: RawCollection, _ inherited: ArraySlice<Pair>) -> [Pair] {
        var inherited = inherited
        var result: [Pair] = []
        for index in 1..<own.count {
            let pair = pair(own, index)
            while let next = inherited.first, order(next.key, pair.key) < 0 {
                result.append(inherited.removeFirst())
            }
            if let next = inherited.first, order(next.key, pair.key) == 0 {
                inherited.removeFirst()
            }
            let isDeleted =
                pair.value.map { $0.has(2) && $0.byte(0) == FleeceSpecial.undefined } ?? false
            if !isDeleted { result.append(pair) }
        }
        return result + inherited
    }

    /// A key that cannot be read stays where it is.
    private static func order(_ left: RawCollection.Key?, _ right: RawCollection.Key?) -> Int {
        guard let left, let right else { return -1 }
        return compare(left, right)
    }
}
