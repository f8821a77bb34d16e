/// What a ``BLIPConnection`` received.
public enum BLIPEvent: Sendable {
    /// A request.
    case request(BLIPRequest)
    /// The response to the request of that number.
    case response(UInt64, BLIPMessage)
    /// An error as the response to the request of that number.
    case failure(UInt64, BLIPErrorResponse)
    /// Some bytes of the body of a response that is received in parts; its end is a
    /// ``response(_:_:)`` with an empty body.
    case part(BLIPPart)
}

/// A request of the other side.
public struct BLIPRequest: Sendable {
    /// Its number, with which it is answered.
    public let number: UInt64
    /// What was sent.
    public let message: BLIPMessage
    /// Whether it has to be answered.
    public let wantsResponse: Bool
    /// Whether it was urgent, which the response is, too, then.
    public let isUrgent: Bool
}

/// Some bytes of the body of a response.
public struct BLIPPart: Sendable {
    /// The number of the request.
    public let number: UInt64
    /// The bytes.
    public let bytes: [UInt8]
    /// The bytes of the frame, which are acknowledged.
    let length: Int
}
