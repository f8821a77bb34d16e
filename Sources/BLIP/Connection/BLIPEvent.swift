/// What a ``BLIPConnection`` received.
package enum BLIPEvent: Sendable {
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
package struct BLIPRequest: Sendable {
    /// Its number, with which it is answered.
    package let number: UInt64
    /// What was sent.
    package let message: BLIPMessage
    /// Whether it has to be answered.
    package let wantsResponse: Bool
    /// Whether it was urgent, which the response is, too, then.
    package let isUrgent: Bool
}

/// Some bytes of the body of a response.
package struct BLIPPart: Sendable {
    /// The number of the request.
    package let number: UInt64
    /// The bytes.
    package let bytes: [UInt8]
    /// The bytes of the frame, which are acknowledged.
    let length: Int
}
