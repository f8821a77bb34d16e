internal import DocumentStore

// # The format of `kvtool dump`
//
// Lines of JSON. A dump contains all rows of the database: `kvtool load` creates rows with the same
// bytes in all columns. Only the rowids may differ.
//
//     {"dump":"kvtool.dump/1","schema":503,"versioning":2,"sharedKeys":["name","age"]}
//     {"check":"0b9e9a2c"}             checksum of all bytes before this line
//     {"store":"info"}                 the following rows are of this store; `info` comes first
//     {"k":"SharedKeys","f":0,"B":"…"} a row
//     {"store":"default"}
//     {"k":"person-0001","s":1,"f":0,"v":"0001a5","n":31,"b":{"name":"Ada","age":36}}
//     {"check":"5d0c96bb"}             after the first line, then at least every 128 lines
//     {"meta":[{"name":"default","lastSeq":1,"purgeCnt":0}]}
//     {"index":{"name":"byAge","kind":0,"store":"default","expression":"…"}}
//     {"check":"8d70a31b"}
//     {"blob":"sha1-…","bytes":50000,"pieces":2}    then as many lines {"data":"…"}
//     {"end":{"lines":13,"blobs":1,"crc32":"1c291ca3"}}
//
// A row has
//
//     k  the key          s  the sequence, if any               f  the flags column, complete
//     v  the version in hexadecimal digits                      x  `extra` as base64
//     e  the expiration   t  true in the tombstone table
//     b  the body as JSON, with n, the number of its bytes: if encoding the JSON with the
//        file's shared keys reproduces the same bytes
//     B  the body as base64: otherwise
//
// A missing property is NULL. `b` is always the last property, so that its text can be copied
// without parsing. Unknown keys are an error, because they could be significant.
//
// A checksum covers all bytes before its line, so that damage can be located to a few lines; no
// line is applied before the next checksum is verified. Both kinds of checksum lines are compared
// byte by byte. A dump without the last line is truncated.
//
// # As an archive
//
// If the file is named FILE.tar, the dump is an archive (POSIX ustar) with the same lines in pieces
// and the blobs as files, in this order:
//
//     dump/000001.ndjson               the lines, each piece up to a checksum
//     dump/000002.ndjson …
//     dump/Attachments/….blob          the blobs, each with its file name in a database
//     dump/end.ndjson                  the last line
//
// `lines` and `crc32` cover the lines of all pieces in order, without the blobs, whose names are
// their digests. Other files in the archive are skipped.

/// The constants of the format.
enum DumpFormat {
    static let name = "kvtool.dump/1"
    /// The beginning of the first line, in any version.
    static let start = Array(#"{"dump":"kvtool.dump/"#.utf8)
    /// Maximum bytes of a blob in one line.
    static let piece = 48 << 10
    /// The number of lines, and of bytes, after which a checksum is written.
    static let (checkLines, checkBytes) = (128, 1 << 20)
    /// Bytes of lines that are written together, and of one file of an archive.
    static let (lineBytes, archiveBytes) = (1 << 17, 4 << 20)
    /// The directories of an archive.
    static let (directory, blobDirectory) = ("dump/", "dump/Attachments/")
    /// The suffix of files with lines, and the name of the file with the last line.
    static let (linesSuffix, endName) = (".ndjson", "dump/end.ndjson")
    /// The row of `info` that stores the position of an unfinished load.
    static let mark = "kvtool.load"
    /// The row with the key of encrypted blobs. Blobs are not encrypted in a dump.
    static let blobKeyRow = "blobKey"
    /// The rows of `info` that a load handles specially.
    static let (sharedKeysRow, publicUUID, privateUUID, previousUUID) = (
        "SharedKeys", "publicUUID", "privateUUID", "previousPrivateUUID"
    )

    /// A line with a checksum.
    static func check(_ checksum: String) -> [UInt8] {
        Array(#"{"check":"\#(checksum)"}"#.utf8)
    }

    /// The last line.
    static func end(lines: Int, blobs: Int, _ checksum: String) -> [UInt8] {
        Array(
            #"{"end":{"lines":\#(lines),"blobs":\#(blobs),"crc32":"\#(checksum)"}}"#.utf8)
    }
}

/// The prefixes by which lines are distinguished without parsing.
enum DumpPrefix {
    static let row = Array(#"{"k":"#.utf8)
    static let data = Array(#"{"data":"#.utf8)
    static let blob = Array(#"{"blob":"#.utf8)
    static let check = Array(#"{"check":"#.utf8)
    static let end = Array(#"{"end":"#.utf8)
}

/// A dump is damaged or truncated.
struct DumpFailure: Error {
    let message: String
    /// Whether the dump is only truncated.
    var isCutOff = false

    static let cutOff = DumpFailure(message: "it is truncated", isCutOff: true)
}

// A blob is stored under its name as soon as it is complete, so that it is never written twice.
extension DumpLoader {
    private static var part: Int { 1 << 16 }

    /// Loads a blob whose bytes are in lines.
    mutating func loadBlob(_ digest: BlobDigest, bytes: Int, pieces: Int) throws {
        let writer = try blobWriter(digest, bytes: bytes)
        for _ in 0..<pieces {
            try Interruption.check()
            guard let next = try lines.next() else { throw DumpFailure.cutOff }
            guard case .line(let text) = next, text.starts(with: DumpPrefix.data) else {
                throw DumpFailure(message: "data of the blob \(digest) is expected")
            }
            guard let writer else { continue }
            guard case .data(let data) = try text.withUnsafeBytes({ try DumpLine($0, &encoder) })
            else {
                throw DumpFailure(message: "data of the blob \(digest) is expected")
            }
            try writer.write(data)
        }
        try finish(writer, digest, bytes: bytes)
    }

    /// Loads a blob that is a file of an archive.
    mutating func loadBlob(_ digest: BlobDigest, bytes: Int) throws {
        let writer = try blobWriter(digest, bytes: bytes)
        while true {
            try Interruption.check()
            let data = try lines.bytes(atMost: Self.part)
            guard !data.isEmpty else { break }
            try writer?.write(data)
        }
        try finish(writer, digest, bytes: bytes)
    }

    /// Returns nil for a blob that already exists.
    private func blobWriter(_ digest: BlobDigest, bytes: Int) throws -> BlobWriter? {
        try target.holds(digest, bytes: bytes) ? nil : target.database.blobs.writer()
    }

    private mutating func finish(
        _ writer: BlobWriter?, _ digest: BlobDigest, bytes: Int
    ) throws {
        blobs += 1
        guard let writer else { return }
        guard writer.length == bytes, try writer.finish(as: digest) else {
            throw DumpFailure(message: "the blob \(digest) before it is damaged")
        }
        target.note(digest, bytes: bytes)
    }
}
