/// The difference between two values, as JSON: what Couchbase's delta sync sends instead of a body.
///
/// ```swift
/// let delta = try FleeceDelta(from: oldFleece.root, to: newFleece.root)
/// show(delta.json.string)  // {"name":"Ada","tags":{"1-":[]}}
/// let bytes = try delta.applied(to: oldFleece.root)
/// ```
///
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
///
/// A delta applies only to the value from which it was created. A received delta is parsed when it
/// is applied; the error contains the path of the part that fails:
///
/// ```swift
/// do {
///     let delta = FleeceDelta(json: #"{"tags": {"7": "x"}}"#)
///     show(try delta.applied(to: oldFleece.root).count)
/// } catch let error as FleeceError {
///     show(error.message)
/// }
/// ```
///
/// **Cost.** Both values are compared step by step, arrays element by element: an element that is
/// inserted at the beginning changes all of them. A long string with a small change is patched.
///
/// See also <doc:Deltas>.
public struct FleeceDelta: Sendable {
    /// The delta's JSON, compact and in UTF-8: ``JSONText/utf8`` or ``JSONText/string``.
    public let json: JSONText

    /// Creates a delta from received JSON, which is parsed when it is applied.
    ///
    /// - Parameter json: the JSON; it is not checked here.
    public init(json: String) {
        self.init(utf8: Array(json.utf8))
    }

    /// Creates a delta from received JSON in UTF-8, which is parsed when it is applied.
    ///
    /// - Parameter utf8: the JSON; it is not checked here.
    public init(utf8: [UInt8]) {
        var text = JSONText()
        text.utf8 = utf8
        json = text
    }

    /// Creates the delta between two values, either of which can be missing.
    ///
    /// Integers and floating-point numbers differ even if they are equal: 1 becomes 1.0. Otherwise
    /// values with the same meaning are equal, whatever their encoding. A delta with more than
    /// ``FleeceLimits/jsonDepth`` levels of brackets is created, but cannot be applied.
    ///
    /// ```swift
    /// let old = oldFleece.root["profile"], new = newFleece.root["profile"]
    /// let delta = try FleeceDelta(from: old, to: new)
    /// if !delta.isEmpty { show(delta.json.string) }
    /// ```
    ///
    /// - Parameters:
    ///   - old: the value to which the delta will apply; nil if the value is new.
    ///   - new: the value after the change; nil if the value is removed.
    /// - Throws: ``FleeceError/Code/outOfRange`` beyond ``FleeceLimits/walkDepth`` levels, for more
    ///   than 64 MiB of JSON, and if a small document stands for a huge one;
    ///   ``FleeceError/Code/invalidData`` for corrupt values and if the new value contains a value
    ///   that JSON lacks: infinity, NaN, `undefined` in an array.
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
    /// ```swift
    /// let received = FleeceDelta(json: json)
    /// let bytes = try received.applied(to: oldFleece.root)
    /// let changed = try FleeceDocument(trusted: bytes)
    /// ```
    ///
    /// All of the value is copied. To write only the changes after the old document, use
    /// ``FleeceEncoder/write(_:applying:)`` with a base.
    ///
    /// - Parameters:
    ///   - old: the value to which the delta applies; nil for a missing one.
    ///   - sharedKeys: the table for the keys of the new document; nil to write all keys as strings
    ///     (default). Keys that the table lacks are numbered in a copy: to get the extended table,
    ///     apply the delta with an encoder and ``FleeceEncoder/write(_:applying:)``.
    /// - Returns: the new document, whose root is `undefined` if the delta removes the value.
    /// - Throws: ``FleeceError/Code/jsonError`` if the delta is not JSON,
    ///   ``FleeceError/Code/invalidData`` if it is not a delta or does not match the value, with
    ///   the path of the failing part in the message; ``FleeceError/Code/outOfRange`` if a small
    ///   document stands for a huge one.
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
    /// ```swift
    /// var encoder = FleeceEncoder()
    /// try encoder.amend(oldFleece)
    /// try encoder.write(oldFleece.root, applying: FleeceDelta(json: json))
    /// let appended = try encoder.finish()
    /// ```
    ///
    /// - Parameters:
    ///   - old: the value to which the delta applies.
    ///   - delta: the delta, which is parsed now.
    /// - Throws: as ``FleeceDelta/applied(to:sharedKeys:)`` does; the encoder must then be
    ///   ``reset()``.
    public mutating func write(_ old: FleeceValue?, applying delta: FleeceDelta) throws {
        var encoder = FleeceEncoder()
        try delta.json.utf8.withUnsafeBytes { _ = try encoder.writeJSON($0, lifting: nil) }
        let patch = try FleeceDocument(trusted: encoder.finish()).root
        var application = DeltaApplication(patch, to: old, self)
        try application.apply(patch, to: old, &self)
    }

    /// Writes a delta itself as a value, for example into a document that records changes.
    ///
    /// - Parameter delta: the delta, whose JSON becomes a dictionary or an array.
    /// - Throws: ``FleeceError/Code/jsonError`` if the delta is not JSON.
    public mutating func write(_ delta: FleeceDelta) throws {
        try delta.json.utf8.withUnsafeBytes { _ = try writeJSON($0, lifting: nil) }
    }
}
