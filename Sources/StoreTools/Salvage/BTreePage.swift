// A page of a tree (https://www.sqlite.org/fileformat2.html#b_tree_pages), numbers big-endian:
//
//   0     2 and 5: an interior page of an index, of a table; 10 and 13: a leaf
//   3     u16 how many cells    5  u16 where their content begins, 0 for 65,536
//   8     u32 the rightmost child, in interior pages
//   8/12  u16 for each cell: where it is
//
// On page 1 the file's header of 100 bytes stands before it. The last bytes of each page can be
// reserved, and are then not used.

/// A page that has the form of one of a tree.
struct BTreePage {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    let kind: Kind
    let page: RawBytes
    /// Where the cells are that lie within the page.
    let cells: [Int]
    /// Whether there are cells that do not.
    let isDamaged: Bool
    let usable: Int
    private let header: Int

    /// Nil if it is no such page.
    init?(_ bytes: [UInt8], number: Int, usable: Int) {
        page = RawBytes(bytes)
        header = number == 1 ? 100 : 0
        self.usable = usable
        guard usable <= bytes.count, let type = page.byte(header),
            let kind = Kind(rawValue: UInt8(type)), let count = page.number16(header + 3)
        else { return nil }
        self.kind = kind
        let array = header + (kind == .tableInterior || kind == .indexInterior ? 12 : 8)
        // A cell takes at least two bytes for its place and two for itself.
        guard count <= (usable - array) / 4 else { return nil }
        var cells: [Int] = []
        cells.reserveCapacity(count)
        for index in 0..<count {
            guard let cell = page.number16(array + index * 2) else { return nil }
            if cell >= array + count * 2, cell < usable { cells.append(cell) }
        }
        self.cells = cells
        isDamaged = cells.count < count
    }

    /// The pages beneath it, the rightmost last; nil if one of them cannot be.
    func children(of pageCount: Int) -> [Int]? {
        guard kind == .tableInterior || kind == .indexInterior, !isDamaged,
            let last = page.number32(header + 8)
        else { return nil }
        var children: [Int] = []
        for cell in cells {
            guard let child = page.number32(cell) else { return nil }
            children.append(child)
        }
        children.append(last)
        return children.allSatisfy { $0 >= 2 && $0 <= pageCount } ? children : nil
    }

    /// Where the last byte of the cells is that lie all within the page.
    ///
    /// What is put into an empty page ends where the reserved bytes begin.
    var contentEnd: Int {
        var end = 0
        for cell in cells {
            guard let content = content(cell), content.size <= usable - 300 else { continue }
            end = max(end, content.start + content.size)
        }
        return end
    }
}

extension BTreePage {
    /// A record in a leaf, or the part of it that is there.
    struct Content {
        /// The rowid; 0 in an index.
        let rowID: Int64
        /// The record's length.
        let size: Int
        /// Where it starts in the page, and how much of it is there.
        let start: Int
        let localSize: Int
        /// The page where it goes on, 0 if all of it is here.
        let overflow: Int
    }

    /// The content of a leaf's cell, nil if it does not lie within the page.
    func content(_ cell: Int) -> Content? {
        guard kind == .tableLeaf || kind == .indexLeaf,
            let (size, sizeEnd) = page.varint(cell, limit: usable),
            size >= 0, size <= PageRecord.maximumSize
        else { return nil }
        var (rowID, start): (Int64, Int) = (0, sizeEnd)
        if kind == .tableLeaf {
            guard let read = page.varint(sizeEnd, limit: usable) else { return nil }
            (rowID, start) = (read.value, read.end)
        }
        let local = localSize(Int(size))
        let isWhole = local == Int(size)
        guard start + local + (isWhole ? 0 : 4) <= usable else { return nil }
        let overflow = isWhole ? 0 : page.number32(start + local) ?? 0
        guard isWhole || overflow > 1 else { return nil }
        return Content(
            rowID: rowID, size: Int(size), start: start, localSize: local, overflow: overflow)
    }

    /// How much of a record of this size stands in the page itself.
    private func localSize(_ size: Int) -> Int {
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let wanted = least + (size - least) % (usable - 4)
        return wanted <= most ? wanted : least
    }
}
