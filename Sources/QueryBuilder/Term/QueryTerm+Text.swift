internal import QueryLanguage
internal import StoreFormat

extension QueryTerm where Value: QueryStringValue {
    /// Whether the string matches a pattern, where `%` matches any characters and `_` matches one.
    ///
    /// - Parameter escape: the character that makes the following `%` or `_` literal.
    public func like(_ pattern: String, escape: Character? = nil) -> QueryTerm<Bool> {
        let signs = escape.map { [QueryExpression.literal(.string(String($0)))] } ?? []
        return compared(.like, [.literal(.string(pattern))] + signs)
    }

    /// Whether the string matches a pattern from another value, such as a parameter.
    public func like(_ pattern: QueryTerm<String>) -> QueryTerm<Bool> {
        compared(.like, [pattern.expression], pattern.problem, height: pattern.height)
    }

    /// Whether the string matches a pattern, where `%` matches any characters and `_` matches one.
    public subscript(like pattern: String) -> QueryTerm<Bool> { like(pattern) }

    /// Whether the string contains another one.
    public func contains(_ text: String) -> QueryTerm<Bool> {
        call("contains", .literal(.string(text)))
    }

    /// Whether the string contains the value of another term.
    public func contains(_ text: QueryTerm<String>) -> QueryTerm<Bool> {
        let contains: QueryTerm<Bool> = call("contains", text.expression)
        return contains.derived(contains.expression, text.problem, height: text.height)
    }

    /// Whether the string contains another one.
    public subscript(contains text: String) -> QueryTerm<Bool> { contains(text) }

    /// Whether the string begins with another one.
    public func hasPrefix(_ text: String) -> QueryTerm<Bool> {
        like(Self.escaped(text) + "%", escape: "\\")
    }

    /// Whether the string ends with another one.
    public func hasSuffix(_ text: String) -> QueryTerm<Bool> {
        like("%" + Self.escaped(text), escape: "\\")
    }

    /// Whether a regular expression matches a part of the string.
    public func matches(_ regularExpression: String) -> QueryTerm<Bool> {
        call("regexp_contains", .literal(.string(regularExpression)))
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
    }

    /// The string in lower case.
    public func lower() -> Self { call("lower") }

    /// The string in upper case.
    public func upper() -> Self { call("upper") }

    /// The string without leading and trailing blanks.
    public func trim() -> Self { call("trim") }

    /// The string in lower case.
    public var lowercase: Self { lower() }

    /// The string in upper case.
    public var uppercase: Self { upper() }

    /// The length of the string.
    public var length: QueryTerm<Int> { call("length") }

    /// The length of the string.
    public var count: QueryTerm<Int> { length }

    /// Whether the string is empty.
    public var isEmpty: QueryTerm<Bool> { length == 0 }

    /// The string, compared case-insensitively.
    public var ignoringCase: Self { collated(ignoresCase: true) }

    /// The string, compared by the collation of a locale.
    ///
    /// - Parameter locale: the locale, such as `se`; nil for the root locale.
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

    /// Calls a function of the query language by its name.
    ///
    /// ```swift
    /// .select { QueryTerm<Double>.function("power", $0.width, QueryTerm(2)) }
    /// ```
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
