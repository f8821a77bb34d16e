/// A document's revision, as a side asks for it.
struct RevisionKey: Hashable {
    private let id: String
    private let revision: String

    init(_ id: String, _ revision: String) {
        self.id = id
        self.revision = revision
    }
}
