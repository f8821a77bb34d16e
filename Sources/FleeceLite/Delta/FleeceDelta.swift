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
