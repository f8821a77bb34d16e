/// How much of a document's form is checked.
public enum FleeceValidation: Sendable {
    /// That it can be read to the end: every pointer, size and key, and the nesting.
    case structure
    /// Also what an encoder has to keep to: UTF-8, the order of keys and that none comes twice,
    /// special values, and that each numbered key is in the table.
    case strict
}

/// Checks a document in a time that grows as its length does.
///
/// A loop over the open collections. In what encoders write no collection is used twice, so there
/// are at most as many slots to look at as the bytes have space for. Where there are more, some
/// are, and the check begins again, now with a note of what has been checked, however many
/// pointers lead there: whether a value ends before its pointer shows in its header.
struct FleeceValidator: ~Copyable {
    struct Frame: BitwiseCopyable {
        let collection: RawCollection
        var next = 0
        /// The height of its highest child.
        var height = 0
    }

    private let bytes: UnsafeRawBufferPointer
    private let lowest: Int
    private let rawRoot: RawValue?
    let isStrict: Bool
    let sharedKeyCount: Int
    private var frames = GrowingBuffer<Frame>(capacity: 32)
    /// Slots that may still be looked at before notes are taken.
    private var budget: Int
    var notes: ValidationNotes?

    /// `base` is how many bytes of a base stand before the document's own.
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

    /// Throws `.invalidData` or `.outOfRange` with the offset of the first thing that is wrong.
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

    /// Checks all that can be reached from a value; false if notes are needed for that.
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
    /// returns whether that was all.
    @inline(__always)
    private mutating func checkSlots(of frame: Frame) throws -> Bool {
        let collection = frame.collection
        let count = collection.slotCount
        var index = frame.next
        while true {
            if !isStrict, !collection.isWide { index = collection.skipOrdinarySlots(from: index) }
            guard index < count else { return true }
            guard let value = collection.slot(index) else {
                throw Self.error("a pointer leads nowhere", collection.start)
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
    /// height of one that has, else 0.
    private mutating func check(_ value: RawValue) throws -> Int {
        guard value.has(2) else { throw Self.error("a value is cut off", value.offset) }
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
            throw Self.error("a value is cut off or unknown", value.offset)
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
                throw Self.error("a dictionary inherits from something else", collection.offset)
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
            throw Self.error("the keys are out of order, or one comes twice", collection.offset)
        }
    }
}

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
