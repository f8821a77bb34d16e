package import DocumentStore

extension FleeceDictionary {
    /// The short values of a document in one line, to recognize it by.
    ///
    /// Long strings, arrays and dictionaries are left out, such as vectors and attachments.
    package func excerpt(length: Int = 200) -> String {
        var excerpt = ""
        for (key, value) in self where excerpt.count < length {
            let text: String
            switch QueryValue(value) {
            case .string(let string): text = string
            case .integer(let number): text = "\(number)"
            case .real(let number): text = "\(number)"
            case .boolean(let bool): text = "\(bool)"
            default: continue
            }
            guard text.count <= length / 2, !text.isEmpty else { continue }
            excerpt += (excerpt.isEmpty ? "" : " · ") + "\(key): \(text)"
        }
        return excerpt
    }
}
