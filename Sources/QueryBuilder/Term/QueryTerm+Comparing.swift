internal import FleeceLite
internal import QueryLanguage

// The implementation of comparisons.
extension QueryTerm {
    /// Compares with a value in its encoded form.
    func compare(_ operation: QueryOperator, _ value: Value) -> QueryTerm<Bool> {
        let other = QueryTerm(value, coding)
        if Value.self is any OptionalQueryValue.Type, case .literal(.null) = other.expression {
            switch operation {
            case .equal: return isNotValued
            case .notEqual: return isValued
            // No value is before or after a missing one.
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

    /// The expression to sort by.
    var orderedExpression: QueryExpression {
        order == .digits ? .function("tonumber", [expression]) : expression
    }

    /// Compares with a date as a string. The string of a whole second sorts after those of the
    /// milliseconds within it, although it is the earliest instant.
    private func compare(_ operation: QueryOperator, timestamp: String) -> QueryTerm<Bool> {
        let second = timestamp.prefix { $0 != "." && $0 != "Z" }
        func whole(_ operation: QueryOperator) -> QueryExpression {
            .operation(operation, [expression, .literal(.string(second + "Z"))])
        }
        let isLess = operation == .less || operation == .lessOrEqual
        guard timestamp.contains(".") else {
            // All strings of this second and later ones.
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

    /// Whether it is at least one value and at most another.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.age.between(18, 65) }
    /// ```
    /// It is missing if the value is; an index serves it like `>=` and `<=`. If the lowest value
    /// exceeds the highest, it matches nothing. Dates that are stored as strings are compared as
    /// dates.
    ///
    /// - Parameters:
    ///   - lowest: the lowest value that matches.
    ///   - highest: the highest value that matches.
    public func between(_ lowest: Value, _ highest: Value) -> QueryTerm<Bool> {
        guard order == .same else { return self >= lowest && self <= highest }
        let (lowest, highest) = (QueryTerm(lowest, coding), QueryTerm(highest, coding))
        return compared(
            .between, [lowest.expression, highest.expression], lowest.problem ?? highest.problem)
    }
}

extension QueryOperator {
    /// Whether it compares the order of its operands.
    fileprivate var isOrder: Bool {
        switch self {
        case .less, .lessOrEqual, .greater, .greaterOrEqual: true
        default: false
        }
    }

    /// The equivalent operator for exchanged operands.
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
