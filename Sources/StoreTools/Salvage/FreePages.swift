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
