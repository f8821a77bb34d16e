/// The index of a log, in memory that the connections of a database share: which page each frame
/// has (SQLite's documentation of the format, "WAL-Index Format").
struct LogIndex {
    /// In the first region come the headers first, so that there are fewer frames in it.
    private static let framesInFirst = 4062
    private static let framesInRegion = 4096
    private static let headers = 136

    private var regions: [UnsafeRawPointer?] = []

    /// Remembers a region that was mapped.
    mutating func note(_ memory: UnsafeRawPointer?, region: Int) {
        guard region >= 0, region < 1 << 20 else { return }
        while regions.count <= region { regions.append(nil) }
        regions[region] = memory
    }

    /// Forgets all regions, which are no longer mapped.
    mutating func forget() { regions = [] }

    /// The page of a frame, which is counted from 0; nil where the index is not shared.
    ///
    /// Only of frames that a reader may read, which nobody changes then.
    func page(ofFrame frame: Int) -> UInt32? {
        let region =
            frame < Self.framesInFirst
            ? 0 : (frame - Self.framesInFirst) / Self.framesInRegion + 1
        let index =
            region == 0
            ? frame : (frame - Self.framesInFirst) % Self.framesInRegion
        guard region < regions.count, let memory = regions[region] else { return nil }
        let start = region == 0 ? Self.headers : 0
        let page = memory.load(fromByteOffset: start + 4 * index, as: UInt32.self)
        return page == 0 ? nil : page
    }
}
