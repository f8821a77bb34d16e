internal import DocumentStore

extension DataFileOptions {
    /// How the tool opens a database. Commands in a shell share what that has open, which they can
    /// only with the same options.
    ///
    /// - Parameter upgrades: whether a file of an older schema may be upgraded.
    static func tool(
        _ access: Access, timeoutMilliseconds: Int, upgrades: Bool = false
    ) -> DataFileOptions {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = timeoutMilliseconds
        // A tool changes what it is asked to change, and nothing else.
        options.upgrade = upgrades ? .onFirstWrite : .never
        options.housekeeping = false
        // Most commands go through the file once; a larger cache would only hold what is done.
        options.cacheKilobytes = 4096
        options.logger = NoteHandler.logger
        return options
    }
}
