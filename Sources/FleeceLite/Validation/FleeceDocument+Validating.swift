extension FleeceDocument {
    /// Copies a document whose origin is not trusted, and checks it first.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - sharedKeys: the table that its numbered keys refer to.
    ///   - level: `.structure` says that all of it can be read; `.strict` also that an encoder
    ///     could have written it.
    ///
    /// Throws `.invalidData`, or `.outOfRange` for over `FleeceLimits.walkDepth` levels, with the
    /// offset of what is wrong. Takes a time that grows as the length does.
    public convenience init(
        validating bytes: [UInt8], sharedKeys: SharedKeys = SharedKeys(),
        level: FleeceValidation = .structure
    ) throws {
        try bytes.withUnsafeBytes {
            var validator = FleeceValidator(
                $0, level: level, sharedKeyCount: sharedKeys.count)
            try validator.validate()
        }
        try self.init(trusted: bytes, sharedKeys: sharedKeys)
    }
}
