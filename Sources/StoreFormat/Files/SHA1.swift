package import Crypto

/// The digest that names revisions and blobs in Couchbase Lite. Security does not depend on it.
package struct SHA1 {
    /// The length of a digest in bytes.
    static let length = 20

    private var hash = Insecure.SHA1()

    package init(hash: Insecure.SHA1 = Insecure.SHA1()) {
        self.hash = hash
    }

    package mutating func add(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
    }

    package mutating func add(_ bytes: some Sequence<UInt8>) {
        bytes.withBytes { add($0) }
    }

    /// The digest of all bytes added so far.
    package func digest() -> [UInt8] { Array(hash.finalize()) }
}

extension Sequence<UInt8> {
    /// Lends the bytes as a buffer; copies them only if they are not contiguous.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let result = try withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }
        return try result ?? Array(self).withUnsafeBytes { try body($0) }
    }
}
