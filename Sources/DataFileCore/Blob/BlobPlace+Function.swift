internal import QueryFunctions

extension BlobPlace {
    /// The whole of a blob for the SQL function `fl_blob`; nil if it is not there, cannot be read,
    /// or is larger than a function's result may be.
    func contents(ofDigest text: String) -> [UInt8]? {
        guard let digest = try? BlobDigest(text), let source = try? source(digest),
            source.length <= FunctionLimits.bytes
        else { return nil }
        var bytes = [UInt8](repeating: 0, count: source.length)
        let isRead = bytes.withUnsafeMutableBytes { buffer in
            var offset = 0
            while offset < buffer.count {
                let rest = UnsafeMutableRawBufferPointer(rebasing: buffer[offset...])
                guard let count = try? source.read(into: rest, at: offset), count > 0 else {
                    return false
                }
                offset += count
            }
            return true
        }
        return isRead ? bytes : nil
    }
}
