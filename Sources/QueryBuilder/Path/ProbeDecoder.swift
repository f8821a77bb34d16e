/// A decoder that has a value for whatever it is asked for.
struct ProbeDecoder: Decoder {
    let probe: Probe
    let codingPath: [any CodingKey]

    var userInfo: [CodingUserInfoKey: Any] { probe.userInfo }

    func container<Key: CodingKey>(keyedBy type: Key.Type) -> KeyedDecodingContainer<Key> {
        KeyedDecodingContainer(ProbeKeyed(probe: probe, codingPath: codingPath))
    }

    func unkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: codingPath)
    }

    func singleValueContainer() -> any SingleValueDecodingContainer {
        ProbeSingle(probe: probe, codingPath: codingPath)
    }
}

/// A dictionary that has every key.
private struct ProbeKeyed<Key: CodingKey>: KeyedDecodingContainerProtocol {
    let probe: Probe
    let codingPath: [any CodingKey]

    /// One: what asks for the keys is a dictionary, or chooses by the one that is there.
    var allKeys: [Key] {
        if probe.isEmpty { return [] }
        if let key = Key(stringValue: "key") ?? Key(intValue: 1) { return [key] }
        if let key: Key = SmallEnumeration.value(Key.self, 0) { return [key] }
        return []
    }

    func contains(_ key: Key) -> Bool { true }

    func decodeNil(forKey key: Key) -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type, forKey key: Key) throws -> Value {
        try probe.value(type, codingPath + [key])
    }

    /// Nil ends a type that holds itself, and is better than no sample at all.
    func decodeIfPresent<Value: Decodable>(
        _ type: Value.Type, forKey key: Key
    ) throws -> Value? {
        do {
            return try probe.value(type, codingPath + [key])
        } catch let error as ProbeError {
            if case .tooLarge = error { throw error }
            return nil
        }
    }

    func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type, forKey key: Key
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeKeyed<Nested>(probe: probe, codingPath: codingPath + [key]))
    }

    func nestedUnkeyedContainer(forKey key: Key) -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: codingPath + [key])
    }

    func superDecoder() -> any Decoder {
        ProbeDecoder(probe: probe, codingPath: codingPath + [ProbeKey("super")])
    }

    func superDecoder(forKey key: Key) -> any Decoder {
        ProbeDecoder(probe: probe, codingPath: codingPath + [key])
    }
}

/// An array of one element; what wants more gets more.
private struct ProbeUnkeyed: UnkeyedDecodingContainer {
    let probe: Probe
    let codingPath: [any CodingKey]
    var currentIndex = 0

    init(probe: Probe, codingPath: [any CodingKey]) {
        self.probe = probe
        self.codingPath = codingPath
    }

    var count: Int? { nil }
    var isAtEnd: Bool { probe.isEmpty || currentIndex > 0 }

    private mutating func next() -> [any CodingKey] {
        defer { currentIndex += 1 }
        return codingPath + [ProbeKey("\(currentIndex)")]
    }

    mutating func decodeNil() -> Bool { false }

    mutating func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try probe.value(type, next())
    }

    mutating func nestedContainer<Nested: CodingKey>(
        keyedBy type: Nested.Type
    ) -> KeyedDecodingContainer<Nested> {
        KeyedDecodingContainer(ProbeKeyed<Nested>(probe: probe, codingPath: next()))
    }

    mutating func nestedUnkeyedContainer() -> any UnkeyedDecodingContainer {
        ProbeUnkeyed(probe: probe, codingPath: next())
    }

    mutating func superDecoder() -> any Decoder { ProbeDecoder(probe: probe, codingPath: next()) }
}

/// A value of any type.
private struct ProbeSingle: SingleValueDecodingContainer {
    let probe: Probe
    let codingPath: [any CodingKey]

    func decodeNil() -> Bool { false }

    func decode<Value: Decodable>(_ type: Value.Type) throws -> Value {
        try probe.value(type, codingPath)
    }
}

/// A key that has a name.
private struct ProbeKey: CodingKey {
    let stringValue: String
    var intValue: Int? { Int(stringValue) }

    init(_ name: String) { stringValue = name }
    init(stringValue: String) { self.init(stringValue) }
    init(intValue: Int) { self.init(String(intValue)) }
}
