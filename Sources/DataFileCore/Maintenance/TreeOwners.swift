internal import SQLCore

/// Maps pages to tables and indexes, as far as a damaged file permits.
struct TreeOwners {
    /// A table or an index: each is a B-tree.
    struct Tree: Hashable {
        let name: String
        let table: String
        let isIndex: Bool
        let root: Int
    }

    /// Whether SQLite can list the pages of a tree: it was compiled with `dbstat`.
    static var canTrace: Bool { SQLContext.compileOptions["ENABLE_DBSTAT_VTAB"] != nil }

    let tracesPages: Bool
    private var trees: [Tree] = []
    private var ownerOfPage: [Int: Tree] = [:]

    /// The tree of the schema table, which lists all others.
    static let schema = Tree(
        name: "sqlite_schema", table: "sqlite_schema", isIndex: false, root: 1)

    /// - Parameter pages: the pages of interest; no others are retained.
    init(_ context: SQLContext, pages: Set<Int>) throws {
        tracesPages = Self.canTrace
        trees = [Self.schema] + (try Self.skippingDamage { try Self.trees(context) } ?? [])
        for tree in trees where pages.contains(tree.root) { ownerOfPage[tree.root] = tree }
        guard tracesPages, !pages.isEmpty else { return }
        for tree in trees where ownerOfPage.count < pages.count {
            try Task.checkCancellation()
            try Self.skippingDamage { try trace(tree, pages, context) }
        }
    }

    func tree(ofPage page: Int) -> Tree? { ownerOfPage[page] }

    func tree(named name: String) -> Tree? { trees.first { $0.name == name } }

    private static func trees(_ context: SQLContext) throws -> [Tree] {
        try context.selectAll(
            sql: "SELECT name, tbl_name, type='index', rootpage FROM sqlite_master "
                + "WHERE rootpage > 0"
        ).map { row in
            Tree(
                name: row[0].textValue ?? "", table: row[1].textValue ?? "",
                isIndex: row[2] == .long(1), root: Int(clamping: row[3].longValue ?? 0))
        }
    }

    private mutating func trace(_ tree: Tree, _ pages: Set<Int>, _ context: SQLContext) throws {
        let statement = try context.prepare(sql: "SELECT pageno FROM dbstat WHERE name=?")
        try statement.bind(tree.name, at: 1)
        while try statement.next() {
            let page = Int(clamping: statement.long(at: 0))
            if pages.contains(page) { ownerOfPage[page] = tree }
        }
    }

    /// Runs `body` and returns nil if it encounters damage.
    @discardableResult
    private static func skippingDamage<T>(_ body: () throws -> T) throws -> T? {
        do {
            return try body()
        } catch let error as SQLError where .corrupt ~= error.code || .error ~= error.code {
            return nil
        }
    }
}
