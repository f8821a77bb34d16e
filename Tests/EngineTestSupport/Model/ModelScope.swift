internal import FleeceLite
internal import QueryLanguage

/// A document of the reference evaluator.
package struct ModelDocument: Hashable {
    var id: String
    var sequence: Int64
    var body: ModelValue
}

/// The value of a source of a query in one row.
enum ModelRow {
    case document(ModelDocument)
    /// An element of an array.
    case value(ModelValue)
    /// A row of a subquery in `FROM`.
    case columns([(name: String, value: ModelValue)])
    /// The missing row of a left join.
    case none

    /// The value of a path; an empty path is the whole value.
    func at(_ path: ArraySlice<PropertyPath.Component>) -> ModelValue {
        switch self {
        case .document(let document): return document.body.at(path)
        case .value(let value): return value.at(path)
        case .none: return .missing
        case .columns(let columns):
            guard let first = path.first else { return Self.object(columns) }
            guard case .key(let name) = first,
                let column = columns.first(where: { $0.name == name })
            else { return .missing }
            return column.value.at(path.dropFirst())
        }
    }

    private static func object(_ columns: [(name: String, value: ModelValue)]) -> ModelValue {
        var members: [ModelString: ModelValue] = [:]
        for column in columns where !column.value.isMissing {
            members[ModelString(column.name)] = column.value
        }
        return .object(members)
    }
}

/// A source with its row.
struct ModelSource {
    /// The names that refer to it: the alias, or the collection's name without and with its scope.
    var names: [[String]]
    var row: ModelRow

    /// The rest of a path that starts with one of its names.
    func rest(of path: [PropertyPath.Component]) -> ArraySlice<PropertyPath.Component>? {
        for name in names where path.count >= name.count {
            if zip(name, path).allSatisfy({ $1 == .key($0) }) { return path[name.count...] }
        }
        return nil
    }
}

/// The rows of a group, and the values that they have in common.
struct ModelGroup {
    var rows: [[ModelSource]]
    var keys: [(expression: QueryExpression, value: ModelValue)]
}

/// The rows that a window function can access, and its current row.
struct ModelWindow {
    var units: [ModelFrame]
    var index: Int
}

/// The meaning of the names in one block of a query for one row.
struct ModelFrame {
    var sources: [ModelSource]
    var bindings: [String: QueryExpression] = [:]
    /// Aliases of result columns.
    var results: [String: QueryExpression] = [:]
    var group: ModelGroup?
    /// Empty within a window, which would otherwise recurse without end.
    var window: [ModelWindow] = []
}

/// The meaning of names, the innermost block last.
struct ModelScope {
    var frames: [ModelFrame] = []
    var variables: [String: ModelValue] = [:]
    var tables: [String: ModelResult] = [:]

    var frame: ModelFrame {
        get { frames[frames.count - 1] }
        set { frames[frames.count - 1] = newValue }
    }

    func with(_ frame: ModelFrame) -> ModelScope {
        var scope = self
        scope.frames.append(frame)
        return scope
    }

    /// The scope of an outer block.
    func upTo(_ index: Int) -> ModelScope {
        var scope = self
        scope.frames = Array(frames[...index])
        return scope
    }
}

/// The rows of a query before `LIMIT`, in order if the query has one.
package struct ModelResult {
    package var columns: [String]
    package var rows: [[ModelValue]]
    /// A number for each row; rows with the same number may be in any order.
    package var ties: [Int]
    var offset = 0
    var limit: Int?

    package init(
        columns: [String], rows: [[ModelValue]], ties: [Int], offset: Int = 0, limit: Int? = nil
    ) {
        self.columns = columns
        self.rows = rows
        self.ties = ties
        self.offset = offset
        self.limit = limit
    }

    /// The positions of the rows after `LIMIT` and `OFFSET`.
    package var window: Range<Int> {
        let start = min(offset, rows.count)
        return start..<(limit.map { start + min($0, rows.count - start) } ?? rows.count)
    }

    /// Whether the query determines those rows.
    var isDetermined: Bool {
        isDetermined(at: window.lowerBound) && isDetermined(at: window.upperBound)
    }

    /// Whether the query determines the rows before a position.
    private func isDetermined(at index: Int) -> Bool {
        guard index > 0, index < rows.count, ties[index - 1] == ties[index] else { return true }
        let group = rows.indices.filter { ties[$0] == ties[index] }
        return group.allSatisfy { rows[$0].map(\.canonical) == rows[index].map(\.canonical) }
    }

    /// Whether the query determines the first row.
    var hasDeterminedFirst: Bool {
        guard let first = window.first else { return true }
        return window.allSatisfy {
            ties[$0] != ties[first] || rows[$0].map(\.canonical) == rows[first].map(\.canonical)
        } && isDetermined
    }

    package var kept: ArraySlice<[ModelValue]> { rows[window] }
}

/// Records how far a query determines its result.
package final class ModelNotes {
    /// Another evaluation may give other rows, and be correct.
    package var isUndetermined = false
    /// A Boolean may be a number, or vice versa.
    package var isLooseBoolean = false
    /// Elements may be in another order.
    package var isLooseArray = false
    /// The result depends on the order of arrays and dictionaries by their bytes.
    package var hasOrderedCollections = false
    /// The bytes of an array or dictionary were used as a string or a number.
    package var hasReadBytes = false

    package init(
        isUndetermined: Bool = false, isLooseBoolean: Bool = false, isLooseArray: Bool = false,
        hasOrderedCollections: Bool = false, hasReadBytes: Bool = false
    ) {
        self.isUndetermined = isUndetermined
        self.isLooseBoolean = isLooseBoolean
        self.isLooseArray = isLooseArray
        self.hasOrderedCollections = hasOrderedCollections
        self.hasReadBytes = hasReadBytes
    }
}

/// A query that this evaluator does not support, or that is an error.
package enum ModelError: Error, CustomStringConvertible {
    case unsupported(String)
    case failure(String)

    package var description: String {
        switch self {
        case .unsupported(let what): "not supported by the evaluator: \(what)"
        case .failure(let what): what
        }
    }
}
