/// The identity of a thread.
@usableFromInline
package struct ThreadID: Hashable, Sendable {
    private let number: UInt

    /// The calling thread.
    @usableFromInline
    package static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(number: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(number: UInt(pthread_self()))
        #endif
    }
}

/// A thread-local pointer, initially nil. `pthread_getspecific`
package struct ThreadPointer: Sendable {
    /// Nil if the process has no key left; the pointer is then nil on all threads.
    private let key: pthread_key_t?

    package init() {
        var key = pthread_key_t()
        self.key = pthread_key_create(&key, nil) == 0 ? key : nil
    }

    package var value: UnsafeMutableRawPointer? {
        get { key.flatMap { pthread_getspecific($0) } }
        nonmutating set {
            if let key { pthread_setspecific(key, newValue) }
        }
    }
}

/// Suspends the calling thread. `usleep`
package func pause(milliseconds: Int) {
    usleep(UInt32(clamping: milliseconds * 1000))
}

/// The stack of a thread.
package enum ThreadStack {
    /// The number of bytes that nested calls may use. Threads other than the first have 512 KiB on
    /// Apple's systems and 128 KiB with Musl, all of them 8 MiB with Glibc.
    #if canImport(Glibc)
        @inlinable package static var usableBytes: UInt { 4 << 20 }
    #elseif canImport(Musl)
        @inlinable package static var usableBytes: UInt { 80 << 10 }
    #else
        @inlinable package static var usableBytes: UInt { 384 << 10 }
    #endif
}

/// Memory that calls have left on the stack of a thread: swift-crypto leaves the key of each page
/// that it encrypts there, and does not overwrite it.
package enum StackMemory {
    private static let part = 1024
    private static let parts = 32

    /// Overwrites 32 KB below the caller's frame.
    package static func overwrite() { overwrite(parts) }

    @inline(never)
    private static func overwrite(_ count: Int) {
        // On the stack because of its small size.
        withUnsafeTemporaryAllocation(byteCount: part, alignment: 16) { bytes in
            if count > 1 { overwrite(count - 1) }
            guard let start = bytes.baseAddress else { return }
            // A call that compilers do not remove, although nothing reads the written bytes.
            #if canImport(Darwin)
                memset_s(start, bytes.count, 0, bytes.count)
            #else
                explicit_bzero(start, bytes.count)
            #endif
        }
    }
}
