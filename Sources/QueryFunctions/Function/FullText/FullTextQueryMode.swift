internal import StoreFormat
internal import StorePlatform

/// Whether this thread is running full-text queries.
///
/// FTS4 hands the text of a query to the same tokenizer as the texts of documents. In a query, a
/// stop word that is followed by `*` is the beginning of other words, and is searched for
/// (spec §7.1); `the*` in a document is a stop word and a sign.
package enum FullTextQueryMode {
    private static let current = ThreadPointer()

    /// What is searched for; the one around it is kept for when it ends.
    private final class Search {
        let queries: [[UInt8]]?
        let outer: UnsafeMutableRawPointer?

        init(_ queries: [[UInt8]]?, outer: UnsafeMutableRawPointer?) {
            self.queries = queries
            self.outer = outer
        }
    }

    /// Runs statements that search, on this thread.
    ///
    /// - Parameter queries: the texts behind `MATCH`. Functions such as `offsets` tokenize
    ///   documents while a query runs, so only these texts, and parts of them, are taken for
    ///   queries; nil for any text.
    package static func searching<Result, Failure: Error>(
        for queries: [String]?, _ body: () throws(Failure) -> Result
    ) throws(Failure) -> Result {
        let search = Search(queries?.map { Array($0.utf8) }, outer: current.value)
        let pointer = Unmanaged.passRetained(search)
        current.value = pointer.toOpaque()
        defer {
            current.value = search.outer
            pointer.release()
        }
        return try body()
    }

    /// Whether a text that is tokenized on this thread is a query's, or a part of one.
    static func isQuery(_ text: UnsafeRawBufferPointer) -> Bool {
        guard let pointer = current.value else { return false }
        return Unmanaged<Search>.fromOpaque(pointer)._withUnsafeGuaranteedRef { search in
            guard let queries = search.queries else { return true }
            return queries.contains { query in
                query.withUnsafeBytes { ByteSearch.first(text, in: $0) != nil }
            }
        }
    }
}
