internal import StoreFormat

/// The page size of a file, from its header or, if that is damaged, estimated from its pages.
struct PageGeometry: Equatable {
    let pageSize: Int
    /// The number of unused bytes at the end of each page.
    let reserved: Int
    var usable: Int { pageSize - reserved }

    static func isPageSize(_ size: Int) -> Bool {
        (512...65_536).contains(size) && size & (size - 1) == 0
    }

    /// The number of pages that are tried for each size.
    private static let samples = 200

    init(pageSize: Int, reserved: Int) {
        self.pageSize = pageSize
        self.reserved = reserved
    }

    /// Determines the geometry.
    ///
    /// - Parameter walPageSize: the page size in the WAL, whose header has a checksum.
    init(_ file: RawFile, walPageSize: Int?) {
        let header = RawBytes(file.read(at: 0, count: min(file.size, 100)) ?? [])
        let stated = header.number16(16).map { $0 == 1 ? 65_536 : $0 } ?? 0
        let isStated = Self.isPageSize(stated)
        let size = walPageSize ?? Self.likelySize(file, isStated ? stated : nil)
        pageSize = size
        let statedReserved = isStated && stated == size ? header.byte(20) : nil
        reserved = Self.likelyReserved(file, size, statedReserved)
    }

    /// The size at which the most pages have a valid form; the stated size if nearly as many do
    /// then.
    private static func likelySize(_ file: RawFile, _ stated: Int?) -> Int {
        let sizes = (9...16).map { 1 << $0 }
        let shares = sizes.map { share(file, $0) }
        let best = shares.indices.max { shares[$0] < shares[$1] } ?? 3
        if let stated, let index = sizes.firstIndex(of: stated),
            shares[best] == 0 || shares[index] * 2 >= shares[best]
        {
            return stated
        }
        return shares[best] == 0 ? 4096 : sizes[best]
    }

    /// How many of a thousand pages are valid B-tree pages with content in the second half of the
    /// page, which excludes twice the true size.
    private static func share(_ file: RawFile, _ size: Int) -> Int {
        var (all, sound) = (0, 0)
        eachSample(file, size) { bytes, number in
            all += 1
            guard let page = BTreePage(bytes, number: number, usable: size), !page.isDamaged,
                let last = page.cells.max(), last >= size / 2
            else { return }
            sound += 1
        }
        return all == 0 ? 0 : sound * 1000 / all
    }

    private static func likelyReserved(_ file: RawFile, _ size: Int, _ stated: Int?) -> Int {
        var ends: [Int: Int] = [:]
        eachSample(file, size) { bytes, number in
            guard let page = BTreePage(bytes, number: number, usable: size), !page.isDamaged,
                page.kind == .tableLeaf || page.kind == .indexLeaf
            else { return }
            let end = page.contentEnd
            if end > 0 { ends[end, default: 0] += 1 }
        }
        // The end of most pages; a damaged one may end anywhere.
        let usual = ends.max { ($0.value, $0.key) < ($1.value, $1.key) }
        let possible = stated.flatMap { size - $0 >= 480 ? $0 : nil }
        guard let usual, (0...min(255, size - 480)).contains(size - usual.key) else {
            return possible ?? 0
        }
        if let possible, usual.value < 8, size - possible >= usual.key { return possible }
        return size - usual.key
    }

    private static func eachSample(
        _ file: RawFile, _ size: Int, _ body: ([UInt8], Int) -> Void
    ) {
        let count = file.size / size
        for index in stride(from: 0, to: count, by: max(1, count / samples)) {
            guard let bytes = file.read(at: index * size, count: size) else { continue }
            body(bytes, index + 1)
        }
    }
}
