internal import FleeceLite
internal import QueryLanguage
public import VectorIndex

/// The definition of an index: its kind, the indexed expressions, and the condition.
///
/// An index finds documents by their contents without reading all of them.
/// ``DocumentCollection/createIndex(_:in:progress:)`` creates it; from then on each write keeps it
/// up to date, whichever program writes to the file. Queries use it without naming it, except for
/// full-text indexes.
///
/// ```swift
/// try file.write { transaction in
///     try people.createIndex(.value("byAge", on: "age, name.last"), in: transaction)
///     try people.createIndex(
///         .fullText("byBio", on: "bio", .init(language: "en")), in: transaction)
///     try people.createIndex(.array("byLike", path: "likes"), in: transaction)
/// }
/// ```
///
/// | kind | finds |
/// |---|---|
/// | ``value(_:on:where:)`` | documents by values of properties and expressions, and sorts them |
/// | ``fullText(_:on:_:where:)`` | documents by words in their strings |
/// | ``array(_:path:on:where:)`` | documents by elements of an array |
/// | ``predictive(_:on:_:where:)`` | documents by the result of a model |
/// | ``vector(_:on:_:where:)`` | documents whose vectors are nearest to another one |
///
/// An index with a condition is partial: it contains only the documents for which the condition is
/// true. It is smaller, and writes of other documents are cheaper, but only queries with that
/// condition can use it.
///
/// ```swift
/// let open = IndexSpec.value("openByDate", on: "date", where: "status = 'open'")
/// try file.write { _ = try people.createIndex(open, in: $0) }
/// ```
///
/// Creating an index reads all documents of the collection. After that its cost is paid by each
/// write: see `docs/indexes.md` for measurements, the expressions that can be indexed, and how
/// indexes are stored. An existing index is described by ``IndexInfo``.
public struct IndexSpec: Hashable, Sendable {
    /// The kind of an index, with its options.
    public enum Kind: Hashable, Sendable {
        /// Indexes the values of expressions, to find and sort documents by them.
        case value
        /// Indexes the words of strings, split and reduced as the options specify.
        case fullText(FullTextOptions)
        /// Indexes the elements of the array at a path such as `likes` or `contacts[].phones`, in
        /// which `[]` separates the levels.
        case array(path: String)
        /// Indexes the results of a ``PredictiveModel``.
        case predictive(PredictiveOptions)
        /// Finds the nearest vectors.
        case vector(VectorIndexOptions)
    }

    /// The name, unique in the file: not empty, without U+0000, and not beginning with `sqlite_`.
    ///
    /// The format requires that names are unique in the whole file, not only in the collection. A
    /// name that an index of another collection has is an error when the index is created.
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
    /// The static functions, such as ``value(_:on:where:)``, are shorter. The definition is not
    /// checked before the index is created.
    ///
    /// ```swift
    /// let byName = IndexSpec("byName", .value, on: "name.last, name.first")
    /// let isSame = byName == .value("byName", on: "name.last, name.first")
    /// ```
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - kind: the kind and its options.
    ///   - expressions: the indexed expressions; for an array index, expressions on each element.
    ///   - condition: the condition of a partial index, in the language of `expressions`; nil for
    ///     all documents.
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
    /// ```swift
    /// try file.write { transaction in
    ///     try people.createIndex(.value("byLower", on: "lower(name.last)"), in: transaction)
    /// }
    /// let query = try Query("SELECT META().id FROM _ WHERE lower(name.last) = $name")
    /// ```
    ///
    /// A query uses the index for an expression only if it contains the same expression.
    /// Subqueries, `LIKE` without a collation, and `ANY` and `EVERY` cannot be indexed, except `ANY
    /// x IN list SATISFIES x = value END`.
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
    /// It serves `MATCH(byBio, …)`, which is an error without the index. It stores a copy of the
    /// strings, so it needs about twice their space.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     try people.createIndex(
    ///         .fullText("byBio", on: "title, bio", .init(language: "en")), in: transaction)
    /// }
    /// let query = try Query(
    ///     "SELECT title FROM _ WHERE MATCH(byBio, $words) ORDER BY RANK(byBio) DESC")
    /// let rows = try query.rows(in: snapshot, ["words": "swift programmer"])
    /// ```
    ///
    /// Property values that are not strings are indexed, too: numbers as they are written, an array
    /// by all its strings.
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

    /// An index on the elements of an array, or on properties of the elements: `.array("byPhone",
    /// path: "contacts[].phones", on: "number")`.
    ///
    /// It serves `UNNEST`, and `ANY … IN … SATISFIES …`. Indexes with the same path and condition
    /// share its table.
    ///
    /// ```swift
    /// try file.write { transaction in
    ///     try people.createIndex(.array("byLike", path: "likes"), in: transaction)
    ///     try people.createIndex(
    ///         .array("byPhone", path: "contacts[].phones", on: "kind, number"), in: transaction)
    /// }
    /// let query = try Query("SELECT p.name FROM _ AS p UNNEST p.likes AS l WHERE l = 'chess'")
    /// ```
    ///
    /// A value that is not an array is its own only element; a missing value has no elements.
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

    /// An index on the results of a model: `.predictive("byMood", on: "prediction('mood', {'text':
    /// text}, .label)")`.
    ///
    /// The model is called once for each change of a document, within the transaction, instead of
    /// by every query. It must be registered before the index is created and whenever documents are
    /// written; see ``PredictiveModels``.
    ///
    /// ```swift
    /// let byMood = IndexSpec.predictive(
    ///     "byMood", on: "prediction('mood', {'text': text}, .label)",
    ///     PredictiveOptions(onFailure: .leavesOut))
    /// try file.write { _ = try people.createIndex(byMood, in: $0) }
    /// let query = try Query(
    ///     "SELECT text FROM _ WHERE PREDICTION('mood', {'text': text}, .label) = 'happy'")
    /// ```
    ///
    /// Without a property of the result, the index stores the whole results and finds them by the
    /// model's input. Indexes that differ only in the property share the results.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - prediction: one call of `prediction` with the model's name as a string literal, an input
    ///     that reads no metadata except `META().id`, and optionally a property of the result.
    ///   - options: what happens if the model fails; by default the write fails.
    ///   - condition: the condition of a partial index; nil for all documents.
    public static func predictive(
        _ name: String, on prediction: IndexExpressions, _ options: PredictiveOptions = .init(),
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .predictive(options), on: prediction, where: condition)
    }

    /// An index that finds the documents whose vectors are nearest to another vector:
    /// `.vector("byMeaning", on: "embedding", .init(dimensions: 384))`.
    ///
    /// It serves `APPROX_VECTOR_DISTANCE`, which is an error without the index.
    ///
    /// ```swift
    /// let byMeaning = IndexSpec.vector(
    ///     "byMeaning", on: "embedding", VectorIndexOptions(dimensions: 4, metric: .cosine))
    /// try file.write { _ = try people.createIndex(byMeaning, in: $0) }
    /// let query = try Query(
    ///     "SELECT name FROM _ ORDER BY APPROX_VECTOR_DISTANCE(embedding, $vector) LIMIT 10")
    /// ```
    ///
    /// A vector is an array of numbers, or the Base64 of single-precision numbers in little-endian
    /// order. Documents with another value are left out. The index is always current: documents
    /// that another program has changed are compared one by one until the next write.
    ///
    /// - Parameters:
    ///   - name: the name, unique in the file.
    ///   - expression: one expression that is a vector; it may be a `prediction` of a model. For a
    ///     lazy index, the value from which the application computes the vector.
    ///   - options: the number of dimensions, and how vectors are compared and stored.
    ///   - condition: the condition of a partial index; nil for all documents.
    public static func vector(
        _ name: String, on expression: IndexExpressions, _ options: VectorIndexOptions,
        where condition: String? = nil
    ) -> IndexSpec {
        IndexSpec(name, .vector(options), on: expression, where: condition)
    }
}

/// The indexed expressions, written in one of two languages.
///
/// A string literal is SQL++:
///
/// ```swift
/// let short: IndexExpressions = "age, lower(name.last)"
/// let long = IndexExpressions.json("[[\".age\"], [\"lower()\", [\".name.last\"]]]")
/// let specs = [IndexSpec.value("a", on: short), IndexSpec.value("b", on: long)]
/// ```
///
/// Expressions cannot contain parameters, aggregate functions, and functions that return another
/// value each time, such as `random()`; creating the index throws ``StoreError/Code/invalidQuery``
/// then. The text is parsed when the index is created, and stored in the file.
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
    ///
    /// Use it for expressions that are not a literal:
    ///
    /// ```swift
    /// let properties = ["age", "name.last"]
    /// let spec = IndexSpec.value("all", on: .sqlPlusPlus(properties.joined(separator: ", ")))
    /// ```
    ///
    /// - Parameter text: the expressions. Names with special characters are enclosed in backquotes.
    public static func sqlPlusPlus(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .sqlPlusPlus, text: text)
    }

    /// Expressions in the JSON form, as an array: `[[".age"], ["lower()", [".name.last"]]]`.
    ///
    /// A dictionary `{"WHAT": […], "WHERE": …}` contains the condition as well.
    ///
    /// - Parameter text: the JSON text. It is the form in which Couchbase Lite stores the
    ///   expressions of its indexes.
    public static func json(_ text: String) -> IndexExpressions {
        IndexExpressions(language: .json, text: text)
    }
}

extension IndexExpressions: ExpressibleByStringLiteral {
    /// Creates options. The defaults are LiteCore's.
    ///
    /// ```swift
    /// let plain = FullTextOptions()
    /// let english = FullTextOptions(language: "en", stopWords: [])
    /// let japanese = FullTextOptions(ignoresDiacritics: false, segmentsWords: true)
    /// ```
    ///
    /// - Parameters:
    ///   - language: the language, such as `en`; nil for none.
    ///   - isStemmed: whether words are stemmed.
    ///   - ignoresDiacritics: whether a search ignores diacritics.
    ///   - stopWords: words that are not indexed; nil for those of the language.
    ///   - segmentsWords: whether words are found in scripts without spaces.
    public init(stringLiteral text: String) {
        self = .sqlPlusPlus(text)
    }
}

/// How strings are split into words, and which words are indexed.
///
/// Strings are split at all characters except letters and digits, and letters are converted to
/// lower case. A query's words are treated in the same way, so that `Thinking` finds `thinks` in an
/// index with stemming.
///
/// ```swift
/// var options = FullTextOptions(language: "de")
/// options.stopWords = ["der", "die", "das"]
/// let spec = IndexSpec.fullText("byText", on: "text", options)
/// ```
///
/// The options belong to the index: to change them, create the index again with the same name.
public struct FullTextOptions: Hashable, Sendable {
    /// The language of the strings, such as `en` or `de`. It selects the stemmer and the stop words
    /// (of `en` and `fr`). Nil (default) for none.
    ///
    /// A locale such as `en_US` counts as its language. A language without a stemmer, see
    /// ``stemmedLanguages``, indexes words unchanged. A text that is not a language's code or name
    /// is an error when the index is created.
    public var language: String?
    /// Whether words are stemmed, if there is a stemmer for the language; true by default. With it,
    /// `running` finds `runs`.
    public var isStemmed: Bool
    /// Whether diacritics are removed from the letters, so that a search ignores them; true by
    /// default: `cafe` finds `café`.
    public var ignoresDiacritics: Bool
    /// Words that are not indexed, instead of the language's stop words; nil (default) for those.
    /// An empty list indexes all words.
    public var stopWords: [String]?
    /// Whether runs of Chinese, Japanese, Thai, Lao, Khmer and Burmese letters are split into words
    /// by ICU's dictionaries; false by default.
    ///
    /// LiteCore does not support this: it indexes each run in its own documents as one word, until
    /// the index is rebuilt.
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
    ///
    /// ```swift
    /// let code = Locale.current.language.languageCode?.identifier ?? "en"
    /// let language = FullTextOptions.stemmedLanguages.contains(code) ? code : nil
    /// ```
    public static let stemmedLanguages = Set(
        """
        da danish nl dutch en english fi finnish fr french de german hu hungarian it italian \
        no norwegian porter pt portuguese ro romanian ru russian es spanish sv swedish tr turkish
        """.split(separator: " ").map(String.init))
}

/// The options of a predictive index.
///
/// They are stored in the file for the model: all predictive indexes of a model must have the same,
/// and every process that uses this project applies them. Couchbase Lite ignores them and refuses
/// the write.
public struct PredictiveOptions: Hashable, Sendable {
    /// What happens to a document if the model fails on it or is not registered.
    public enum Failure: String, Hashable, Sendable {
        /// The write fails and so does its transaction: the index is always complete.
        case refusesWrite
        /// The document is written but not indexed, and a warning is logged. It is not found
        /// through the index until it is changed, or the index is rebuilt. See
        /// ``Transaction/predictionFailures()``.
        case leavesOut
    }

    /// What happens if the model fails; ``Failure/refusesWrite`` by default.
    public var onFailure: Failure

    /// Creates options. The default, as in LiteCore, is to refuse the write.
    ///
    /// - Parameter onFailure: what happens to a document if the model fails on it.
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
