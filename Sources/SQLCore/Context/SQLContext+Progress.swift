extension SQLContext {
    /// Runs `body`, and calls `tick` every now and then while its statements run.
    ///
    /// On a connection of a pool only. One around it is called, too.
    /// - Parameter tick: gets how many operations of SQLite's virtual machine were done since the
    ///   last time, about; false ends the statement with `.interrupted`.
    package func withProgress<T>(
        _ tick: @escaping (_ operations: Int) -> Bool, body: () throws -> T
    ) rethrows -> T {
        let outer = connection.progress
        connection.progress = { operations in
            let goesOn = outer?(operations) ?? true
            return tick(operations) && goesOn
        }
        defer { connection.progress = outer }
        return try body()
    }
}
