internal import FleeceLite
package import SQLCore
package import StoreFormat

/// A part of the schema that another program has added to the format's tables, and that runs when
/// they are read or written.
package struct ForeignObject: Hashable {
    package enum Kind { case trigger, view, table, index }

    package let kind: Kind
    package let name: String
    /// The table of the format that it belongs to.
    package let table: String
    /// What it is, as a clause for an error message.
    package let message: String

    /// Whether SQLite evaluates it when it reads the table.
    var computesInReading: Bool { kind == .table || kind == .index }
}

/// Finds the triggers, views, computed columns and indexes of the format's tables that other
/// programs have added.
package struct ForeignSchema {
    private let context: SQLContext
    private let path: String
    private let objects: [SchemaObject]
    private let innocuous: InnocuousFunctions

    private init(_ context: SQLContext, _ path: String, _ objects: [SchemaObject]) throws {
        self.context = context
        self.path = path
        self.objects = objects
        innocuous = try InnocuousFunctions(context)
    }

    /// All objects that do not belong to the format.
    ///
    /// Costs a pass over the schema.
    ///
    /// - Parameter context: a connection on which all functions of this project are registered.
    package static func find(
        in context: SQLContext, path: String, _ objects: [SchemaObject]? = nil
    ) throws -> [ForeignObject] {
        let objects = try objects ?? SchemaObject.all(in: context)
        return try ForeignSchema(context, path, objects).find()
    }

    /// Checks that writing would run nothing that another program has added.
    ///
    /// Throws `.unsupported`.
    static func requireNone(in context: SQLContext, path: String) throws {
        let found = try find(in: context, path: path)
        guard let first = found.first else { return }
        let more = found.count > 1 ? " (and \(found.count - 1) more)" : ""
        throw StoreError(
            .unsupported,
            "\(path) cannot be written: \(first.message)\(more), so it would run with each write; "
                + "drop it, or open the file with trustsSchema")
    }

    /// Checks that no trigger runs when the raw store `info` is written on a separate connection.
    ///
    /// Throws `.unsupported`.
    static func requireNoTriggersOfInfo(in context: SQLContext) throws {
        let info = KeyStoreName.info.tableName
        let trigger = try context.selectValue(
            sql: "SELECT name FROM main.sqlite_master WHERE type='trigger' "
                + "AND tbl_name = ? COLLATE NOCASE", parameters: [.text(info)])
        guard let name = trigger?.textValue else { return }
        throw StoreError(
            .unsupported,
            "nothing was written: the trigger \(name) of \(info) is another program's; drop it")
    }

    private func find() throws -> [ForeignObject] {
        var found: [ForeignObject] = []
        var doubtful: [SchemaObject] = []
        for object in objects {
            switch object.type {
            case "trigger" where Self.isOfFormat(object.table):
                if !IndexTriggerForm.fits(object, innocuous) { doubtful.append(object) }
            case "view": found += view(object).map { [$0] } ?? []
            case "table" where object.hasPages && Self.isOfFormat(object.name):
                found += table(object).map { [$0] } ?? []
            case "index" where Self.isOfFormat(object.table):
                found += index(object).map { [$0] } ?? []
            default: break
            }
        }
        return try triggers(doubtful) + found
    }

    /// Whether a table belongs to the format, ignoring ASCII case.
    private static func isOfFormat(_ table: String) -> Bool {
        let name = table.asciiLowercased
        if name.utf8.starts(with: "kv_".utf8) || name == "kvmeta" || name == "indexes" {
            return true
        }
        // FTS4 and vector indexes have auxiliary tables with a suffix after the name.
        return !name.utf8.contains(UInt8(ascii: ":")) && SchemaSQL.mayBeOfIndex(table: name)
    }
}

// Detection of foreign objects.
extension ForeignSchema {
    /// The triggers that differ from those of the registered indexes.
    private func triggers(_ doubtful: [SchemaObject]) throws -> [ForeignObject] {
        guard !doubtful.isEmpty else { return [] }
        let own = try registeredTriggers()
        return doubtful.filter { trigger in
            guard let text = own[ExactString(trigger.name)] else { return true }
            let tokens = (SQLTextToken.all(in: trigger.sql ?? ""), SQLTextToken.all(in: text))
            return tokens.0.count != tokens.1.count
                || !zip(tokens.0, tokens.1).allSatisfy { $0.isSame(as: $1) }
        }.map {
            ForeignObject(
                kind: .trigger, name: $0.name, table: $0.table,
                message: "the trigger \($0.name) of \($0.table) is another program's")
        }
    }

    /// The triggers of the registered indexes by name.
    private func registeredTriggers() throws -> [ExactString: String] {
        var statements: [ExactString: String] = [:]
        for row in try IndexRegistry.rowsIfReadable(in: context, path: path) {
            guard let schema = try? row.definedSchema() else { continue }
            for trigger in schema.tables.flatMap(\.triggers) {
                statements[ExactString(trigger.name)] = trigger.sql
            }
        }
        return statements
    }

    /// Views do not occur in the format. A view of a program's own tables only is ignored.
    private func view(_ view: SchemaObject) -> ForeignObject? {
        let names = SQLTextToken.all(in: view.sql ?? "").lazy.filter {
            $0.kind != .number && $0.kind != .sign && !$0.isName(view.name)
        }
        guard let table = names.first(where: { Self.isOfFormat($0.text) })?.text else { return nil }
        return ForeignObject(
            kind: .view, name: view.name, table: table,
            message: "the view \(view.name) of \(table) is another program's")
    }

    private func table(_ table: SchemaObject) -> ForeignObject? {
        var previous: SQLTextToken?
        for token in SQLTextToken.all(in: table.sql ?? "") {
            if let part = Self.computation(token, after: previous) {
                return ForeignObject(
                    kind: .table, name: table.name, table: table.name,
                    message: "the table \(table.name) has \(part), which another program has added")
            }
            previous = token
        }
        return nil
    }

    private static func computation(_ token: SQLTextToken, after previous: SQLTextToken?) -> String?
    {
        if token.isWord("check") { return "a CHECK constraint" }
        if token.isWord("as") || token.isWord("generated") { return "a generated column" }
        if token.isSign("("), previous?.isWord("default") == true {
            return "a computed default value"
        }
        return nil
    }

    private func index(_ index: SchemaObject) -> ForeignObject? {
        guard let sql = index.sql else { return nil }
        // Skip the table's name: the parenthesis after it does not belong to a function call.
        let tokens = SQLTextToken.all(in: sql).drop { !$0.isWord("on") }.drop { !$0.isSign("(") }
        guard let function = innocuous.forbiddenFunction(in: tokens) else { return nil }
        return ForeignObject(
            kind: .index, name: index.name, table: index.table,
            message: "the index \(index.name) of \(index.table) calls \(function)(), which is not "
                + "a function of the format")
    }
}
