internal import StoreFormat

/// The pages of a file as its last commit left them: those in the log, else those in the file.
struct RawPages {
    private let file: RawFile
    private let walFile: RawFile?
    private let wal: RawWAL?
    let geometry: PageGeometry
    /// How many there are; the first is 1.
    let count: Int

    /// - Parameter geometry: how large the pages are; nil to find it out.
    init(_ file: RawFile, wal walFile: RawFile?, geometry: PageGeometry? = nil) {
        self.file = file
        self.walFile = walFile
        wal = walFile.flatMap { RawWAL($0) }
        let geometry = geometry ?? PageGeometry(file, walPageSize: wal?.pageSize)
        self.geometry = geometry
        let inFile = file.size / geometry.pageSize
        // New pages are in the log, but for those that were freed again. A forged log could name
        // any number, and something is kept for each page.
        let most = inFile + (wal?.places.count ?? 0) * 64
        count = min(wal?.pageCount ?? inFile, most)
    }

    /// How many pages the file should have and has not, as if it was cut off.
    ///
    /// - Parameter free: pages that nothing stands in; of those that are new the log has none.
    func missingCount(free: Set<Int>) -> Int {
        let inFile = file.size / geometry.pageSize
        guard let stated = wal?.pageCount ?? statedCount, stated > inFile else { return 0 }
        let elsewhere = free.union(wal?.places.keys.map(\.self) ?? [])
        return stated - inFile - elsewhere.count { $0 > inFile && $0 <= stated }
    }

    /// How many pages the file's header says there are; nil if SQLite would not believe it.
    private var statedCount: Int? {
        let header = RawBytes(file.read(at: 0, count: min(file.size, 100)) ?? [])
        guard header.bytes.starts(with: "SQLite format 3\0".utf8),
            let size = header.number16(16), (size == 1 ? 65_536 : size) == geometry.pageSize,
            let change = header.number32(24), change == header.number32(92)
        else { return nil }
        return header.number32(28)
    }

    /// A page's bytes, nil if it is not there.
    func page(_ number: Int) -> [UInt8]? {
        guard number >= 1, number <= count else { return nil }
        if let place = wal?.places[number] {
            return walFile?.read(at: place, count: geometry.pageSize)
        }
        return file.read(at: (number - 1) * geometry.pageSize, count: geometry.pageSize)
    }

    /// A page as one of a tree, nil if it is none.
    func treePage(_ number: Int) -> BTreePage? {
        page(number).flatMap { BTreePage($0, number: number, usable: geometry.usable) }
    }

    /// A cell's record, nil if its header is not sound.
    ///
    /// It has the bytes that stand in the page itself.
    func record(_ content: BTreePage.Content, of page: BTreePage) -> PageRecord? {
        let range = content.start..<(content.start + content.localSize)
        return page.page.slice(range).flatMap { PageRecord($0, size: content.size) }
    }

    /// The same record with what stands in its overflow pages; nil if one is not there.
    ///
    /// - Parameter budget: how many such pages may still be read, all records together: in a
    ///   hostile file many can lead to the same ones.
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
        // The last page of a chain says that there is no other.
        return next == 0 ? record.completed(bytes) : nil
    }
}
