package import FleeceLite

/// An expression of a query or an index, whatever language it was written in.
///
/// It says what was written, and nothing of the tables it is asked of.
package indirect enum QueryExpression: Hashable, Sendable {
    case literal(QueryLiteral)
    /// An array of what its elements give.
    case array([QueryExpression])
    /// A dictionary of what its values give.
    case dictionary([QueryDictionaryEntry])
    /// A property of a document. The first name may be that of a source of the query; no
    /// component is the whole document.
    case property(PropertyPath)
    /// The variable of an `ANY` or `EVERY` around it, or a property of that.
    case variable(String, PropertyPath)
    /// A value that is given when the query is run.
    case parameter(String)
    /// A property of what an expression gives.
    case nested(QueryExpression, PropertyPath)
    /// What is known of a document, of the source of this name.
    case meta(MetaProperty, source: String?)
    case operation(QueryOperator, [QueryExpression])
    /// A function by its name in the query language, in lower case.
    case function(String, [QueryExpression])
    /// A function with `DISTINCT`, `FILTER` or `OVER`.
    case call(QueryCall)
    /// A query in parentheses: the first column of its first row, behind `EXISTS` whether it has
    /// rows, behind `IN` the first column of all.
    case subquery(QuerySelect)
    /// The collation by which comparisons inside are made.
    case collate(QueryCollation, QueryExpression)
    /// The first branch whose condition is true, or is equal to the subject.
    case cases(subject: QueryExpression?, [QueryCase], otherwise: QueryExpression?)
    case quantified(QueryQuantifier)
    /// Whether a document matches words, by the full-text index of this name.
    case match(index: String, words: QueryExpression)
    /// How well it matches.
    case rank(index: String)
    /// What a model says of an input, or a property of that.
    case prediction(model: QueryExpression, input: QueryExpression, property: PropertyPath?)
    /// The bytes of the blob that a property refers to.
    case blob(PropertyPath)
}

/// A value that is written in an expression.
package enum QueryLiteral: Hashable, Sendable {
    /// No value at all, which is another thing than `null`.
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number beyond `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case string(String)
}

/// A key and its value in a dictionary that is written in an expression.
package struct QueryDictionaryEntry: Hashable, Sendable {
    package var key: String
    package var value: QueryExpression

    package init(key: String, value: QueryExpression) {
        self.key = key
        self.value = value
    }
}

/// `WHEN condition THEN value`
package struct QueryCase: Hashable, Sendable {
    package var condition: QueryExpression
    package var value: QueryExpression

    package init(condition: QueryExpression, value: QueryExpression) {
        self.condition = condition
        self.value = value
    }
}

/// `ANY variable IN collection SATISFIES condition END`
package struct QueryQuantifier: Hashable, Sendable {
    /// How many elements must satisfy the condition.
    package enum Kind: String, Hashable, Sendable {
        case any = "ANY"
        /// Also true if there are no elements.
        case every = "EVERY"
        /// All, and there must be one.
        case anyAndEvery = "ANY AND EVERY"
    }

    package var kind: Kind
    package var variable: String
    package var collection: QueryExpression
    package var condition: QueryExpression

    package init(
        kind: Kind, variable: String, collection: QueryExpression, condition: QueryExpression
    ) {
        self.kind = kind
        self.variable = variable
        self.collection = collection
        self.condition = condition
    }
}

/// What is known of a document besides its properties.
package enum MetaProperty: String, CaseIterable, Hashable, Sendable {
    case id, sequence, deleted, expiration, revisionID
    /// The number of its row.
    case rowid
    /// A dictionary of all but the last.
    case all = ""
}

/// A collation, as a query asks for it.
package struct QueryCollation: Hashable, Sendable {
    /// Whether letters beyond ASCII have an order of their own; otherwise bytes are compared.
    package var isUnicode = false
    package var isCaseSensitive = true
    package var isDiacriticSensitive = true
    /// Such as `se` or `yue_Hans_CN`; empty for the root of all languages.
    package var locale = ""

    package init(
        isUnicode: Bool = false, isCaseSensitive: Bool = true, isDiacriticSensitive: Bool = true,
        locale: String = ""
    ) {
        self.isUnicode = isUnicode
        self.isCaseSensitive = isCaseSensitive
        self.isDiacriticSensitive = isDiacriticSensitive
        self.locale = locale
    }
}

/// An operator; its raw value is its name in the JSON form.
package enum QueryOperator: String, CaseIterable, Hashable, Sendable {
    case concatenate = "||"
    case multiply = "*"
    case divide = "/"
    case modulo = "%"
    case add = "+"
    /// Of two operands; of one it is the sign.
    case subtract = "-"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "="
    case notEqual = "!="
    case `is` = "IS"
    case isNot = "IS NOT"
    /// The first operand is one of the others, or of an array that is the only other.
    case `in` = "IN"
    case notIn = "NOT IN"
    /// The third operand, if there is one, is the sign that takes their meaning from `%` and `_`.
    case like = "LIKE"
    /// Unlike `!=` it has an answer if an operand is missing.
    case isDistinctFrom = "IS DISTINCT FROM"
    case isNotDistinctFrom = "IS NOT DISTINCT FROM"
    case between = "BETWEEN"
    case exists = "EXISTS"
    /// Neither missing nor null.
    case isValued = "IS VALUED"
    case not = "NOT"
    case and = "AND"
    case or = "OR"
}
