internal import FleeceLite
internal import QueryLanguage
import StoreFormat

// One SELECT: sources, conditions, groups, results.
extension QueryEvaluator {
    func rows(
        of block: QueryBlock, _ order: [QueryOrder], _ scope: ModelScope
    ) throws -> ModelResult {
        let results = block.results.isEmpty ? Self.standardResults : block.results
        var frame = ModelFrame(sources: [])
        for binding in block.bindings { frame.bindings[binding.name] = binding.expression }
        for result in results {
            if let alias = result.alias { frame.results[alias] = result.expression }
        }
        let rows = try joined(block.sources, frame, scope)
        var units: [ModelFrame] = []
        for row in rows {
            frame.sources = row
            if try isTrue(block.condition, scope.with(frame)) { units.append(frame) }
        }
        if isGrouped(block, results, order) {
            units = try grouped(block.groups, units, frame, scope)
            units = try units.filter { try isTrue(block.groupCondition, scope.with($0)) }
        } else if block.groupCondition != nil {
            throw ModelError.failure("HAVING without groups")
        }
        return try output(block, results, order, units, scope)
    }

    private static let standardResults = [
        QueryResult(expression: .meta(.id, source: nil), alias: nil),
        QueryResult(expression: .meta(.sequence, source: nil), alias: nil),
    ]

    private func isTrue(_ condition: QueryExpression?, _ scope: ModelScope) throws -> Bool {
        guard let condition else { return true }
        return try bool(condition, scope) == true
    }

    private func output(
        _ block: QueryBlock, _ results: [QueryResult], _ order: [QueryOrder],
        _ units: [ModelFrame], _ scope: ModelScope
    ) throws -> ModelResult {
        var rows: [[ModelValue]] = []
        var keys: [[ModelValue]] = []
        var seen: Set<[ModelValue]> = []
        for (index, unit) in units.enumerated() {
            var frame = unit
            frame.window = [ModelWindow(units: units, index: index)]
            let inner = scope.with(frame)
            // Results cannot refer to each other.
            frame.results = [:]
            let plain = scope.with(frame)
            let row = try results.map { try value($0.expression, plain) }
            if block.isDistinct, !seen.insert(row.map(\.canonical)).inserted { continue }
            rows.append(row)
            keys.append(try self.keys(order, inner))
        }
        return sorted(columnNames(results, block.sources), rows, keys, order)
    }
}

// Sources and joins.
extension QueryEvaluator {
    private func joined(
        _ sources: [QuerySource], _ frame: ModelFrame, _ scope: ModelScope
    ) throws -> [[ModelSource]] {
        let standard = QuerySource(
            kind: .collection(QueryCollectionName(scope: nil, collection: "_")), alias: "_doc")
        var rows: [[ModelSource]] = [[]]
        for source in sources.isEmpty ? [standard] : sources {
            let names = self.names(of: source)
            var fixed: [ModelRow]?
            if case .unnest = source.kind {} else { fixed = try self.rows(of: source, scope) }
            var joined: [[ModelSource]] = []
            for row in rows {
                var isFound = false
                for candidate in try fixed ?? elements(of: source, row, frame, scope) {
                    let all = row + [ModelSource(names: names, row: candidate)]
                    var inner = frame
                    inner.sources = all
                    guard try isTrue(source.condition, scope.with(inner)) else { continue }
                    isFound = true
                    joined.append(all)
                }
                if !isFound, source.join == .left {
                    joined.append(row + [ModelSource(names: names, row: .none)])
                }
            }
            rows = joined
        }
        return rows
    }

    private func rows(of source: QuerySource, _ scope: ModelScope) throws -> [ModelRow] {
        switch source.kind {
        case .unnest: return []
        case .query(let select): return columns(cut(try rows(of: select, scope)))
        case .collection(let name):
            if name.scope == nil, let table = scope.tables[name.collection] {
                return columns(cut(table))
            }
            let isDefault = name.scope == nil && ["_", "_default"].contains(name.collection)
            let full = isDefault ? "_default" : name.collection
            guard let documents = documents["\(name.scope ?? "_default").\(full)"] else {
                throw ModelError.failure("no collection \(name)")
            }
            return documents.map { .document($0) }
        }
    }

    private func columns(_ result: ModelResult) -> [ModelRow] {
        result.rows.map { row in
            .columns(zip(result.columns, row).map { (name: $0, value: $1) })
        }
    }

    private func elements(
        of source: QuerySource, _ row: [ModelSource], _ frame: ModelFrame, _ scope: ModelScope
    ) throws -> [ModelRow] {
        guard case .unnest(let expression) = source.kind else { return [] }
        var inner = frame
        inner.sources = row
        return try value(expression, scope.with(inner)).items.map { .value($0) }
    }

    private func names(of source: QuerySource) -> [[String]] {
        if let alias = source.alias { return [[alias]] }
        switch source.kind {
        case .query: return []
        case .collection(let name):
            let scoped = name.scope.map { [[$0, name.collection]] } ?? []
            return [[name.collection]] + scoped
        case .unnest(.property(let path)):
            guard case .key(let last) = path.components.last else { return [] }
            return [[last]]
        case .unnest: return []
        }
    }
}

// Groups.
extension QueryEvaluator {
    private func isGrouped(
        _ block: QueryBlock, _ results: [QueryResult], _ order: [QueryOrder]
    ) -> Bool {
        let expressions =
            results.map(\.expression) + order.map(\.expression)
            + (block.groupCondition.map { [$0] } ?? [])
        return !block.groups.isEmpty || expressions.contains { $0.hasAggregate }
    }

    private func grouped(
        _ groups: [QueryExpression], _ units: [ModelFrame], _ frame: ModelFrame,
        _ scope: ModelScope
    ) throws -> [ModelFrame] {
        var positions: [[ModelValue]: Int] = [:]
        var found: [ModelGroup] = []
        for unit in units {
            let keys = try groups.map { try value($0, scope.with(unit)) }
            let position = positions[keys.map(\.canonical)] ?? found.count
            if position == found.count {
                positions[keys.map(\.canonical)] = position
                let pairs = zip(groups, keys).map { (expression: $0, value: $1) }
                found.append(ModelGroup(rows: [], keys: pairs))
            }
            found[position].rows.append(unit.sources)
        }
        if groups.isEmpty, found.isEmpty { found = [ModelGroup(rows: [], keys: [])] }
        return found.map { group in
            var frame = frame
            frame.sources =
                group.rows.first
                ?? frame.sources.map {
                    ModelSource(names: $0.names, row: .none)
                }
            frame.group = group
            return frame
        }
    }
}

extension QueryExpression {
    /// Whether it contains an aggregate function, apart from subqueries.
    var hasAggregate: Bool {
        var found = false
        visit { part in
            switch part {
            case .function(let name, _):
                found = found || QueryFunction(named: name)?.isAggregate == true
            case .call(let call) where call.window == nil: found = true
            default: break
            }
        }
        return found
    }
}

// Column names.
extension QueryEvaluator {
    private func columnNames(_ results: [QueryResult], _ sources: [QuerySource]) -> [String] {
        var unnamed = 0
        var names: [String] = []
        for result in results {
            let name = result.alias ?? self.name(of: result.expression, sources)
            if name == nil { unnamed += 1 }
            let base = name ?? "$\(unnamed)"
            var (unique, number) = (base, 1)
            while names.contains(unique) {
                number += 1
                unique = "\(base) #\(number)"
            }
            names.append(unique)
        }
        return names
    }

    private func name(of expression: QueryExpression, _ sources: [QuerySource]) -> String? {
        switch expression {
        case .property(let path):
            let keys = path.components.compactMap { step -> String? in
                if case .key(let key) = step { key } else { nil }
            }
            return keys.last ?? sources.first.flatMap { names(of: $0).first?.last } ?? "_doc"
        case .meta(let property, _): return property == .all ? nil : property.rawValue
        default: return nil
        }
    }
}
