internal import ArgumentParser
internal import DataFileCore

/// The arguments that all commands on a database share.
struct DatabaseArguments: ParsableArguments {
    @Argument(help: "The database, a folder NAME.cblite2.")
    var database: String

    @Option(
        name: .customLong("timeout"),
        help: "How many seconds to wait while another process locks the file.")
    var timeoutSeconds = 10.0

    func validate() throws {
        guard timeoutSeconds >= 0, timeoutSeconds <= 86_400 else {
            throw ValidationError("--timeout takes 0 to 86400 seconds")
        }
    }

    /// Opens the database.
    func open(_ access: DataFileOptions.Access = .readOnly) throws -> DataFile {
        var options = DataFileOptions(access: access)
        options.busyTimeoutMilliseconds = Int(timeoutSeconds * 1000)
        // A tool changes what it is asked to change, and nothing else.
        options.upgrade = .never
        options.housekeeping = false
        guard !database.isEmpty else { throw ToolError("the database's path is empty") }
        let file = try DataFile(path: database, options: options)
        StandardError.setSubject(file.path)
        if file.isImmutable {
            StandardError.write(
                "note: \(file.path) cannot be locked here, so what a running application has "
                    + "not yet moved out of its log is not seen")
        }
        return file
    }
}

/// The option that names a collection.
struct CollectionArguments: ParsableArguments {
    @Option(name: .long, help: "The collection, as NAME or SCOPE.NAME.")
    var collection = "_default"

    /// The collection that is meant.
    func named() throws -> Collection { Collection(try CollectionName(collection)) }
}
