#if canImport(Darwin)
    import Darwin
#elseif canImport(Musl)
    import Musl
#else
    import Glibc
#endif

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
