/// How the value of an expression is used.
struct ValueUse {
    /// Whether `true` must differ from 1: values of indexes have lost their subtypes.
    var needsType = false
    /// Whether it is written exactly as in an index.
    var isExact = false
    /// Whether nothing may match an index expression, from which SQLite would take the value.
    var isHidden = false
    /// Whether the bytes of collections matter, since they are compared with others.
    var needsForm = false
    /// The collation of the first comparison in it.
    var collation: PendingCollation?
    /// Collects the parts of an exact expression whose types matter.
    var typedParts: TypedParts?
    /// The variable that stands for the elements of an array index.
    var element: ResolvedVariable?

    /// Whether a value is computed with its subtype.
    var keepsSubtypes: Bool { needsType && !isExact }

    func typed(_ needsType: Bool = true) -> ValueUse {
        var use = self
        use.needsType = needsType
        return use
    }

    /// The use of an operand, which compares bytes or numbers.
    func operand(needsForm: Bool = false) -> ValueUse {
        var use = typed(false)
        use.needsForm = needsForm
        return use
    }
}

/// A collation that the first comparison in an expression takes.
final class PendingCollation {
    private var collation: QueryCollation?

    init(_ collation: QueryCollation) {
        self.collation = collation
    }

    var isTaken: Bool { collation == nil }
    var value: QueryCollation? { collation }

    func take() -> QueryCollation? {
        defer { collation = nil }
        return collation
    }
}

/// The parts of an expression whose types matter to the expressions around them.
final class TypedParts {
    private var parts: [SQLExpression] = []

    func add(_ part: SQLExpression) { parts.append(part) }

    /// Their SQL texts in an index.
    func sqlTexts() throws -> Set<String> {
        Set(try parts.map { try SQLPrinter.sql($0, isBare: true) })
    }
}
