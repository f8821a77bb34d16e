package import DocumentStore
package import StoreTools

/// A verification and its output.
package struct Verification: Sendable {
    package let path: String
    package let options: VerificationOptions

    package init(path: String, options: VerificationOptions) {
        self.path = path
        self.options = options
    }

    /// Verifies the file; Ctrl-C interrupts it.
    package func run(_ file: DataFile) async throws -> VerificationReport {
        let shown = SharedProgress("row")
        defer { shown.finish() }
        return try await file.verify(
            options,
            progress: { state in
                shown.update(state.rows, of: state.allRows)
                return !Interruption.isRequested
            })
    }

    /// Writes the findings, and ends with the status of damage if there are errors.
    package func finish(
        _ report: VerificationReport, _ fixed: VerificationFix?, _ output: OutputArguments
    ) throws {
        if output.isForPeople {
            if let fixed { try write(fixed) }
            try writeFindings(report)
            try writeSummary(report)
        } else {
            try writeRows(report, fixed, output)
        }
        for item in report.unchecked {
            let reason = StoreError.forPeople(item.reason)
            StandardError.current.writeAboutSubject(
                "note: could not check \(item.subject): \(reason)")
        }
        if !report.isIntact { throw ReportedFailure(status: .damaged) }
    }

    private static let columns = [
        Column("severity", "Severity"), Column("area", "Area"), Column("store", "Store"),
        Column("id", "Key", isKey: true), Column("index", "Index"), Column("digest", "Blob"),
        Column("page", "Page", isNumber: true), Column("message", "Finding", isKey: true),
        Column("fixable", "Fixable"),
    ]

    private func writeRows(
        _ report: VerificationReport, _ fixed: VerificationFix?, _ output: OutputArguments
    ) throws {
        var header = JSONObject()
        header.add("database", path)
        header.add("level", options.level.rawValue)
        header.add("sample", options.sample)
        var rows = RowOutput("verify", list: "findings", Self.columns, output, header: header)
        for finding in report.findings { try rows.add(row(finding)) }
        try rows.finish(trailer: trailer(report, fixed))
    }

    private func row(_ finding: VerificationFinding) -> [Cell] {
        [
            .text(finding.severity.rawValue), .text(finding.area.rawValue),
            .optional(finding.store.map(IndexText.collection)), .optional(finding.key),
            .optional(finding.index), .optional(finding.blob?.description),
            finding.page.map(Cell.number) ?? .none, .text(finding.message),
            .bool(finding.isFixable),
        ]
    }

    private func trailer(
        _ report: VerificationReport, _ fixed: VerificationFix?
    ) -> JSONObject {
        var object = JSONObject()
        object.add("intact", report.isIntact)
        object.add("errors", report.errors)
        object.add("notes", report.notes)
        object.add("unlisted", report.unlisted)
        object.add("stores", report.stores.map(json))
        object.add("indexes", report.indexes)
        object.add("blobs", report.blobs)
        object.add("blobBytes", report.blobBytes)
        object.add("unchecked", report.unchecked.map(json))
        if let fixed {
            object.add("done", fixed.done)
            object.add("failed", fixed.failed)
        }
        return object
    }

    private func json(_ store: VerificationReport.Store) -> JSONText {
        var object = JSONObject()
        object.add("store", IndexText.collection(store.name))
        object.add("rows", store.rows)
        object.add("deleted", store.tombstones)
        object.add("allRows", store.allRows)
        return object.finished()
    }

    private func json(_ item: VerificationReport.Unchecked) -> JSONText {
        var object = JSONObject()
        object.add("subject", item.subject)
        object.add("reason", StoreError.forPeople(item.reason))
        return object.finished()
    }
}

// Console output.
extension Verification {
    /// Writes a line for each finding, the errors first.
    package func writeFindings(_ report: VerificationReport) throws {
        for severity in [VerificationFinding.Severity.error, .note] {
            for finding in report.findings where finding.severity == severity {
                let word = severity == .error ? Colour.red("error") : Colour.dim("note")
                let mark = finding.isFixable ? " (fixable with --fix)" : ""
                let location = location(finding)
                let text = location.isEmpty ? finding.message : "\(location): \(finding.message)"
                try StandardOutput.current.write("\(word): \(Text.line(text))\(mark)\n")
            }
        }
        if report.unlisted > 0 {
            let count = Text.count(report.unlisted, "finding")
            try StandardOutput.current.write("and \(count) more; use --limit to list them\n")
        }
    }

    /// The location, as far as the message does not contain it.
    private func location(_ finding: VerificationFinding) -> String {
        let parts = [
            finding.store.map(IndexText.collection), finding.key.map { "\"\($0)\"" },
            finding.index.map { "index \($0)" }, finding.page.map { "page \($0)" },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    private func write(_ fixed: VerificationFix) throws {
        for line in fixed.done { try StandardOutput.current.write("fixed: \(Text.line(line))\n") }
        for line in fixed.failed {
            try StandardOutput.current.write("\(Colour.red("not fixed")): \(Text.line(line))\n")
        }
    }

    private func writeSummary(_ report: VerificationReport) throws {
        let rows = report.stores.reduce(0) { $0 + $1.rows }
        let looked = [
            "\(Text.count(rows, "row")) in \(Text.count(report.stores.count, "store"))",
            "\(report.indexes) \(report.indexes == 1 ? "index" : "indexes")",
            Text.count(report.blobs, "blob"),
        ]
        let found =
            report.isIntact ? "no errors" : Colour.red(Text.count(report.errors, "error"))
        let notes = report.notes > 0 ? ", \(Text.count(report.notes, "note"))" : ""
        try StandardOutput.current.write(
            "\(found)\(notes); checked \(looked.joined(separator: ", "))\n")
    }
}
