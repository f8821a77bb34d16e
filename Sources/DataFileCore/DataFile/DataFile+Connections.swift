internal import SQLCore

/// Connections for what works on the whole file: maintenance, copies.
extension DataFile {
    /// Lends a connection for reading, on which no transaction is open: where a check has found
    /// damage, SQLite fails to end one.
    func withReaderContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        let bundle = BundlePath(path)
        return try StoreError.wrapping(path: path) {
            let plan = isImmutable ? ConnectionPlan.immutable : try .forReading(bundle)
            let context = try plan.open(bundle, options)
            try plan.configure(context)
            return try body(context)
        }
    }

    /// Lends a connection for writing, on which no transaction is open.
    ///
    /// Throws `.notWriteable` for a handle that only reads.
    func withWriterContext<T>(_ body: (SQLContext) throws -> T) throws -> T {
        guard options.access != .readOnly else {
            throw StoreError(.notWriteable, "\(path) was opened for reading only")
        }
        return try StoreError.wrapping(path: path) {
            var options = options
            options.access = .readWrite
            let context = try ConnectionPlan.readWrite.open(BundlePath(path), options)
            try ConnectionPlan.readWrite.configure(context)
            return try body(context)
        }
    }
}
