internal import FleeceLite

/// A document's revision, as a side asks for it.
///
/// IDs are compared by their bytes; strings of Swift are equal if they are equivalent in Unicode.
struct RevisionKey: Hashable {
    private let id: ExactString
    private let revision: ExactString

    init(_ id: String, _ revision: String) {
        self.id = ExactString(id)
        self.revision = ExactString(revision)
    }
}
