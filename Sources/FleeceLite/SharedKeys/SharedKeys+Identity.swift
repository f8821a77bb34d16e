extension SharedKeys {
    /// Whether both are copies of one value, of which none was changed since.
    package func isSameTable(as other: SharedKeys) -> Bool { table === other.table }
}
