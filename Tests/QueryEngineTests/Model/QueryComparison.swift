import EngineTestSupport

/// Whether rows are those that an evaluation expects: in its order as far as there is one, else in
/// any.
struct QueryComparison {
    let expected: ModelResult
    var isLooseBoolean = false
    var isLooseArray = false
    /// Whether the rows come from SQL over JSON.
    var isOverJSON = false

    init(_ expected: ModelResult, _ notes: ModelNotes) {
        self.expected = expected
        isLooseBoolean = notes.isLooseBoolean
        isLooseArray = notes.isLooseArray
    }

    /// What is wrong; nil if nothing is.
    func difference(to rows: [[ModelValue]]) -> String? {
        let window = expected.window
        guard rows.count == window.count else {
            return "\(rows.count) rows instead of \(window.count)"
        }
        var place = window.lowerBound
        while place < window.upperBound {
            let tie = expected.ties[place]
            let end = window.first { $0 >= place && expected.ties[$0] != tie } ?? window.upperBound
            var left: [String: Int] = [:]
            for index in expected.rows.indices where expected.ties[index] == tie {
                left[key(expected.rows[index], isExpected: true), default: 0] += 1
            }
            for index in place..<end {
                let row = rows[index - window.lowerBound]
                let key = key(row, isExpected: false)
                guard let count = left[key], count > 0 else {
                    return "row \(index - window.lowerBound) is not expected there: \(row)"
                }
                left[key] = count - 1
            }
            place = end
        }
        return nil
    }

    /// The same text for rows that count as equal.
    private func key(_ row: [ModelValue], isExpected: Bool) -> String {
        row.map { text(isOverJSON && isExpected ? $0.overJSON : $0) }.joined(separator: " | ")
    }

    private func text(_ value: ModelValue) -> String {
        switch value {
        case .missing: return "MISSING"
        case .boolean(let bool): return isLooseBoolean ? (bool ? "1" : "0") : "\(bool)"
        case .real(let number):
            guard case .integer(let whole) = value.canonical else { return Self.rounded(number) }
            return text(.integer(whole))
        case .integer(let number):
            // Beyond the precision of floating-point numbers, results of both kinds coincide.
            return number.magnitude > 1 << 53 ? Self.rounded(Double(number)) : "\(number)"
        case .unsigned(let number): return "\(number)u"
        case .data(let bytes): return "data \(bytes)"
        case .array(let values):
            let texts = values.map { text($0) }
            return "[" + (isLooseArray ? texts.sorted() : texts).joined(separator: ",") + "]"
        case .object(let members):
            let pairs = members.sorted { $0.key < $1.key }
            return "{" + pairs.map { "\($0.key.utf8):\(text($0.value))" }.joined(separator: ",")
                + "}"
        case .null: return "null"
        case .text(let bytes): return "text \(bytes.utf8)"
        }
    }

    /// To ten digits, since sums may be made in another order.
    private static func rounded(_ number: Double) -> String {
        guard number.isFinite, number != 0 else { return "\(number)" }
        var (scaled, exponent) = (number, 0)
        while scaled.magnitude >= 10 { scaled /= 10; exponent += 1 }
        while scaled.magnitude < 1 { scaled *= 10; exponent -= 1 }
        return "\((scaled * 1e9).rounded())e\(exponent)"
    }
}

extension ModelResult {
    /// A few lines of it.
    var summary: String {
        let shown = kept.prefix(12).map { "    \($0)" }
        return (["    \(columns)"] + shown).joined(separator: "\n")
            + (kept.count > 12 ? "\n    … \(kept.count) rows" : "")
    }
}
