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
/// A loop over the open collections. What has been checked is not checked again, however many
/// pointers lead there: whether a value ends before its pointer shows in its header.
struct FleeceValidator: ~Copyable {
    private struct Frame {
        let collection: RawCollection
        let offset: Int
        let isDictionary: Bool
        var nextSlot = 0
        /// The height of its highest child.
        var height = 0

        var slotCount: Int { collection.count * (isDictionary ? 2 : 1) }
    }

    private let bytes: UnsafeRawBufferPointer
    private let level: FleeceValidation
    private let sharedKeyCount: Int
    /// For each even offset the height of the collection there that has been checked, else 0.
    private let heights: UnsafeMutablePointer<UInt16>
    private var frames: [Frame] = []

    init(_ bytes: UnsafeRawBufferPointer, level: FleeceValidation, sharedKeyCount: Int) {
        self.bytes = bytes
        self.level = level
        self.sharedKeyCount = sharedKeyCount
        heights = .allocate(capacity: bytes.count / 2 + 1)
        heights.initialize(repeating: 0, count: bytes.count / 2 + 1)
    }

    deinit {
        heights.deallocate()
    }

    /// Throws `.invalidData` or `.outOfRange` with the offset of the first thing that is wrong.
    mutating func validate() throws {
        guard let root = RawValue.root(of: bytes) else {
            throw FleeceError(.invalidData, "no Fleece root in \(bytes.count) bytes")
        }
        _ = try check(root)
        while let frame = frames.last {
            if frame.nextSlot == frame.slotCount {
                close(frame)
            } else {
                try checkSlot(of: frame)
            }
        }
    }

    private mutating func checkSlot(of frame: Frame) throws {
        let index = frame.nextSlot
        frames[frames.count - 1].nextSlot += 1
        guard let value = frame.collection.slot(index) else {
            throw error("a pointer leads nowhere", frame.collection.start)
        }
        if frame.isDictionary, index % 2 == 0 {
            try checkKey(frame, index / 2, value)
        } else {
            let height = try check(value)
            // Opening the value has put its frame on top; its height comes when that closes.
            raise(to: height, at: height == 0 ? nil : frames.count - 1)
        }
    }

    private mutating func raise(to height: Int, at index: Int?) {
        guard let index else { return }
        frames[index].height = max(frames[index].height, height)
    }

    private mutating func close(_ frame: Frame) {
        frames.removeLast()
        let height = frame.height + 1
        heights[frame.offset / 2] = UInt16(height)
        if !frames.isEmpty { raise(to: height, at: frames.count - 1) }
    }

    /// Checks a value, or opens it if it is a collection that has not been checked; returns the
    /// height of one that has, else 0.
    private mutating func check(_ value: RawValue) throws -> Int {
        guard value.has(2) else { throw error("a value is cut off", value.offset) }
        let isWhole =
            switch value.tag {
            case FleeceTag.shortInteger, FleeceTag.integer: value.integer != nil
            case FleeceTag.float: value.floatingPoint != nil
            case FleeceTag.special: level == .structure || Self.isKnown(value.byte(0))
            case FleeceTag.string: try checkString(value)
            case FleeceTag.data: value.bytes(tag: FleeceTag.data) != nil
            case FleeceTag.array: value.array != nil
            case FleeceTag.dictionary: value.dictionary != nil
            default: false
            }
        guard isWhole else { throw error("a value is cut off or unknown", value.offset) }
        guard let collection = value.array ?? value.dictionary, collection.count > 0 else {
            return 0
        }
        return try open(collection, value)
    }

    private mutating func open(_ collection: RawCollection, _ value: RawValue) throws -> Int {
        let height = Int(heights[value.offset / 2])
        guard frames.count + max(height, 1) <= FleeceLimits.walkDepth else {
            throw FleeceError(
                .outOfRange, "over \(FleeceLimits.walkDepth) levels of nesting",
                offset: value.offset)
        }
        if height == 0 {
            frames.append(
                Frame(
                    collection: collection, offset: value.offset,
                    isDictionary: value.tag == FleeceTag.dictionary))
        }
        return height
    }

    private func checkString(_ value: RawValue) throws -> Bool {
        guard let string = value.string else { return false }
        if level == .strict, UTF8Validation.firstInvalid(in: string) != nil {
            throw error("a string is not UTF-8", value.offset)
        }
        return true
    }

    private static func isKnown(_ special: UInt8) -> Bool {
        switch special {
        case FleeceSpecial.null, FleeceSpecial.false, FleeceSpecial.true,
            FleeceSpecial.undefined:
            true
        default: false
        }
    }

    private func error(_ message: String, _ offset: Int) -> FleeceError {
        FleeceError(.invalidData, message, offset: offset)
    }
}

extension FleeceValidator {
    private func checkKey(_ frame: Frame, _ pair: Int, _ value: RawValue) throws {
        guard let key = frame.collection.key(pair) else {
            throw error("a key is neither a string nor a number", value.offset)
        }
        if case .number(FleeceLimits.parentKey) = key {
            guard frame.collection.slot(2 * pair + 1)?.dictionary != nil else {
                throw error("a dictionary inherits from something else", frame.offset)
            }
        }
        guard level == .strict else { return }
        if case .string = key { _ = try checkString(value) }
        if case .number(let number) = key, number != FleeceLimits.parentKey,
            number < 0 || number >= sharedKeyCount
        {
            throw error("no shared key has the number \(number)", frame.offset)
        }
        if pair > 0, let before = frame.collection.key(pair - 1), compare(before, key) >= 0 {
            throw error("the keys are out of order, or one comes twice", frame.offset)
        }
    }
}
