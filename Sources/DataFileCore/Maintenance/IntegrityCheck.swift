package import SQLCore

/// Looks for damage.
package struct IntegrityCheck {
    package let context: SQLContext
    /// The most findings.
    package let limit: Int
    /// Whether indexes are not compared with their rows.
    package var isQuick = false
    /// The only table that is looked at; nil for all, and all that is between them.
    package var table: String?

    package init(context: SQLContext, limit: Int, isQuick: Bool = false, table: String? = nil) {
        self.context = context
        self.limit = limit
        self.isQuick = isQuick
        self.table = table
    }

    /// Throws `SQLError` only for what is not damage: a lock, a lack of memory, an interruption.
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
                // It says the same of all damage, and may come after what says more.
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
