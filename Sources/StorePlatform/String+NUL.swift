extension String {
    /// Whether it contains U+0000, at which C code ends a string.
    ///
    /// The C library searches many bytes at once, which an iteration over `utf8` does not.
    package var hasNUL: Bool {
        var copy = self
        return copy.withUTF8 { bytes in
            bytes.baseAddress.map { memchr($0, 0, bytes.count) != nil } ?? false
        }
    }
}
