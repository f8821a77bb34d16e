internal import CPQ

/// A parameter of a statement, in PostgreSQL's binary form.
struct PostgresValue: Sendable {
    let type: Oid
    /// Nil for NULL.
    let bytes: [UInt8]?

    private init(_ type: Int, _ bytes: [UInt8]?) {
        self.type = Oid(type)
        self.bytes = bytes
    }

    static func text(_ text: String) -> Self { Self(shim_oid_text, Array(text.utf8)) }
    static func int2(_ number: Int16) -> Self { Self(shim_oid_int2, bigEndian(number)) }
    static func int4(_ number: Int32) -> Self { Self(shim_oid_int4, bigEndian(number)) }
    static func int8(_ number: Int64) -> Self { Self(shim_oid_int8, bigEndian(number)) }
    static func bytea(_ bytes: [UInt8]) -> Self { Self(shim_oid_bytea, bytes) }

    static func strings(_ strings: some Collection<String?>) -> Self {
        array(shim_oid_text_array, shim_oid_text, strings) { text, bytes in
            guard let text else { return false }
            bytes.append(contentsOf: text.utf8)
            return true
        }
    }

    static func int2s(_ numbers: some Collection<Int16>) -> Self {
        array(shim_oid_int2_array, shim_oid_int2, numbers) { number, bytes in
            bytes.append(contentsOf: bigEndian(number))
            return true
        }
    }

    /// Of JSON; empty ones are NULL.
    static func jsonbs(_ strings: some Collection<[UInt8]>) -> Self {
        array(shim_oid_jsonb_array, shim_oid_jsonb, strings) { text, bytes in
            guard !text.isEmpty else { return false }
            // The version of the form.
            bytes.append(1)
            bytes.append(contentsOf: text)
            return true
        }
    }

    static func byteas(_ values: some Collection<[UInt8]?>) -> Self {
        array(shim_oid_bytea_array, shim_oid_bytea, values) { value, bytes in
            guard let value else { return false }
            bytes.append(contentsOf: value)
            return true
        }
    }

    /// An array of one dimension: its header, then the length and the bytes of each element.
    ///
    /// - Parameter append: appends an element; false for NULL.
    private static func array<Element>(
        _ type: Int, _ elementType: Int, _ elements: some Collection<Element>,
        _ append: (Element, inout [UInt8]) -> Bool
    ) -> Self {
        var bytes: [UInt8] = []
        // The dimensions, whether there may be NULL, the type; the length and the first index.
        var header: [Int32] = [elements.isEmpty ? 0 : 1, 1, Int32(elementType)]
        if !elements.isEmpty { header += [Int32(elements.count), 1] }
        for word in header { bytes.append(contentsOf: bigEndian(word)) }
        for element in elements {
            let start = bytes.count
            bytes.append(contentsOf: [0, 0, 0, 0])
            let length = append(element, &bytes) ? Int32(bytes.count - start - 4) : -1
            for (index, byte) in bigEndian(length).enumerated() { bytes[start + index] = byte }
        }
        return Self(type, bytes)
    }

    private static func bigEndian(_ number: some FixedWidthInteger) -> [UInt8] {
        withUnsafeBytes(of: number.bigEndian) { Array($0) }
    }
}

extension [PostgresValue] {
    /// Lends pointers to the bytes of the values, nil for NULL.
    func withPointers<T>(
        _ use: (UnsafePointer<UnsafePointer<CChar>?>?) throws -> T
    ) rethrows -> T {
        var all: [UInt8] = []
        all.reserveCapacity(reduce(1) { $0 + ($1.bytes?.count ?? 0) })
        for value in self { all += value.bytes ?? [] }
        // So that there is an address if all of them are empty.
        all.append(0)
        return try all.withUnsafeBytes { buffer in
            let start = buffer.baseAddress?.assumingMemoryBound(to: CChar.self)
            var offset = 0
            let pointers = map { value -> UnsafePointer<CChar>? in
                guard let bytes = value.bytes else { return nil }
                defer { offset += bytes.count }
                return start.map { $0 + offset }
            }
            return try pointers.withUnsafeBufferPointer { try use($0.baseAddress) }
        }
    }
}
