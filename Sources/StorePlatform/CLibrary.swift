// The C library under the one name that all systems have: whoever imports StorePlatform has it, and
// no other file asks which system this is.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

extension stat {
    /// When the contents were changed last.
    package var modification: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}

/// Waits until all that was written to a file is on the disk; false if that failed. `fsync`
package func syncToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        // There fsync leaves the bytes in the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
}
