internal import DataFileCore

extension Blob {
    /// Types whose bytes are compressed already.
    private static let compressedTypes = ["image/", "audio/", "video/"]
    private static let compressedParts = [
        "zip", "zlib", "pkcs", "mpeg", "mp4", "crypt", ".rar", "-rar",
    ]

    /// Whether it pays to compress its bytes, as far as their type says.
    var isCompressible: Bool {
        guard let type = contentType?.lowercased() else { return false }
        return !Self.compressedTypes.contains { type.hasPrefix($0) }
            && !Self.compressedParts.contains { type.contains($0) }
    }
}
