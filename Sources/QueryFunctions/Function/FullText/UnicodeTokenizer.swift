internal import SQLCore
internal import StoreFormat
internal import StorePlatform

/// The tokenizer `unicodesn` of LiteCore's full-text indexes (spec §7.1).
///
/// Words are letters and digits, as in SQLite's `unicode61`, in small letters; stop words are left
/// out and do not count; what remains is stemmed.
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

/// Goes through one text for `UnicodeTokenizer`.
struct UnicodeTokenCursor: SQLRawTokenCursor {
    private let rules: TokenRules
    private let buffer = TokenBuffer()
    private let text: UnsafeRawBufferPointer
    private let start: UnsafePointer<UInt8>
    private let end: UnsafePointer<UInt8>
    private var place: UnsafePointer<UInt8>
    private var position = 0
    /// Words that were found in a run without spaces, the next one last.
    private var found: [Range<Int>] = []

    init(_ rules: TokenRules, _ text: UnsafeRawBufferPointer) {
        self.rules = rules
        self.text = text
        start =
            text.baseAddress?.assumingMemoryBound(to: UInt8.self) ?? UnsafePointer(rules.ascii)
        end = start + text.count
        place = start
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

    /// Whether a query has `*` there.
    private func isPrefix(_ end: Int) -> Bool {
        end < text.count && text[end] == UInt8(ascii: "*") && FullTextQueryMode.isQuery(text)
    }

    /// Puts the next word into the buffer, folded; nil at the end.
    private mutating func nextWord() -> Range<Int>? {
        while true {
            if !found.isEmpty, let word = found.popLast() { return fold(word) }
            buffer.removeAll()
            guard let first = skipToWord() else { return nil }
            if place == first {
                appendWord()
                return (first - start)..<(place - start)
            }
            findWords(from: first)
        }
    }

    /// Goes to the next word and returns where it is; goes behind its first character if the word
    /// has to be cut by a dictionary.
    private mutating func skipToWord() -> UnsafePointer<UInt8>? {
        while place < end {
            if rules.ascii[Int(place.pointee)] != 0 { return place }
            if place.pointee < 0x80 {
                place += 1
                continue
            }
            let first = place
            let code = LenientUTF8.read(&place, end)
            if isSegmented(code) { return first }
            if rules.isWord(code, rules.table.entry(code)) {
                place = first
                return first
            }
        }
        return nil
    }

    /// Appends what belongs to the word that begins here.
    private mutating func appendWord() {
        let ascii = UnsafePointer(rules.ascii)
        while true {
            buffer.append(&place, end, by: ascii)
            if place >= end || place.pointee < 0x80 { return }
            var next = place
            let code = LenientUTF8.read(&next, end)
            let entry = rules.table.entry(code)
            guard rules.isWord(code, entry) || entry.isMark, !isSegmented(code) else { return }
            append(code, entry)
            place = next
        }
    }

    @inline(__always)
    private func append(_ code: UInt32, _ entry: UnicodeTable.Entry) {
        let folded = rules.table.fold(code, entry, bare: rules.removesDiacritics)
        if folded != 0 { buffer.append(folded) }
    }
}

extension UnicodeTokenCursor {
    /// A run is cut in pieces of this size, so that the memory it needs has a bound.
    private static let longestRun = 1 << 15

    @inline(__always)
    private func isSegmented(_ code: UInt32) -> Bool {
        code >= 0xe00 && rules.boundaries != nil && WordBoundaries.needed(for: code)
    }

    /// Finds the words of the run that begins at `first`; its first character is behind us.
    private mutating func findWords(from first: UnsafePointer<UInt8>) {
        while place < end, place - first < UnicodeTokenCursor.longestRun {
            var next = place
            guard isSegmented(LenientUTF8.read(&next, end)) else { break }
            place = next
        }
        let run = (first - start)..<(place - start)
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

    /// Puts a word that was found into the buffer. Its marks belong to it, whatever the table says.
    private func fold(_ word: Range<Int>) -> Range<Int> {
        buffer.removeAll()
        var place = start + word.lowerBound
        let end = start + word.upperBound
        while place < end {
            let code = LenientUTF8.read(&place, end)
            append(code, rules.table.entry(code))
        }
        return word
    }
}

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
