#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Bytes that end where memory ends: reading one more stops the program.
struct GuardedBytes: ~Copyable {
    private let start: UnsafeMutableRawPointer
    private let size: Int
    private let page: Int

    struct NoMemory: Error {}

    /// Room for `capacity` bytes; throws if the system has none.
    init(capacity: Int) throws {
        page = Int(sysconf(Int32(_SC_PAGESIZE)))
        size = (capacity + page - 1) / page * page
        guard
            let start = mmap(
                nil, size + page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED, mprotect(start + size, page, PROT_NONE) == 0
        else { throw NoMemory() }
        self.start = start
    }

    deinit {
        munmap(start, size + page)
    }

    /// Copies bytes, at most as many as there is room for, to the end of memory.
    func with<T>(
        _ bytes: some Collection<UInt8>, _ body: (UnsafeRawBufferPointer) throws -> T
    ) rethrows -> T {
        let place = UnsafeMutableRawBufferPointer(
            start: start + (size - bytes.count), count: bytes.count)
        place.copyBytes(from: bytes)
        return try body(UnsafeRawBufferPointer(place))
    }
}
