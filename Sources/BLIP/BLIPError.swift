/// Why a connection cannot go on.
///
/// All are faults of the other side, after which nothing that it sends can be understood.
package enum BLIPError: Error, Sendable, Equatable, CustomStringConvertible {
    /// A frame is not valid, for this reason.
    case badFrame(String)
    /// A message is larger than the connection accepts, or there are too many of them.
    case tooLarge(String)

    /// The status with which the WebSocket is closed: 1011 or 1009 (RFC 6455, section 7.4.1).
    package var closeCode: UInt16 {
        switch self {
        case .badFrame: 1011
        case .tooLarge: 1009
        }
    }

    /// What happened.
    package var description: String {
        switch self {
        case .badFrame(let reason): "the other side sent a frame that is not valid: \(reason)"
        case .tooLarge(let what): "the other side sent \(what)"
        }
    }
}

/// What a connection accepts.
package struct BLIPLimits: Sendable {
    /// The bytes of a frame after decompression.
    ///
    /// DEFLATE makes frames of 16 KiB from 16 MiB of equal bytes, and LiteCore does.
    package var frame = 17 << 20
    /// The bytes of a message that is not received in parts.
    package var message = 64 << 20
    /// The bytes of the properties of a message. LiteCore accepts as many.
    package var properties = 100 << 10
    /// The bytes of all messages that are incomplete.
    package var incompleteMessages = 128 << 20
    /// The requests that are incomplete or have no response yet.
    package var openRequests = 10_000
    /// The bytes of the requests that have no response yet. LiteCore sends 2 MiB, or one request.
    package var openRequestBytes = 256 << 20

    /// Creates the default limits.
    package init() {}
}
