extension FleeceDocument {
    /// A document of its own with a borrowed value as root, for those who may keep it.
    ///
    /// The shared keys are those of the value's document. All bytes before the value's end are
    /// copied, since what it refers to stands there.
    ///
    /// Throws `.invalidData` for a value at an odd place, or one that lies in a base.
    package convenience init(copying value: UnsafeFleeceValue) throws {
        let bytes = UnsafeRawBufferPointer(start: value.raw.base, count: value.raw.limit)
        try self.init(
            trusted: bytes, rootAt: value.raw.offset,
            sharedKeys: value.document._withUnsafeGuaranteedRef { $0.sharedKeys })
    }
}

extension FleeceValue {
    /// Lends the value without ownership, for what takes it in that form.
    package func withUnsafeValue<T, E: Error>(
        _ body: (UnsafeFleeceValue) throws(E) -> T
    ) throws(E) -> T {
        defer { extendLifetime(document) }
        return try body(UnsafeFleeceValue(raw, .passUnretained(document)))
    }
}
