import Foundation

/// Memory after which nothing may be read: an access is stopped by the system.
final class GuardedBuffer {
    private let memory: UnsafeMutableRawPointer
    private let capacity: Int
    private static let page = Int(sysconf(Int32(_SC_PAGESIZE)))

    struct Failure: Error {}

    /// Takes up to `capacity` bytes.
    init(capacity: Int) throws {
        self.capacity = (capacity / Self.page + 1) * Self.page
        let memory = mmap(
            nil, self.capacity + Self.page, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANON, -1, 0)
        guard let memory, memory != MAP_FAILED,
            mprotect(memory + self.capacity, Self.page, PROT_NONE) == 0
        else { throw Failure() }
        self.memory = memory
    }

    deinit {
        munmap(memory, capacity + Self.page)
    }

    /// Passes a copy of bytes whose last one is the last readable byte.
    func withBytes<T>(_ bytes: [UInt8], _ body: (UnsafeRawBufferPointer) throws -> T) throws -> T {
        guard bytes.count <= capacity else { throw Failure() }
        let copy = UnsafeMutableRawBufferPointer(
            start: memory + (capacity - bytes.count), count: bytes.count)
        copy.copyBytes(from: bytes)
        return try body(UnsafeRawBufferPointer(copy))
    }
}
