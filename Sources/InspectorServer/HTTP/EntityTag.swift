internal import Crypto
internal import StorePlatform

/// The entity tag of an answer: its digest, behind the revision if it is a document's.
///
/// Sequences would cost less, but do not change with all that an answer shows: a conflict that is
/// stored beside a revision, an expiration, an index.
enum EntityTag {
    static func tag(of body: [UInt8]) -> String {
        let digest = Hexadecimal.encoded(SHA256.hash(data: body).prefix(12))
        return "\"" + (revision(in: body).map { "\($0)|" } ?? "") + digest + "\""
    }

    /// The revision in a tag, or in one that consists of it alone.
    static func revision(in tag: String) -> String {
        let isQuoted = tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"")
        return String((isQuoted ? tag.dropFirst().dropLast() : tag[...]).prefix { $0 != "|" })
    }

    /// The revision of the document that an answer consists of. A quotation mark within a string of
    /// JSON has a backslash before it, so no ID looks like it.
    private static func revision(in body: [UInt8]) -> String? {
        guard body.starts(with: Array("{\"schema\":\"kvtool.cat/".utf8)),
            let name = body.firstRange(of: Array("\"revision\":\"".utf8))
        else { return nil }
        let text = body[name.upperBound...].prefix { $0 != UInt8(ascii: "\"") }
        return String(decoding: text, as: UTF8.self)
    }
}
