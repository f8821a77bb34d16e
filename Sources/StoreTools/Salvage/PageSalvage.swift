internal import StoreFormat

/// Recovers rows from the pages of a file, whether or not other pages refer to them.
struct PageSalvage {
    private let pages: RawPages
    private let map: PageMap
    let names: TreeNames

    init(_ pages: RawPages) throws {
        self.pages = pages
        map = try PageMap(pages)
        names = TreeNames(map)
    }

    /// A recovered row, and where it was.
    struct Found {
        let row: SalvagedRow
        let name: TreeNames.Name
        /// Whether the page belongs to a B-tree, rather than being a remnant of one.
        let isInUse: Bool
    }

    /// Calls `put` with each valid row.
    func run(
        _ report: inout SalvageReport,
        _ put: (Found) throws -> Void
    ) throws {
        report.unreadablePages = map.unreadable
        report.missingPages = pages.missingCount(free: map.free)
        if pages.count == 0 { report.lose("the file has no complete page") }
        // A limit for forged files. In other files each overflow page is read once.
        var budget = pages.count * 4 + 1000
        for number in map.leaves.keys.sorted() {
            try Task.checkCancellation()
            guard let name = names[map.root(of: number)], let page = pages.treePage(number)
            else { continue }
            for cell in page.cells {
                guard
                    let row = row(cell, page, number, name.store, &budget, &report)
                else { continue }
                if let flaw = RowCheck.flaw(row, in: name.store) {
                    report.lose(flaw, store: name.store, key: row.key, page: number)
                } else {
                    try put(Found(row: row, name: name, isInUse: map.isInUse(number)))
                }
            }
        }
    }

    private func row(
        _ cell: Int, _ page: BTreePage, _ number: Int, _ store: KeyStoreName, _ budget: inout Int,
        _ report: inout SalvageReport
    ) -> SalvagedRow? {
        guard let content = page.content(cell), let start = pages.record(content, of: page),
            start.isStoreRow
        else {
            report.lose("a row is damaged", store: store, page: number)
            return nil
        }
        let whole = pages.whole(start, content, budget: &budget)
        if let row = whole?.storeRow { return row }
        let reason = whole == nil ? "its overflow page is damaged" : "its key is not a string"
        report.lose(reason, store: store, key: start.text(0), page: number)
        return nil
    }
}
