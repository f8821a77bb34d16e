internal import ArgumentParser
internal import DataFileCore

/// `kvtool rm DATABASE ID…`
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Deletes documents, leaving the tombstones that replication needs.")

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The ids of the documents.") var ids: [String]
    @OptionGroup var collection: CollectionArguments

    func run() throws {
        let collection = try collection.named()
        let file = try arguments.open(.readWrite)
        let results = try file.write { transaction in
            try ids.map { ($0, try collection.delete($0, in: transaction)) }
        }
        file.close()
        for (id, saved) in results {
            guard let saved else { continue }
            try StandardOutput.write(
                "Deleted \"\(Text.line(id))\", revision \(saved.revisionID), "
                    + "sequence \(saved.sequence)\n")
        }
        try Missing.report(results.filter { $0.1 == nil }.map(\.0), collection)
    }
}

/// `kvtool purge DATABASE ID…`
struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes documents or tombstones from this database without a trace.")

    @OptionGroup var arguments: DatabaseArguments
    @Argument(help: "The ids of the documents.") var ids: [String]
    @OptionGroup var collection: CollectionArguments

    func run() throws {
        let collection = try collection.named()
        let file = try arguments.open(.readWrite)
        let results = try file.write { transaction in
            try ids.map { ($0, try collection.purge($0, in: transaction)) }
        }
        file.close()
        for (id, isPurged) in results where isPurged {
            try StandardOutput.write("Purged \"\(Text.line(id))\"\n")
        }
        try Missing.report(results.filter { !$0.1 }.map(\.0), collection)
    }
}

/// Documents that a command was to work on and that are not there.
enum Missing {
    /// Says which; ends the command with the status of not found, unless there are none.
    static func report(_ ids: [String], _ collection: Collection) throws {
        for id in ids {
            StandardError.writeAboutSubject(
                "document \"\(Text.line(id))\" is not in the collection \(collection.name)")
        }
        if !ids.isEmpty { throw ReportedFailure(status: .notFound) }
    }
}
