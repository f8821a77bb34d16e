extension String {
    /// Whether a byte of the UTF-8 is below `limit` or equal to `other`.
    @inlinable @inline(__always)
    package func hasByte(below limit: UInt8, or other: UInt8) -> Bool {
        let answer = utf8.withContiguousStorageIfAvailable { bytes in
            for byte in bytes where byte < limit || byte == other { return true }
            return false
        }
        return answer ?? utf8.contains { $0 < limit || $0 == other }
    }
}
