/// A key of a coding path that is no property's: the index of an element, or `super`.
struct PositionKey: CodingKey {
    private let index: Int?

    /// The key under which a superclass encodes itself.
    static let `super` = PositionKey()

    private init() {
        index = nil
    }

    init(_ index: Int) {
        self.index = index
    }

    init?(intValue: Int) {
        index = intValue
    }

    init?(stringValue: String) {
        guard stringValue == "super" else { return nil }
        index = nil
    }

    var intValue: Int? { index }
    var stringValue: String { index.map { "Index \($0)" } ?? "super" }
}
