internal import Crypto

/// The digest that Couchbase Lite names revisions and blobs by. Nothing's safety rests on it.
struct SHA1 {
    /// The bytes of a digest.
    static let length = 20

    private var hash = Insecure.SHA1()

    mutating func add(_ bytes: UnsafeRawBufferPointer) {
        hash.update(bufferPointer: bytes)
    }

    mutating func add(_ bytes: some Sequence<UInt8>) {
        guard bytes.withContiguousStorageIfAvailable({ add(UnsafeRawBufferPointer($0)) }) == nil
        else { return }
        Array(bytes).withUnsafeBytes { add($0) }
    }

    /// The digest of all bytes so far.
    func digest() -> [UInt8] { Array(hash.finalize()) }
}
