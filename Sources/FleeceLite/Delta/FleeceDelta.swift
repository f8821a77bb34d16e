/// The difference of two values, as JSON: what Couchbase's delta sync sends in place of a body.
///
/// ```swift
/// let delta = try FleeceDelta(from: old.root, to: new.root)   // {"name":"Ada","tags":{"1-":[]}}
/// let bytes = try delta.applied(to: old.root)
/// ```
/// A delta is one of these, the first three as in jsondiffpatch:
///
///     {"key": delta, …}        changes in a dictionary; {} alone: no change
///     [value]                  another value, or a new one; also [old value, value]
///     []                       removed; also [old value, 0, 0]
///     value                    short for [value] in a collection, unless it is one itself
///     {"3": delta, "5-": […]}  changes in an array; what comes in place of all from 5 on
///     ["4=3-2+ab|9=", 0, 2]    a string's change: keep 4 bytes, delete 3, insert 2, keep 9
///
/// Elements that move are not known; data stands in JSON as base64 and becomes text.
public struct FleeceDelta: Sendable {
    /// The delta.
    public let json: JSONText

    /// A delta that was received; it is read when it is applied.
    public init(json: String) {
        self.init(utf8: Array(json.utf8))
    }

    /// The same from UTF-8.
    public init(utf8: [UInt8]) {
        var text = JSONText()
        text.utf8 = utf8
        json = text
    }

    /// Compares two values, either of which can be missing.
    ///
    /// Integers and floating-point numbers are different even if they are equal: 1 becomes 1.0.
    /// Otherwise what means the same is the same, however it is written. A delta whose brackets go
    /// down more than `FleeceLimits.jsonDepth` levels is made, but cannot be applied.
    ///
    /// Throws `.outOfRange` beyond `FleeceLimits.walkDepth` levels, for over 64 MiB of JSON, and if
    /// a small document stands for a huge one; `.invalidData` for corrupt values and where the
    /// new value holds what JSON lacks: infinity, NaN, `undefined` in an array.
    public init(from old: FleeceValue?, to new: FleeceValue?) throws {
        var comparison = DeltaComparison(old, new)
        json = try comparison.compare(old, new)
    }

    /// Whether it is `{}`, which is how no difference is written.
    public var isEmpty: Bool { json.utf8 == [0x7B, 0x7D] }
}

extension FleeceDelta {
    /// The document that the delta makes of a value; nil for one that is missing.
    ///
    /// The root is `undefined` if the delta removes the value.
    ///
    /// Throws `.jsonError` if the delta is not JSON, `.invalidData` if it is not a delta or one of
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
