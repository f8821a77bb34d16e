internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool stat DATABASE`
struct StatCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "stat", abstract: "Shows how a database uses disk space.",
        discussion: """
            Examples:
              kvtool stat people.cblite2
              kvtool stat people.cblite2 --largest 50 --collection hr.staff
              kvtool stat people.cblite2 --csv

            Shows the bytes of each key store, of each SQLite table and index, of blobs and of \
            free pages; what vector indexes contain and leave out; the largest documents; and the \
            share of each property, measured on a sample of the documents. The command reads the \
            whole file once. CSV and TSV contain the tables and indexes.
            """,
        aliases: ["du"])

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of largest documents to show.", valueName: "n"))
    var largest = 5
    @Option(
        parsing: .unconditional,
        help: ArgumentHelp("Number of largest properties to show.", valueName: "n"))
    var properties = 10
    @OptionGroup var sample: SampleArguments
    @OptionGroup var output: OutputArguments

    func validate() throws {
        try location.validate()
        guard largest >= 0, properties >= 0 else {
            throw ValidationError("--largest and --properties take 0 or more")
        }
    }

    func run() async throws {
        let file = try location.database.open()
        let statistics = try await file.statistics()
        let report = try await file.reading { snapshot in
            var report = SizeReport(file, statistics, properties: properties)
            let chosen = try location.collection(in: snapshot)
            let names = try chosen.map { [$0.name] } ?? snapshot.collectionNames()
            for name in names {
                report.add(
                    name,
                    try DocumentCollection(name).sizeProfile(
                        in: snapshot, largest: largest, sample: sample.limit))
            }
            for index in try snapshot.indexes()
            where chosen.map({ $0.keyStore.name == index.keyStore }) ?? true {
                try report.add(index, snapshot)
            }
            return report
        }
        try report.write(output)
    }
}
