internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool stat DATABASE`
struct StatCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Says what takes up how much space in a database.",
        discussion: """
            Examples:
              kvtool stat people.cblite2
              kvtool stat people.cblite2 --largest 50 --collection hr.staff
              kvtool stat people.cblite2 --csv

            Told are the bytes of each store, of each table and index of SQLite's, of blobs and of \
            free pages; the largest documents; and the share of each property, which is measured \
            on a sample of the documents. It reads the whole file once. Files of values hold the \
            tables and indexes.
            """,
        aliases: ["du"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many of the largest documents.", valueName: "n"))
    var largest = 5
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("How many of the largest properties.", valueName: "n"))
    var properties = 10
    @OptionGroup var sample: SampleArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try place.validate()
        guard largest >= 0, properties >= 0 else {
            throw ValidationError("--largest and --properties take 0 or more")
        }
    }

    func run() async throws {
        let file = try place.database.open()
        let statistics = try await file.statistics()
        let report = try await file.reading { snapshot in
            var report = SizeReport(file, statistics, properties: properties)
            let chosen = try place.collection(in: snapshot)
            let names = try chosen.map { [$0.name] } ?? snapshot.collectionNames()
            for name in names {
                report.add(
                    name,
                    try DocumentCollection(name).sizeProfile(
                        in: snapshot, largest: largest, sample: sample.limit))
            }
            return report
        }
        try report.write(output)
    }
}
