internal import FleeceLite

extension SQLPPWriter {
    mutating func write(_ operation: QueryOperator, _ operands: [QueryExpression]) {
        guard let first = operands.first else { return }
        switch operation {
        case .exists:
            append("EXISTS ")
            if case .subquery(let query) = first { return writeNested(query) }
            append("(")
            write(first)
            append(")")
        case .not: writeNegated(first)
        case .subtract where operands.count == 1:
            append("-")
            // A second sign, or the sign of a number, would merge with this one.
            write(first, .primary)
        case .like, .between, .isValued: writeComparison(operation, operands, negation: "")
        case .in, .notIn: writeMembership(operation, first, Array(operands.dropFirst()))
        default: write(operands, between: " \(operation.rawValue) ", operation.precedence)
        }
    }

    private mutating func write(
        _ operands: [QueryExpression], between text: String, _ precedence: SQLPPPrecedence
    ) {
        for (index, operand) in operands.enumerated() {
            if index > 0 { append(text) }
            write(operand, index == 0 ? precedence : precedence.tighter)
        }
    }

    private mutating func writeNegated(_ operand: QueryExpression) {
        if operand.canBeNegated, case .operation(let operation, let operands) = operand {
            writeComparison(operation, operands, negation: "NOT ")
        } else {
            append("NOT ")
            write(operand, .not)
        }
    }

    private mutating func writeComparison(
        _ operation: QueryOperator, _ operands: [QueryExpression], negation: String
    ) {
        guard let first = operands.first else { return }
        let others = Array(operands.dropFirst())
        write(first, .equality)
        if operation == .isValued { return append(" IS \(negation)VALUED") }
        append(" \(negation)\(operation.rawValue) ")
        for (index, other) in others.enumerated() {
            if index > 0 { append(operation == .like ? " ESCAPE " : " AND ") }
            write(other, .order)
        }
    }

    private mutating func writeMembership(
        _ operation: QueryOperator, _ value: QueryExpression, _ others: [QueryExpression]
    ) {
        write(value, .equality)
        append(" \(operation.rawValue) ")
        if others.count == 1, case .subquery(let query) = others[0] {
            writeNested(query)
        } else if others.count == 1, case .array(let items) = others[0] {
            append("(")
            write(items)
            append(")")
        } else if others.count == 1 {
            // A parenthesis would begin a list; a `+` without effect prevents that.
            var operand = Self()
            operand.sourceNames = sourceNames
            operand.write(others[0], .order)
            append(operand.text.utf8.first == UInt8(ascii: "(") ? "+" + operand.text : operand.text)
        } else {
            append("(")
            write(others)
            append(")")
        }
    }

    mutating func write(_ collation: QueryCollation) {
        var words = [collation.isUnicode ? "UNICODE" : "NOUNICODE"]
        if collation.isUnicode, !collation.locale.isEmpty {
            words[0] += ":" + Self.quotedName(collation.locale)
        }
        words.append(collation.isCaseSensitive ? "CASE" : "NOCASE")
        words.append(collation.isDiacriticSensitive ? "DIAC" : "NODIAC")
        append(" COLLATE (\(words.joined(separator: " ")))")
    }

    mutating func write(
        _ subject: QueryExpression?, _ branches: [QueryCase], _ otherwise: QueryExpression?
    ) {
        append("CASE")
        if let subject { write(" ", subject) }
        for branch in branches {
            write(" WHEN ", branch.condition)
            write(" THEN ", branch.value)
        }
        if let otherwise { write(" ELSE ", otherwise) }
        append(" END")
    }

    mutating func write(_ quantifier: QueryQuantifier) {
        append("\(quantifier.kind.rawValue) \(Self.quotedName(quantifier.variable))")
        write(" IN ", quantifier.collection)
        write(" SATISFIES ", quantifier.condition)
        append(" END")
    }

    private mutating func write(_ before: String, _ expression: QueryExpression) {
        append(before)
        write(expression)
    }
}
