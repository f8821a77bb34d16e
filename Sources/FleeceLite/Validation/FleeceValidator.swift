/// The extent to which a document is checked.
///
/// Pass a level to ``FleeceDocument/init(validating:sharedKeys:level:base:)``, or call
/// ``check(_:sharedKeys:)`` to check bytes without creating a document. Both take time proportional
/// to the number of bytes, whatever pointers they contain.
///
/// ```swift
/// func isIntact(_ bytes: [UInt8]) -> Bool {
///     let result: Void? = try? bytes.withUnsafeBytes {
///         try FleeceValidation.strict.check($0, sharedKeys: sharedKeys)
///     }
///     return result != nil
/// }
/// ```
///
/// A ``FleeceDump`` shows where in the bytes the problems are.
public enum FleeceValidation: Sendable {
    /// The document can be read completely: every pointer, size and key is valid,
    /// and the nesting is allowed.
    case structure
    /// The document also satisfies the rules for encoders: strings are UTF-8, keys are sorted and
    /// unique, special values are known, and each numeric key is in the table.
    case strict
}

/// Checks a document in time proportional to its length.
///
/// Iterates over the open collections. Encoders refer to each collection once, so the number of
/// slots to check is limited by the number of bytes. If there are more slots, some collections are
/// shared, and the check starts again, now recording what has been checked, however many pointers
/// refer to it: the header of a value shows whether it ends before a pointer to it.
struct FleeceValidator: ~Copyable {
    struct Frame: BitwiseCopyable {
        let collection: RawCollection
        var next = 0
        /// The height of its highest child so far.
        var height = 0
    }

    private let bytes: UnsafeRawBufferPointer
    private let lowest: Int
    private let rawRoot: RawValue?
    let isStrict: Bool
    let sharedKeyCount: Int
    private var frames = GrowingBuffer<Frame>(capacity: 32)
    /// The number of slots that may be checked before notes are taken.
    private var budget: Int
    var notes: ValidationNotes?

    /// `base` is the number of bytes of a base that precede the document's own.
    init(
        _ bytes: UnsafeRawBufferPointer, base: Int = 0, level: FleeceValidation,
        sharedKeyCount: Int
    ) {
        self.bytes = bytes
        lowest = -base
        rawRoot = RawValue.root(of: bytes, baseCount: base)
        isStrict = level == .strict
        self.sharedKeyCount = sharedKeyCount
        budget = (bytes.count + base) / 2
    }

    /// Throws `.invalidData` or `.outOfRange` with the offset of the first error.
    mutating func validate() throws {
        guard let rawRoot else {
            throw FleeceError(.invalidData, "no Fleece root in \(bytes.count) bytes")
        }
        if isStrict { takeNotes() }
        while try !isChecked(rawRoot) {
            frames.removeAll()
            takeNotes()
        }
    }

    private mutating func takeNotes() {
        notes = ValidationNotes(lowest: lowest, count: bytes.count)
    }

    /// Checks everything that is reachable from a value; returns false if that requires notes.
    private mutating func isChecked(_ root: RawValue) throws -> Bool {
        _ = try check(root)
        while frames.count > 0 {
            let frame = frames.base[frames.count &- 1]
            if frame.next == 0 {
                budget &-= frame.collection.slotCount
                if budget < 0, notes == nil { return false }
            }
            if try checkSlots(of: frame) { close() }
        }
        return true
    }

    /// Checks the slots of the innermost collection up to a child that has to be checked first;
    /// returns whether all were checked.
    @inline(__always)
    private mutating func checkSlots(of frame: Frame) throws -> Bool {
        let collection = frame.collection
        let count = collection.slotCount
        var index = frame.next
        while true {
            if !isStrict, !collection.isWide { index = collection.skipOrdinarySlots(from: index) }
            guard index < count else { return true }
            guard let value = collection.slot(index) else {
                throw Self.error("an invalid pointer", collection.start)
            }
            index &+= 1
            frames.base[frames.count &- 1].next = index
            let open = frames.count
            try checkSlot(index &- 1, value)
            if frames.count > open { return false }
        }
    }

    @inline(never)
    private mutating func checkSlot(_ index: Int, _ value: RawValue) throws {
        let innermost = frames.count - 1
        let collection = frames.base[innermost].collection
        if collection.isDictionary, index % 2 == 0 {
            try checkKey(of: collection, index / 2, value)
        } else {
            let height = try check(value)
            frames.base[innermost].height = max(frames.base[innermost].height, height)
        }
    }

    private mutating func close() {
        let frame = frames.base[frames.count - 1]
        frames.removeAll(from: frames.count - 1)
        let height = frame.height + 1
        notes?.setHeight(height, at: frame.collection.offset)
        if frames.count > 0 {
            let parent = frames.count - 1
            frames.base[parent].height = max(frames.base[parent].height, height)
        }
    }

    /// Checks a value, or opens it if it is a collection that has not been checked; returns the
    /// height of a checked collection, otherwise 0.
    private mutating func check(_ value: RawValue) throws -> Int {
        guard value.has(2) else { throw Self.error("a value is truncated", value.offset) }
        if let collection = value.array ?? value.dictionary {
            return collection.count > 0 ? try open(collection) : 0
        }
        let isWhole =
            switch value.tag {
            case FleeceTag.shortInteger, FleeceTag.integer: value.integer != nil
            case FleeceTag.float: value.floatingPoint != nil
            case FleeceTag.special: !isStrict || Self.isKnown(value.byte(0))
            case FleeceTag.string: try checkString(value)
            case FleeceTag.data: value.bytes(tag: FleeceTag.data) != nil
            default: false
            }
        guard isWhole else {
            throw Self.error("a value is truncated or of an unknown kind", value.offset)
        }
        return 0
    }

    private mutating func open(_ collection: RawCollection) throws -> Int {
        let height = notes?.height(at: collection.offset) ?? 0
        guard frames.count + max(height, 1) <= FleeceLimits.walkDepth else {
            throw FleeceError.tooDeep(offset: collection.offset)
        }
        if height == 0 { frames.append(Frame(collection: collection)) }
        return height
    }

    private static func isKnown(_ special: UInt8) -> Bool {
        switch special {
        case FleeceSpecial.null, FleeceSpecial.false, FleeceSpecial.true,
            FleeceSpecial.undefined:
            true
        default: false
        }
    }

    static func error(_ message: String, _ offset: Int) -> FleeceError {
        FleeceError(.invalidData, message, offset: offset)
    }
}

extension FleeceValidator {
    mutating func checkString(_ value: RawValue) throws -> Bool {
        guard let string = value.string else { return false }
        guard isStrict, try notes?.isNewText(string, at: value.offset) ?? true else {
            return true
        }
        guard UTF8Validation.firstInvalid(in: string) == nil else {
            throw Self.error("a string is not UTF-8", value.offset)
        }
        return true
    }

    private mutating func checkKey(
        of collection: RawCollection, _ pair: Int, _ value: RawValue
    ) throws {
        guard let key = collection.key(pair) else {
            throw Self.error("a key is neither a string nor a number", value.offset)
        }
        if case .number(FleeceLimits.parentKey) = key {
            guard collection.slot(2 * pair + 1)?.dictionary != nil else {
                throw Self.error("the parent is not a dictionary", collection.offset)
            }
        }
        guard isStrict else { return }
        if case .string = key { _ = try checkString(value) }
        if case .number(let number) = key, number != FleeceLimits.parentKey,
            number < 0 || number >= sharedKeyCount
        {
            throw Self.error("no shared key has the number \(number)", collection.offset)
        }
        try checkOrder(of: collection, pair, key)
    }

    private mutating func checkOrder(
        of collection: RawCollection, _ pair: Int, _ key: RawCollection.Key
    ) throws {
        guard pair > 0, let before = collection.key(pair - 1) else { return }
        if let isNew = try notes?.isNewOrder(before, key, at: collection.offset), !isNew {
            return
        }
        guard compare(before, key) < 0 else {
            throw Self.error("the keys are out of order or duplicated", collection.offset)
        }
    }
}

extension FleeceDocument {
    /// Copies a document of untrusted origin after checking it.
    ///
    /// ```swift
    /// let document = try FleeceDocument(validating: fleeceBytes, sharedKeys: sharedKeys)
    /// show(document.root["name"]?.string ?? "")
    /// ```
    ///
    /// The time is proportional to the length of the document and its base.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - sharedKeys: the table to which its numeric keys refer (default: an empty one).
    ///   - level: ``FleeceValidation/structure`` (default) checks that all of it can be read;
    ///     ``FleeceValidation/strict`` also that an encoder could have written it.
    ///   - base: the document into which extern pointers lead, checked as far as they do (default:
    ///     nil).
    /// - Throws: ``FleeceError/Code/invalidData``, or ``FleeceError/Code/outOfRange`` for more than
    ///   ``FleeceLimits/walkDepth`` levels; ``FleeceError/offset`` is the position of the error.
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
    /// Checks a document in place, without a copy.
    ///
    /// Use it for bytes that are mapped or borrowed, and that need not become a ``FleeceDocument``.
    /// A document with extern pointers cannot be checked here, since its base is unknown.
    ///
    /// - Parameters:
    ///   - bytes: the document.
    ///   - sharedKeys: the table to which its numeric keys refer (default: an empty one). Only
    ///     ``strict`` uses it, to check that the numbers are in the table.
    /// - Throws: as ``FleeceDocument/init(validating:sharedKeys:level:base:)`` does.
    public func check(
        _ bytes: UnsafeRawBufferPointer, sharedKeys: SharedKeys = SharedKeys()
    ) throws {
        var validator = FleeceValidator(bytes, level: self, sharedKeyCount: sharedKeys.count)
        try validator.validate()
    }
}
