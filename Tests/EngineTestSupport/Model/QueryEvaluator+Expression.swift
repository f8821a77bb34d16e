internal import FleeceLite
internal import QueryLanguage

extension QueryEvaluator {
    func bool(_ expression: QueryExpression, _ scope: ModelScope) throws -> Bool? {
        let value = try value(expression, scope)
        if value.isCollection { notes.hasReadBytes = true }
        return value.bool
    }

    /// The value of an expression; `order` is that of an enclosing `COLLATE`.
    func value(
        _ expression: QueryExpression, _ scope: ModelScope, _ order: ModelOrder? = nil
    ) throws -> ModelValue {
        if let group = scope.frames.last?.group,
            let key = group.keys.first(where: { $0.expression == expression })
        {
            return key.value
        }
        switch expression {
        case .literal(let literal): return ModelValue(literal)
        case .array(let elements):
            let values = try elements.map { try value($0, scope) }
            return .array(values.filter { !$0.isMissing })
        case .dictionary(let entries): return try object(entries, scope)
        case .property(let path): return try property(path.components, scope)
        case .variable(let name, let path):
            return (scope.variables[name] ?? .missing).at(path.components[...])
        case .parameter(let name): return parameters[name] ?? .missing
        case .nested(let inner, let path): return try value(inner, scope).at(path.components[...])
        case .meta(let property, let source): return try meta(property, source, scope)
        case .operation(let known, let operands):
            return try operation(known, operands, scope, order)
        case .function(let name, let arguments):
            return try function(QueryCall(function: name, arguments: arguments), scope)
        case .call(let call): return try function(call, scope)
        case .subquery(let select): return try scalar(select, scope)
        case .collate(let collation, let inner):
            return try value(inner, scope, self.order(collation))
        case .cases(let subject, let branches, let otherwise):
            return try cases(subject, branches, otherwise, scope)
        case .quantified(let quantifier): return try quantified(quantifier, scope)
        case .match(let index, let words): return try match(index, words, scope)
        case .prediction(let model, let input, let property):
            return try prediction(model, input, property, scope)
        case .rank, .blob, .located:
            throw ModelError.unsupported("\(expression)")
        }
    }

    private func object(
        _ entries: [QueryDictionaryEntry], _ scope: ModelScope
    ) throws -> ModelValue {
        var members: [ModelString: ModelValue] = [:]
        for entry in entries {
            let value = try value(entry.value, scope)
            if !value.isMissing { members[ModelString(entry.key)] = value }
        }
        return .object(members)
    }

    /// The first column of the first row of a subquery.
    private func scalar(_ select: QuerySelect, _ scope: ModelScope) throws -> ModelValue {
        let result = try rows(of: select, scope)
        if !result.hasDeterminedFirst { notes.isUndetermined = true }
        return result.kept.first?.first ?? .missing
    }

    private func cases(
        _ subject: QueryExpression?, _ branches: [QueryCase], _ otherwise: QueryExpression?,
        _ scope: ModelScope
    ) throws -> ModelValue {
        let value = try subject.map { try self.value($0, scope) }
        for branch in branches {
            let isTaken =
                if let value {
                    equals(value, try self.value(branch.condition, scope), .binary)
                } else {
                    try bool(branch.condition, scope)
                }
            if isTaken == true { return try self.value(branch.value, scope) }
        }
        return try otherwise.map { try self.value($0, scope) } ?? .null
    }
}

// Names.
extension QueryEvaluator {
    private func property(
        _ path: [PropertyPath.Component], _ scope: ModelScope
    ) throws -> ModelValue {
        for index in scope.frames.indices.reversed() {
            for (position, source) in scope.frames[index].sources.enumerated() {
                guard let rest = source.rest(of: path) else { continue }
                return read(position, rest, scope, index)
            }
        }
        if case .key(let name) = path.first {
            for index in scope.frames.indices.reversed() {
                guard let bound = scope.frames[index].bindings[name] else { continue }
                return try value(bound, scope.upTo(index)).at(path.dropFirst())
            }
            if path.count == 1, let result = scope.frames.last?.results[name] {
                var inner = scope
                inner.frame.results = [:]
                return try value(result, inner)
            }
        }
        guard let frame = scope.frames.last else {
            throw ModelError.failure("a property outside of a query")
        }
        guard frame.sources.count <= 1 else {
            throw ModelError.failure("a property of which source? \(PropertyPath(path))")
        }
        return read(0, path[...], scope, scope.frames.count - 1)
    }

    /// A property of a source; of a group only a value that its rows have in common.
    private func read(
        _ position: Int, _ path: ArraySlice<PropertyPath.Component>, _ scope: ModelScope,
        _ index: Int
    ) -> ModelValue {
        let frame = scope.frames[index]
        if let group = frame.group {
            for key in group.keys {
                guard case .property(let other) = key.expression else { continue }
                let known = frame.sources.enumerated().lazy.compactMap { position, source in
                    source.rest(of: other.components).map { (position, $0) }
                }.first
                if known ?? (0, other.components[...]) == (position, path) { return key.value }
            }
            notes.isUndetermined = true
        }
        guard frame.sources.indices.contains(position) else { return .missing }
        return frame.sources[position].row.at(path)
    }

    private func meta(
        _ property: MetaProperty, _ name: String?, _ scope: ModelScope
    ) throws -> ModelValue {
        if let name {
            for index in scope.frames.indices.reversed() {
                for (position, source) in scope.frames[index].sources.enumerated()
                where source.names.contains([name]) {
                    return try meta(property, position, scope, index)
                }
            }
            let path: [PropertyPath.Component] = [.key(name), .key(property.shortName)]
            return try self.property(path, scope)
        }
        guard let frame = scope.frames.last, frame.sources.count <= 1 else {
            throw ModelError.failure("META of which source?")
        }
        return try meta(property, 0, scope, scope.frames.count - 1)
    }

    private func meta(
        _ property: MetaProperty, _ position: Int, _ scope: ModelScope, _ index: Int
    ) throws -> ModelValue {
        let frame = scope.frames[index]
        if let group = frame.group {
            for key in group.keys {
                guard case .meta(property, let source) = key.expression else { continue }
                let other = source.flatMap { name in
                    frame.sources.firstIndex { $0.names.contains([name]) }
                }
                if other ?? 0 == position { return key.value }
            }
            notes.isUndetermined = true
        }
        guard frame.sources.indices.contains(position) else { return .missing }
        switch frame.sources[position].row {
        case .none: return .missing
        case .document(let document):
            switch property {
            case .id: return .text(document.id)
            case .sequence: return .integer(document.sequence)
            case .deleted: return .boolean(false)
            case .expiration: return .missing
            case .revisionID, .rowid, .all: throw ModelError.unsupported("\(property)")
            }
        case .value, .columns: throw ModelError.failure("META of a value that is not a document")
        }
    }
}

// ANY and EVERY.
extension QueryEvaluator {
    private func quantified(
        _ quantifier: QueryQuantifier, _ scope: ModelScope
    ) throws -> ModelValue {
        let collection = try value(quantifier.collection, scope)
        if quantifier.kind == .any, let target = quantifier.searchedValue {
            return contains(collection, try value(target, scope))
        }
        var answers: [Bool?] = []
        for item in collection.items {
            var inner = scope
            inner.variables[quantifier.variable] = item
            answers.append(try bool(quantifier.condition, inner))
        }
        switch quantifier.kind {
        case .any: return .boolean(answers.contains(true))
        case .every: return .boolean(!answers.contains(false))
        case .anyAndEvery:
            // As in LiteCore: at least one that is not null.
            let count = try count(collection, of: quantifier.collection)
            let isEvery = !answers.contains(false)
            guard case .integer(let number) = count else {
                return isEvery ? .missing : .boolean(false)
            }
            return .boolean(number > 0 && isEvery)
        }
    }

    /// Whether an array contains a value with the same JSON; null if it is not an array.
    func arrayContains(_ collection: ModelValue, _ target: ModelValue) -> ModelValue {
        if collection.isMissing { return .missing }
        guard case .array = collection else { return .null }
        return contains(collection, target)
    }

    /// Whether an array or a dictionary contains a value with the same JSON.
    func contains(_ collection: ModelValue, _ target: ModelValue) -> ModelValue {
        switch collection {
        case .array, .object:
            if target.isMissing { return .missing }
            return .boolean(collection.items.contains { $0.canonical == target.canonical })
        default: return .missing
        }
    }
}

extension QueryQuantifier {
    /// The value to compare elements with in `ANY x IN … SATISFIES x = value END`, which
    /// searches as `ARRAY_CONTAINS` does.
    var searchedValue: QueryExpression? {
        guard case .operation(.equal, let operands) = condition,
            operands.first == .variable(variable, PropertyPath([]))
        else { return nil }
        var isFree = true
        operands[1].visit { if case .variable(variable, _) = $0 { isFree = false } }
        return isFree ? operands[1] : nil
    }
}
