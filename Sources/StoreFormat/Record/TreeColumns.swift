/// The columns of a row whose revisions are a tree, in the form of 3.x.
public struct TreeColumns: Sendable, Hashable {
    /// The id of the current revision, nil if there is none.
    public let version: [UInt8]?
    /// The current revision's Fleece, nil if it has none.
    public let body: [UInt8]?
    /// The tree without the current body, nil if it has no revisions.
    public let extra: [UInt8]?
    /// What the tree says of the document; all other flags are off.
    public let flags: DocumentFlags
}
