internal import FleeceLite

/// What a frame begins with: `number flags`, both variable-length integers.
struct FrameHeader: Equatable {
    /// The message to which the frame belongs. Responses and acknowledgements have the number of
    /// the request.
    var number: UInt64
    var flags: FrameFlags

    /// Reads a header; nil if it is incomplete.
    init?(_ frame: UnsafeRawBufferPointer, end: inout Int) {
        guard let base = frame.baseAddress,
            let number = Varint.read(base, at: 0, limit: frame.count),
            let flags = Varint.read(base, at: number.end, limit: frame.count)
        else { return nil }
        self.number = number.value
        self.flags = FrameFlags(rawValue: flags.value)
        end = flags.end
    }

    init(_ number: UInt64, _ flags: FrameFlags) {
        self.number = number
        self.flags = flags
    }

    func append(to bytes: inout [UInt8]) {
        Varint.append(number, to: &bytes)
        Varint.append(flags.rawValue, to: &bytes)
    }
}

/// The flags of a frame. The lowest three bits are its type.
struct FrameFlags: OptionSet {
    let rawValue: UInt64

    static let compressed = FrameFlags(rawValue: 0x08)
    static let urgent = FrameFlags(rawValue: 0x10)
    static let noReply = FrameFlags(rawValue: 0x20)
    static let moreComing = FrameFlags(rawValue: 0x40)

    /// Nil for the numbers 3, 6 and 7, which have no meaning.
    var type: FrameType? { FrameType(rawValue: rawValue & 7) }

    init(rawValue: UInt64) {
        self.rawValue = rawValue
    }

    init(_ type: FrameType, _ flags: FrameFlags = []) {
        rawValue = type.rawValue | flags.rawValue
    }
}

/// What a frame is.
enum FrameType: UInt64 {
    case request = 0
    case response = 1
    case errorResponse = 2
    case requestAcknowledgement = 4
    case responseAcknowledgement = 5

    var isAcknowledgement: Bool { rawValue >= 4 }
}
