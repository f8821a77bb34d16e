/// A text as a key of a dictionary, told from others by its bytes: Swift takes some different
/// strings for equal.
struct KeyText: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: KeyText, right: KeyText) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        hasher.combine(text)
    }
}
