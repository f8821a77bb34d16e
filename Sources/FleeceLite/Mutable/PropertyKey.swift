/// A dictionary's key in memory, the same as another if its bytes are: Swift's strings are equal
/// also if they are the same text in different forms of Unicode.
struct PropertyKey: Hashable {
    let text: String

    init(_ text: String) {
        self.text = text
    }

    static func == (left: PropertyKey, right: PropertyKey) -> Bool {
        left.text.utf8.elementsEqual(right.text.utf8)
    }

    func hash(into hasher: inout Hasher) {
        var text = text
        text.withUTF8 { hasher.combine(bytes: UnsafeRawBufferPointer($0)) }
    }

    /// Whether the first key comes before the second one in the format's order: those with a
    /// number by their numbers, then the others by their bytes.
    static func precedes(_ left: (String, number: Int?), _ right: (String, number: Int?)) -> Bool {
        switch (left.number, right.number) {
        case (let left?, let right?): left < right
        case (_?, nil): true
        case (nil, _?): false
        case (nil, nil): left.0.utf8.lexicographicallyPrecedes(right.0.utf8)
        }
    }
}
