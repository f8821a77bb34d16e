internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The tokenizer `unicodesn` of LiteCore's full-text indexes.
///
/// Words consist of letters and digits, as in SQLite's `unicode61`, and are folded to lower case.
/// Stop words are omitted and do not count as positions; the other words are stemmed.
struct UnicodeTokenizer: SQLRawTokenizer {
    /// Its name in SQL.
    static let name = "unicodesn"

    private let rules: TokenRules

    init(arguments: [String]) throws {
        rules = TokenRules(try TokenizerOptions(arguments: arguments))
    }

    func cursor(over text: UnsafeRawBufferPointer, language: Int) throws -> UnicodeTokenCursor {
        UnicodeTokenCursor(rules, text)
    }
}

/// Tokenizes one text for `UnicodeTokenizer`.
struct UnicodeTokenCursor: SQLRawTokenCursor {
    private let rules: TokenRules
    private let buffer: TokenBuffer
    private let text: UnsafeRawBufferPointer
    private let start: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var pointer: UnsafePointer<UInt8>
    private var position = 0
    /// The words found in a run without spaces, in reverse order.
    private var found: [Range<Int>] = []

    init(_ rules: TokenRules, _ text: UnsafeRawBufferPointer) {
        self.rules = rules
        self.text = text
        buffer = rules.buffer()
        start =
            text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(rules.ascii)
        end = start + text.count
        pointer = start
    }

    mutating func next() throws -> SQLRawToken? {
        while let bytes = nextWord() {
            if buffer.count == 0 { continue }
            if try rules.finish(buffer), !isPrefix(bytes.upperBound) { continue }
            let number = position
            position &+= 1
            return SQLRawToken(text: buffer.text, bytes: bytes, position: number)
        }
        return nil
    }

    /// Whether a query has `*` at this position.
    private func isPrefix(_ end: Int) -> Bool {
        end < text.count && text[end] == UInt8(ascii: "*") && FullTextQueryMode.isQuery(text)
    }

    /// Reads the next word into the buffer, folded; nil at the end.
    private mutating func nextWord() -> Range<Int>? {
        while true {
            if !found.isEmpty, let word = found.popLast() { return fold(word) }
            buffer.removeAll()
            guard let first = skipToWord() else { return nil }
            if pointer == first {
                appendWord()
                return (first - start)..<(pointer - start)
            }
            findWords(from: first)
        }
    }

    /// Advances to the next word and returns its start; advances past its first character if the
    /// word needs segmentation.
    private mutating func skipToWord() -> UnsafePointer<UInt8>? {
        while pointer < end {
            if rules.ascii[Int(pointer.pointee)] != 0 { return pointer }
            if pointer.pointee < 0x80 {
                pointer += 1
                continue
            }
            let first = pointer
            let code = LenientUTF8.read(&pointer, end)
            if isSegmented(code) { return first }
            if rules.isWord(code, rules.table.entry(code)) {
                pointer = first
                return first
            }
        }
        return nil
    }

    /// Appends the rest of the current word.
    private mutating func appendWord() {
        let ascii = UnsafePointer(rules.ascii)
        while true {
            buffer.append(&pointer, end, by: ascii)
            if pointer >= end || pointer.pointee < 0x80 { return }
            var next = pointer
            let code = LenientUTF8.read(&next, end)
            let entry = rules.table.entry(code)
            guard rules.isWord(code, entry) || entry.isMark, !isSegmented(code) else { return }
            append(code, entry)
            pointer = next
        }
    }

    @inline(__always)
    private func append(_ code: UInt32, _ entry: UnicodeTable.Entry) {
        let folded = rules.table.fold(code, entry, bare: rules.removesDiacritics)
        if folded != 0 { buffer.append(folded) }
    }
}

extension UnicodeTokenCursor {
    /// A run is segmented in pieces of this size, which limits the memory it needs.
    private static let longestRun = 1 << 15

    @inline(__always)
    private func isSegmented(_ code: UInt32) -> Bool {
        code >= 0xe00 && rules.boundaries != nil && WordBoundaries.needed(for: code)
    }

    /// Segments the run that begins at `first`, whose first character was already consumed.
    private mutating func findWords(from first: UnsafePointer<UInt8>) {
        while pointer < end, pointer - first < UnicodeTokenCursor.longestRun {
            var next = pointer
            guard isSegmented(LenientUTF8.read(&next, end)) else { break }
            pointer = next
        }
        let run = (first - start)..<(pointer - start)
        guard let boundaries = rules.boundaries,
            boundaries.begin(UnsafeRawBufferPointer(rebasing: text[run]))
        else {
            found = [run]
            return
        }
        while let word = boundaries.next() {
            let bytes = (run.lowerBound + word.lowerBound)..<(run.lowerBound + word.upperBound)
            if bytes.upperBound <= run.upperBound { found.append(bytes) }
        }
        found.reverse()
    }

    /// Reads a segmented word into the buffer, folded, including its marks, regardless of the
    /// table.
    private func fold(_ word: Range<Int>) -> Range<Int> {
        buffer.removeAll()
        var pointer = start + word.lowerBound
        let end = start + word.upperBound
        while pointer < end {
            let code = LenientUTF8.read(&pointer, end)
            append(code, rules.table.entry(code))
        }
        return word
    }
}

/// Whether this thread is running full-text queries.
///
/// FTS4 uses the same tokenizer for queries and for documents. In a query, a stop word followed by
/// `*` is the prefix of other words, and is searched for; `the*` in a document is a stop word and a
/// symbol.
package enum FullTextQueryMode {
    private static let current = ThreadPointer()

    /// The current search; the enclosing one is restored when it ends.
    private final class Search {
        let queries: [[UInt8]]?
        let outer: UnsafeMutableRawPointer?

        init(_ queries: [[UInt8]]?, outer: UnsafeMutableRawPointer?) {
            self.queries = queries
            self.outer = outer
        }
    }

    /// Runs statements with a full-text search on this thread.
    ///
    /// - Parameter queries: the operands of `MATCH`. Functions such as `offsets` tokenize documents
    ///   while a query runs, so only these strings and their parts are treated as queries; nil
    ///   treats every string as a query.
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

    /// Whether a string that is tokenized on this thread is a query, or a part of one.
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
