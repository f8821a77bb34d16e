internal import DocumentStore

// # The format of `kvtool dump`
//
// Lines of JSON. Nothing of the database's rows is lost: `kvtool load` makes rows with the same
// bytes in all columns. Only the numbers of SQLite's rows may be others.
//
//     {"dump":"kvtool.dump/1","schema":503,"versioning":2,"sharedKeys":["name","age"]}
//     {"check":"0b9e9a2c"}             the checksum of all bytes before this line
//     {"store":"info"}                 the rows that follow are of this store; `info` comes first
//     {"k":"SharedKeys","f":0,"B":"…"} a row
//     {"store":"default"}
//     {"k":"person-0001","s":1,"f":0,"v":"0001a5","n":31,"b":{"name":"Ada","age":36}}
//     {"check":"5d0c96bb"}             after the first line, and after each 128 at least
//     {"meta":[{"name":"default","lastSeq":1,"purgeCnt":0}]}
//     {"index":{"name":"byAge","kind":0,"store":"default","expression":"…"}}
//     {"check":"8d70a31b"}
//     {"blob":"sha1-…","bytes":50000,"pieces":2}    then so many lines {"data":"…"}
//     {"end":{"lines":13,"blobs":1,"crc32":"1c291ca3"}}
//
// A row has
//
//     k  the key          s  the sequence, if there is one      f  the whole column of flags
//     v  the version in hexadecimal digits                      x  `extra` as base64
//     e  the expiration   t  true in the table of tombstones
//     b  the body as JSON, with n, the number of its bytes: where JSON that is encoded with the
//        file's shared keys gives the same bytes again
//     B  the body as base64: elsewhere
//
// What a row lacks is NULL. `b` is always the last property, so that its text can be taken as it
// stands. Keys that this version does not know are an error: they could be something that counts.
//
// A checksum is that of all bytes before its line, so that of damage the few lines are known in
// which it is; nothing counts before the next one has come. Both kinds of lines with checksums are
// compared byte by byte. A dump without the last line is cut off.
//
// # As an archive
//
// With the name FILE.tar it is an archive (POSIX ustar) of the same lines in pieces and of the
// blobs as files, in this order:
//
//     dump/000001.ndjson               the lines, each piece up to a check
//     dump/000002.ndjson …
//     dump/Attachments/….blob          the blobs, each under the name that it has in a database
//     dump/end.ndjson                  the last line
//
// `lines` and `crc32` are of the lines of all pieces one after the other, without the blobs, whose
// names are their digests. Other files in it are passed over.

/// The words of the format.
enum DumpFormat {
    static let name = "kvtool.dump/1"
    /// What the first line begins with, in any version.
    static let start = Array(#"{"dump":"kvtool.dump/"#.utf8)
    /// Bytes of a blob in one line.
    static let piece = 48 << 10
    /// Lines after which there is a check, and bytes.
    static let (checkLines, checkBytes) = (128, 1 << 20)
    /// Bytes of lines that are written together: one file of an archive.
    static let (lineBytes, archiveBytes) = (1 << 17, 4 << 20)
    /// The directories of an archive.
    static let (directory, blobDirectory) = ("dump/", "dump/Attachments/")
    /// How files with lines end, and the name of the one with the last line.
    static let (linesSuffix, endName) = (".ndjson", "dump/end.ndjson")
    /// The row of `info` that says how far an unfinished load has come.
    static let mark = "kvtool.load"
    /// The row with the key of encrypted blobs, which are plain in a dump.
    static let blobKeyRow = "blobKey"
    /// The rows of `info` that a load must know.
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

/// The beginnings by which lines are told apart without being read.
enum DumpPrefix {
    static let row = Array(#"{"k":"#.utf8)
    static let data = Array(#"{"data":"#.utf8)
    static let blob = Array(#"{"blob":"#.utf8)
    static let check = Array(#"{"check":"#.utf8)
    static let end = Array(#"{"end":"#.utf8)
}

/// A dump is not as it was written.
struct DumpFailure: Error {
    let message: String
    /// Whether it only lacks its end.
    var isCutOff = false

    static let cutOff = DumpFailure(message: "it is cut off", isCutOff: true)
}

// A blob is on the disk under its name as soon as it is whole, so that none is written twice.
extension DumpLoader {
    private static var part: Int { 1 << 16 }

    /// Takes a blob whose bytes are in lines.
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

    /// Takes a blob that is a file of an archive.
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

    /// Nil for a blob that is there already.
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
