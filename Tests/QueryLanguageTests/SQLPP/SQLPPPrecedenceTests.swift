import QueryLanguage
import Testing

@Suite("SQL++: of two operators")
struct SQLPPPrecedenceTests {
    /// A binary operator of each level, the loosest first.
    static let levels = ["OR", "AND", "=", "<", "+", "*", "||"]

    private func tree(_ text: String) throws -> String {
        ExpressionTree.text(try SQLPPParser.condition(text))
    }

    @Test("the one with higher precedence is applied first, at the same level the left one")
    func levels() throws {
        for (level, one) in Self.levels.enumerated() {
            for (otherLevel, other) in Self.levels.enumerated() {
                let isRightFirst = otherLevel > level
                #expect(
                    try tree("a \(one) b \(other) c")
                        == (isRightFirst
                            ? #"["\#(one)",[".a"],["\#(other)",[".b"],[".c"]]]"#
                            : #"["\#(other)",["\#(one)",[".a"],[".b"]],[".c"]]"#))
            }
        }
    }

    @Test(
        "at one level the left one is applied first, and parentheses before all",
        arguments: [
            ExpressionPair("a = b != c", #"["!=",["=",[".a"],[".b"]],[".c"]]"#),
            ExpressionPair("a - b + c", #"["+",["-",[".a"],[".b"]],[".c"]]"#),
            ExpressionPair("2*3/4", #"["/",["*",2,3],4]"#),
            ExpressionPair("a - (b - c)", #"["-",[".a"],["-",[".b"],[".c"]]]"#),
            ExpressionPair("(a OR b) AND c", #"["AND",["OR",[".a"],[".b"]],[".c"]]"#),
            ExpressionPair("a IN (1) IS NULL", #"["IS",["IN",[".a"],["[]",1]],null]"#),
            ExpressionPair("a IS b < c", #"["IS",[".a"],["<",[".b"],[".c"]]]"#),
            ExpressionPair("a IN b || c", #"["IN",[".a"],["||",[".b"],[".c"]]]"#),
            ExpressionPair("a LIKE b || '%'", #"["LIKE",[".a"],["||",[".b"],"%"]]"#),
        ])
    func associativity(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "BETWEEN takes its own AND",
        arguments: [
            ExpressionPair(
                "a BETWEEN 1 AND 2 AND b", #"["AND",["BETWEEN",[".a"],1,2],[".b"]]"#),
            ExpressionPair(
                "a BETWEEN b + 1 AND c < 2", #"["BETWEEN",[".a"],["+",[".b"],1],["<",[".c"],2]]"#),
            ExpressionPair(
                "NOT a BETWEEN 1 AND 2", #"["NOT",["BETWEEN",[".a"],1,2]]"#),
        ])
    func between(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "NOT has a precedence between comparisons and AND, unlike in LiteCore",
        arguments: [
            ExpressionPair("NOT a = 1", #"["NOT",["=",[".a"],1]]"#),
            ExpressionPair("NOT a AND b", #"["AND",["NOT",[".a"]],[".b"]]"#),
            ExpressionPair("NOT a OR NOT b", #"["OR",["NOT",[".a"]],["NOT",[".b"]]]"#),
            ExpressionPair("NOT NOT a IS NULL", #"["NOT",["NOT",["IS",[".a"],null]]]"#),
            ExpressionPair("NOT a IN b", #"["NOT",["IN",[".a"],[".b"]]]"#),
            ExpressionPair("(NOT a) = 1", #"["=",["NOT",[".a"]],1]"#),
            ExpressionPair("a = NOT b = c", #"["=",[".a"],["NOT",["=",[".b"],[".c"]]]]"#),
            ExpressionPair("- NOT a", #"["-",["NOT",[".a"]]]"#),
        ])
    func negation(pair: ExpressionPair) throws { try pair.check() }

    @Test(
        "a sign has the highest precedence, COLLATE the lowest",
        arguments: [
            ExpressionPair("-a || b", #"["||",["-",[".a"]],[".b"]]"#),
            ExpressionPair("a * -b", #"["*",[".a"],["-",[".b"]]]"#),
            ExpressionPair(
                "a = 1 OR b = 2 COLLATE NOCASE",
                #"["COLLATE NOUNICODE NOCASE DIAC",["OR",["=",[".a"],1],["=",[".b"],2]]]"#),
            ExpressionPair(
                "(a = 1 OR b = 2) COLLATE NOCASE",
                #"["COLLATE NOUNICODE NOCASE DIAC",["OR",["=",[".a"],1],["=",[".b"],2]]]"#),
            ExpressionPair(
                "a = (b COLLATE NOCASE)",
                #"["=",[".a"],["COLLATE NOUNICODE NOCASE DIAC",[".b"]]]"#),
            ExpressionPair(
                "a COLLATE NOCASE COLLATE UNICODE",
                #"["COLLATE UNICODE: CASE DIAC",["COLLATE NOUNICODE NOCASE DIAC",[".a"]]]"#),
        ])
    func extremes(pair: ExpressionPair) throws { try pair.check() }
}
