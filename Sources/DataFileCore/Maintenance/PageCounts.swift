internal import SQLCore

/// How many pages a file has, and how many of them nothing stands in.
struct PageCounts {
    let pages: Int
    let free: Int
    let pageSize: Int

    init(_ context: SQLContext) throws {
        pages = try context.number("page_count")
        free = try context.number("freelist_count")
        pageSize = try context.number("page_size")
    }

    var bytes: Int { pages.multipliedReportingOverflow(by: pageSize).partialValue }
    var freeBytes: Int { free.multipliedReportingOverflow(by: pageSize).partialValue }
}

extension SQLContext {
    /// A pragma that is a number, 0 if it has no value.
    func number(_ pragma: String) throws -> Int {
        Int(clamping: try self.pragma(pragma)?.longValue ?? 0)
    }
}
