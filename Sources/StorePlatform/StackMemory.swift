/// What calls have left on the stack of a thread: swift-crypto has the key of each page that it
/// encrypts there, and does not overwrite it.
package enum StackMemory {
    private static let part = 1024
    private static let parts = 32

    /// Overwrites 32 KB below the caller's frame.
    package static func overwrite() { overwrite(parts) }

    @inline(never)
    private static func overwrite(_ count: Int) {
        // On the stack, as it is no larger.
        withUnsafeTemporaryAllocation(byteCount: part, alignment: 16) { bytes in
            if count > 1 { overwrite(count - 1) }
            guard let start = bytes.baseAddress else { return }
            // A call that no compiler leaves out, though nobody reads what it writes.
            #if canImport(Darwin)
                memset_s(start, bytes.count, 0, bytes.count)
            #else
                explicit_bzero(start, bytes.count)
            #endif
        }
    }
}
