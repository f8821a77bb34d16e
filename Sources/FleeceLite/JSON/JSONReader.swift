/// Reads strict JSON (RFC 8259) straight into a `FleeceEncoder`.
///
/// An integer becomes an integer, unsigned unless it has a minus sign; a number with a fraction
/// or an exponent, or beyond 64 bits, becomes a double.
struct JSONReader: ~Copyable {
    let input: UnsafeRawBufferPointer
    private let base: UnsafeRawPointer
    let end: Int
    var position = 0
    /// Collections that are open.
    private var depth = 0
    /// The property of the outermost object that is handed back instead of being written.
    private let liftedName: UnsafeRawBufferPointer?
    private(set) var lifted: String?

    init(_ input: UnsafeRawBufferPointer, lifting name: UnsafeRawBufferPointer?) {
        self.input = input
        base = input.baseAddress ?? UnsafeRawPointer(RawValue.undefined.base)
        end = input.count
        liftedName = name
    }

    @inline(__always)
    func byte(at offset: Int) -> UInt8 { base.load(fromByteOffset: offset, as: UInt8.self) }

    /// The next byte, 0 at the end: no token begins with it.
    @inline(__always)
    var next: UInt8 { position < end ? byte(at: position) : 0 }

    func error(_ message: String, at offset: Int? = nil) -> FleeceError {
        FleeceError(.jsonError, message, offset: offset ?? position)
    }
}

extension JSONReader {
    /// Reads the one value that the input holds: an object or an array.
    mutating func readDocument(into encoder: inout FleeceEncoder) throws {
        skipBlanks()
        guard next == UInt8(ascii: "{") || next == UInt8(ascii: "[") else {
            throw error(position < end ? "an object or array must come first" : "no JSON here")
        }
        try readValue(into: &encoder)
        skipBlanks()
        guard position == end else { throw error("something follows the JSON value") }
    }

    private mutating func readValue(into encoder: inout FleeceEncoder) throws {
        // As in the reference, one more level may be there if it is empty.
        guard depth <= FleeceLimits.jsonDepth else {
            throw error("more than \(FleeceLimits.jsonDepth) levels of nesting")
        }
        switch next {
        case UInt8(ascii: "\""):
            encoder.writeString(try readString(scratch: &encoder.scratch))
        case UInt8(ascii: "{"): try readObject(into: &encoder)
        case UInt8(ascii: "["): try readArray(into: &encoder)
        case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
            try readNumber(into: &encoder)
        case UInt8(ascii: "t"):
            try expect("true")
            encoder.writeBool(true)
        case UInt8(ascii: "f"):
            try expect("false")
            encoder.writeBool(false)
        case UInt8(ascii: "n"):
            try expect("null")
            encoder.writeNull()
        default:
            throw error(position < end ? "a value is expected" : "the JSON is cut off")
        }
    }

    private mutating func readArray(into encoder: inout FleeceEncoder) throws {
        enter()
        encoder.beginArray()
        skipBlanks()
        if next != UInt8(ascii: "]") {
            while true {
                try readValue(into: &encoder)
                skipBlanks()
                guard next == UInt8(ascii: ",") else { break }
                position += 1
                skipBlanks()
            }
        }
        try leave(UInt8(ascii: "]"), "',' or ']' is expected")
        try encoder.endArray()
    }

    private mutating func readObject(into encoder: inout FleeceEncoder) throws {
        enter()
        encoder.beginDictionary()
        skipBlanks()
        if next != UInt8(ascii: "}") {
            while true {
                try readPair(into: &encoder)
                skipBlanks()
                guard next == UInt8(ascii: ",") else { break }
                position += 1
                skipBlanks()
            }
        }
        try leave(UInt8(ascii: "}"), "',' or '}' is expected")
        try encoder.endDictionary()
    }

    private mutating func readPair(into encoder: inout FleeceEncoder) throws {
        guard next == UInt8(ascii: "\"") else {
            throw error(position < end ? "a key in quotes is expected" : "the JSON is cut off")
        }
        let key = try readString(scratch: &encoder.scratch)
        let isLifted = depth == 1 && isLiftedName(key)
        if !isLifted { try encoder.writeKey(key) }
        skipBlanks()
        guard next == UInt8(ascii: ":") else { throw error("':' is expected") }
        position += 1
        skipBlanks()
        if isLifted {
            try readLifted(scratch: &encoder.scratch)
        } else {
            try readValue(into: &encoder)
        }
    }

    private func isLiftedName(_ key: UnsafeRawBufferPointer) -> Bool {
        liftedName.map { $0.count == key.count && compare($0, key) == 0 } ?? false
    }

    private mutating func readLifted(scratch: inout GrowingBuffer<UInt8>) throws {
        guard next == UInt8(ascii: "\"") else {
            let name = liftedName.map { String(decoding: $0, as: UTF8.self) } ?? ""
            throw error("the value of \"\(name)\" must be a string")
        }
        lifted = String(decoding: try readString(scratch: &scratch), as: UTF8.self)
    }
}

extension JSONReader {
    private mutating func enter() {
        depth += 1
        position += 1
    }

    private mutating func leave(_ bracket: UInt8, _ message: String) throws {
        guard next == bracket else {
            throw error(position < end ? message : "the JSON is cut off")
        }
        depth -= 1
        position += 1
    }

    private mutating func expect(_ word: StaticString) throws {
        let count = word.utf8CodeUnitCount
        guard end - position >= count,
            (0..<count).allSatisfy({ byte(at: position + $0) == word.utf8Start[$0] })
        else { throw error("a value is expected") }
        position += count
    }

    @inline(__always)
    private mutating func skipBlanks() {
        while position < end {
            switch byte(at: position) {
            case 0x20, 0x0A, 0x0D, 0x09: position &+= 1
            default: return
            }
        }
    }
}
