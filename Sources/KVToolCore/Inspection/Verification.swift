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
            try writeSummary(report, fixed)
        } else {
            try writeRows(report, fixed, output)
        }
        for item in report.unchecked where !isFound(item, report) {
            let reason = StoreError.forPeople(item.reason)
            StandardError.current.writeAboutSubject(
                "note: could not check \(item.subject): \(reason)")
        }
        if !report.isIntact { throw ReportedFailure(status: .damaged) }
    }

    /// Whether a finding already says that this index was not checked.
    private func isFound(
        _ item: VerificationReport.Unchecked, _ report: VerificationReport
    ) -> Bool {
        report.findings.contains { finding in
            finding.message == "not checked: \(item.reason)"
                && finding.index.map { "the index \($0)" } == item.subject
        }
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
                let message = StoreError.forPeople(finding.message)
                let text = location.isEmpty ? message : "\(location): \(message)"
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
        let message = finding.message
        let parts = [
            finding.store.map(IndexText.collection), finding.key.map { "\"\($0)\"" },
            finding.index.flatMap { Self.unlessStated("index \($0)", in: message) },
            finding.page.flatMap { Self.unlessStated("page \($0)", in: message) },
        ]
        return parts.compactMap(\.self).joined(separator: ", ")
    }

    /// Returns nil if the message contains the words. `page 5` is not in `page 55`.
    private static func unlessStated(_ words: String, in message: String) -> String? {
        let message = message.lowercased()
        guard let range = message.firstRange(of: words.lowercased()) else { return words }
        guard let next = message[range.upperBound...].first else { return nil }
        return next.isLetter || next.isNumber ? words : nil
    }

    private func write(_ fixed: VerificationFix) throws {
        for line in fixed.done { try StandardOutput.current.write("fixed: \(Text.line(line))\n") }
        for line in fixed.failed {
            try StandardOutput.current.write("\(Colour.red("not fixed")): \(Text.line(line))\n")
        }
    }

    private func writeSummary(
        _ report: VerificationReport, _ fixed: VerificationFix?
    ) throws {
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
        try writeAdvice(report, fixed)
    }

    /// Writes what to do about the findings.
    private func writeAdvice(
        _ report: VerificationReport, _ fixed: VerificationFix?
    ) throws {
        let fixable = report.findings.count { $0.isFixable }
        if fixable > 0, fixed == nil {
            try StandardOutput.current.write(
                "Fix \(Text.count(fixable, "finding")) with kvtool verify --fix\n")
        }
        // A blob is restored alone, and recover copies blobs as they are.
        let isLost = report.findings.contains {
            $0.severity == .error && !$0.isFixable && $0.area != .blob
        }
        guard isLost else { return }
        try StandardOutput.current.write(
            "Errors that are not fixable: restore a backup, or save the readable documents with "
                + "kvtool recover DATABASE NEW\n")
    }
}
