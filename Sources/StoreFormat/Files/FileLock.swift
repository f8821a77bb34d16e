internal import StorePlatform

/// A lock on an open file or folder, which ends when that is closed, or its process. `flock`
///
/// It binds only those who ask for it.
package enum FileLock {
    case shared, exclusive

    package enum Outcome {
        case locked
        /// Somebody else has it.
        case busy
        /// The file system has no locks.
        case impossible
    }

    func take(
        _ descriptor: Int32, _ path: String, waits: Bool
    ) throws -> Outcome {
        let operation = (self == .shared ? LOCK_SH : LOCK_EX) | (waits ? 0 : LOCK_NB)
        while flock(descriptor, operation) != 0 {
            switch errno {
            case EINTR: continue
            case EWOULDBLOCK: return .busy
            case ENOLCK, ENOTSUP, EOPNOTSUPP, EINVAL, ENOSYS: return .impossible
            default: throw FileSystem.failure("\(path) cannot be locked")
            }
        }
        return .locked
    }
}
