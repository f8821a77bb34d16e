/// The columns of a row with a revision tree, in the form of 3.x: the result of
/// ``RevisionTree/columns()``.
///
/// Store all of them in one ``RecordUpdate``: the tree in `extra` does not contain the current
/// body.
public struct TreeColumns: Sendable, Hashable {
    /// The ID of the current revision in binary form; nil if the tree is empty.
    public let version: [UInt8]?
    /// The current revision's Fleece; nil if it has no properties.
    public let body: [UInt8]?
    /// The tree without the current body; nil if the tree is empty.
    ///
    /// It also has the latest revisions of remotes, by their indexes.
    public let extra: [UInt8]?
    /// The document flags that follow from the tree; all others, such as ``DocumentFlags/synced``,
    /// are off.
    public let flags: DocumentFlags
}
