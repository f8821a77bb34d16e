package import BLIP

/// How a ``BLIPSocket`` behaves.
package struct BLIPSocketSettings: Sendable {
    /// What it accepts.
    package var limits = BLIPLimits()
    /// How much messages are compressed: from 1, fast, to 9, small; 0 for not at all.
    package var compressionLevel: Int32 = 6
    /// After how many seconds without a byte it asks whether the other side is there.
    package var heartbeatSeconds = 300.0
    /// After how many seconds without a message it gives up, while it waits for a response.
    package var responseSeconds = 300.0
    /// How many seconds the other side may take to answer a ping.
    package var pongSeconds = 20.0
    /// How many seconds the other side may take to answer that the connection is closed.
    package var closeSeconds = 5.0
    /// The bytes of a binary message of the WebSocket that it accepts. LiteCore sends 16 KiB.
    package var maximumFrame = 1 << 20

    /// Creates the default settings.
    package init() {}
}
