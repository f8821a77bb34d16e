internal import DataFileCore
internal import FleeceLite
internal import SQLCore
internal import StoreFormat

// SQLite's own check of its pages and indexes.
extension Verifier {
    func checkPages() throws {
        if sharedKeys == nil { sink.skip("the values of indexes", "the shared keys are damaged") }
        let report = try integrityReport(of: nil)
        if let reason = report.uncheckedIndexes { sink.skip("the values of indexes", reason) }
        var findings = report.findings
        if report.isCutOff {
            sink.skip("some pages", "SQLite's check ended after \(findings.count) findings")
            findings += try findingsOfTables(besides: Set(findings.map(\.message)))
        }
        var rows: [(index: ExactString, findings: [IntegrityFinding])] = []
        for finding in findings {
            if noteWords(finding) { continue }
            guard let index = finding.index, finding.page == nil else {
                noteDamage(finding)
                continue
            }
            if let position = rows.firstIndex(where: { $0.index == ExactString(index) }) {
                rows[position].findings.append(finding)
            } else {
                rows.append((ExactString(index), [finding]))
            }
        }
        for (index, findings) in rows { try noteRows(index.string, findings) }
    }

    private func integrityReport(of table: String?) throws -> IntegrityReport {
        var check = IntegrityCheck(context: context, limit: max(options.limit, 1))
        // Without the shared keys every value would seem to be wrong.
        check.isQuick = options.level == .quick || sharedKeys == nil
        check.table = table
        do {
            return try check.run()
        } catch let error as SQLError where error.isMisfit && !check.isQuick {
            // A function fails, such as a model that rejects an input.
            sink.skip("the values of indexes", "SQLite reports: \(error.message)")
            check.isQuick = true
            return try check.run()
        }
    }

    /// The findings of each table, with a limit for each: one bad index may have exhausted the
    /// limit.
    private func findingsOfTables(besides known: Set<String>) throws -> [IntegrityFinding] {
        let names = try context.selectAll(sql: SchemaSQL.tableNames).compactMap(\.first?.textValue)
        return try names.flatMap { name in
            try integrityReport(of: name).findings.filter { !known.contains($0.message) }
        }
    }

    /// Notes a damaged page, or another problem that is not due to an index.
    private func noteDamage(_ finding: IntegrityFinding) {
        if finding.page != nil, let table = finding.table {
            damagedTables.insert(ExactString(table))
        }
        sink.add(
            .damagedPage, finding.message, store: finding.keyStore, index: finding.index,
            page: finding.page, object: finding.table)
    }

    /// Notes entries of an index that do not match its rows, as one finding per index.
    private func noteRows(_ index: String, _ findings: [IntegrityFinding]) throws {
        let row = registered.first { $0.name.hasSameBytes(as: index) }
        let key = try key(ofRowIn: findings, findings.first?.table)
        let more = findings.count > 1 ? ", and \(findings.count - 1) more" : ""
        // A value that occurs twice in the rows occurs twice in any index on them.
        let isDouble = findings.contains { $0.message.hasPrefix("non-unique") }
        sink.add(
            .indexRows, (findings.first?.message ?? "") + more,
            store: row?.store ?? findings.first?.keyStore,
            key: key, index: index, object: index,
            isFixable: !isDouble || index.hasSuffix(LazyIndex.sequences.name(table: "")))
    }

    /// The key of the first row that a finding is about.
    private func key(ofRowIn findings: [IntegrityFinding], _ table: String?) throws -> String? {
        guard let table, StoreTable.store(ofTable: table) != nil else { return nil }
        for finding in findings {
            let words = finding.message.split(separator: " ")
            // SQLite numbers the rows in the order in which it reads them: this is not a rowid.
            guard words.count > 1, words[0] == "row", let number = Int64(words[1]), number > 0
            else { continue }
            return try? context.first(
                "SELECT key FROM main.\(table.sqlName) ORDER BY rowid LIMIT 1 OFFSET ?",
                [.long(number - 1)]
            ) { $0.text(at: 0) ?? "" }
        }
        return nil
    }

    /// Notes wrong words of a full-text index, which SQLite checks since 3.44. Returns false for
    /// any other finding.
    private func noteWords(_ finding: IntegrityFinding) -> Bool {
        guard finding.message.contains("inverted index for FTS") else { return false }
        let row = registered.first { row in
            row.kind == .fullText && row.table.map { finding.message.contains(".\($0)") } ?? false
        }
        guard let row else { return false }
        if damagedWords.insert(ExactString(row.name)).inserted { addWrongWords(row) }
        return true
    }

    /// Adds the finding that the words of a full-text index do not match its documents.
    func addWrongWords(_ row: IndexRow) {
        sink.add(
            .indexWords, "the words of the index \(row.name) do not match its documents",
            store: row.store, index: row.name, object: row.table)
    }
}

extension SQLError {
    /// Whether a part of the file is unreadable, while other parts may be readable.
    var isDamage: Bool {
        switch code.primary {
        case .corrupt, .notADatabase, .inputOutput, .tooBig: true
        default: false
        }
    }

    /// Whether a statement does not fit the file: a function, column or table is missing.
    var isMisfit: Bool {
        switch code.primary {
        case .error, .readOnly, .cannotOpen, .full, .constraint: true
        default: false
        }
    }
}
