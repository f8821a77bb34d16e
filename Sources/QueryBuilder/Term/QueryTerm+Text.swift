internal import QueryLanguage
internal import StoreFormat

extension QueryTerm where Value: QueryStringValue {
    /// Whether the text fits a pattern, in which `%` stands for any text and `_` for one character.
    ///
    /// - Parameter escape: the character that takes the meaning from one that follows it.
    public func like(_ pattern: String, escape: Character? = nil) -> QueryTerm<Bool> {
        let signs = escape.map { [QueryExpression.literal(.string(String($0)))] } ?? []
        return compared(.like, [.literal(.string(pattern))] + signs)
    }

    /// Whether the text fits a pattern that is another value, such as a parameter.
    public func like(_ pattern: QueryTerm<String>) -> QueryTerm<Bool> {
        compared(.like, [pattern.expression], pattern.problem, height: pattern.height)
    }

    /// Whether the text fits a pattern, in which `%` stands for any text and `_` for one character.
    public subscript(like pattern: String) -> QueryTerm<Bool> { like(pattern) }

    /// Whether a text is in it.
    public func contains(_ text: String) -> QueryTerm<Bool> {
        call("contains", .literal(.string(text)))
    }

    /// Whether a text that is another value is in it.
    public func contains(_ text: QueryTerm<String>) -> QueryTerm<Bool> {
        let contains: QueryTerm<Bool> = call("contains", text.expression)
        return contains.derived(contains.expression, text.problem, height: text.height)
    }

    /// Whether a text is in it.
    public subscript(contains text: String) -> QueryTerm<Bool> { contains(text) }

    /// Whether the text begins with another.
    public func hasPrefix(_ text: String) -> QueryTerm<Bool> {
        like(Self.escaped(text) + "%", escape: "\\")
    }

    /// Whether the text ends with another.
    public func hasSuffix(_ text: String) -> QueryTerm<Bool> {
        like("%" + Self.escaped(text), escape: "\\")
    }

    /// Whether a regular expression finds something in it.
    public func matches(_ regularExpression: String) -> QueryTerm<Bool> {
        call("regexp_contains", .literal(.string(regularExpression)))
    }

    private static func escaped(_ text: String) -> String {
        text.reduce(into: "") { escaped, character in
            if "%_\\".contains(character) { escaped += "\\" }
            escaped.append(character)
        }
    }

    /// The text in small letters.
    public func lower() -> Self { call("lower") }

    /// The text in capitals.
    public func upper() -> Self { call("upper") }

    /// The text without blanks around it.
    public func trim() -> Self { call("trim") }

    /// The text in small letters.
    public var lowercase: Self { lower() }

    /// The text in capitals.
    public var uppercase: Self { upper() }

    /// How long the text is.
    public var length: QueryTerm<Int> { call("length") }

    /// How long the text is.
    public var count: QueryTerm<Int> { length }

    /// Whether the text is empty.
    public var isEmpty: QueryTerm<Bool> { length == 0 }

    /// The text, compared without regard to case.
    public var ignoringCase: Self { collated(ignoresCase: true) }

    /// The text, compared by the order of a language.
    ///
    /// - Parameter locale: the language, such as `se`; nil for the root of all.
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
    /// A function of the term and others. A collation holds for the function.
    func call<Result>(_ name: String, _ others: QueryExpression...) -> QueryTerm<Result> {
        guard case .collate(let collation, let value) = expression else {
            return derived(.function(name, [expression] + others))
        }
        return derived(.collate(collation, .function(name, [value] + others)))
    }

    /// A function of the query languages, by its name there.
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
                ?? StoreError.invalidQuery("\(name)() takes \(function.argumentsInWords)")
        }
        return Self(
            .function(function.name, expressions), PropertyCoding(), problem, height: height + 1)
    }
}
