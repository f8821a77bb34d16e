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
    public func makeIterator() -> Iterator { Iterator(self) }

    /// Goes from pair to pair.
    public struct Iterator: IteratorProtocol {
        private let document: FleeceDocument
        private let own: RawCollection
        /// All pairs, if some are inherited.
        private let merged: [RawPairs.Pair]?
        private let count: Int
        private var index = 0

        init(_ dictionary: FleeceDictionary) {
            document = dictionary.document
            own = dictionary.raw
            merged = own.parent == nil ? nil : Array(RawPairs(own))
            count = merged?.count ?? own.count
        }

        /// The next pair whose key can be read; nil after the last one.
        public mutating func next() -> Element? {
            while index < count {
                let place = index
                index = place &+ 1
                if merged == nil, let name = document.keyName(Int(own.keyBits(place))) {
                    let value = own.value(at: place) ?? .undefined
                    return (name, FleeceValue(document: document, raw: value))
                }
                if let element = otherElement(place) { return element }
            }
            return nil
        }

        /// A pair whose key is not a number, or that may be inherited.
        @inline(never)
        private func otherElement(_ place: Int) -> Element? {
            let pair =
                merged?[place]
                ?? RawPairs.Pair(key: own.key(place), value: own.value(at: place))
            let value = FleeceValue(document: document, raw: pair.value ?? .undefined)
            return switch pair.key {
            case .string(let text): (String(decoding: text, as: UTF8.self), value)
            case .number(let number): document.keyName(number).map { ($0, value) }
            case nil: nil
            }
        }
    }
}

extension FleeceDocument {
    /// The text of a shared key, nil if its table lacks the number.
    @inline(__always)
    fileprivate func keyName(_ number: Int) -> String? {
        keys._withUnsafeGuaranteedRef { table in
            number >= 0 && number < table.count ? table.name(at: number) : nil
        }
    }
}

extension FleeceDictionary {
    /// Hands this dictionary and all those below it to `body`, the outer ones first.
    ///
    /// Each comes once, however often it is referred to: a small document can use its parts again
    /// and again.
    package func forEachDictionary(_ body: (FleeceDictionary) throws -> Void) rethrows {
        defer { extendLifetime(document) }
        var waiting: [RawCollection] = [raw]
        var seen: Set<Int> = [raw.offset]
        while let next = waiting.popLast() {
            if next.isDictionary { try body(FleeceDictionary(document: document, raw: next)) }
            for index in (0..<next.slotCount).reversed() {
                guard let (collection, _) = next.slot(index)?.slots,
                    seen.insert(collection.offset).inserted
                else { continue }
                waiting.append(collection)
            }
        }
    }
}
