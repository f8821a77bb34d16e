internal import FleeceLite

/// A sequence of the other side, as JSON: a number, or one of Sync Gateway.
///
/// Those are `n`, `t:n`, `l:t:n` or `l::n`: a change, `t` that it was found by a grant of access,
/// `l` that changes up to that one have arrived.
struct RemoteSequence: Equatable, Comparable {
    private let parts: [UInt64]

    /// Nil for other JSON, whose order is not known.
    init?(json: String) {
        guard let value = try? JSONBody.value(Array(json.utf8)) else { return nil }
        if let number = value.int, number >= 0 {
            parts = [UInt64(number), 0, UInt64(number)]
            return
        }
        guard let text = value.string else { return nil }
        let numbers: [UInt64?] = text.split(separator: ":", omittingEmptySubsequences: false)
            .map { $0.isEmpty ? 0 : UInt64($0) }
        let all: [UInt64] = numbers.compactMap { $0 }
        guard all.count == numbers.count, (1...3).contains(all.count), !text.isEmpty else {
            return nil
        }
        switch all.count {
        case 1: parts = [all[0], 0, all[0]]
        case 2: parts = [all[0], all[0], all[1]]
        default: parts = all
        }
    }

    static func < (sequence: Self, other: Self) -> Bool {
        sequence.parts.lexicographicallyPrecedes(other.parts)
    }
}
