extension FleeceDocument {
    /// Copies a document whose origin is not trusted, and checks it first.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - sharedKeys: the table that its numbered keys refer to.
    ///   - level: `.structure` says that all of it can be read; `.strict` also that an encoder
    ///     could have written it.
    ///   - base: the document that extern pointers lead into, checked as far as they do.
    ///
    /// Throws `.invalidData`, or `.outOfRange` for over `FleeceLimits.walkDepth` levels, with the
    /// offset of what is wrong. Takes a time that grows as the length does.
    public convenience init(
        validating bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys(),
        level: FleeceValidation = .structure, base: FleeceDocument? = nil
    ) throws {
        try self.init(trusted: bytes, sharedKeys: sharedKeys, base: base)
        var validator = FleeceValidator(
            self.bytes, base: base?.bytes.count ?? 0, level: level,
            sharedKeyCount: sharedKeys.count)
        try validator.validate()
    }
}

extension FleeceValidation {
    /// Checks a document where it lies, without a copy.
    ///
    /// Throws as `FleeceDocument(validating:sharedKeys:level:base:)` does.
    public func check(
        _ bytes: UnsafeRawBufferPointer, sharedKeys: SharedKeys = SharedKeys()
    ) throws {
        var validator = FleeceValidator(bytes, level: self, sharedKeyCount: sharedKeys.count)
        try validator.validate()
    }
}
