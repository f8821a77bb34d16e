internal import StoreFormat

/// Maps each page to its B-tree, as far as the pages themselves permit.
struct PageMap {
    /// What was found in a leaf page.
    struct Leaf {
        var rows = 0
        var highestSequence: Int64 = 0
        /// The number of rows with a revision and a sequence, which rows of raw stores lack.
        var documents = 0
        var hasInfoKey = false
    }

    let pageCount: Int
    let free: Set<Int>
    /// Leaf pages that contain rows of the form of a store's rows.
    private(set) var leaves: [Int: Leaf] = [:]
    /// Entries of the schema table by root page; those in page 1's tree take precedence.
    private(set) var entries: [Int: (name: String, table: String)] = [:]
    /// Rows that may belong to `kvmeta`, with their pages; one for each name.
    private(set) var counts: [String: (page: Int, counts: StoreCounts)] = [:]
    /// A limit above the number of stores of any file: rows of some indexes have the same form.
    private static let maximumCounts = 10_000
    /// Pages that should belong to a B-tree but do not have its form.
    private(set) var unreadable: [Int] = []

    private let roles: PageRoles
    /// The parent page according to that page; 0 for none.
    private var parents: [UInt32]

    /// A limit above the depth of any B-tree.
    private static let maximumDepth = 64

    /// Examines all pages once.
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

    /// The root page of a page's B-tree; the page itself if its parent is unknown.
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

    /// Whether a page belongs to a B-tree, rather than being a remnant of one.
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
    /// Keys that identify the raw store `info` if its name is lost.
    static let ofEveryFile: Set<String> = [
        publicUUID, privateUUID, versioning, sharedKeys, unmovedTombstones,
    ]
}

// Page 1 has at byte 32 the u32 number of the first freelist trunk page, and at 36 the number of
// free pages. A trunk page has a u32 with the next trunk page, a u32 with the number of its
// entries, and their page numbers. It is free itself.

/// The free pages according to the file's freelist; none if the freelist is inconsistent.
///
/// Rows in free pages were deleted and are not recovered. A damaged freelist could name pages that
/// are in use: then recovering deleted rows is better than losing rows.
struct FreePages {
    private(set) var numbers: Set<Int> = []

    /// - Parameter isInUse: whether a page is known to belong to a B-tree.
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
