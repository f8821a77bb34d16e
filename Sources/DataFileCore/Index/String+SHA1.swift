internal import StoreFormat

extension String {
    /// The SHA-1 of the UTF-8, in hexadecimal, by which tables are named.
    var sha1Hexadecimal: String {
        var digest = SHA1()
        digest.add(Array(utf8))
        return RevisionID.hexadecimal(digest.digest())
    }
}
