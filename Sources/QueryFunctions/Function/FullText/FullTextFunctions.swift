internal import SQLCore

/// What full-text indexes need of a connection: the tokenizer, and functions for their results.
enum FullTextFunctions {
    /// Registers `unicodesn`, `rank`, `bm25` and `fl_highlight`.
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try context.registerRawTokenizer(UnicodeTokenizer.name, UnicodeTokenizer.self)
        try RankFunctions.register(in: context)
        try HighlightFunction.register(in: context, functions)
    }
}
