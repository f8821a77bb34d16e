internal import QueryLanguage

// What a program can offer whoever writes a query.
extension Query {
    /// The names of all functions that SQL++ has, in lower case, in alphabetical order.
    ///
    ///     Query.functionNames.contains("upper") // true
    public static var functionNames: [String] {
        let own = ["blob", "match", "meta", "prediction", "rank"]
        return Set(QueryFunction.all.map(\.name) + QueryFunction.aliases.keys + own).sorted()
    }

    /// The words of SQL++ that are no functions, in upper case, in alphabetical order.
    public static var keywords: [String] {
        let words =
            SQLPlusPlusKeyword.allCases.map(\.rawValue) + SQLPlusPlusWord.allCases.map(\.rawValue)
        return words.map(\.asciiUppercased).sorted()
    }
}
