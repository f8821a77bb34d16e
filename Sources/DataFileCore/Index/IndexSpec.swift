internal import FleeceLite
internal import QueryLanguage

/// The definition of an index: its kind, the indexed expressions, and the condition.
///
/// ```swift
/// try people.createIndex(.value("byAge", on: "age, name.last", where: "active"), in: transaction)
/// try people.createIndex(.fullText("byBio", on: "bio", .init(language: "en")), in: transaction)
/// try people.createIndex(.array("byEmail", path: "contact.email"), in: transaction)
/// ```
public struct IndexSpec: Hashable, Sendable {
    /// The kind of an index, with its options.
    public enum Kind: Hashable, Sendable {
        /// Indexes the values of expressions, to find and sort documents by them.
        case value
        /// Indexes the words of strings.
        case fullText(FullTextOptions)
        /// Indexes the elements of the array at a path such as `likes` or `contacts[].phones`.
        case array(path: String)
        /// Indexes the results of a model.
        case predictive(PredictiveOptions)
    }

    /// The name, unique in the file.
    public let name: String
    /// The kind and its options.
    public let kind: Kind
    /// The indexed expressions. For an array index, expressions on each element; empty to index the
    /// elements themselves.
    public let expressions: IndexExpressions
    /// The condition of a partial index, in the language of `expressions`: only documents for which
    /// it is true are in the index. Nil for all documents.
    public let condition: String?

    /// Creates the definition of an index of any kind.
    ///
    /// The static functions, such as ``value(_:on:where:)``, are shorter. The definition is checked
    /// when the index is created.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - kind: the kind and its options.
    ///   - expressions: the indexed expressions; for an array index, expressions on each element.
    ///   - condition: the condition of a partial index, in the language of `expressions`; nil
    ///     for all documents.
    public init(
        _ name: String, _ kind: Kind, on expressions: IndexExpressions,
        where condition: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.expressions = expressions
        self.condition = condition
    }

    /// A value index: `.value("byName", on: "name.last, name.first")`.
    ///
    /// It serves comparisons with its first expressions and sorting by them. SQLite itself
    /// maintains it, so it is the cheapest kind. A missing property is NULL in the index.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - expressions: one expression or more, the most important one first.
    ///   - condition: the condition of a partial index; nil for all documents.
    public static func value(
        _ name: String, on expressions: IndexExpressions, where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .value, on: expressions, where: condition)
    }

    /// A full-text index on one or more properties: `.fullText("byBio", on: "title, bio")`.
    ///
    /// It serves `MATCH(byBio, …)`. It stores a copy of the strings, so it needs about twice their
    /// space.
    ///
    /// - Parameters:
    ///   - name: the name, by which `MATCH` and `RANK` refer to the index.
    ///   - properties: properties; other expressions are an error.
    ///   - options: how strings are split into words.
    ///   - condition: the condition of a partial index; nil for all documents.
    public static func fullText(
        _ name: String, on properties: IndexExpressions, _ options: FullTextOptions = .init(),
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .fullText(options), on: properties, where: condition)
    }

    /// An index on the elements of an array, or on properties of the elements:
    /// `.array("byPhone", path: "contacts[].phones", on: "number")`.
    ///
    /// It serves `UNNEST`, and `ANY … IN … SATISFIES …`. Indexes with the same path and condition
    /// share its table.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - path: the path of the array; `[]` separates the levels of nested arrays.
    ///   - expressions: expressions on each element; empty to index the elements themselves.
    ///   - condition: the condition of a partial index; nil for all documents.
    public static func array(
        _ name: String, path: String, on expressions: IndexExpressions = "",
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .array(path: path), on: expressions, where: condition)
    }

    /// An index on the results of a model:
    /// `.predictive("byMood", on: "prediction('mood', {'text': text}, .label)")`.
    ///
    /// Without a property of the result, the index stores the whole results and finds them by the
    /// model's input.
    public static func predictive(
        _ name: String, on prediction: IndexExpressions, _ options: PredictiveOptions = .init(),
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .predictive(options), on: prediction, where: condition)
    }
}

/// The indexed expressions, written in one of two languages.
public struct IndexExpressions: Hashable, Sendable {
    /// The language of the expressions.
    public enum Language: Hashable, Sendable {
        /// SQL++: `age, name.last`
        case sqlPlusPlus
        /// The JSON form: `[[".age"], [".name.last"]]`
        case json
    }

    /// The language of `text`.
    public let language: Language
    /// The source text, which is stored in the file.
    public let text: String

    /// Expressions in SQL++, separated by commas: `age, lower(name.last)`.
    public static func sqlPlusPlus(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .sqlPlusPlus, text: text)
    }

    /// Expressions in the JSON form, as an array: `[[".age"], ["lower()", [".name.last"]]]`.
    public static func json(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .json, text: text)
    }
}

extension IndexExpressions: ExpressibleByStringLiteral {
    /// Creates expressions in SQL++.
    public init(stringLiteral text: String) {
        self = .sqlPlusPlus(text)
    }
}

/// How strings are split into words, and which words are indexed.
public struct FullTextOptions: Hashable, Sendable {
    /// The language of the strings, such as `en` or `de`. It selects the stemmer and the stop words
    /// (of `en` and `fr`). Nil for none.
    public var language: String?
    /// Whether words are stemmed, if there is a stemmer for the language.
    public var isStemmed: Bool
    /// Whether diacritics are removed from the letters, so that a search ignores them.
    public var ignoresDiacritics: Bool
    /// Words that are not indexed, instead of the language's stop words.
    public var stopWords: [String]?
    /// Whether runs of Chinese, Japanese or Thai letters are split into words. LiteCore does not
    /// support this: it indexes each run in its own documents as one word.
    public var segmentsWords: Bool

    /// Creates options. The defaults are LiteCore's.
    public init(
        language: String? = nil, isStemmed: Bool = true, ignoresDiacritics: Bool = true,
        stopWords: [String]? = nil, segmentsWords: Bool = false
    ) {
        self.language = language
        self.isStemmed = isStemmed
        self.ignoresDiacritics = ignoresDiacritics
        self.stopWords = stopWords
        self.segmentsWords = segmentsWords
    }

    /// The languages that have a stemmer, as codes and as names. The words of other languages are
    /// indexed unchanged, as in LiteCore.
    public static let stemmedLanguages = Set(
        """
        da danish nl dutch en english fi finnish fr french de german hu hungarian it italian \
        no norwegian porter pt portuguese ro romanian ru russian es spanish sv swedish tr turkish
        """.split(separator: " ").map(String.init))
}

/// The options of a predictive index.
public struct PredictiveOptions: Hashable, Sendable {
    /// What happens to a document if the model fails on it or is not registered.
    public enum Failure: String, Hashable, Sendable {
        /// The write fails and so does its transaction: the index is always complete.
        case refusesWrite
        /// The document is written but not indexed, and a warning is logged.
        case leavesOut
    }

    /// What happens if the model fails.
    public var onFailure: Failure

    /// Creates options. The default, as in LiteCore, is to refuse the write.
    public init(onFailure: Failure = .refusesWrite) {
        self.onFailure = onFailure
    }
}

extension IndexSpec {
    /// The definition without the alias `_`, which statements use for the document: `_.age` becomes
    /// `age`, as in a query of the collection. In an index, `_.age` would be the property `age` of
    /// a property `_`.
    ///
    /// Returns the definition unchanged if it does not use the alias.
    ///
    /// Throws `.invalidQuery`.
    package func withoutSourceName() throws -> IndexSpec {
        let definition = try IndexDefinition(expressions, where: condition)
        let mapped = definition.expressions.map(\.withoutSourceName)
        let mappedCondition = definition.condition?.withoutSourceName
        let mappedKind = kind.withoutSourceName
        let isSame = mapped == definition.expressions && mappedCondition == definition.condition
        guard !isSame || mappedKind != kind else { return self }
        guard !isSame else { return IndexSpec(name, mappedKind, on: expressions, where: condition) }
        switch expressions.language {
        case .sqlPlusPlus:
            return IndexSpec(
                name, mappedKind, on: .sqlPlusPlus(SQLPPWriter.text(mapped)),
                where: mappedCondition.map { SQLPPWriter.text($0) })
        case .json:
            return IndexSpec(
                name, mappedKind, on: .json(QueryJSONWriter.text(mapped)),
                where: mappedCondition.map { QueryJSONWriter.text($0) })
        }
    }
}

extension IndexSpec.Kind {
    fileprivate var withoutSourceName: IndexSpec.Kind {
        guard case .array(let path) = self, path.hasPrefix("_.") else { return self }
        return .array(path: String(path.dropFirst(2)))
    }
}

extension QueryExpression {
    fileprivate var withoutSourceName: QueryExpression {
        mappingProperties { path in
            guard path.components.count > 1, path.components[0] == .key("_"),
                case .key = path.components[1]
            else { return .property(path) }
            return .property(PropertyPath(Array(path.components.dropFirst())))
        }
    }
}
