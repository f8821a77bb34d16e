internal import DocumentStore

/// Assigns numbers once: the number of a deleted document is not assigned again.
struct Identifiers {
    let store: Collections

    private var info: DocumentCollection { store.info }

    /// What numbers are assigned to.
    enum Kind: String, CaseIterable {
        case results, measurements, networks
    }

    /// All numbers are less than this one.
    static let bound: Int64 = 1_000_000_000_000

    /// Reserves a count of numbers; returns the first.
    func take(
        _ count: Int = 1, kind: Kind, in transaction: Transaction
    ) throws -> Int64 {
        let last = try last(kind, in: transaction)
        guard last < Self.bound - Int64(count) else {
            throw OONIStoreError(
                .invalidIdentifier, "there are no numbers left that \(kind.rawValue) can be given")
        }
        let first = last + 1
        try note(first + Int64(count) - 1, kind, in: transaction)
        return first
    }

    /// Prevents a number from being assigned again.
    func use(_ number: Int64, _ kind: Kind, in transaction: Transaction) throws {
        guard try number > last(kind, in: transaction) else { return }
        try note(number, kind, in: transaction)
    }

    /// The last assigned number; 0 if there is none.
    func last(_ kind: Kind, in snapshot: Snapshot) throws -> Int64 {
        if let last = try info.get(kind.rawValue, in: snapshot)?["last"]?.int, last >= 0 {
            return last
        }
        return try highest(kind, in: snapshot)
    }

    /// The highest number in use: the fallback if the last assigned one was lost.
    private func highest(_ kind: Kind, in snapshot: Snapshot) throws -> Int64 {
        switch kind {
        case .results:
            let key = try store.results.lastKey(in: snapshot)
            return key.flatMap { OONIStore.TestResult.ID(key: $0) }?.number ?? 0
        case .networks:
            let key = try store.networks.lastKey(in: snapshot)
            return key.flatMap { OONIStore.Network.ID(key: $0) }?.number ?? 0
        case .measurements:
            var highest: Int64 = 0
            try store.measurements.forEach(in: snapshot) { key, _ in
                highest = max(highest, OONIStore.Measurement.ID(key: key)?.number ?? 0)
            }
            return highest
        }
    }

    private func note(
        _ number: Int64, _ kind: Kind, in transaction: Transaction
    ) throws {
        _ = try info.save(kind.rawValue, in: transaction) { try $0.encode(["last": number]) }
    }
}

// Numbers as documents' IDs, which sort like the numbers.
extension Identifiers {
    private static let digits = 12

    static func key(_ number: Int64) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, Self.digits - digits.count)) + digits
    }

    /// The number of a document's ID; nil for other strings.
    static func number(ofKey key: String) -> Int64? {
        guard key.utf8.count == Self.digits, let number = Int64(key), number > 0 else { return nil }
        return number
    }

    /// Throws `.invalidIdentifier` for a number out of range.
    static func checked(_ number: Int64) throws -> Int64 {
        guard number > 0, number < bound else {
            throw OONIStoreError(
                .invalidIdentifier, "\(number) is not a number that this store can assign")
        }
        return number
    }
}

extension NumberID {
    init?(key: String) {
        guard let number = Identifiers.number(ofKey: key) else { return nil }
        self.init(number)
    }

    var key: String { Identifiers.key(number) }

    /// Throws `.invalidIdentifier` for a number out of range.
    static func checked(_ number: Int64) throws -> Self { Self(try Identifiers.checked(number)) }
}
