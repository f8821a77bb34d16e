internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool keys DATABASE`
struct KeysCommand: ToolCommand {
    static let configuration = CommandConfiguration(
        commandName: "keys", abstract: "Lists shared keys, which bodies refer to by number.",
        discussion: """
            Examples:
              kvtool keys people.cblite2
              kvtool keys people.cblite2 --usage --sample 0
              kvtool keys people.cblite2 --json

            A database has at most 2048 shared keys, of at most 16 characters each. --usage reads \
            documents of all collections and counts uses; the bytes are roughly the space that the \
            numbers save there.
            """)

    @OptionGroup var database: DatabaseArguments
    @Flag(help: "Count the uses of each key.") var usage = false
    @OptionGroup var sample: SampleArguments
    @OptionGroup var output: OutputArguments

    /// The keys that the sampled documents use.
    private struct Usage {
        var documents = 0
        var uses: [Int] = []
        /// Keys stored as strings.
        var textKeys = 0
    }

    func run() async throws {
        try await database.read { _, snapshot in
            let used = usage ? try Self.usage(in: snapshot, sample: sample.limit) : nil
            try write(snapshot.requireSharedKeys().keys, used)
        }
    }

    private func write(_ keys: [String], _ used: Usage?) throws {
        var columns = [
            Column("number", "Number", isNumber: true), Column("key", "Key", isKey: true),
        ]
        if used != nil {
            columns.append(Column("uses", "Uses", isNumber: true))
            columns.append(Column("bytes", "Saved", isNumber: true))
        }
        var header = JSONObject()
        header.add("count", keys.count)
        header.add("maximum", FleeceLimits.sharedKeys)
        header.add("sampled", used?.documents)
        header.add("unsharedUses", used?.textKeys)
        var rows = RowOutput(
            "keys", list: "keys", columns, output, header: header, empty: "(no shared keys)")
        for (number, key) in keys.enumerated() {
            var row: [Cell] = [.number(number), .text(key)]
            if let used {
                let uses = number < used.uses.count ? used.uses[number] : 0
                row += [.number(uses), .bytes(uses * key.utf8.count)]
            }
            try rows.add(row)
        }
        try rows.finish()
    }

    private static func usage(in snapshot: Snapshot, sample: Int) throws -> Usage {
        var usage = Usage()
        for name in try snapshot.collectionNames() {
            let profile = try DocumentCollection(name).sizeProfile(
                in: snapshot, largest: 0, sample: sample)
            usage.documents += profile.sampledDocuments
            usage.textKeys += profile.textKeyUses
            while usage.uses.count < profile.keyUses.count { usage.uses.append(0) }
            for (number, uses) in profile.keyUses.enumerated() { usage.uses[number] += uses }
        }
        return usage
    }
}
