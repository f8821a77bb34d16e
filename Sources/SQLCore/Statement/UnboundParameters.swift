internal import CSQLite

/// The parameters of a statement that have not been bound yet; SQLite would treat them as `NULL`.
struct UnboundParameters {
    /// One bit for each of the first 64 parameters.
    private var low: UInt64 = 0
    /// The other parameters; nil if there are none.
    private var high: Set<Int>?

    /// All parameters of a statement.
    init(of statement: OpaquePointer?) {
        let count = Int(sqlite3_bind_parameter_count(statement))
        guard count > 0 else { return }
        // With numbered parameters (`?5`), lower numbers need not exist.
        if Self.hasNumber(statement, count) {
            for index in 1...count where sqlite3_bind_parameter_name(statement, Int32(index)) != nil
            {
                insert(index)
            }
            return
        }
        low = count >= 64 ? .max : (1 << UInt64(count)) - 1
        if count > 64 { high = Set(65...count) }
    }

    private static func hasNumber(_ statement: OpaquePointer?, _ index: Int) -> Bool {
        guard let name = sqlite3_bind_parameter_name(statement, Int32(index)) else { return false }
        return UInt8(bitPattern: name[0]) == UInt8(ascii: "?")
    }

    var isEmpty: Bool { low == 0 && high == nil }

    /// The lowest of them.
    var first: Int { low == 0 ? high?.min() ?? 0 : low.trailingZeroBitCount + 1 }

    private mutating func insert(_ index: Int) {
        if index <= 64 {
            low |= 1 << UInt64(index - 1)
        } else {
            high = (high ?? []).union([index])
        }
    }

    /// Removes an existing parameter that has been bound.
    mutating func remove(_ index: Int) {
        if index <= 64 {
            low &= ~(1 << UInt64(index - 1))
        } else {
            high?.remove(index)
            if high?.isEmpty ?? false { high = nil }
        }
    }
}
