internal import DocumentStore
package import StoreTools

/// The report of `recover`: the recovered and the lost records.
package struct RecoveryReport: OneReport {
    package let source: String
    package let target: String
    package let report: SalvageReport

    package var schema: String { "recover" }
    package let columns = [
        Column("store", "Store", isKey: true), Column("documents", "Documents", isNumber: true),
        Column("deleted", "Deleted", isNumber: true), Column("lost", "Lost", isNumber: true),
        Column("foundInPages", "Found outside tables", isNumber: true),
        Column("guessed", "Remark"),
    ]

    package init(source: String, target: String, report: SalvageReport) {
        self.source = source
        self.target = target
        self.report = report
    }

    package var rows: [[Cell]] {
        report.stores.map { store in
            [
                .text(IndexText.collection(store.name)), .number(store.liveRecords),
                .number(store.tombstones), .number(store.lostRecords),
                .number(store.foundInPages),
                .both(store.isGuessed ? "name guessed" : "", program: .bool(store.isGuessed)),
            ]
        }
    }

    /// The exit status: everything recovered, some of it, or nothing.
    package var status: ExitStatus {
        guard report.savedRecords > 0 else { return .damaged }
        return report.lossCount == 0 && isWholeFile ? .success : .partial
    }

    /// Whether the whole file could be read and none of its metadata had to be re-created; only
    /// then is the number of lost records known.
    private var isWholeFile: Bool {
        report.unreadablePages.isEmpty && report.missingPages == 0
            && report.sqliteFailure == nil && report.renewedInfo.isEmpty
    }

    private var losses: String {
        guard report.lossCount == 0 else { return "\(report.lossCount) lost" }
        return isWholeFile ? "no record was lost" : "the number of lost records is unknown"
    }

    private static let shownLosses = 20

    package func writeText() throws {
        try Self.writeTable(columns, rows)
        try StandardOutput.current.write("\n")
        try StandardOutput.current.write(
            "Recovered \(Text.count(report.savedRecords, "record")) into \(Text.line(target)); "
                + losses + "\n")
        for loss in report.losses.prefix(Self.shownLosses) {
            try StandardOutput.current.write("  \(Text.line(describe(loss)))\n")
        }
        if report.lossCount > Self.shownLosses {
            let rest = report.lossCount - Self.shownLosses
            try StandardOutput.current.write("  and \(rest) more; use --json to list them\n")
        }
        for line in remarks { try StandardOutput.current.write(Text.line(line) + "\n") }
    }

    private func describe(_ loss: SalvageReport.Loss) -> String {
        let key = loss.key.map { "\"\($0)\"" }
        let store = loss.store.map { "of \(IndexText.collection($0))" }
        let page = loss.page.map { "on page \($0)" }
        let location = [key, store, page].compactMap(\.self).joined(separator: " ")
        return location.isEmpty ? loss.reason : "\(location): \(loss.reason)"
    }

    private var remarks: [String] {
        var lines: [String] = []
        if let failure = report.sqliteFailure {
            lines.append("SQLite could not read all rows: \(failure)")
        }
        if report.missingPages > 0 {
            lines.append("Pages missing from the end of the file: \(report.missingPages)")
        }
        if !report.unreadablePages.isEmpty {
            lines.append("Pages that cannot be read: \(report.unreadablePages.count)")
        }
        if !report.renewedInfo.isEmpty {
            lines.append("Re-created: \(report.renewedInfo.joined(separator: ", "))")
        }
        if report.renumberedRecords > 0 {
            let count = Text.count(report.renumberedRecords, "record")
            lines.append("Assigned new sequences: \(count)")
        }
        if !report.createdIndexes.isEmpty {
            lines.append("Rebuilt indexes: \(report.createdIndexes.joined(separator: ", "))")
        }
        if !report.missingIndexes.isEmpty {
            let names = report.missingIndexes.joined(separator: ", ")
            lines.append("Indexes to re-create with mkindex: \(names)")
        }
        return lines
    }

    package var properties: JSONObject {
        var object = JSONObject()
        object.add("source", source)
        object.add("target", target)
        object.add("stores", list)
        object.add("saved", report.savedRecords)
        object.add("lost", report.lossCount)
        object.add("losses", report.losses.map(json))
        object.add("unreadablePages", report.unreadablePages.map(Self.number))
        object.add("missingPages", report.missingPages > 0 ? report.missingPages : nil)
        object.add("sqliteFailure", report.sqliteFailure)
        object.add("renewedInfo", report.renewedInfo)
        object.add("indexes", report.createdIndexes)
        object.add("missingIndexes", report.missingIndexes)
        object.add("renumbered", report.renumberedRecords)
        return object
    }

    private func json(_ loss: SalvageReport.Loss) -> JSONText {
        var object = JSONObject()
        object.add("store", loss.store.map(IndexText.collection))
        object.add("id", loss.key)
        object.add("page", loss.page)
        object.add("reason", loss.reason)
        return object.finished()
    }

    private static func number(_ number: Int) -> JSONText {
        var text = JSONText()
        text.append(number)
        return text
    }
}
