import CSQLite

/// How long the log of a file in WAL mode is, as its writer is told at each commit.
final class LogPages {
    /// Pages, some of them more than once.
    var count = 0

    /// Formed here, in code that belongs to no actor: SQLite calls it at each commit.
    static var note:
        @convention(c) (
            UnsafeMutableRawPointer?, OpaquePointer?, UnsafePointer<CChar>?, Int32
        ) -> Int32
    {
        { pointer, _, _, count in
            guard let pointer else { return SQLITE_OK }
            Unmanaged<LogPages>.fromOpaque(pointer)._withUnsafeGuaranteedRef {
                $0.count = Int(count)
            }
            return SQLITE_OK
        }
    }
}
