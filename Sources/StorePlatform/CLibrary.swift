// Exports the C library under one name for all systems. Files that import StorePlatform get it, and
// no other file has to distinguish systems.
#if canImport(Glibc)
    @_exported public import Glibc
#elseif canImport(Musl)
    @_exported public import Musl
#elseif canImport(Darwin)
    @_exported public import Darwin
#endif

extension stat {
    /// The time of the last change of the contents.
    package var modification: timespec {
        #if canImport(Darwin)
            st_mtimespec
        #else
            st_mtim
        #endif
    }
}

/// Waits until all written bytes of a file are on the disk; returns false if that failed. `fsync`
package func syncToDisk(_ descriptor: Int32) -> Bool {
    #if canImport(Darwin)
        // On Apple's systems fsync leaves the bytes in the drive's cache.
        if fcntl(descriptor, F_FULLFSYNC) == 0 { return true }
    #endif
    return fsync(descriptor) == 0
}
