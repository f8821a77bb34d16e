internal import FleeceLite

/// What the columns of a result are called.
package final class QueryColumns: Sendable {
    package let titles: [String]
    private let places: [KeyText: Int]

    package init(_ titles: [String]) {
        self.titles = titles
        places = Dictionary(
            titles.enumerated().map { (KeyText($1), $0) }, uniquingKeysWith: { first, _ in first })
    }

    /// The number of a column; nil if none has this title.
    package func index(_ title: String) -> Int? { places[KeyText(title)] }
}
