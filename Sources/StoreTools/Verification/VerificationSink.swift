internal import DataFileCore
internal import StoreFormat

/// Takes what a verification finds: lists some of each kind, counts all, and tells of those that
/// are listed.
final class VerificationSink {
    var report = VerificationReport()
    private let limit: Int
    private let tell: ((VerificationFinding) -> Void)?
    private var counts: [Place: Int] = [:]

    /// Of what as many are listed as the limit says.
    private struct Place: Hashable {
        let kind: VerificationKind
        let store: KeyStoreName?
    }

    init(limit: Int, _ tell: ((VerificationFinding) -> Void)?) {
        self.limit = max(limit, 0)
        self.tell = tell
    }

    /// Takes a finding.
    ///
    /// - Parameters:
    ///   - message: one line; made only if it is listed.
    ///   - isFixable: nil for what its kind says.
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
        tell?(finding)
    }

    /// Counts a finding; false if it is not to be listed.
    private func count(_ kind: VerificationKind, _ store: KeyStoreName?) -> Bool {
        if kind.severity == .error { report.errors += 1 } else { report.notes += 1 }
        let place = Place(kind: kind, store: store)
        let count = counts[place, default: 0]
        counts[place] = count + 1
        return count < limit
    }

    /// Notes what is not checked, once.
    func skip(_ subject: String, _ reason: String) {
        let unchecked = VerificationReport.Unchecked(subject: subject, reason: Self.line(reason))
        guard !report.unchecked.contains(unchecked) else { return }
        report.unchecked.append(unchecked)
    }

    /// What comes from the file, such as names, may have line breaks in it.
    private static func line(_ text: String) -> String {
        guard text.utf8.contains(where: { $0 < 0x20 }) else { return text }
        var line = String.UnicodeScalarView()
        for scalar in text.unicodeScalars { line.append(scalar.value < 0x20 ? " " : scalar) }
        return String(line)
    }
}
