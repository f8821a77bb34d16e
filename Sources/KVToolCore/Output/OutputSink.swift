/// Where a command writes instead of the process's own streams.
package protocol OutputSink: Sendable {
    /// Takes bytes; waits while its reader is slow.
    ///
    /// - Throws: `ClosedPipe` if no one reads them any more.
    func write(_ bytes: UnsafeRawBufferPointer) throws
}
