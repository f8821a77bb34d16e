internal import DataFileCore
internal import StoreFormat

/// Collects findings: lists some of each kind, counts all, and reports those that it lists.
final class VerificationSink {
    var report = VerificationReport()
    private let limit: Int
    private let onFinding: ((VerificationFinding) -> Void)?
    private var counts: [Category: Int] = [:]

    /// The category to which the limit of listed findings applies.
    private struct Category: Hashable {
        let kind: VerificationKind
        let store: KeyStoreName?
    }

    init(limit: Int, _ onFinding: ((VerificationFinding) -> Void)?) {
        self.limit = max(limit, 0)
        self.onFinding = onFinding
    }

    /// Adds a finding.
    ///
    /// - Parameters:
    ///   - message: the description in one line, evaluated only if the finding is listed.
    ///   - isFixable: nil for the default of its kind.
    func add(
        _ kind: VerificationKind, _ message: @autoclosure () -> String,
        store: KeyStoreName? = nil, key: @autoclosure () -> String? = nil, index: String? = nil,
        blob: BlobDigest? = nil, page: Int? = nil, object: String? = nil, isFixable: Bool? = nil
    ) {
        guard count(kind, store) else { return }
        let finding = VerificationFinding(
            severity: kind.severity, area: kind.area, store: store, key: key(), index: index,
            blob: blob, page: page, message: Self.line(message()),
            isFixable: isFixable ?? kind.isFixable, kind: kind, object: object)
        report.findings.append(finding)
        onFinding?(finding)
    }

    /// Counts a finding. Returns false if it exceeds the limit and is not listed.
    private func count(_ kind: VerificationKind, _ store: KeyStoreName?) -> Bool {
        if kind.severity == .error { report.errors += 1 } else { report.notes += 1 }
        let category = Category(kind: kind, store: store)
        let count = counts[category, default: 0]
        counts[category] = count + 1
        return count < limit
    }

    /// Notes once that something is not checked.
    func skip(_ subject: String, _ reason: String) {
        let unchecked = VerificationReport.Unchecked(subject: subject, reason: Self.line(reason))
        guard !report.unchecked.contains(unchecked) else { return }
        report.unchecked.append(unchecked)
    }

    /// Names and other strings from the file may contain line breaks.
    private static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(scalar.value < 0x20 ? " " : scalar) }
        return String(line)
    }
}
