// A B-tree page (https://www.sqlite.org/fileformat2.html#b_tree_pages). Numbers are big-endian.
//
//   0     2 and 5: interior page of an index, of a table; 10 and 13: leaf page
//   3     u16 number of cells    5  u16 start of their content, 0 for 65,536
//   8     u32 rightmost child, in interior pages
//   8/12  u16 for each cell: its offset
//
// On page 1 the file header of 100 bytes precedes it. The last bytes of each page can be reserved.

/// A page with the form of a B-tree page.
struct BTreePage {
    enum Kind: UInt8 {
        case indexInterior = 2
        case tableInterior = 5
        case indexLeaf = 10
        case tableLeaf = 13
    }

    let kind: Kind
    let page: RawBytes
    /// The offsets of the cells that lie within the page.
    let cells: [Int]
    /// Whether there are cells outside the page.
    let isDamaged: Bool
    let usable: Int
    private let header: Int

    /// Returns nil if the page does not have the form of a B-tree page.
    init?(_ bytes: [UInt8], number: Int, usable: Int) {
        page = RawBytes(bytes)
        header = number == 1 ? 100 : 0
        self.usable = usable
        guard usable <= bytes.count, let type = page.byte(header),
            let kind = Kind(rawValue: UInt8(type)), let count = page.number16(header + 3)
        else { return nil }
        self.kind = kind
        let array = header + (kind == .tableInterior || kind == .indexInterior ? 12 : 8)
        // A cell needs at least two bytes for its offset and two for itself.
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

    /// The child pages, the rightmost one last; nil if a page number is invalid.
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

    /// The end of the last cell that lies completely within the page.
    ///
    /// SQLite fills an empty page from its end, where the reserved bytes begin.
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
    /// A record in a leaf page, or its part in this page.
    struct Content {
        /// The rowid; 0 in an index.
        let rowID: Int64
        /// The length of the record.
        let size: Int
        /// The start of the record in the page, and how many of its bytes are in the page.
        let start: Int
        let localSize: Int
        /// The first overflow page; 0 if the record is complete in this page.
        let overflow: Int
    }

    /// The content of a leaf cell; nil if it does not lie within the page.
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

    /// How many bytes of a record of this size are in the page itself.
    private func localSize(_ size: Int) -> Int {
        let most = kind == .tableLeaf ? usable - 35 : (usable - 12) * 64 / 255 - 23
        if size <= most { return size }
        let least = (usable - 12) * 32 / 255 - 23
        let preferred = least + (size - least) % (usable - 4)
        return preferred <= most ? preferred : least
    }
}
