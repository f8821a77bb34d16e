/// The columns of a row with a revision tree, in the form of 3.x.
public struct TreeColumns: Sendable, Hashable {
    /// The id of the current revision; nil if the tree is empty.
    public let version: [UInt8]?
    /// The current revision's Fleece; nil if it has no properties.
    public let body: [UInt8]?
    /// The tree without the current body; nil if the tree is empty.
    public let extra: [UInt8]?
    /// The document flags that follow from the tree; all others are off.
    public let flags: DocumentFlags
}
