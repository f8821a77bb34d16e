/// What an operation answered, in a form that can be compared and printed.
enum HistoryAnswer: Equatable {
    case done
    case saved(HistorySaved)
    case moved(HistoryMoved)
    case changed(Bool)
    case number(Int64?)
    case count(HistoryCount)
    case raw(HistoryContent?)
    case records([HistoryRecord?])

    /// What it is of, for a tally: such as `saved` or `conflict`.
    var kind: String {
        switch self {
        case .done: "done"
        case .saved(.saved(_, let subsequence)):
            subsequence == 0 ? "saved" : "saved with its sequence kept"
        case .saved(.conflict), .moved(.conflict): "conflict"
        case .moved(.moved): "moved"
        case .moved(.missing): "missing"
        case .changed(let changed): changed ? "changed" : "unchanged"
        case .number(let number): number.map { $0 == 0 ? "zero" : "a number" } ?? "none"
        case .count: "counted"
        case .raw(let content): content == nil ? "missing" : "found"
        case .records(let records): records.contains { $0 != nil } ? "found" : "missing"
        }
    }
}

extension HistoryAnswer: CustomStringConvertible {
    var description: String {
        switch self {
        case .done: "done"
        case .saved(.saved(let sequence, let subsequence)): "saved as \(sequence).\(subsequence)"
        case .saved(.conflict), .moved(.conflict): "a conflict"
        case .moved(.moved(let sequence)): "moved as \(sequence)"
        case .moved(.missing): "nothing to move"
        case .changed(let changed): changed ? "changed" : "nothing changed"
        case .number(let number): number.map { "\($0)" } ?? "none"
        case .count(let count): "\(count.live) alive, \(count.deleted) deleted"
        case .raw(let content): content.map { "\($0)" } ?? "no record"
        case .records(let records):
            records.isEmpty
                ? "no records"
                : records.map { $0.map { "\($0)" } ?? "no record" }.joined(separator: "\n    ")
        }
    }
}
