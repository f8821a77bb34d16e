internal import FleeceLite
internal import QueryLanguage

/// A document as the naive evaluator has it.
package struct ModelDocument: Hashable {
    var id: String
    var sequence: Int64
    var body: ModelValue
}

/// What a source of a query has in one row.
enum ModelRow {
    case document(ModelDocument)
    /// An element of an array.
    case value(ModelValue)
    /// A row of a query in `FROM`.
    case columns([(name: String, value: ModelValue)])
    /// A left join has found nothing.
    case none

    /// What a path leads to; no path is all there is.
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
        var members: [ModelText: ModelValue] = [:]
        for column in columns where !column.value.isMissing {
            members[ModelText(column.name)] = column.value
        }
        return .object(members)
    }
}

/// A source with its row.
struct ModelSource {
    /// By which of its names it is known: the alias, or the collection's name without and with its
    /// scope.
    var names: [[String]]
    var row: ModelRow

    /// What is left of a path that begins with one of its names.
    func rest(of path: [PropertyPath.Component]) -> ArraySlice<PropertyPath.Component>? {
        for name in names where path.count >= name.count {
            if zip(name, path).allSatisfy({ $1 == .key($0) }) { return path[name.count...] }
        }
        return nil
    }
}

/// The rows of a group, and what they have in common.
struct ModelGroup {
    var rows: [[ModelSource]]
    var keys: [(expression: QueryExpression, value: ModelValue)]
}

/// The rows that a window function can see, and the one that it is asked of.
struct ModelWindow {
    var units: [ModelFrame]
    var index: Int
}

/// What the names in one block of a query stand for in one row.
struct ModelFrame {
    var sources: [ModelSource]
    var bindings: [String: QueryExpression] = [:]
    /// Aliases of result columns.
    var results: [String: QueryExpression] = [:]
    var group: ModelGroup?
    /// Not of windows again, or it would never end.
    var window: [ModelWindow] = []
}

/// What names stand for, the innermost block last.
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

    /// The scope of one of the blocks around.
    func upTo(_ index: Int) -> ModelScope {
        var scope = self
        scope.frames = Array(frames[...index])
        return scope
    }
}

/// The rows of a query before `LIMIT`, in order as far as there is one.
package struct ModelResult {
    package var columns: [String]
    package var rows: [[ModelValue]]
    /// The rows of one number could stand in any order.
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

    /// The places of the rows that are left by `LIMIT`.
    package var window: Range<Int> {
        let start = min(offset, rows.count)
        return start..<(limit.map { start + min($0, rows.count - start) } ?? rows.count)
    }

    /// Whether it is known which rows those are.
    var isDetermined: Bool {
        isDetermined(at: window.lowerBound) && isDetermined(at: window.upperBound)
    }

    /// Whether it is known which rows stand before a place.
    private func isDetermined(at place: Int) -> Bool {
        guard place > 0, place < rows.count, ties[place - 1] == ties[place] else { return true }
        let group = rows.indices.filter { ties[$0] == ties[place] }
        return group.allSatisfy { rows[$0].map(\.canonical) == rows[place].map(\.canonical) }
    }

    /// Whether it is known which row is the first.
    var hasDeterminedFirst: Bool {
        guard let first = window.first else { return true }
        return window.allSatisfy {
            ties[$0] != ties[first] || rows[$0].map(\.canonical) == rows[first].map(\.canonical)
        } && isDetermined
    }

    package var kept: ArraySlice<[ModelValue]> { rows[window] }
}

/// What has become known while a query was evaluated, of how far its result is determined.
package final class ModelNotes {
    /// Another evaluation may give other rows, and be right.
    package var isUndetermined = false
    /// A Boolean may be a number, or the other way round.
    package var isLooseBoolean = false
    /// Elements may stand in another order.
    package var isLooseArray = false
    /// The order of collections by their bytes mattered.
    package var hasOrderedCollections = false
    /// The bytes of a collection were taken for a text or a number.
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

/// A query that this evaluator does not know, or that is an error.
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
