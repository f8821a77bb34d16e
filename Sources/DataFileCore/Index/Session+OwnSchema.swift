package import SQLCore
internal import StoreFormat

extension Session {
    /// Checks that nothing of another program would run with a write, unless that is trusted.
    ///
    /// Costs a pass over the schema, once for each version of it.
    ///
    /// Throws `.unsupported`, naming it.
    func requireOwnSchema() throws {
        guard !trustsSchema, !isKnownOwnSchema else { return }
        try ForeignSchema.requireNone(in: context, path: path)
        isKnownOwnSchema = true
    }

    /// Runs `body`, which may evaluate what another program has added to the schema: no value may
    /// be longer than the whole file is then.
    ///
    /// Throws `.unsupported` if one would be, naming what is foreign.
    package func boundingForeignSchema<T>(_ body: () throws -> T) throws -> T {
        guard !trustsSchema else { return try body() }
        let found = try ForeignSchema.find(in: context, path: path)
        guard let first = found.first(where: \.computesInReading) ?? found.first else {
            return try body()
        }
        do {
            return try context.withLongestValue(ForeignSchema.longestValue(in: context), body: body)
        } catch let error as SQLError where .tooBig ~= error.code {
            throw StoreError(
                .unsupported,
                "\(path): a value would be longer than the whole file; \(first.message): drop it, "
                    + "or open the file with trustsSchema", underlying: error)
        }
    }
}

extension ForeignSchema {
    /// Bytes that no stored value exceeds, as it would not fit into the file.
    package static func longestValue(in context: SQLContext) throws -> Int {
        let pages = try context.pragma("page_count")?.longValue ?? 0
        let size = try context.pragma("page_size")?.longValue ?? 0
        return max(1 << 20, Int(clamping: pages.multipliedReportingOverflow(by: size).partialValue))
    }
}
