internal import QueryLanguage
internal import StoreFormat

extension QueryTerm where Value: QueryStringValue {
    /// Whether the string matches a pattern, where `%` matches any characters and `_` matches one.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.like("B%n") || $0.state.like("N_") }
    /// ```
    /// It is case-sensitive, unless the string is ``ignoringCase``. An index finds the documents if
    /// the pattern begins with other characters, such as `B%`. A missing string is missing; null
    /// does not match. For literal text use ``hasPrefix(_:)``, ``hasSuffix(_:)`` or `contains`.
    ///
    /// - Parameters:
    ///   - pattern: the pattern, which must match the whole string.
    ///   - escape: the character that makes the following `%` or `_` literal; `\` if nil.
    public func like(_ pattern: String, escape: Character? = nil) -> QueryTerm<Bool> {
        let signs = escape.map { [QueryExpression.literal(.string(String($0)))] } ?? []
        return compared(.like, [.literal(.string(pattern))] + signs)
    }

    /// Whether the string matches a pattern from another value, such as a parameter.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.like(parameter("pattern")) }
    /// ```
    /// - Parameter pattern: the term of the pattern.
    public func like(_ pattern: QueryTerm<String>) -> QueryTerm<Bool> {
        compared(.like, [pattern.expression], pattern.problem, height: pattern.height)
    }

    /// Whether the string matches a pattern, for key paths: `\.name.last[like: "B%"]`.
    ///
    /// ```swift
    /// let query = from(persons).where(\.name.last[like: "B%"])
    /// ```
    public subscript(like pattern: String) -> QueryTerm<Bool> { like(pattern) }

    /// Whether the string contains another one.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.ignoringCase.contains("by") }
    /// ```
    /// It is case-sensitive, unless the string is ``ignoringCase``. No index serves it; a full-text
    /// index with ``match(_:_:)`` finds words instead. The empty string is contained in none.
    ///
    /// - Parameter text: the other string, without wildcards.
    public func contains(_ text: String) -> QueryTerm<Bool> {
        call("contains", .literal(.string(text)))
    }

    /// Whether the string contains the value of another term, such as a parameter.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.contains($0.name.first) }
    /// ```
    /// - Parameter text: the term of the other string.
    public func contains(_ text: QueryTerm<String>) -> QueryTerm<Bool> {
        let contains: QueryTerm<Bool> = call("contains", text.expression)
        return contains.derived(contains.expression, text.problem, height: text.height)
    }

    /// Whether the string contains another one, for key paths: `\.name.last[contains: "by"]`.
    public subscript(contains text: String) -> QueryTerm<Bool> { contains(text) }

    /// Whether the string begins with another one, as a `LIKE` whose wildcards are escaped.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.hasPrefix("B") }
    /// ```
    /// An index on the string finds the documents.
    ///
    /// - Parameter text: the beginning, compared case-sensitively.
    public func hasPrefix(_ text: String) -> QueryTerm<Bool> {
        like(Self.escaped(text) + "%", escape: "\\")
    }

    /// Whether the string ends with another one. No index serves it.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.email.hasSuffix("@example.com") }
    /// ```
    /// - Parameter text: the end, compared case-sensitively.
    public func hasSuffix(_ text: String) -> QueryTerm<Bool> {
        like("%" + Self.escaped(text), escape: "\\")
    }

    /// Whether a regular expression matches a part of the string.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.matches("^[HL].*e$") }
    /// ```
    /// The expression has ICU's syntax; `^` and `$` anchor it. It is null for a value that is not a
    /// string. An invalid expression, and one that takes too long, is an error of the run.
    ///
    /// - Parameter regularExpression: the expression.
    public func matches(_ regularExpression: String) -> QueryTerm<Bool> {
        call("regexp_contains", .literal(.string(regularExpression)))
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
    }

    /// The string in lower case, by the rules of Unicode; null for a value that is not a string.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.name.last.lower() == "byron" }
    /// ```
    /// An index on `lower(name.last)` serves the comparison. ``ignoringCase`` compares without
    /// changing the string.
    public func lower() -> Self { call("lower") }

    /// The string in upper case, by the rules of Unicode; null for a value that is not a string.
    ///
    /// ```swift
    /// let query = from(persons).select { $0.name.last.upper() + ", " + $0.name.first }
    /// ```
    public func upper() -> Self { call("upper") }

    /// The string without leading and trailing white space; null for a value that is not a string.
    ///
    /// ```swift
    /// let change = update(persons).set(\.state) { $0.state.trim() }
    /// ```
    public func trim() -> Self { call("trim") }

    /// The string in lower case, for key paths; the same as ``lower()``.
    ///
    /// ```swift
    /// let query = from(persons).where(\.name.last.lowercase == "byron")
    /// ```
    public var lowercase: Self { lower() }

    /// The string in upper case, for key paths; the same as ``upper()``.
    public var uppercase: Self { upper() }

    /// The length of the string in Unicode scalars; null for a value that is not a string.
    ///
    /// ```swift
    /// let query = from(persons).where(\.name.last.length > 20)
    /// ```
    public var length: QueryTerm<Int> { call("length") }

    /// The length of the string in Unicode scalars, as ``length``, not in characters as in Swift.
    public var count: QueryTerm<Int> { length }

    /// Whether the string is empty; missing for a missing string.
    ///
    /// ```swift
    /// let query = from(persons).where { $0.email == nil || $0.email.isEmpty }
    /// ```
    public var isEmpty: QueryTerm<Bool> { length == 0 }

    /// The string, compared case-insensitively, by the rules of Unicode.
    ///
    /// ```swift
    /// let query = from(persons).where(\.name.last.ignoringCase == "BYRON")
    /// ```
    /// It affects the comparison, order or `contains` that follows; the value itself is unchanged.
    /// An index serves the comparison if it has the same collation.
    public var ignoringCase: Self { collated(ignoresCase: true) }

    /// The string, compared by the collation of a locale.
    ///
    /// ```swift
    /// let names = from(persons)
    ///     .orderBy { $0.name.last.collated(ignoresCase: true, locale: "sv").ascending }
    ///     .select(\.name.last)
    /// ```
    /// It affects the comparison, order or `contains` that follows; the value itself is unchanged.
    /// Without it strings are compared by their bytes. An index serves it if it has the same
    /// collation.
    ///
    /// - Parameters:
    ///   - ignoresCase: whether upper and lower case are equal; false by default.
    ///   - ignoresAccents: whether letters with and without diacritics are equal; false by default.
    ///   - locale: the locale, such as `se`; nil for the root locale.
    public func collated(
        ignoresCase: Bool = false, ignoresAccents: Bool = false, locale: String? = nil
    ) -> Self {
        let collation = QueryCollation(
            isUnicode: true, isCaseSensitive: !ignoresCase, isDiacriticSensitive: !ignoresAccents,
            locale: locale ?? "")
        return derived(.collate(collation, expression))
    }
}

extension QueryTerm {
    /// Calls a function with the term and other arguments. A collation applies to the function.
    func call<Result>(_ name: String, _ others: QueryExpression...) -> QueryTerm<Result> {
        guard case .collate(let collation, let value) = expression else {
            return derived(.function(name, [expression] + others))
        }
        return derived(.collate(collation, .function(name, [value] + others)))
    }

    /// Calls a function of the query language by its name, for functions without a Swift method.
    ///
    /// ```swift
    /// let areas = from(voyages).select { voyage in
    ///     QueryTerm<Double>.function("power", voyage.budget, QueryTerm(2.0))
    /// }
    /// ```
    /// `Query.functionNames` lists the functions, and `docs/query.md` describes them. The type of
    /// the result is not checked until a row is decoded: choose an optional if the function can
    /// return null.
    ///
    /// - Parameters:
    ///   - name: the name, in upper or lower case. An unknown one is an error of the query, which
    ///     suggests the nearest name.
    ///   - arguments: the arguments; a wrong number of them is an error of the query.
    public static func function<each Argument>(
        _ name: String, _ arguments: repeat QueryTerm<each Argument>
    ) -> Self {
        var expressions: [QueryExpression] = []
        var problem: StoreError?
        var height = 0
        for argument in repeat each arguments {
            expressions.append(argument.expression)
            problem = problem ?? argument.problem
            height = max(height, argument.height)
        }
        guard let function = QueryFunction(named: name) else {
            let nearest = QueryFunction.nearest(to: name).map { "; did you mean \($0)()?" } ?? ""
            return Self(
                .literal(.missing), PropertyCoding(),
                StoreError.invalidQuery("there is no function \(name)()\(nearest)"))
        }
        if !function.arguments.contains(expressions.count) {
            problem =
                problem
                ?? StoreError.invalidQuery("\(name)() takes \(function.argumentCountText)")
        }
        return Self(
            .function(function.name, expressions), PropertyCoding(), problem, height: height + 1)
    }
}
