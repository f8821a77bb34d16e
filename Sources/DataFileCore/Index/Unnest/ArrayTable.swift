package import StoreFormat

/// The names of the tables of an array's elements.
///
/// In the registry they have a plain name, `kv_default:unnest:students[].interests`; the tables
/// themselves have its digest, since LiteCore 3.2.1.
package enum ArrayTable {
    /// The plain name of the outermost level.
    package static func plainName(_ path: String, of store: KeyStoreName) -> String {
        store.tableName + ":unnest:" + KeyStoreName.mangled(path)
    }

    /// The plain name of a level inside another one.
    static func plainName(_ path: String, inside parent: String) -> String {
        plainName(mangled: KeyStoreName.mangled(path), parent)
    }

    /// The plain name of a level inside another one, by a path as it stands in names.
    package static func plainName(mangled path: String, _ parent: String) -> String {
        parent + "[]." + path
    }

    /// The paths of the levels of a plain name, as they stand there.
    package static func levels(_ paths: Substring) -> [String] {
        var levels: [String] = [""]
        var rest = paths
        while let character = rest.first {
            let isEnd = rest.hasPrefix("[].")
            if isEnd { levels.append("") } else { levels[levels.count - 1].append(character) }
            rest = rest.dropFirst(isEnd ? 3 : 1)
        }
        return levels
    }

    /// The table's own name: the SHA-1 of the plain one, in hexadecimal.
    package static func name(ofPlain plainName: String) -> String {
        plainName.sha1Hexadecimal
    }

    /// The plain name of the level around; nil for the outermost one.
    package static func parent(ofPlain plainName: String) -> String? {
        let bytes = Array(plainName.utf8)
        guard let end = bytes.lastRange(of: Array("[].".utf8)) else { return nil }
        return String(decoding: bytes[..<end], as: UTF8.self)
    }
}

extension [UInt8] {
    /// Where a pattern begins for the last time.
    fileprivate func lastRange(of pattern: [UInt8]) -> Int? {
        guard count >= pattern.count else { return nil }
        return (0...count - pattern.count).last { self[$0..<$0 + pattern.count] == pattern[...] }
    }
}
