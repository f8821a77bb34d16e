package import Crypto

/// The digest that Couchbase Lite names revisions and blobs by. Nothing's safety rests on it.
package struct SHA1 {
    /// The bytes of a digest.
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

    /// The digest of all bytes so far.
    package func digest() -> [UInt8] { Array(hash.finalize()) }
}

extension Sequence<UInt8> {
    /// Lends the bytes, copied only where they do not stand together.
    package func withBytes<T>(_ body: (UnsafeRawBufferPointer) throws -> T) rethrows -> T {
        let result = try withContiguousStorageIfAvailable { try body(UnsafeRawBufferPointer($0)) }
        return try result ?? Array(self).withUnsafeBytes { try body($0) }
    }
}
