public import FleeceLite
public import SQLCore

extension SQLContext {
    /// Registers the functions of documents on a connection of one's own, for bodies with these
    /// shared keys: what benchmarks measure without the rest of the engine.
    ///
    /// Throws `.busy` when they would replace functions while a statement runs.
    @_spi(Measuring)
    public func registerDocumentFunctions(sharedKeys: SharedKeys) throws {
        try AccessorFunctions.register(in: self, FunctionContext(sharedKeys: sharedKeys))
    }
}
