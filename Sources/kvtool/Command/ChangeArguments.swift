internal import ArgumentParser
internal import DataFileCore

/// The arguments of commands that remove documents.
struct ChangeArguments: ParsableArguments {
    @OptionGroup var selection: SelectionArguments
    @OptionGroup var upgrade: UpgradeArguments
    @Flag(name: [.customShort("n"), .customLong("dry-run")], help: "Only say what would be done.")
    var isDry = false
    @Flag(name: [.customShort("y"), .long], help: "Do not ask.") var yes = false

    /// What is done with the documents.
    enum Change: Sendable {
        case delete, purge

        var name: String { self == .delete ? "deleted" : "purged" }
        var title: String { self == .delete ? "Deleted" : "Purged" }
    }

    /// What was done with one document.
    private struct Done: Sendable {
        let id: String
        let isFound: Bool
        var saved: Collection.Saved?
    }

    /// Changes the documents in one transaction, then says what was done with each, and which are
    /// not there.
    func run(_ change: Change, _ output: OutputArguments) async throws {
        try await confirm(change)
        let done =
            isDry
            ? try await selection.place.database.read { _, snapshot in
                try each(in: snapshot, change) { _, id in Done(id: id, isFound: true) }
            }
            : try await selection.place.database.write(upgrades: upgrade.upgrade) { transaction in
                try each(in: transaction, change) { collection, id in
                    try Self.apply(change, collection, id, transaction)
                }
            }
        try report(done, change, output)
    }

    private func each(
        in snapshot: Snapshot, _ change: Change, _ body: (Collection, String) throws -> Done
    ) throws -> [Done] {
        let collection = try selection.place.named()
        let includesDeleted = change == .purge
        return try selection.choices(in: snapshot, includesDeleted: includesDeleted).map {
            switch $0 {
            case .missing(let id): Done(id: id, isFound: false)
            case .id(let id): try body(collection, id)
            }
        }
    }

    private static func apply(
        _ change: Change, _ collection: Collection, _ id: String, _ transaction: Transaction
    ) throws -> Done {
        switch change {
        case .delete:
            let saved = try collection.delete(id, in: transaction)
            return Done(id: id, isFound: saved != nil, saved: saved)
        case .purge:
            return Done(id: id, isFound: try collection.purge(id, in: transaction))
        }
    }

    /// Asks a person before documents go that were not named one by one.
    private func confirm(_ change: Change) async throws {
        let isByName =
            selection.condition == nil && !selection.ids.contains { KeyPattern($0) != nil }
        guard !isByName, !isDry, !yes, Question.canAsk else { return }
        let count = try await selection.place.database.read { _, snapshot in
            try selection.choices(in: snapshot, includesDeleted: change == .purge).count
        }
        guard count > 1 else { return }
        let verb = change == .delete ? "Delete" : "Purge"
        guard Question.ask("\(verb) \(Text.count(count, "document"))?") else {
            throw ToolError("nothing was \(change.name)")
        }
    }

    private func report(_ done: [Done], _ change: Change, _ output: OutputArguments) throws {
        let schema = change == .delete ? "rm" : "purge"
        var rows = RowOutput(
            schema, list: "documents",
            [
                Column("id", "Document", isKey: true), Column("action", "Action"),
                Column("revision", "Revision"), Column("sequence", "Sequence", isNumber: true),
            ], output, presentation: .lines { "\($0[1].forPeople)\($0[0].forPeople)" })
        for item in done where item.isFound {
            try rows.add(row(item, change))
        }
        try rows.finish()
        try MissingDocument.report(
            done.filter { !$0.isFound }.map(\.id), selection.place.named().name)
    }

    private func row(_ item: Done, _ change: Change) -> [Cell] {
        let verb = isDry ? "Would have \(change.name)" : change.title
        let rest = item.saved.map { ", revision \($0.revisionID), sequence \($0.sequence)" } ?? ""
        return [
            .both("\"\(item.id)\"\(rest)", program: .text(item.id)),
            .both("\(verb) ", program: .text(isDry ? "none" : change.name)),
            .optional(item.saved?.revisionID.description),
            item.saved.map { .integer($0.sequence) } ?? .none,
        ]
    }
}
