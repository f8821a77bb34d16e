public import FleeceLite
public import SQLCore

extension SQLContext {
    /// Registers all that the engine registers on a connection of one's own, for bodies with these
    /// shared keys: what benchmarks measure without the rest of the engine.
    ///
    /// Throws `.busy` when they would replace functions while a statement runs.
    @_spi(Measuring)
    public func registerDocumentFunctions(sharedKeys: SharedKeys) throws {
        try SQLFunctions.register(
            in: self, FunctionContext(sharedKeys: sharedKeys), PredictionFailures())
    }
}
