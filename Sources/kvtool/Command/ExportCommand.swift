internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool export DATABASE`
struct ExportCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "export",
        abstract: "Writes the documents of a collection to standard output, one a line.",
        discussion: "The id comes first, as `_id`. `kvtool import` reads it back.")

    @OptionGroup var arguments: DatabaseArguments
    @OptionGroup var collection: CollectionArguments

    func run() throws {
        let file = try arguments.open()
        let collection = try collection.named()
        var damaged = 0
        var writer = JSONWriter()
        try file.read { snapshot in
            try collection.forEach(in: snapshot) { result in
                do {
                    writer.text.utf8.removeAll(keepingCapacity: true)
                    try result.get().write(to: &writer)
                    try StandardOutput.write(writer.text.utf8 + [0x0A])
                } catch let error as StoreError where error.isOfOneDocument {
                    StandardError.writeAboutSubject(error.message)
                    damaged += 1
                }
            }
        }
        if damaged > 0 {
            StandardError.writeAboutSubject("\(Text.count(damaged, "damaged document")) left out")
            throw ReportedFailure(status: .damaged)
        }
    }
}
