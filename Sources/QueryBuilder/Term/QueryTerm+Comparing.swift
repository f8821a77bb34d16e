internal import FleeceLite
internal import QueryLanguage

// What the operators of comparisons do.
extension QueryTerm {
    /// Compares with a value, in the form that the documents have it in.
    func compare(_ operation: QueryOperator, _ value: Value) -> QueryTerm<Bool> {
        let other = QueryTerm(value, coding)
        if Value.self is any OptionalQueryValue.Type, case .literal(.null) = other.expression {
            switch operation {
            case .equal: return isNotValued
            case .notEqual: return isValued
            // Nothing is before or after what there is not.
            default: return compared(operation, [.literal(.missing)])
            }
        }
        guard operation.isOrder, order == .timestamps,
            case .literal(.string(let timestamp)) = other.expression
        else { return compare(operation, other) }
        return compare(operation, timestamp: timestamp)
    }

    /// Compares with another term.
    func compare<Other>(
        _ operation: QueryOperator, _ other: QueryTerm<Other>
    ) -> QueryTerm<Bool> {
        let function: String? =
            switch operation.isOrder ? order : .same {
            case .same: nil
            case .timestamps: "str_to_millis"
            case .digits: "tonumber"
            }
        guard let function else {
            return compared(operation, [other.expression], other.problem, height: other.height)
        }
        return derived(
            .operation(
                operation,
                [.function(function, [expression]), .function(function, [other.expression])]),
            other.problem, height: other.height)
    }

    private var order: WrittenOrder { WrittenOrder(of: Value.self, dates: coding.encoder.dates) }

    /// What to order by.
    var orderedExpression: QueryExpression {
        order == .digits ? .function("tonumber", [expression]) : expression
    }

    /// Compares with a date as text. The text of a whole second is behind those of the
    /// milliseconds in it, though it is the first moment of it.
    private func compare(_ operation: QueryOperator, timestamp: String) -> QueryTerm<Bool> {
        let second = timestamp.prefix { $0 != "." && $0 != "Z" }
        func whole(_ operation: QueryOperator) -> QueryExpression {
            .operation(operation, [expression, .literal(.string(second + "Z"))])
        }
        let isLess = operation == .less || operation == .lessOrEqual
        guard timestamp.contains(".") else {
            // All texts of this second and later ones.
            let fromSecond = QueryExpression.operation(
                isLess ? .less : .greaterOrEqual, [expression, .literal(.string(second + "."))])
            return switch operation {
            case .greater: derived(.operation(.and, [fromSecond, whole(.notEqual)]))
            case .lessOrEqual: derived(.operation(.or, [fromSecond, whole(.equal)]))
            default: derived(fromSecond)
            }
        }
        let compared = QueryExpression.operation(
            operation, [expression, .literal(.string(timestamp))])
        return derived(
            isLess
                ? .operation(.or, [compared, whole(.equal)])
                : .operation(.and, [compared, whole(.notEqual)]))
    }

    /// Whether it is at least the one and at most the other.
    public func between(_ lowest: Value, _ highest: Value) -> QueryTerm<Bool> {
        guard order == .same else { return self >= lowest && self <= highest }
        let (lowest, highest) = (QueryTerm(lowest, coding), QueryTerm(highest, coding))
        return compared(
            .between, [lowest.expression, highest.expression], lowest.problem ?? highest.problem)
    }
}

extension QueryOperator {
    /// Whether it asks what comes before another.
    fileprivate var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// The operator that says the same of exchanged operands.
    var exchanged: QueryOperator {
        switch self {
        case .less: .greater
        case .lessOrEqual: .greaterOrEqual
        case .greater: .less
        case .greaterOrEqual: .lessOrEqual
        default: self
        }
    }
}
