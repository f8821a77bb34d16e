internal import SQLCore

/// The functions of LiteCore that look into documents and build values.
enum AccessorFunctions {
    /// Registers them, `fl_each` included.
    ///
    /// Throws `.busy` when they would replace functions while a statement runs.
    static func register(in context: SQLContext, _ functions: FunctionContext) throws {
        try PropertyFunctions.register(in: context, functions)
        try ContainmentFunction.register(in: context, functions)
        try ResultFunctions.register(in: context, functions)
        try ConstructionFunctions.register(in: context, functions)
        try EachFunction.register(in: context, functions)
    }
}
