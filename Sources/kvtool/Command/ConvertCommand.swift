internal import ArgumentParser
internal import DataFileCore
internal import FleeceLite

/// `kvtool convert DATABASE --to FORM`
struct ConvertCommand: ToolCommand {
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

    @OptionGroup var place: IndexArguments
    @Option(help: ArgumentHelp("trees or vectors.", valueName: "form")) var to: Form
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only count what there is.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false
    @OptionGroup var upgrade: UpgradeArguments
    @OptionGroup var output: OutputArguments

    func run() async throws {
        let file = try place.database.open(
            isDry ? .readOnly : .readWrite, upgrades: upgrade.upgrade)
        var report = try await file.read { snapshot in
            ConversionReport(
                path: file.path, to: to.rawValue,
                collections: try names(snapshot).map { name in
                    ConversionReport.Row(
                        name: name, forms: try RevisionForms(Collection(name), snapshot))
                })
        }
        guard !isDry else { return try report.write(output) }
        try confirm(report)
        report.isDry = false
        let kept = try await convert(file, &report)
        try report.write(output)
        if kept > 0 { throw ReportedFailure(status: .partial) }
    }

    private func names(_ snapshot: Snapshot) throws -> [CollectionName] {
        try place.collection(in: snapshot).map { [$0.name] } ?? snapshot.collectionNames()
    }

    private func confirm(_ report: ConversionReport) throws {
        guard !yes else { return }
        guard Question.canAsk else {
            throw ToolError("there is no way back from this; say --yes", status: .usage)
        }
        let count = report.collections.reduce(0) { $0 + $1.forms.older(than: to) }
        let documents = Text.count(count, "document")
        guard Question.ask("Convert \(documents) to \(to.rawValue)? There is no way back.") else {
            throw ToolError("nothing was converted")
        }
    }

    private static let batch = 1000

    /// Converts the documents, a transaction for each batch; returns how many stay as they are.
    private func convert(
        _ file: DataFile, _ report: inout ConversionReport
    ) async throws -> Int {
        var progress = Progress(
            "document", total: report.collections.reduce(0) { $0 + $1.forms.all })
        defer { progress.finish() }
        var looked = 0
        let versioning = to.versioning
        for place in report.collections.indices {
            let collection = Collection(report.collections[place].name)
            var key: String?
            repeat {
                let from = key
                let step: RevisionUpgrade
                do {
                    step = try await file.write { transaction in
                        try collection.upgradeRevisions(
                            in: transaction, to: versioning, after: from, limit: Self.batch)
                    }
                } catch is CancellationError {
                    throw Interrupted(
                        message: "\(Text.count(report.converted, "document")) converted, which "
                            + "stay so; the same command goes on")
                }
                report.collections[place].add(step)
                looked += step.lookedAt
                progress.update(looked)
                key = step.lastKey
            } while key != nil
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
