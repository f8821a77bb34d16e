/// Which thread it is.
package struct ThreadID: Hashable, Sendable {
    private let number: UInt

    /// The thread that asks.
    package static var current: ThreadID {
        #if canImport(Darwin)
            ThreadID(number: UInt(bitPattern: pthread_self()))
        #else
            ThreadID(number: UInt(pthread_self()))
        #endif
    }
}

/// A pointer that each thread has for itself, nil at first. `pthread_getspecific`
package struct ThreadPointer: Sendable {
    /// Nil if the process has no key left; then the pointer is nil on all threads.
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

/// Lets the thread do nothing for a while. `usleep`
package func pause(milliseconds: Int) {
    usleep(UInt32(clamping: milliseconds * 1000))
}

/// The stack of a thread.
package enum ThreadStack {
    /// How many bytes of it calls inside calls may use. Threads other than the first have 512 KiB
    /// on Apple's systems and 128 KiB with Musl, all of them 8 MiB with Glibc.
    #if canImport(Glibc)
        @inlinable package static var usableBytes: UInt { 4 << 20 }
    #elseif canImport(Musl)
        @inlinable package static var usableBytes: UInt { 80 << 10 }
    #else
        @inlinable package static var usableBytes: UInt { 384 << 10 }
    #endif
}

/// What calls have left on the stack of a thread: swift-crypto has the key of each page that it
/// encrypts there, and does not overwrite it.
package enum StackMemory {
    private static let part = 1024
    private static let parts = 32

    /// Overwrites 32 KB below the caller's frame.
    package static func overwrite() { overwrite(parts) }

    @inline(never)
    private static func overwrite(_ count: Int) {
        // On the stack, as it is no larger.
        withUnsafeTemporaryAllocation(byteCount: part, alignment: 16) { bytes in
            if count > 1 { overwrite(count - 1) }
            guard let start = bytes.baseAddress else { return }
            // A call that no compiler leaves out, though nobody reads what it writes.
            #if canImport(Darwin)
                memset_s(start, bytes.count, 0, bytes.count)
            #else
                explicit_bzero(start, bytes.count)
            #endif
        }
    }
}
