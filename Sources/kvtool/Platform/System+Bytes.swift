#if canImport(Darwin)
    internal import Darwin
#elseif canImport(Musl)
    internal import Musl
#else
    internal import Glibc
#endif

extension System {
    /// Where a byte stands for the first time, from `offset` on; nil if it does not. `memchr`
    static func firstIndex(
        of byte: UInt8, in bytes: UnsafeRawBufferPointer, from offset: Int = 0
    ) -> Int? {
        guard offset < bytes.count, let start = bytes.baseAddress else { return nil }
        guard let found = memchr(start + offset, Int32(byte), bytes.count - offset) else {
            return nil
        }
        return UnsafeRawPointer(found) - start
    }
}
