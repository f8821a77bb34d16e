internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool reindex DATABASE [NAME…]`
struct ReindexCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "reindex", abstract: "Rebuilds indexes from the documents.",
        discussion: """
            Examples:
              kvtool reindex people.cblite2
              kvtool reindex people.cblite2 byStreet byAge

            Without names all indexes are rebuilt, including SQLite's own indexes of the key \
            stores. Each index is rebuilt in a transaction of its own: after Ctrl-C, finished \
            indexes stay rebuilt, and the current one is unchanged.

            Documents with damaged bodies may be missing or wrong in an index: it is rebuilt \
            nevertheless, with a message on standard error, and the exit status is 5.
            """)

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Argument(
        help: "The indexes to rebuild (default: all indexes).",
        completion: .custom { arguments, _, _ in Completion.indexes(arguments) })
    var names: [String] = []
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try location.database.open(.readWrite, upgrades: upgrade.upgrade)
        let chosen = try await file.reading { snapshot in
            let collection = try location.collection(in: snapshot)
            guard !names.isEmpty else {
                return try snapshot.indexes().filter { index in
                    collection.map { $0.keyStore.name == index.keyStore } ?? true
                }
            }
            return try names.map { try snapshot.index($0, in: collection) }
        }
        var rows = makeRows()
        var skipped = 0
        var damaged: [(index: String, documents: UnreadableDocuments)] = []
        if names.isEmpty, try location.named() == nil {
            let seconds = try await timed {
                try await EngineProgress(.reindex).run(stopped: "the indexes are unchanged") {
                    try await file.reindex(tick: $0)
                }
            }
            try rows.add(row("(all of SQLite's own)", nil, "rebuilt", seconds))
        }
        for index in chosen {
            do {
                let seconds = try await timed {
                    guard let documents = try await Self.rebuild(index, file) else { return }
                    damaged.append((index.name, documents))
                }
                try rows.add(row(index.name, index, "rebuilt", seconds))
            } catch let error as StoreError where error.has(.unsupported) {
                skipped += 1
                try rows.add(row(index.name, index, "skipped", nil))
                StandardError.current.writeAboutSubject(error.message)
            }
        }
        try rows.finish()
        file.close()
        for (index, documents) in damaged { UnreadableBodies.report(documents, inIndex: index) }
        if !damaged.isEmpty { throw ReportedFailure(status: .damaged) }
        if skipped > 0 { throw ReportedFailure(status: .partial) }
    }

    /// Returns the documents whose bodies are damaged, nil for none.
    private static func rebuild(
        _ index: IndexInfo, _ file: DataFile
    ) async throws -> UnreadableDocuments? {
        guard let name = CollectionName(index.keyStore) else {
            throw StoreError(
                .unsupported,
                "the index \(index.name) belongs to the raw store \(index.keyStore.rawName); "
                    + "use reindex without names")
        }
        return try await file.writing { transaction in
            let collection = DocumentCollection(name)
            let count = try collection.count(in: transaction).live
            var progress = Progress("document", total: count)
            defer { progress.finish() }
            try collection.rebuildIndex(index.name, in: transaction) { state in
                progress.update(Int(state.fraction * Double(count)))
                return !Interruption.isRequested
            }
            // The engine checks only the roots of bodies.
            return try collection.unreadableDocuments(in: transaction)
        }
    }

    private func timed(_ body: () async throws -> Void) async throws -> Double {
        let began = System.nanoseconds
        try await body()
        return Double(System.nanoseconds - began) / 1e9
    }

    private func makeRows() -> RowOutput {
        RowOutput(
            "reindex", list: "indexes",
            [
                Column("name", "Index", isKey: true), Column("collection", "Collection"),
                Column("kind", "Kind"), Column("action", "Action"),
                Column("seconds", "Time", isNumber: true),
            ], output, empty: "(no indexes)")
    }

    private func row(
        _ name: String, _ index: IndexInfo?, _ action: String, _ seconds: Double?
    ) -> [Cell] {
        [
            .text(name), index.map { .text(IndexText.collection($0.keyStore)) } ?? .none,
            .text(index.map { IndexText.kind($0.kind) } ?? "SQLite"), .text(action),
            seconds.map { .both(Text.duration(seconds: $0), program: .decimal($0)) } ?? .none,
        ]
    }
}
