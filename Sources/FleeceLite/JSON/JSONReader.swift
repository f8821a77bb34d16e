/// Reads strict JSON (RFC 8259) straight into a `FleeceEncoder`.
///
/// An integer becomes an integer, unsigned unless it has a minus sign; a number with a fraction
/// or an exponent, or beyond 64 bits, becomes a double.
///
/// The reader loads 16 bytes at a time, so its input must be followed by that many readable bytes:
/// a short input is copied and padded with zeros; of a long one the end is copied when it is
/// reached. Since tokens never start with a zero, nothing beyond the end is read as text. Failures
/// are recorded and reported by returning `false`: the loop contains no throwing calls.
struct JSONReader: ~Copyable {
    /// The next byte.
    var position: UnsafeRawPointer
    /// A token of ordinary size that starts before this position can be read
    /// without checking for the end.
    private(set) var fastEnd: UnsafeRawPointer
    private(set) var end: UnsafeRawPointer
    private var start: UnsafeRawPointer
    /// The offset of `start` in the input.
    private var startOffset = 0
    private(set) var isPadded: Bool

    /// The property of the root object that is returned instead of being written.
    let liftedName: String?
    /// Its number in the encoder's key cache.
    private let liftedKey: UInt32
    /// The number of open collections at its position.
    private let liftedDepth: Int
    private(set) var lifted: String?

    private(set) var error = FleeceError(.jsonError, "")
    let powers = PowersOfTen.exact

    /// Inputs up to this size are copied.
    private static let copiedSize = 1 << 14
    /// More than any token takes except long strings and numbers, plus 16 bytes.
    private static let margin = 128

    init(
        _ input: UnsafeRawBufferPointer, lifting name: String?, _ encoder: inout FleeceEncoder
    ) {
        isPadded = input.count <= Self.copiedSize
        let bytes = isPadded ? encoder.padded(input) : input
        start = bytes.baseAddress ?? UnsafeRawPointer(encoder.input.base)
        position = start
        end = start + bytes.count
        fastEnd = isPadded ? end : end - Self.margin
        liftedName = name
        liftedDepth = name == nil ? -1 : encoder.frames.count + 1
        liftedKey = name.flatMap { encoder.knownKey(named: $0) } ?? .max - 1
    }

    /// The offset of the next byte in the input.
    var offset: Int { offset(of: position) }

    func offset(of location: UnsafeRawPointer) -> Int { startOffset + (location - start) }

    /// The next byte; 0 at the end.
    @inline(__always)
    var next: UInt8 { position.load(as: UInt8.self) }

    @inline(__always)
    func word(_ location: UnsafeRawPointer) -> UInt64 {
        UInt64(littleEndian: location.loadUnaligned(as: UInt64.self))
    }

    @inline(never)
    mutating func fail(_ message: String, at location: UnsafeRawPointer? = nil) -> Bool {
        error = FleeceError(.jsonError, message, offset: offset(of: location ?? position))
        return false
    }

    /// Fails with a message, or with one for truncated input at the end.
    @inline(never)
    mutating func failUnlessCutOff(_ message: String) -> Bool {
        fail(position < end ? message : "the JSON is truncated")
    }

    /// Shortly before the end, continues in a padded copy of the remaining input.
    @inline(__always)
    mutating func stayClearOfEnd(_ encoder: inout FleeceEncoder) {
        if position >= fastEnd { copyRest(&encoder) }
    }

    @inline(never)
    mutating func copyRest(_ encoder: inout FleeceEncoder) {
        guard !isPadded else { return }
        let rest = UnsafeRawBufferPointer(start: position, count: end - position)
        startOffset = offset
        start = encoder.padded(rest).baseAddress ?? start
        position = start
        end = start + rest.count
        fastEnd = end
        isPadded = true
    }
}

extension JSONReader {
    /// Reads the single value of the input: an object or an array.
    mutating func readDocument(into encoder: inout FleeceEncoder) -> Bool {
        stayClearOfEnd(&encoder)
        skipBlanks(&encoder)
        guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else {
            return fail(position < end ? "an object or array must come first" : "the JSON is empty")
        }
        guard readValues(into: &encoder) else { return false }
        stayClearOfEnd(&encoder)
        skipBlanks(&encoder)
        return position == end || fail("unexpected text after the JSON value")
    }

    /// A loop over the values, since a stack may be small; the open collections are the encoder's.
    private mutating func readValues(into encoder: inout FleeceEncoder) -> Bool {
        let outer = encoder.frames.count
        var step = Step.valueDue
        while true {
            switch step {
            case .valueDue: step = readValue(into: &encoder, outer)
            case .keyDue: step = readKey(into: &encoder)
            case .done:
                guard encoder.frames.count > outer else { return true }
                step = goOn(&encoder)
            case .failed: return false
            }
        }
    }

    enum Step {
        case failed
        case valueDue, keyDue
        /// A value has been read.
        case done
    }

    @inline(__always)
    private mutating func readValue(into encoder: inout FleeceEncoder, _ outer: Int) -> Step {
        stayClearOfEnd(&encoder)
        switch next {
        case UInt8(ascii: "\""):
            return readString(into: &encoder) ? .done : .failed
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            return readNumber(into: &encoder) ? .done : .failed
        case UInt8(ascii: "{"): return beginObject(&encoder, outer)
        case UInt8(ascii: "["): return beginArray(&encoder, outer)
        default: return readWord(into: &encoder) ? .done : .failed
        }
    }

    /// Reads what follows a value: the end of a collection, or a comma.
    @inline(__always)
    private mutating func goOn(_ encoder: inout FleeceEncoder) -> Step {
        stayClearOfEnd(&encoder)
        skipBlanks(&encoder)
        let isDictionary = encoder.frames.base[encoder.frames.count &- 1].isDictionary
        let byte = next
        if byte == UInt8(ascii: ",") {
            position += 1
            skipBlanks(&encoder)
            return isDictionary ? .keyDue : .valueDue
        }
        return close(byte, isDictionary, &encoder)
    }

    @inline(never)
    private mutating func close(
        _ byte: UInt8, _ isDictionary: Bool, _ encoder: inout FleeceEncoder
    ) -> Step {
        if isDictionary, byte == UInt8(ascii: "}") {
            position += 1
            encoder.closeDictionary()
        } else if !isDictionary, byte == UInt8(ascii: "]") {
            position += 1
            encoder.closeArray()
        } else {
            _ = failUnlessCutOff(
                isDictionary ? "',' or '}' is expected" : "',' or ']' is expected")
            return .failed
        }
        return .done
    }

    @inline(__always)
    private mutating func beginArray(_ encoder: inout FleeceEncoder, _ outer: Int) -> Step {
        encoder.open(isDictionary: false)
        position += 1
        skipBlanks(&encoder)
        if next == UInt8(ascii: "]") {
            position += 1
            encoder.closeArray()
            return .done
        }
        return isTooDeep(encoder.frames.count &- outer) ? .failed : .valueDue
    }

    @inline(__always)
    private mutating func beginObject(_ encoder: inout FleeceEncoder, _ outer: Int) -> Step {
        encoder.open(isDictionary: true)
        position += 1
        skipBlanks(&encoder)
        if next == UInt8(ascii: "}") {
            position += 1
            encoder.closeDictionary()
            return .done
        }
        return isTooDeep(encoder.frames.count &- outer) ? .failed : .keyDue
    }

    /// As in the reference, one more level is allowed if it is empty.
    @inline(__always)
    private mutating func isTooDeep(_ depth: Int) -> Bool {
        if depth <= FleeceLimits.jsonDepth { return false }
        return !fail("more than \(FleeceLimits.jsonDepth) levels of nesting")
    }
}

extension JSONReader {
    /// Reads a key and its colon; returns `done` if the value has been read
    /// as well, to be returned.
    @inline(__always)
    private mutating func readKey(into encoder: inout FleeceEncoder) -> Step {
        stayClearOfEnd(&encoder)
        let text = position + 1
        let shape = encoder.frames.base[encoder.frames.count &- 1].shape
        let expected = encoder.shapes.nodes[Int(shape)].next
        let node = encoder.shapes.nodes + Int(expected)
        let difference =
            ((word(text) & node.pointee.mask0) ^ node.pointee.text0)
            | ((word(text + 8) & node.pointee.mask1) ^ node.pointee.text1)
        if difference == 0, next == UInt8(ascii: "\""), node.pointee.key != liftedKey {
            let key = Int(node.pointee.key)
            position = text + encoder.keyCache.entries[key].text.count + 1
            encoder.writeKnownKey(key, shape: expected)
        } else {
            let step = readOtherKey(into: &encoder)
            if step != .valueDue { return step }
        }
        return readColon(&encoder) ? .valueDue : .failed
    }

    @inline(__always)
    private mutating func readColon(_ encoder: inout FleeceEncoder) -> Bool {
        skipBlanks(&encoder)
        guard next == UInt8(ascii: ":") else { return fail("':' is expected") }
        position += 1
        skipBlanks(&encoder)
        return true
    }

    @inline(never)
    private mutating func readOtherKey(into encoder: inout FleeceEncoder) -> Step {
        guard next == UInt8(ascii: "\"") else {
            _ = failUnlessCutOff("a key in quotes is expected")
            return .failed
        }
        guard let key = readText(scratch: &encoder) else { return .failed }
        if encoder.frames.count == liftedDepth, let liftedName,
            liftedName.utf8.elementsEqual(key)
        {
            return readLifted(&encoder) ? .done : .failed
        }
        if key.count <= ShortString.maximumCount {
            encoder.writeOtherKey(ShortString(key))
        } else {
            encoder.writeLongKey(key)
        }
        return .valueDue
    }

    private mutating func readLifted(_ encoder: inout FleeceEncoder) -> Bool {
        stayClearOfEnd(&encoder)
        guard readColon(&encoder) else { return false }
        stayClearOfEnd(&encoder)
        guard next == UInt8(ascii: "\"") else {
            return fail("the value of \"\(liftedName ?? "")\" must be a string")
        }
        guard let text = readText(scratch: &encoder) else { return false }
        lifted = String(decoding: text, as: UTF8.self)
        stayClearOfEnd(&encoder)
        return true
    }

    /// Reads `true`, `false` or `null`.
    @inline(__always)
    private mutating func readWord(into encoder: inout FleeceEncoder) -> Bool {
        let letters = UInt32(truncatingIfNeeded: word(position))
        switch letters {
        case 0x6C6C_756E:
            encoder.writeNull()
            position += 4
        case 0x6575_7274:
            encoder.writeBool(true)
            position += 4
        case 0x736C_6166 where position.load(fromByteOffset: 4, as: UInt8.self) == 0x65:
            encoder.writeBool(false)
            position += 5
        default:
            return failUnlessCutOff("a value is expected")
        }
        return true
    }

    @inline(__always)
    mutating func skipBlanks(_ encoder: inout FleeceEncoder) {
        if next > 0x20 { return }
        if next == 0x20 || next == 0x0A {
            // Indented lines have runs of spaces.
            let others = word(position + 1) ^ 0x2020_2020_2020_2020
            position += 1 + others.trailingZeroBitCount &>> 3
            if next > 0x20, position < fastEnd { return }
        }
        skipOtherBlanks(&encoder)
    }

    @inline(never)
    private mutating func skipOtherBlanks(_ encoder: inout FleeceEncoder) {
        while true {
            stayClearOfEnd(&encoder)
            switch next {
            case 0x20, 0x0A, 0x0D, 0x09:
                let others = word(position + 1) ^ 0x2020_2020_2020_2020
                position += 1 + others.trailingZeroBitCount &>> 3
            default: return
            }
        }
    }
}

extension FleeceEncoder {
    /// A copy of bytes followed by zeros.
    mutating func padded(_ bytes: UnsafeRawBufferPointer) -> UnsafeRawBufferPointer {
        input.removeAll()
        input.reserve(bytes.count + 64)
        input.append(bytes)
        input.end.initializeMemory(as: UInt8.self, repeating: 0, count: 64)
        return UnsafeRawBufferPointer(start: input.base, count: bytes.count)
    }

    /// The number of a key in the key cache; nil if it is too long or the cache is full.
    mutating func knownKey(named name: String) -> UInt32? {
        var name = name
        return name.withUTF8 { bytes in
            guard bytes.count <= ShortString.maximumCount else { return nil }
            return knownKey(ShortString(UnsafeRawBufferPointer(bytes))).map { UInt32($0) }
        }
    }
}
