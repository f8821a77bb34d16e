extension FleeceDelta {
    /// The document that the delta makes of a value; nil for one that is missing.
    ///
    /// The root is `undefined` if the delta removes the value.
    ///
    /// Throws `.jsonError` if the delta is no JSON, `.invalidData` if it is no delta or one of
    /// another value, with the path of what is wrong in the message; `.outOfRange` if a small
    /// document stands for a huge one.
    public func applied(
        to old: FleeceValue?, sharedKeys: SharedKeys? = nil
    ) throws -> [UInt8] {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        try encoder.write(old, applying: self)
        return try encoder.finish()
    }
}

extension FleeceEncoder {
    /// Writes what a delta makes of a value; nil for one that is missing.
    ///
    /// What is not changed is copied or, if it lies in the encoder's base, pointed to; of a
    /// dictionary in the base one is written that inherits from it. Where the delta removes the
    /// whole value, `undefined` is written.
    ///
    /// Throws as `FleeceDelta.applied(to:sharedKeys:)` does; the encoder then has to be `reset()`.
    public mutating func write(_ old: FleeceValue?, applying delta: FleeceDelta) throws {
        var encoder = FleeceEncoder()
        try delta.json.utf8.withUnsafeBytes { _ = try encoder.writeJSON($0, lifting: nil) }
        let patch = try FleeceDocument(trusted: encoder.finish()).root
        var application = DeltaApplication(patch, to: old, self)
        try application.apply(patch, to: old, &self)
    }

    /// Writes a delta as a value.
    public mutating func write(_ delta: FleeceDelta) throws {
        try delta.json.utf8.withUnsafeBytes { _ = try writeJSON($0, lifting: nil) }
    }
}
