/// The decoder of one value, with its coding path.
final class ValueDecoder: Decoder {
    let source: DecodingSource
    let value: RawValue
    /// The slots of an array or dictionary, once a container has been requested.
    private(set) var slots: RawCollection?
    /// The expected position of the next property: types tend to read in the order of the keys.
    private var expected = 0
    private let parent: ValueDecoder?
    private let key: (any CodingKey)?
    /// The number of enclosing collections.
    private let depth: Int

    /// The decoder of the outermost value.
    init(_ source: DecodingSource, _ value: RawValue) {
        self.source = source
        self.value = value
        parent = nil
        key = nil
        depth = 0
    }

    /// Creates the decoder of a value in an array or dictionary.
    init(_ value: RawValue, in parent: ValueDecoder, key: any CodingKey) {
        source = parent.source
        self.value = value
        self.parent = parent
        self.key = key
        depth = parent.depth &+ 1
    }

    var codingPath: [any CodingKey] {
        var path: [any CodingKey] = []
        var decoder: ValueDecoder? = self
        while let next = decoder {
            if let key = next.key { path.append(key) }
            decoder = next.parent
        }
        return path.reversed()
    }

    var userInfo: [CodingUserInfoKey: Any] { source.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) throws -> KeyedDecodingContainer<Key> {
        try openDictionary()
        return KeyedDecodingContainer(KeyedDecoding<Key>(decoder: self))
    }

    /// Begins the reading of properties.
    func openDictionary() throws {
        try open(value.dictionary, as: [String: Any].self)
    }

    func unkeyedContainer() throws -> any UnkeyedDecodingContainer {
        try open(value.array, as: [Any].self)
        return UnkeyedDecoding(decoder: self)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        SingleValueDecoding(decoder: self)
    }

    private func open(_ collection: RawCollection?, as type: Any.Type) throws {
        guard let collection else { throw error(.mismatch(value), type) }
        guard depth < FleeceLimits.walkDepth else { throw tooDeep() }
        do throws(ReadFailure) {
            try source.spend(slots: collection.count, on: value)
            try spendParents(of: collection)
        } catch {
            throw self.error(error, type)
        }
        slots = collection
        expected = 0
    }
}

extension ValueDecoder {
    /// Inherited pairs are merged when the keys are requested.
    private func spendParents(of collection: RawCollection) throws(ReadFailure) {
        guard value.tag == FleeceTag.dictionary else { return }
        var parent = collection.parent
        for generation in 0..<FleeceLimits.parents {
            guard let next = parent else { return }
            // A pair is copied once for each generation, from a parent to the
            // dictionary that inherits it.
            try source.spend(slots: next.count &* (generation &+ 1), on: value)
            parent = next.parent
        }
    }

    /// Reads the value itself.
    @inline(__always)
    func read<Scalar: FleeceScalar>(_ type: Scalar.Type) throws -> Scalar {
        do throws(ReadFailure) {
            return try Scalar.read(value, source)
        } catch {
            throw self.error(error, type)
        }
    }

    /// Reads a value of the array or dictionary.
    @inline(__always)
    func read<Scalar: FleeceScalar>(
        _ type: Scalar.Type, _ value: RawValue, _ key: @autoclosure () -> any CodingKey
    ) throws -> Scalar {
        do throws(ReadFailure) {
            return try Scalar.read(value, source)
        } catch {
            throw self.error(error, type, key())
        }
    }

    /// Reads the value itself as a type of any kind.
    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        guard let scalar = source.scalars.scalar(type) else {
            guard source.beginValue() else { throw tooDeep() }
            defer { source.endValue() }
            return try Value(from: self)
        }
        do throws(ReadFailure) {
            return try scalar.read(value, source, as: type)
        } catch {
            throw self.error(error, type)
        }
    }

    /// Reads a value of the array or dictionary as a type of any kind.
    @inline(__always)
    func decode<Value: Decodable>(
        _ type: Value.Type, _ value: RawValue, _ key: @autoclosure () -> any CodingKey
    ) throws -> Value {
        guard let scalar = source.scalars.scalar(type) else {
            let inner = ValueDecoder(value, in: self, key: key())
            guard source.beginValue() else { throw inner.tooDeep() }
            defer { source.endValue() }
            return try Value(from: inner)
        }
        do throws(ReadFailure) {
            return try scalar.read(value, source, as: type)
        } catch {
            throw self.error(error, type, key())
        }
    }

    func error(
        _ failure: ReadFailure, _ type: Any.Type, _ key: (any CodingKey)? = nil
    ) -> DecodingError {
        failure.decodingError(type, path: codingPath + (key.map { [$0] } ?? []))
    }

    func context(_ message: String) -> DecodingError.Context {
        DecodingError.Context(codingPath: codingPath, debugDescription: message)
    }

    private func tooDeep() -> DecodingError {
        .dataCorrupted(context("values nested too deep"))
    }
}

extension ValueDecoder {
    /// The value of a property; nil if there is none.
    ///
    /// Throws if bytes read during the lookup are corrupt.
    @inline(__always)
    func find(_ key: some CodingKey) throws -> RawValue? {
        guard let slots else { return nil }
        let text = key.stringValue
        let found = text.utf8.withContiguousStorageIfAvailable {
            find(UnsafeRawBufferPointer($0), in: slots)
        }
        switch found ?? findBridged(text, in: slots) {
        case .value(let value):
            return value.has(2) && value.byte(0) == FleeceSpecial.undefined ? nil : value
        case .absent: return nil
        case .corrupt:
            throw DecodingError.dataCorrupted(
                DecodingError.Context(
                    codingPath: codingPath + [key], debugDescription: "corrupt bytes"))
        }
    }

    /// The value of a required property.
    @inline(__always)
    func require(_ key: some CodingKey) throws -> RawValue {
        if let value = try find(key) { return value }
        throw DecodingError.keyNotFound(
            key, context("there is no property \"\(key.stringValue)\""))
    }

    /// Looks up a key that is bridged from a foreign string and not yet UTF-8.
    private func findBridged(_ text: String, in slots: RawCollection) -> Found {
        var text = text
        return text.withUTF8 { find(UnsafeRawBufferPointer($0), in: slots) }
    }

    private enum Found {
        case value(RawValue)
        case absent, corrupt
    }

    private func find(_ text: UnsafeRawBufferPointer, in slots: RawCollection) -> Found {
        guard text.count <= FleeceLimits.sharedKeyLength else { return search(text, slots, nil) }
        let words = KeyWords(text)
        let cacheSlot = InlineKeyCache.slot(of: words)
        let pair = source.keyCache.pair(cacheSlot)
        if pair >= 0, pair < slots.count, slots.isPlainly(words, at: pair, source.document.keys) {
            return value(pair, slots)
        }
        for index in expected..<min(expected &+ 2, slots.count)
        where slots.isPlainly(words, at: index, source.document.keys) {
            return value(index, slots)
        }
        return search(text, slots, cacheSlot)
    }

    @inline(__always)
    private func value(_ index: Int, _ slots: RawCollection) -> Found {
        expected = index &+ 1
        return slots.value(at: index).map { .value($0) } ?? .corrupt
    }

    private func remembered(_ index: Int, _ slots: RawCollection, _ cacheSlot: Int?) -> Found {
        if let cacheSlot { source.keyCache.remember(index, cacheSlot) }
        return value(index, slots)
    }

    @inline(never)
    private func search(
        _ text: UnsafeRawBufferPointer, _ slots: RawCollection, _ cacheSlot: Int?
    ) -> Found {
        let hasNumbers = slots.usesNumbers || slots.hasParentKey
        let number = hasNumbers ? source.document.sharedKeys.index(of: text) : nil
        if slots.parent != nil {
            return slots.value(text, number: number).map { .value($0) } ?? .absent
        }
        return switch slots.keyPosition(of: LookupKey(text, number: number ?? -1)) {
        case .pair(let index): remembered(index, slots, cacheSlot)
        case .absent: .absent
        case .unknown: .corrupt
        }
    }
}
