internal import ArgumentParser
internal import DataFileCore

/// `kvtool purge DATABASE ID…`
struct PurgeCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "purge",
        abstract: "Removes documents or tombstones from this database without a trace.")

    @OptionGroup var documents: DocumentArguments

    func run() throws {
        try documents.changeEach { collection, id, transaction in
            try collection.purge(id, in: transaction) ? "Purged \"\(Text.line(id))\"" : nil
        }
    }
}
