internal import FleeceLite
internal import QueryLanguage

/// How an index is defined: what it is for, and of which properties.
///
/// ```swift
/// try people.createIndex(.value("byAge", on: "age, name.last", where: "active"), in: transaction)
/// try people.createIndex(.fullText("byBio", on: "bio", .init(language: "en")), in: transaction)
/// try people.createIndex(.array("byEmail", path: "contact.email"), in: transaction)
/// ```
public struct IndexSpec: Hashable, Sendable {
    /// What an index is for, and what that kind can be told.
    public enum Kind: Hashable, Sendable {
        /// Values of expressions, to find and sort documents by.
        case value
        /// The words of texts.
        case fullText(FullTextOptions)
        /// The elements of the array at a path: `likes`, `contacts[].phones`.
        case array(path: String)
        /// What a model says of documents.
        case predictive(PredictiveOptions)
    }

    /// The name, unique in the file.
    public let name: String
    /// What it is for.
    public let kind: Kind
    /// What is indexed; for an array, of each element, and nothing for the element itself.
    public let expressions: IndexExpressions
    /// Only documents of which this is true are in the index; in the language of `expressions`.
    public let condition: String?

    /// An index of any kind.
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
    public static func value(
        _ name: String, on expressions: IndexExpressions, where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .value, on: expressions, where: condition)
    }

    /// A full-text index of one property or more: `.fullText("byBio", on: "title, bio")`.
    public static func fullText(
        _ name: String, on properties: IndexExpressions, _ options: FullTextOptions = .init(),
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .fullText(options), on: properties, where: condition)
    }

    /// An index of the elements of an array, or of properties of theirs:
    /// `.array("byPhone", path: "contacts[].phones", on: "number")`.
    public static func array(
        _ name: String, path: String, on expressions: IndexExpressions = "",
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .array(path: path), on: expressions, where: condition)
    }

    /// An index of what a model says:
    /// `.predictive("byMood", on: "prediction('mood', {'text': text}, .label)")`.
    ///
    /// Without a property of the result, the results are kept, and looked up by the model's input.
    public static func predictive(
        _ name: String, on prediction: IndexExpressions, _ options: PredictiveOptions = .init(),
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .predictive(options), on: prediction, where: condition)
    }
}

/// What is indexed: a list of expressions, in one of two languages.
public struct IndexExpressions: Hashable, Sendable {
    /// The language of a text.
    public enum Language: Hashable, Sendable {
        /// `age, name.last`
        case sqlPlusPlus
        /// `[[".age"], [".name.last"]]`
        case json
    }

    /// The language of the text.
    public let language: Language
    /// The text, as it is kept in the file.
    public let text: String

    /// Expressions in SQL++, separated by commas: `age, lower(name.last)`.
    public static func sqlPlusPlus(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .sqlPlusPlus, text: text)
    }

    /// Expressions in the JSON form, an array of them: `[[".age"], ["lower()", [".name.last"]]]`.
    public static func json(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .json, text: text)
    }
}

extension IndexExpressions: ExpressibleByStringLiteral {
    /// Expressions in SQL++.
    public init(stringLiteral text: String) {
        self = .sqlPlusPlus(text)
    }
}

/// How the words of texts are made.
public struct FullTextOptions: Hashable, Sendable {
    /// The language of the texts, such as `en` or `de`: whose word endings are cut off, and whose
    /// stop words are left out (of `en` and `fr`). Nil for none.
    public var language: String?
    /// Whether word endings are cut off, if the language is known.
    public var isStemmed: Bool
    /// Whether letters are found without their accents.
    public var ignoresDiacritics: Bool
    /// Words that are not indexed, in place of the language's own.
    public var stopWords: [String]?
    /// Whether runs of Chinese, Japanese or Thai letters are cut into words. LiteCore does not
    /// know that, and would write texts of its own as one word each run.
    public var segmentsWords: Bool

    /// Options; all have LiteCore's defaults.
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

    /// The languages whose word endings are known, as codes and as names; an index of texts in
    /// another one has its words as they are, as LiteCore's has.
    public static let stemmedLanguages = Set(
        """
        da danish nl dutch en english fi finnish fr french de german hu hungarian it italian \
        no norwegian porter pt portuguese ro romanian ru russian es spanish sv swedish tr turkish
        """.split(separator: " ").map(String.init))
}

/// How a predictive index is kept.
public struct PredictiveOptions: Hashable, Sendable {
    /// What becomes of a document of which the model fails, or while the model is not registered.
    public enum Failure: String, Hashable, Sendable {
        /// It is not written, and its transaction fails: the index is always whole.
        case refusesWrite
        /// It is written, is not in the index, and a warning is logged.
        case leavesOut
    }

    /// What a failure does.
    public var onFailure: Failure

    /// Options; LiteCore refuses the write.
    public init(onFailure: Failure = .refusesWrite) {
        self.onFailure = onFailure
    }
}

extension IndexSpec {
    /// The definition without `_`, by which statements call the documents: `_.age` becomes `age`,
    /// as a query of the collection means it. In an index it would be the property `age` of a
    /// property `_`.
    ///
    /// The texts stay as they are where nothing is called so.
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
