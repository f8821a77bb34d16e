public import BLIP

/// How a ``BLIPSocket`` behaves.
public struct BLIPSocketSettings: Sendable {
    /// What it accepts.
    public var limits = BLIPLimits()
    /// How much messages are compressed: from 1, fast, to 9, small; 0 for not at all.
    public var compressionLevel: Int32 = 6
    /// After how many seconds without a byte it asks whether the other side is there.
    public var heartbeatSeconds = 300.0
    /// After how many seconds without a message it gives up, while it waits for a response.
    public var responseSeconds = 300.0
    /// How many seconds the other side may take to answer a ping.
    public var pongSeconds = 20.0
    /// How many seconds the other side may take to answer that the connection is closed.
    public var closeSeconds = 5.0
    /// The bytes of a binary message of the WebSocket that it accepts. LiteCore sends 16 KiB.
    public var maximumFrame = 1 << 20

    /// Creates the default settings.
    public init() {}
}
