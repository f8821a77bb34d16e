internal import FleeceLite
internal import StoreFormat

extension QueryJSONReader {
    /// Reads a statement: `{"WHAT": [".name"], "WHERE": ["=", [".age"], 3]}`.
    ///
    /// - Throws: `.invalidQuery` with a description of the error.
    package static func statement(_ json: String) throws -> QueryStatement {
        let root = try root(json)
        var reader = QueryJSONReader()
        if let dictionary = root.dictionary {
            return .select(try reader.select(dictionary).simplified)
        }
        guard let array = root.array, let name = array.first?.string?.asciiUppercased else {
            return .select(try reader.select(where: root))
        }
        switch name {
        case "UPDATE": return .update(try reader.update(array))
        case "DELETE": return .delete(try reader.delete(array))
        default: break
        }
        if let query = try reader.query(array) { return .select(query) }
        return .select(try reader.select(where: root))
    }

    private mutating func select(where condition: FleeceValue) throws -> QuerySelect {
        QuerySelect(body: .block(QueryBlock(condition: try expression(condition))))
    }

    private mutating func update(_ array: FleeceArray) throws -> QueryUpdate {
        let clauses = try Self.clauses(
            array, "UPDATE", ["COLLECTION", "SCOPE", "AS", "SET", "UNSET", "WHERE", "LIMIT"])
        var update = QueryUpdate(target: try target(clauses))
        for value in try clauses.list("SET") {
            guard let parts = value.array, parts.count == 3, parts[0].string == "=" else {
                throw StoreError.invalidQuery(
                    "SET lists [\"=\", \".path\", value]: \(Self.text(value))")
            }
            let path = try changedPath(parts[1])
            update.assignments.append(
                QueryAssignment(path: path, value: try expression(parts[2])))
        }
        update.removals = try clauses.list("UNSET").map { QueryRemoval(path: try changedPath($0)) }
        guard !update.assignments.isEmpty || !update.removals.isEmpty else {
            throw StoreError.invalidQuery("UPDATE needs SET or UNSET")
        }
        update.condition = try clauses["WHERE"].map { try expression($0) }
        update.limit = try clauses["LIMIT"].map { try expression($0) }
        return update
    }

    private mutating func delete(_ array: FleeceArray) throws -> QueryDelete {
        let clauses = try Self.clauses(
            array, "DELETE", ["COLLECTION", "SCOPE", "AS", "WHERE", "LIMIT"])
        var delete = QueryDelete(target: try target(clauses))
        delete.condition = try clauses["WHERE"].map { try expression($0) }
        delete.limit = try clauses["LIMIT"].map { try expression($0) }
        return delete
    }

    private func target(_ clauses: QueryJSONClauses) throws -> QuerySource {
        QuerySource(kind: .collection(try clauses.collection()), alias: try clauses.text("AS"))
    }

    /// The property that `SET` or `UNSET` changes, as a path from the document.
    private func changedPath(_ value: FleeceValue) throws -> PropertyPath {
        let text = value.array?.count == 1 ? value.array?.first?.string : value.string
        guard let text, text.utf8.first == UInt8(ascii: "."), text.utf8.count > 1 else {
            throw StoreError.invalidQuery(
                "SET and UNSET need a property such as \".name\": \(Self.text(value))")
        }
        let path = try Self.path(text.dropFirst(), of: "a property")
        guard case .key = path.components.first else {
            throw StoreError.invalidQuery("SET and UNSET need a property: \(text)")
        }
        return path
    }

    /// The clauses of `[name, {clauses}]`.
    static func clauses(
        _ array: FleeceArray, _ name: String, _ known: Set<String>
    ) throws -> QueryJSONClauses {
        guard array.count == 2, let dictionary = array[1].dictionary else {
            throw StoreError.invalidQuery("\(name) needs a dictionary of clauses")
        }
        return try QueryJSONClauses(dictionary, of: name, known)
    }
}
