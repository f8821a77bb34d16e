// In files that can be cut off at the end (auto_vacuum), page 2 and every so many pages after it
// say of the pages that follow what each is for: a byte and the u32 number of another page.
//
//   1 the root of a tree | 2 free | 3 the first overflow page of a cell in that page
//   4 an overflow page after that one | 5 in a tree, beneath that page

/// What each page is for, as those pages say.
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
    /// The pages that say it; they are part of no tree, though some look like it.
    private(set) var maps: Set<Int> = []

    /// Knows nothing of a file that has no such pages.
    init(_ pages: RawPages) {
        let perPage = pages.geometry.usable / 5
        // Where SQLite takes its locks there is no page.
        let lockPage = 0x4000_0000 / pages.geometry.pageSize + 1
        let places = stride(from: 2, to: pages.count, by: perPage + 1)
            .map { $0 == lockPage ? $0 + 1 : $0 }
        let found = places.map { Self.entries(pages, $0, min(perPage, pages.count - $0)) }
        let isCertain = Self.header(pages)
        guard isCertain ?? (found.count { $0 != nil } * 2 > found.count) else { return }
        roles = Array(repeating: 0, count: pages.count + 1)
        parents = Array(repeating: 0, count: pages.count + 1)
        maps = Set(places)
        for (map, entries) in zip(places, found) {
            for (index, entry) in (entries ?? []).enumerated() {
                roles[map + 1 + index] = entry.role.rawValue
                parents[map + 1 + index] = UInt32(entry.parent)
            }
        }
    }

    /// What the file's header says: at byte 52 stands a number that is not 0. Nil if it is damaged.
    private static func header(_ pages: RawPages) -> Bool? {
        guard let first = pages.page(1).map(RawBytes.init),
            first.bytes.starts(with: "SQLite format 3\0".utf8),
            first.bytes[21..<24].elementsEqual([64, 32, 32]), let root = first.number32(52),
            root <= pages.count
        else { return nil }
        return root != 0
    }

    /// Whether there are such pages.
    var isKnown: Bool { !roles.isEmpty }

    subscript(_ page: Int) -> Role? {
        roles.indices.contains(page) ? Role(rawValue: roles[page]) : nil
    }

    /// The page above one in a tree.
    func parent(_ page: Int) -> Int? {
        self[page] == .child ? Int(parents[page]) : nil
    }

    /// Nil if the page has no such entries: all of them must make sense.
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
