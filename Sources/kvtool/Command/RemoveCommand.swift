internal import ArgumentParser
internal import DataFileCore

/// `kvtool rm DATABASE ID…`
struct RemoveCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "rm",
        abstract: "Deletes documents, leaving the tombstones that replication needs.")

    @OptionGroup var documents: DocumentArguments

    func run() throws {
        try documents.changeEach { collection, id, transaction in
            try collection.delete(id, in: transaction).map { saved in
                "Deleted \"\(Text.line(id))\", revision \(saved.revisionID), "
                    + "sequence \(saved.sequence)"
            }
        }
    }
}
