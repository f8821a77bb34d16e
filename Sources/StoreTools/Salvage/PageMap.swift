internal import StoreFormat

/// Which tree each page belongs to, as far as the pages themselves tell.
struct PageMap {
    /// What was seen of the rows in a leaf.
    struct Leaf {
        var rows = 0
        var highestSequence: Int64 = 0
        /// Rows with a revision and a sequence, which those of raw stores lack.
        var documents = 0
        var hasInfoKey = false
    }

    let pageCount: Int
    let free: Set<Int>
    /// Leaves with rows of the form of a store's.
    private(set) var leaves: [Int: Leaf] = [:]
    /// Entries of the list of tables, by the root page; those of page 1's tree come first.
    private(set) var entries: [Int: (name: String, table: String)] = [:]
    /// Rows that can be of `kvmeta`, with the page they are in, one for each name.
    private(set) var counts: [String: (page: Int, counts: StoreCounts)] = [:]
    /// More stores than any file has; the rows of some indexes have the same form.
    private static let maximumCounts = 10_000
    /// Pages that should be part of a tree but do not have its form.
    private(set) var unreadable: [Int] = []

    private let roles: PageRoles
    /// The page above, as that one says; 0 for none.
    private var parents: [UInt32]

    /// More levels than any tree has.
    private static let maximumDepth = 64

    /// Looks at all pages once.
    init(_ pages: RawPages) throws {
        pageCount = pages.count
        let roles = PageRoles(pages)
        var parents = [UInt32](repeating: 0, count: pages.count + 1)
        for number in stride(from: 1, through: pages.count, by: 1) {
            if number % 1024 == 0 { try Task.checkCancellation() }
            guard !roles.maps.contains(number) else { continue }
            for child in pages.treePage(number)?.children(of: pages.count) ?? [] {
                if child != number, parents[child] == 0 { parents[child] = UInt32(number) }
            }
        }
        self.roles = roles
        self.parents = parents
        free = FreePages(pages, roles) { parents[$0] != 0 }.numbers
        for number in stride(from: 1, through: pages.count, by: 1) {
            if number % 1024 == 0 { try Task.checkCancellation() }
            guard !free.contains(number), !roles.maps.contains(number) else { continue }
            look(at: number, pages)
        }
    }

    /// The page at the top of a page's tree; the page itself, if none above it is known.
    func root(of page: Int) -> Int {
        var page = page
        for _ in 0..<Self.maximumDepth {
            guard page != 1, entries[page] == nil, roles[page] != .root else { return page }
            let parent = parents[page] != 0 ? Int(parents[page]) : roles.parent(page) ?? 0
            guard parent != 0 else { return page }
            page = parent
        }
        return page
    }

    /// Whether a page is part of a tree, and not left over from one.
    func isInUse(_ page: Int) -> Bool {
        roles.isKnown ? roles[page] == .child || roles[page] == .root : parents[page] != 0
    }

    private mutating func look(at number: Int, _ pages: RawPages) {
        guard let page = pages.treePage(number) else {
            let isExpected =
                number == 1 || parents[number] != 0 || roles[number] == .child
                || roles[number] == .root
            if isExpected { unreadable.append(number) }
            return
        }
        if page.isDamaged { unreadable.append(number) }
        guard page.kind == .tableLeaf || page.kind == .indexLeaf else { return }
        for cell in page.cells {
            guard let content = page.content(cell),
                let record = pages.record(content, of: page)
            else { continue }
            if page.kind == .tableLeaf {
                note(record, number)
            } else if counts.count < Self.maximumCounts, let entry = record.metaEntry,
                entries[root(of: number)].map({ $0.name == "kvmeta" }) ?? true,
                counts[entry.name] == nil
            {
                counts[entry.name] = (number, entry)
            }
        }
    }

    private mutating func note(_ record: PageRecord, _ number: Int) {
        if let entry = record.schemaEntry {
            let isFirst = root(of: number) == 1
            if isFirst || entries[entry.root] == nil {
                entries[entry.root] = (entry.name, entry.table)
            }
            return
        }
        guard record.isStoreRow else { return }
        var leaf = leaves[number, default: Leaf()]
        leaf.rows += 1
        leaf.highestSequence = max(leaf.highestSequence, record.integer(1) ?? 0)
        if record.kinds[1] == .integer, record.kinds[3] == .blob { leaf.documents += 1 }
        if leaf.hasInfoKey == false, let key = record.text(0) {
            leaf.hasInfoKey = InfoKey.ofEveryFile.contains(key)
        }
        leaves[number] = leaf
    }
}

extension InfoKey {
    /// Keys by which the raw store `info` is known where its name is lost.
    static let ofEveryFile: Set<String> = [
        publicUUID, privateUUID, versioning, sharedKeys, unmovedTombstones,
    ]
}

// Page 1 has at byte 32 the u32 number of a page that lists free pages, at 36 how many are free.
// Such a page: u32 the next one, u32 how many it lists, then their numbers; it is free itself.

/// The pages that nothing stands in, as the file says; none, if what it says cannot be all true.
///
/// Rows in them were deleted, and are not brought back. But where the list is damaged it could name
/// pages that are in use: then it is better to bring rows back than to lose some.
struct FreePages {
    private(set) var numbers: Set<Int> = []

    /// - Parameter isInUse: whether a page is known to be part of a tree.
    init(_ pages: RawPages, _ roles: PageRoles, isInUse: (Int) -> Bool) {
        guard let first = pages.page(1).map(RawBytes.init),
            first.bytes.starts(with: "SQLite format 3\0".utf8),
            let start = first.number32(32), let count = first.number32(36), count < pages.count
        else { return }
        var (next, found) = (start, Set<Int>())
        while next != 0 {
            guard (2...pages.count).contains(next), found.count < count,
                found.insert(next).inserted, let page = pages.page(next).map(RawBytes.init),
                let listed = page.number32(4), listed <= pages.geometry.usable / 4 - 2,
                let following = page.number32(0)
            else { return }
            for index in 0..<listed {
                guard let number = page.number32(8 + index * 4),
                    (2...pages.count).contains(number), found.insert(number).inserted
                else { return }
            }
            next = following
        }
        let agrees = found.allSatisfy { number in
            !isInUse(number) && (!roles.isKnown || roles[number] == .free)
        }
        if found.count == count, agrees { numbers = found }
    }
}
