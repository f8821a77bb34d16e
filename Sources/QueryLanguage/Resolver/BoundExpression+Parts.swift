extension BoundExpression {
    /// The direct parts, except those of subqueries, in the order of the text.
    package var parts: [Value] {
        switch self {
        case .literal, .property, .variable, .parameter, .metadata, .rank, .blob, .subquery: []
        case .array(let elements): elements
        case .dictionary(let entries): entries.map(\.value)
        case .nested(let value, _), .collate(_, let value), .match(_, let value): [value]
        case .operation(_, let operands): operands
        case .function(_, let arguments): arguments
        case .call(let call): call.parts
        case .cases(let subject, let branches, let otherwise):
            (subject.map { [$0] } ?? []) + branches.flatMap { [$0.condition, $0.value] }
                + (otherwise.map { [$0] } ?? [])
        case .quantified(let quantifier): [quantifier.collection, quantifier.condition]
        case .prediction(let model, let input, _): [model, input]
        }
    }

    /// The expression with its parts replaced, those of subqueries included.
    package func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundExpression<Other> {
        switch self {
        case .literal(let literal): .literal(literal)
        case .array(let elements): .array(try elements.map(map))
        case .dictionary(let entries):
            .dictionary(try entries.map { BoundEntry(key: $0.key, value: try map($0.value)) })
        case .property(let source, let path): .property(source, path)
        case .variable(let variable, let path): .variable(variable, path)
        case .parameter(let name): .parameter(name)
        case .nested(let value, let path): .nested(try map(value), path)
        case .metadata(let property, let source): .metadata(property, source)
        case .operation(let known, let operands): .operation(known, try operands.map(map))
        case .function(let function, let arguments): .function(function, try arguments.map(map))
        case .call(let call): .call(try call.mapping(map))
        case .subquery(let query): .subquery(try query.mapping(map))
        case .collate(let collation, let value): .collate(collation, try map(value))
        case .cases(let subject, let branches, let otherwise):
            .cases(
                subject: try subject.map(map),
                try branches.map {
                    BoundCase(condition: try map($0.condition), value: try map($0.value))
                }, otherwise: try otherwise.map(map))
        case .quantified(let quantifier): .quantified(try quantifier.mapping(map))
        case .match(let index, let words): .match(index, words: try map(words))
        case .rank(let index): .rank(index)
        case .prediction(let model, let input, let property):
            .prediction(model: try map(model), input: try map(input), property: property)
        case .blob(let source, let path): .blob(source, path)
        }
    }
}

extension BoundQuantifier {
    fileprivate func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundQuantifier<Other> {
        BoundQuantifier<Other>(
            kind: kind, variable: variable, collection: try map(collection),
            condition: try map(condition))
    }
}

extension BoundCall {
    /// The direct parts.
    package var parts: [Value] {
        arguments + (filter.map { [$0] } ?? []) + (window?.parts ?? [])
    }

    fileprivate func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundCall<Other> {
        BoundCall<Other>(
            function: function, arguments: try arguments.map(map), isDistinct: isDistinct,
            filter: try filter.map(map), window: try window?.mapping(map))
    }
}

extension BoundWindow {
    fileprivate var parts: [Value] {
        partitions + order.map(\.expression)
            + [frame?.start, frame?.end].compactMap { $0?.distance }
    }

    fileprivate func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundWindow<Other> {
        BoundWindow<Other>(
            partitions: try partitions.map(map), order: try order.map { try $0.mapping(map) },
            frame: try frame?.mapping(map))
    }
}

extension BoundFrame {
    fileprivate func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundFrame<Other> {
        BoundFrame<Other>(
            unit: unit, start: try start.mapping(map), end: try end?.mapping(map),
            exclusion: exclusion)
    }
}

extension BoundFrame.Bound {
    /// The distance from the current row.
    package var distance: Value? {
        switch self {
        case .preceding(let distance), .following(let distance): distance
        case .unboundedPreceding, .currentRow, .unboundedFollowing: nil
        }
    }

    fileprivate func mapping<Other>(
        _ map: (Value) throws -> Other
    ) rethrows -> BoundFrame<Other>.Bound {
        switch self {
        case .unboundedPreceding: .unboundedPreceding
        case .preceding(let distance): .preceding(try map(distance))
        case .currentRow: .currentRow
        case .following(let distance): .following(try map(distance))
        case .unboundedFollowing: .unboundedFollowing
        }
    }
}

extension BoundOrder {
    package func mapping<Other>(_ map: (Value) throws -> Other) rethrows -> BoundOrder<Other> {
        BoundOrder<Other>(
            expression: try map(expression), isDescending: isDescending,
            missingIsLast: missingIsLast)
    }
}
