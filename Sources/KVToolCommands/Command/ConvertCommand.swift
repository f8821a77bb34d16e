internal import ArgumentParser
internal import DocumentStore
internal import KVToolCore
internal import StoreTools

/// `kvtool convert DATABASE --to FORM`
struct ConvertCommand: AllCollectionsCommand {
    static let configuration = CommandConfiguration(
        commandName: "convert",
        abstract: "Converts the revision history of documents to the form of a newer version.",
        discussion: """
            Examples:
              kvtool convert people.cblite2 --to vectors --dry-run
              kvtool convert people.cblite2 --to trees --upgrade
              kvtool convert people.cblite2 --to vectors --yes

            trees are the revision trees of Couchbase Lite 3; documents of version 2 are converted \
            to them. vectors are the version vectors of Couchbase Lite 4. Documents, revision IDs, \
            sequences and expirations stay the same. New revisions use the chosen form from then \
            on.

            The conversion cannot be undone: older versions of Couchbase Lite cannot read version \
            vectors. kvtool asks for confirmation; without a terminal it requires --yes. It works \
            in batches: after Ctrl-C, documents converted so far stay converted, and running the \
            same command again continues.

            A tree that a vector cannot represent, such as one with a conflict, stays a tree. The \
            exit status is 7 if there are such documents.
            """)

    /// The form to convert to.
    enum Form: String, CaseIterable, ExpressibleByArgument {
        case trees, vectors

        var versioning: Versioning { self == .trees ? .treesInExtra : .versionVectors }
    }

    @OptionGroup var database: DatabaseArguments
    @OptionGroup var collection: CollectionArguments
    @Option(help: ArgumentHelp("Target form: trees or vectors.", valueName: "form")) var to: Form
    @Flag(
        name: [.customShort("n"), .customLong("dry-run")],
        help: "Count the documents of each form, without converting them.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask for confirmation.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try location.database.open(
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
            // In JSON the report shows this.
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
        try location.collection(in: snapshot).map { [$0.name] } ?? snapshot.collectionNames()
    }

    private func confirm(_ report: ConversionReport) throws {
        let form = to.rawValue
        try Confirmation(
            isGiven: yes, reason: "this cannot be undone",
            refusal: "nothing was converted"
        ) { "Convert \(Text.count($0, "document")) to \(form)? This cannot be undone." }
        .ask(older(report))
    }

    /// The number of documents to convert, including those that will stay for a reason.
    private func older(_ report: ConversionReport) -> Int {
        report.collections.reduce(0) { $0 + $1.forms.older(than: to) }
    }

    /// Whether all documents have that form already, and new ones will have it.
    private func isDone(_ file: DataFile, _ report: ConversionReport) async throws -> Bool {
        guard older(report) == 0 else { return false }
        let versioning = to.versioning
        return try await file.reading { snapshot in
            // A file that does not record a form gets one.
            (try? snapshot.versioning()).map { $0.rawValue >= versioning.rawValue } ?? false
        }
    }

    /// Converts the documents, a transaction for each batch; returns how many it left unchanged.
    private func convert(
        _ file: DataFile, _ report: inout ConversionReport
    ) async throws -> Int {
        let versioning = to.versioning
        let batches = DocumentBatches(
            collections: report.collections.map { DocumentCollection($0.name) })
        try await batches.run(file) { collection, key, transaction in
            try collection.upgradeRevisions(
                in: transaction, to: versioning, after: key, limit: DocumentBatches.limit)
        } add: { index, batch in
            report.collections[index].add(batch)
        } done: {
            "\(Text.count(report.converted, "document")) converted"
        }
        return report.collections.reduce(0) { $0 + $1.kept }
    }
}

extension RevisionForms {
    /// The number of documents in an older form.
    fileprivate func older(than form: ConvertCommand.Form) -> Int {
        form == .trees ? treesInBody : treesInBody + trees
    }
}
