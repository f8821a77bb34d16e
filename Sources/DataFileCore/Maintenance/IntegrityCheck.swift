internal import QueryFunctions
package import SQLCore
internal import StoreFormat

/// Checks a file for damage with SQLite's integrity check.
package struct IntegrityCheck {
    package let context: SQLContext
    /// The maximum number of findings.
    package let limit: Int
    /// Whether to skip the comparison of indexes with their rows.
    package var isQuick = false
    /// The only table to check; nil for the whole file.
    package var table: String?

    package init(context: SQLContext, limit: Int, isQuick: Bool = false, table: String? = nil) {
        self.context = context
        self.limit = limit
        self.isQuick = isQuick
        self.table = table
    }

    /// Throws `SQLError` only for other errors than damage: a lock, a lack of memory, an interrupt.
    package func run() throws -> IntegrityReport {
        var unchecked: String?
        var messages: [IntegrityMessage]
        do {
            messages = try check(isQuick ? "quick_check" : "integrity_check")
        } catch let error as SQLError {
            guard let part = error.missingPart else { throw error }
            unchecked = "they need \(part)"
            messages = try check("quick_check")
        }
        let isCutOff = messages.count >= limit
        messages = Array(messages.prefix(limit))
        let owners = try messages.isEmpty ? nil : TreeOwners(context, pages: pages(of: messages))
        return IntegrityReport(
            findings: messages.map { finding($0, owners) }, isCutOff: isCutOff,
            uncheckedIndexes: unchecked, tracesPages: owners?.tracesPages ?? TreeOwners.canTrace)
    }

    private func check(_ pragma: String) throws -> [IntegrityMessage] {
        try context.checkCancellation()
        var messages: [IntegrityMessage] = []
        do {
            let argument = table?.sqlName ?? "\(max(limit, 1))"
            let statement = try context.prepare(sql: "PRAGMA \(pragma)(\(argument))")
            while try statement.next() {
                let row = statement.text(at: 0) ?? ""
                if row != "ok" { messages += IntegrityMessage.all(in: row) }
            }
        } catch let error as SQLError {
            switch error.code {
            case .corrupt, .notADatabase:
                // The message is the same for all damage, and may follow more specific ones.
                if messages.isEmpty { messages.append(IntegrityMessage(error.message[...])) }
            default: throw error
            }
        }
        return messages
    }

    private func pages(of messages: [IntegrityMessage]) -> Set<Int> {
        Set(messages.flatMap { [$0.page, $0.root].compactMap(\.self) })
    }

    private func finding(_ message: IntegrityMessage, _ owners: TreeOwners?) -> IntegrityFinding {
        let named = message.index.flatMap { owners?.tree(named: $0) }
        let found = [message.root, message.page].compactMap(\.self)
            .compactMap { owners?.tree(ofPage: $0) }.first
        let tree = named ?? found
        return IntegrityFinding(
            message: message.text, table: message.table ?? tree?.table,
            index: message.index ?? (tree?.isIndex == true ? tree?.name : nil),
            page: message.page)
    }
}

extension SQLError {
    /// What the indexes need and this program lacks, as part of a sentence; nil if the error has
    /// another cause.
    ///
    /// It appears in reports, whose readers need not be programmers.
    package var missingPart: String? {
        let part = missingName ?? missingModel.map { "the model \($0)" }
        return part.map { "\($0), which this program does not have" }
    }
}

// Messages of SQLite, of which only these parts are parsed:
//
//   row 7 missing from index NAME | wrong # of entries in index NAME | non-unique entry in index …
//   NULL value in TABLE.COLUMN
//   Tree 14 page 20 cell 3: …        from 3.43 on: the root, and the page
//   On tree page 20 cell 3: …        before: the page
//   Page 20: … | On page 20 at right child: … | Page 20 is never used
//
// A row can have several lines, after `*** in database main ***`.

/// A line of `PRAGMA integrity_check`, and what it names.
struct IntegrityMessage: Hashable {
    let text: String
    private(set) var root: Int?
    private(set) var page: Int?
    private(set) var index: String?
    private(set) var table: String?

    init(_ line: Substring) {
        text = String(line)
        if let range = line.firstRange(of: " index ") {
            index = String(line[range.upperBound...])
        } else if line.hasPrefix("NULL value in "), let dot = line.lastIndex(of: ".") {
            table = String(line[..<dot].dropFirst("NULL value in ".count))
        } else {
            let words = line.split(separator: " ")
            root = Self.number(after: "Tree", in: words)
            page =
                Self.number(after: "page", in: words) ?? Self.number(after: "Page", in: words)
                ?? root
        }
    }

    /// The messages of a row, without the heading.
    static func all(in row: String) -> [IntegrityMessage] {
        row.split(separator: "\n").filter { !$0.hasPrefix("*** in database ") }
            .map(IntegrityMessage.init)
    }

    private static func number(after word: Substring, in words: [Substring]) -> Int? {
        guard let index = words.firstIndex(of: word), index + 1 < words.count else { return nil }
        return Int(words[index + 1].prefix { $0.isASCII && $0.isNumber })
    }
}
