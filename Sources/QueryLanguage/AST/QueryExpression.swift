package import FleeceLite

/// An expression of a query or an index, independent of the language it was written in.
///
/// It represents the source text and does not depend on the tables of a file.
package indirect enum QueryExpression: Hashable, Sendable {
    case literal(QueryLiteral)
    /// An array of the values of its elements.
    case array([QueryExpression])
    /// A dictionary of the values of its entries.
    case dictionary([QueryDictionaryEntry])
    /// A property of a document. The first name may be that of a source of the query; an empty path
    /// is the whole document.
    case property(PropertyPath)
    /// The variable of an enclosing `ANY` or `EVERY`, or a property of it.
    case variable(String, PropertyPath)
    /// A parameter, whose value is given when the query is run.
    case parameter(String)
    /// A property of the value of an expression.
    case nested(QueryExpression, PropertyPath)
    /// Metadata of a document of the source with this name.
    case meta(MetaProperty, source: String?)
    case operation(QueryOperator, [QueryExpression])
    /// A function by its name in the query language, in lower case.
    case function(String, [QueryExpression])
    /// A function with `DISTINCT`, `FILTER` or `OVER`.
    case call(QueryCall)
    /// A subquery: the first column of its first row; after `EXISTS`, whether it has rows; after
    /// `IN`, the first column of all rows.
    case subquery(QuerySelect)
    /// The collation of the comparisons in an expression.
    case collate(QueryCollation, QueryExpression)
    /// `CASE`: the first branch whose condition is true, or whose condition equals the subject.
    case cases(subject: QueryExpression?, [QueryCase], otherwise: QueryExpression?)
    case quantified(QueryQuantifier)
    /// Whether a document matches a full-text query, by the full-text index of this name.
    case match(index: String, words: QueryExpression)
    /// The rank of a full-text match.
    case rank(index: String)
    /// The output of a prediction model for an input, or a property of it.
    case prediction(model: QueryExpression, input: QueryExpression, property: PropertyPath?)
    /// The bytes of the blob that a property refers to.
    case blob(PropertyPath)
    /// An expression and where it begins in the text; only in a statement that is parsed to locate
    /// an error.
    case located(TextPosition, QueryExpression)
}

/// A literal value.
package enum QueryLiteral: Hashable, Sendable {
    /// The absence of a value, which differs from `null`.
    case missing
    case null
    case boolean(Bool)
    case integer(Int64)
    /// A number above `Int64.max`.
    case unsigned(UInt64)
    case real(Double)
    case string(String)
}

/// A key and its value in a dictionary constructor.
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
    /// The number of elements that must satisfy the condition.
    package enum Kind: String, Hashable, Sendable {
        case any = "ANY"
        /// All elements; true for an empty array.
        case every = "EVERY"
        /// All elements, of which there must be at least one.
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

/// The metadata of a document.
package enum MetaProperty: String, CaseIterable, Hashable, Sendable {
    case id, sequence, deleted, expiration, revisionID
    /// The rowid of its row.
    case rowid
    /// A dictionary of all metadata except the rowid.
    case all = ""
}

/// A collation as specified in a query.
package struct QueryCollation: Hashable, Sendable {
    /// Whether strings are compared by Unicode rules; otherwise bytes are compared.
    package var isUnicode = false
    package var isCaseSensitive = true
    package var isDiacriticSensitive = true
    /// A locale such as `se` or `yue_Hans_CN`; empty for the root locale.
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
    /// Subtraction; with one operand, negation.
    case subtract = "-"
    case less = "<"
    case lessOrEqual = "<="
    case greater = ">"
    case greaterOrEqual = ">="
    case equal = "="
    case notEqual = "!="
    case `is` = "IS"
    case isNot = "IS NOT"
    /// Whether the first operand equals one of the others, or an element of the array that is the
    /// only other operand.
    case `in` = "IN"
    case notIn = "NOT IN"
    /// The third operand, if present, is the escape character for `%` and `_`.
    case like = "LIKE"
    /// Unlike `!=` it has a value if an operand is missing.
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
