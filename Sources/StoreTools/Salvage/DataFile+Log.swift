public import DataFileCore
internal import StoreFormat

extension DataFile {
    /// How many bytes at the end of the log are not read, though they say that they belong to it:
    /// a crash has kept their writer from writing them completely, or its transaction was undone.
    ///
    /// It reads the log. What another process writes at this moment counts, too.
    public var unreadLogBytes: Int {
        RawFile(BundlePath(path).log).flatMap { RawLog($0) }?.unreadBytes ?? 0
    }
}
