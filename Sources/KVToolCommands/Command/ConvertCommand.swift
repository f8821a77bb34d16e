internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool convert DATABASE --to FORM`
struct ConvertCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Brings documents of older versions to a newer way of keeping revisions.",
        discussion: """
            Examples:
              kvtool convert people.cblite2 --to vectors --dry-run
              kvtool convert people.cblite2 --to trees --upgrade
              kvtool convert people.cblite2 --to vectors --yes

            trees are the revision trees of Couchbase Lite 3, to which those of version 2 are \
            brought; vectors are the version vectors of Couchbase Lite 4. Documents, ids of \
            revisions, sequences and expirations stay. New revisions are kept in that way from \
            then on.

            There is no way back: older versions of Couchbase Lite cannot read version vectors. \
            So it asks, and where nobody can be asked it needs --yes. It works in batches; stopped \
            with Ctrl-C, what is converted stays so, and the same command goes on.

            A tree that holds what a vector has no place for, such as a conflict, stays one. Exit \
            status 7 if there are such documents.
            """)

    /// What documents are brought to.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case trees, vectors

        var versioning: Versioning { self == .trees ? .treesInExtra : .versionVectors }
    }

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(help: ArgumentHelp("trees or vectors.", valueName: "form")) var to: Form
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only count what there is.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try place.database.open(
            isDry ? .readOnly : .readWrite, upgrades: upgrade.upgrade)
        var report = try await file.reading { snapshot in
            ConversionReport(
                path: file.path, to: to.rawValue,
                collections: try names(snapshot).map { name in
                    ConversionReport.Row(
                        name: name, forms: try RevisionForms(DocumentCollection(name), snapshot))
                })
        }
        guard !isDry else { return try report.write(output) }
        report.isDry = false
        guard try await !isDone(file, report) else {
            try report.write(output)
            // In JSON the report itself says so.
            if !StandardError.current.isJSON {
                StandardError.current.write("note: there is nothing to convert to \(to.rawValue)")
            }
            return
        }
        try confirm(report)
        let kept = try await convert(file, &report)
        try report.write(output)
        if kept > 0 { throw ReportedFailure(status: .partial) }
    }

    private func names(_ snapshot: Snapshot) throws -> [CollectionName] {
        try place.collection(in: snapshot).map { [$0.name] } ?? snapshot.collectionNames()
    }

    private func confirm(_ report: ConversionReport) throws {
        let form = to.rawValue
        try Confirmation(
            isGiven: yes, reason: "there is no way back from this",
            refusal: "nothing was converted"
        ) { "Convert \(Text.count($0, "document")) to \(form)? There is no way back." }
        .ask(older(report))
    }

    /// How many documents are to be converted, or to stay for a reason.
    private func older(_ report: ConversionReport) -> Int {
        report.collections.reduce(0) { $0 + $1.forms.older(than: to) }
    }

    /// Whether all documents are kept so already, and new ones will be.
    private func isDone(_ file: DataFile, _ report: ConversionReport) async throws -> Bool {
        guard older(report) == 0 else { return false }
        let versioning = to.versioning
        return try await file.reading { snapshot in
            // A file that does not say is made to.
            (try? snapshot.versioning()).map { $0.rawValue >= versioning.rawValue } ?? false
        }
    }

    /// Converts the documents, a transaction for each batch; returns how many stay as they are.
    private func convert(
        _ file: DataFile, _ report: inout ConversionReport
    ) async throws -> Int {
        let versioning = to.versioning
        let batches = DocumentBatches(
            collections: report.collections.map { DocumentCollection($0.name) })
        try await batches.run(file) { collection, key, transaction in
            try collection.upgradeRevisions(
                in: transaction, to: versioning, after: key, limit: DocumentBatches.limit)
        } add: { place, batch in
            report.collections[place].add(batch)
        } done: {
            "\(Text.count(report.converted, "document")) converted"
        }
        return report.collections.reduce(0) { $0 + $1.kept }
    }
}

extension RevisionForms {
    /// How many are to be brought to a form.
    fileprivate func older(than form: ConvertCommand.Form) -> Int {
        form == .trees ? treesInBody : treesInBody + trees
    }
}
