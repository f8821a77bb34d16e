/// A value protected by a lock: one thread at a time can use it.
///
/// The lock is a mutex of the system: ThreadSanitizer does not know the one in Synchronization, and
/// reports races where two threads wait for each other.
@usableFromInline
package final class Locked<Value>: @unchecked Sendable {
    // Unchecked: the value is accessed only while the mutex is held.

    @exclusivity(unchecked)
    @usableFromInline
    var value: Value
    @usableFromInline
    let mutex: UnsafeMutablePointer<pthread_mutex_t>

    @inlinable
    package init(_ value: consuming sending Value) {
        self.value = value
        mutex = .allocate(capacity: 1)
        mutex.initialize(to: pthread_mutex_t())
        pthread_mutex_init(mutex, nil)
    }

    @inlinable
    deinit {
        pthread_mutex_destroy(mutex)
        mutex.deinitialize(count: 1)
        mutex.deallocate()
    }

    @inlinable
    package func withLock<T, E: Error>(_ operation: (inout Value) throws(E) -> T) throws(E) -> T {
        pthread_mutex_lock(mutex)
        defer { pthread_mutex_unlock(mutex) }
        return try operation(&value)
    }
}
