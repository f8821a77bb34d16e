internal import StoreFormat

/// The pages of a file as of the last commit: those in the WAL, otherwise those in the file.
struct RawPages {
    private let file: RawFile
    private let walFile: RawFile?
    private let wal: RawWAL?
    let geometry: PageGeometry
    /// The number of pages. Page numbers start at 1.
    let count: Int

    /// - Parameter geometry: the page size; nil to determine it.
    init(_ file: RawFile, wal walFile: RawFile?, geometry: PageGeometry? = nil) {
        self.file = file
        self.walFile = walFile
        wal = walFile.flatMap { RawWAL($0) }
        let geometry = geometry ?? PageGeometry(file, walPageSize: wal?.pageSize)
        self.geometry = geometry
        let inFile = file.size / geometry.pageSize
        // New pages are in the WAL, except those that were freed again. A forged WAL could name any
        // number of pages, and memory is allocated for each.
        let most = inFile + (wal?.offsets.count ?? 0) * 64
        count = min(wal?.pageCount ?? inFile, most)
    }

    /// The number of pages by which the file is too short, as if it was truncated.
    ///
    /// - Parameter free: the free pages, which are not in the WAL even if they are new.
    func missingCount(free: Set<Int>) -> Int {
        let inFile = file.size / geometry.pageSize
        guard let stated = wal?.pageCount ?? statedCount, stated > inFile else { return 0 }
        let elsewhere = free.union(wal?.offsets.keys.map(\.self) ?? [])
        return stated - inFile - elsewhere.count { $0 > inFile && $0 <= stated }
    }

    /// The number of pages in the file's header; nil if SQLite would ignore it.
    private var statedCount: Int? {
        let header = RawBytes(file.read(at: 0, count: min(file.size, 100)) ?? [])
        guard header.bytes.starts(with: "SQLite format 3\0".utf8),
            let size = header.number16(16), (size == 1 ? 65_536 : size) == geometry.pageSize,
            let change = header.number32(24), change == header.number32(92)
        else { return nil }
        return header.number32(28)
    }

    /// The bytes of a page; nil if it does not exist.
    func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= count else { return nil }
        if let offset = wal?.offsets[number] {
            return walFile?.read(at: offset, count: geometry.pageSize)
        }
        return file.read(at: (number - 1) * geometry.pageSize, count: geometry.pageSize)
    }

    /// A page as a B-tree page; nil if it is not one.
    func treePage(_ number: Int) -> BTreePage? {
        page(number).flatMap { BTreePage($0, number: number, usable: geometry.usable) }
    }

    /// The record of a cell; nil if its header is invalid.
    ///
    /// It contains the bytes that are in the page itself.
    func record(_ content: BTreePage.Content, of page: BTreePage) -> PageRecord? {
        let range = content.start..<(content.start + content.localSize)
        return page.page.slice(range).flatMap { PageRecord($0, size: content.size) }
    }

    /// The same record with the bytes of its overflow pages; nil if one is missing.
    ///
    /// - Parameter budget: the number of overflow pages that may still be read, for all records
    ///     together: in a forged file, many records can lead to the same pages.
    func whole(
        _ record: PageRecord, _ content: BTreePage.Content, budget: inout Int
    ) -> PageRecord? {
        guard content.overflow != 0 else { return record }
        let perPage = geometry.usable - 4
        guard (content.size - content.localSize + perPage - 1) / perPage <= min(count, budget)
        else { return nil }
        var bytes = record.bytes.bytes
        bytes.reserveCapacity(content.size)
        var next = content.overflow
        while bytes.count < content.size {
            budget -= 1
            guard next > 1, let page = page(next), let follower = RawBytes(page).number32(0)
            else { return nil }
            bytes += page[4..<(4 + min(perPage, content.size - bytes.count))]
            next = follower
        }
        // The last page of a chain has no next page.
        return next == 0 ? record.completed(bytes) : nil
    }
}
