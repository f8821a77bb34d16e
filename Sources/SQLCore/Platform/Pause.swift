#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

/// Lets the thread do nothing for a while.
func pause(milliseconds: Int) {
    usleep(UInt32(clamping: milliseconds * 1000))
}
