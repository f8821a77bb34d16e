internal import StoreFormat

extension StoreError {
    /// The tables of a vector index contradict each other.
    static func vectorIndexDamage(_ message: String) -> StoreError {
        StoreError(
            .corruptData, "the vector index is damaged, and must be rebuilt: \(message)")
    }
}
