// In files with auto_vacuum, page 2 and further pages at regular intervals are pointer map pages.
// For each of the following pages they have an entry: a byte for its role and the u32 number of
// another page.
//
//   1 root page of a B-tree | 2 free | 3 first overflow page of a cell in the other page
//   4 overflow page that follows the other one | 5 child of the other page in a B-tree

/// The roles of the pages according to the pointer map.
struct PageRoles {
    enum Role: UInt8 {
        case root = 1
        case free = 2
        case firstOverflow = 3
        case laterOverflow = 4
        case child = 5
    }

    private var roles: [UInt8] = []
    private var parents: [UInt32] = []
    /// The pointer map pages. They belong to no B-tree, though some look as if they did.
    private(set) var maps: Set<Int> = []

    /// Empty for a file without pointer map pages.
    init(_ pages: RawPages) {
        let perPage = pages.geometry.usable / 5
        // The page at SQLite's lock bytes is unused.
        let lockPage = 0x4000_0000 / pages.geometry.pageSize + 1
        let mapPages = stride(from: 2, to: pages.count, by: perPage + 1)
            .map { $0 == lockPage ? $0 + 1 : $0 }
        let found = mapPages.map { Self.entries(pages, $0, min(perPage, pages.count - $0)) }
        let isCertain = Self.header(pages)
        guard isCertain ?? (found.count { $0 != nil } * 2 > found.count) else { return }
        roles = Array(repeating: 0, count: pages.count + 1)
        parents = Array(repeating: 0, count: pages.count + 1)
        maps = Set(mapPages)
        for (map, entries) in zip(mapPages, found) {
            for (index, entry) in (entries ?? []).enumerated() {
                roles[map + 1 + index] = entry.role.rawValue
                parents[map + 1 + index] = UInt32(entry.parent)
            }
        }
    }

    /// Whether the file's header states that there is a pointer map, by a nonzero number at byte
    /// 52. Nil if the header is damaged.
    private static func header(_ pages: RawPages) -> Bool? {
        guard let first = pages.page(1).map(RawBytes.init),
            first.bytes.starts(with: "SQLite format 3\0".utf8),
            first.bytes[21..<24].elementsEqual([64, 32, 32]), let root = first.number32(52),
            root <= pages.count
        else { return nil }
        return root != 0
    }

    /// Whether the file has a pointer map.
    var isKnown: Bool { !roles.isEmpty }

    subscript(_ page: Int) -> Role? {
        roles.indices.contains(page) ? Role(rawValue: roles[page]) : nil
    }

    /// The parent of a page in a B-tree.
    func parent(_ page: Int) -> Int? {
        self[page] == .child ? Int(parents[page]) : nil
    }

    /// The entries of a page; nil if any of them is invalid, so that it is not a pointer map page.
    private static func entries(
        _ pages: RawPages, _ number: Int, _ count: Int
    ) -> [(role: Role, parent: Int)]? {
        guard count > 0, let page = pages.page(number) else { return nil }
        let raw = RawBytes(page)
        var entries: [(role: Role, parent: Int)] = []
        for index in 0..<count {
            guard let role = raw.byte(index * 5).flatMap({ Role(rawValue: UInt8($0)) }),
                let parent = raw.number32(index * 5 + 1), parent <= pages.count,
                (role == .root || role == .free) == (parent == 0)
            else { return nil }
            entries.append((role, parent))
        }
        return entries
    }
}
