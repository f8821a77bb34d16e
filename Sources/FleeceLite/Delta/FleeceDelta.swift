/// The difference between two values, as JSON: what Couchbase's delta sync sends instead of a body.
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
///     {"3": delta, "5-": […]}  changes in an array; what replaces the elements from 5 on
///     ["4=3-2+ab|9=", 0, 2]    a string's change: keep 4 bytes, delete 3, insert 2, keep 9
///
/// Moves of elements are not supported. Data is represented as Base64 in JSON and becomes a string.
public struct FleeceDelta: Sendable {
    /// The delta's JSON.
    public let json: JSONText

    /// Creates a delta from received JSON, which is parsed when it is applied.
    public init(json: String) {
        self.init(utf8: Array(json.utf8))
    }

    /// Creates a delta from received JSON in UTF-8, which is parsed when it is applied.
    public init(utf8: [UInt8]) {
        var text = JSONText()
        text.utf8 = utf8
        json = text
    }

    /// Creates the delta between two values, either of which can be missing.
    ///
    /// Integers and floating-point numbers differ even if they are equal: 1 becomes 1.0. Otherwise
    /// values with the same meaning are equal, whatever their encoding. A delta with more than
    /// `FleeceLimits.jsonDepth` levels of brackets is created, but cannot be applied.
    ///
    /// Throws `.outOfRange` beyond `FleeceLimits.walkDepth` levels, for more than 64 MiB of JSON,
    /// and if a small document stands for a huge one; `.invalidData` for corrupt values and if the
    /// new value contains a value that JSON lacks: infinity, NaN, `undefined` in an array.
    public init(from old: FleeceValue?, to new: FleeceValue?) throws {
        var comparison = DeltaComparison(old, new)
        json = try comparison.compare(old, new)
    }

    /// Whether the delta is `{}`, which stands for no difference.
    public var isEmpty: Bool { json.utf8 == [0x7B, 0x7D] }
}

extension FleeceDelta {
    /// Applies the delta to a value, and returns the changed value as a new document.
    ///
    /// - Parameters:
    ///   - old: the value to which the delta applies; nil for a missing one.
    ///   - sharedKeys: the table for the keys of the new document; nil to write all keys as
    ///     strings. Keys that the table lacks are numbered in a copy: to get the extended table,
    ///     apply the delta with an encoder and `write(_:applying:)`.
    /// - Returns: the new document, whose root is `undefined` if the delta removes the value.
    ///
    /// Throws `.jsonError` if the delta is not JSON, `.invalidData` if it is not a delta or does
    /// not match the value, with the path of the failing part in the message; `.outOfRange` if a
    /// small document stands for a huge one.
    public func applied(
        to old: FleeceValue?, sharedKeys: SharedKeys? = nil
    ) throws -> [UInt8] {
        var encoder = FleeceEncoder(sharedKeys: sharedKeys)
        try encoder.write(old, applying: self)
        return try encoder.finish()
    }
}

extension FleeceEncoder {
    /// Writes the result of applying a delta to a value, nil for a missing one.
    ///
    /// Unchanged values are copied or, if they lie in the encoder's base, referred to by pointers;
    /// a changed dictionary of the base becomes one that inherits from it. If the delta removes the
    /// whole value, `undefined` is written.
    ///
    /// Throws as `FleeceDelta.applied(to:sharedKeys:)` does; the encoder must then be `reset()`.
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
