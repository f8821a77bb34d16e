internal import StoreFormat

/// What was found by a comparison.
struct FoundChanges {
    var changes: [KeyStoreName: KeyStoreChanges] = [:]
    var known: [KeyStoreName: ChangeHub.Known] = [:]
    /// The latest observer who had come by then.
    var observer: Int
}
