/// A text that is equal to another one byte by byte only, as the ids of documents are: to `String`
/// an `é` of one scalar and one of two are the same.
struct ExactText: Hashable, Sendable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (one: Self, other: Self) -> Bool { one.text.isExactly(other.text) }

    func hash(into hasher: inout Hasher) { hasher.combine(text) }
}
