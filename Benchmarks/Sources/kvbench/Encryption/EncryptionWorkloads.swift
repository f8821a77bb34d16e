import BenchmarkGate
import Crypto
import CryptoExtras
import Foundation
import SQLCore
import SQLPlus

/// An encrypted database compared with a plain one, and with swift-crypto alone for its pages.
enum EncryptionWorkloads {
    private static let rowCount = 100_000
    private static let lookups = 20_000
    private static let key = EncryptionKey.random()
    /// The cache size in pages: about a twentieth of the file, or all of it.
    private static let smallCache = 500
    private static let largeCache = 50_000

    static func groups() -> [[Workload]] {
        [scans, insertions, reads, openings, derivations]
    }

    /// How a file is encrypted.
    private enum Kind: Equatable {
        case plain, counted, encrypted

        var configuration: SQLiteConfiguration {
            switch self {
            case .plain: .platform
            case .counted: .custom(vfs: PageCounter.registered?.name ?? "page-counter")
            case .encrypted: .plus(key: key)
            }
        }
    }

    private static func open(_ path: String, _ kind: Kind, cache: Int) throws -> SQLContext {
        let context = try SQLContext(path: path, configuration: kind.configuration)
        try context.exec(
            sql: "PRAGMA journal_mode = wal; PRAGMA synchronous = normal; "
                + "PRAGMA secure_delete = off; PRAGMA cache_size = \(cache)")
        return context
    }

    /// The size of a row in bytes: from 300 to 480, so that it does not favor a page size.
    private static func length(_ row: Int) -> Int { 300 + row * 31 % 181 }

    /// Inserts rows with keys in random order, in one transaction.
    private static func insert(_ context: SQLContext) throws {
        try context.exec(sql: "CREATE TABLE t (k INTEGER PRIMARY KEY, a INTEGER, b BLOB)")
        let bodies = (0..<181).map { SQLValue.blob(Data(repeating: 7, count: length($0))) }
        try context.transaction(.immediate) {
            let statement = try context.prepare(sql: "INSERT INTO t VALUES (?, ?, ?)")
            for row in 0..<rowCount {
                let place = row * 7919 % rowCount
                try statement.update(parameters: [
                    .long(Int64(place)), .long(Int64(row)), bodies[row % 181],
                ])
            }
        }
    }

    private static func fill(_ directory: BenchmarkDirectory, _ kind: Kind) throws -> String {
        let path = directory.path + "/\(kind).db"
        let context = try open(path, kind, cache: largeCache)
        try insert(context)
        try context.close()
        return path
    }

    private static let expectedSum = (0..<rowCount).reduce(0) { $0 + $1 + length($1) }

    private static func scan(_ context: SQLContext) throws -> Int {
        let sum = try context.selectValue(sql: "SELECT sum(a + length(b)) FROM t")
        return Int(sum?.longValue ?? 0)
    }

    private static func checked(
        _ sum: Int, _ expected: Int = expectedSum
    ) throws -> Int {
        try Recount.require(sum, expected, "rows of an encrypted file")
    }
}

extension EncryptionWorkloads {
    private static var scans: [Workload] {
        let name = "encryption: scan, the cache a twentieth of the file"
        return [
            Workload("\(name): plain, and swift-crypto for its pages") {
                let directory = try BenchmarkDirectory()
                let path = try fill(directory, .counted)
                let counted = try open(path, .counted, cache: smallCache)
                let pages = try PageCounter.registered?.count { _ = try scan(counted) }.reads ?? 0
                try counted.close()
                let context = try open(path, .plain, cache: smallCache)
                let crypto = PageCrypto()
                return Workload.Prepared(.items(rowCount)) {
                    withExtendedLifetime(directory) {}
                    let sum = try checked(scan(context))
                    return sum &+ (try crypto.open(pages) & 1)
                }
            },
            Workload("\(name): plain", baseline: "\(name): plain, and swift-crypto for its pages") {
                let directory = try BenchmarkDirectory()
                let context = try open(fill(directory, .plain), .plain, cache: smallCache)
                return Workload.Prepared(.items(rowCount)) {
                    withExtendedLifetime(directory) {}
                    return try checked(scan(context))
                }
            },
            Workload(
                "\(name): encrypted", baseline: "\(name): plain, and swift-crypto for its pages"
            ) {
                let directory = try BenchmarkDirectory()
                let context = try open(fill(directory, .encrypted), .encrypted, cache: smallCache)
                return Workload.Prepared(.items(rowCount)) {
                    withExtendedLifetime(directory) {}
                    return try checked(scan(context))
                }
            },
        ]
    }

    /// A new file in each pass, closed at its end, which checkpoints the WAL.
    private static func insertion(
        _ name: String, baseline: String?, _ kind: Kind, crypto: Bool = false
    ) -> Workload {
        Workload(name, baseline: baseline) {
            let directory = try BenchmarkDirectory()
            var number = 0
            func pass(_ kind: Kind) throws -> Int {
                number += 1
                let path = directory.path + "/\(number).db"
                let context = try open(path, kind, cache: smallCache)
                try insert(context)
                let count = try context.selectValue(sql: "SELECT count(*) FROM t")?.longValue
                try context.close()
                try FileManager.default.removeItem(atPath: path)
                return try checked(Int(count ?? 0), rowCount)
            }
            var pages = (reads: 0, writes: 0)
            if crypto, let counter = PageCounter.registered {
                pages = try counter.count { _ = try pass(.counted) }
            }
            let alone = PageCrypto()
            return Workload.Prepared(.items(rowCount)) {
                let sum = try pass(kind)
                guard crypto else { return sum }
                return sum &+ (try alone.open(pages.reads) & 1)
                    &+ (try alone.seal(pages.writes) & 1)
            }
        }
    }

    private static var insertions: [Workload] {
        let name = "encryption: insert in no order, the cache a twentieth of the file"
        let baseline = "\(name): plain, and swift-crypto for its pages"
        return [
            insertion(baseline, baseline: nil, .plain, crypto: true),
            insertion("\(name): plain", baseline: baseline, .plain),
            insertion("\(name): encrypted", baseline: baseline, .encrypted),
        ]
    }

    private static func read(_ name: String, baseline: String?, _ kind: Kind) -> Workload {
        Workload(name, baseline: baseline) {
            let directory = try BenchmarkDirectory()
            let context = try open(fill(directory, kind), kind, cache: largeCache)
            _ = try checked(scan(context))
            let statement = try context.prepare(sql: "SELECT k FROM t WHERE k = ?")
            let expected = (0..<lookups).reduce(0) { $0 + $1 * 7919 % rowCount }
            return Workload.Prepared(.items(lookups)) {
                withExtendedLifetime(directory) {}
                var sum = 0
                for number in 0..<lookups {
                    try statement.bind(Int64(number * 7919 % rowCount), at: 1)
                    if try statement.next() { sum += Int(statement.long(at: 0)) }
                    statement.reset()
                }
                return try checked(sum, expected)
            }
        }
    }

    private static var reads: [Workload] {
        let name = "encryption: read by key, from the cache"
        return [
            read("\(name): plain", baseline: nil, .plain),
            read("\(name): encrypted", baseline: "\(name): plain", .encrypted),
        ]
    }

    private static var openings: [Workload] {
        [Kind.plain, .encrypted].map { kind in
            let name = "encryption: open with a raw key, read a row, close"
            return Workload(
                "\(name): \(kind)", baseline: kind == .plain ? nil : "\(name): plain"
            ) {
                let directory = try BenchmarkDirectory()
                let path = try fill(directory, kind)
                return Workload.Prepared(.items(1)) {
                    withExtendedLifetime(directory) {}
                    let context = try SQLContext(path: path, configuration: kind.configuration)
                    let row = try context.selectValue(sql: "SELECT k FROM t WHERE k = 77")
                    try context.close()
                    return try checked(Int(row?.longValue ?? 0), 77)
                }
            }
        }
    }

    private static var derivations: [Workload] {
        let name = "encryption: open with a passphrase, read a row, close"
        return [
            Workload("\(name): the derivation alone") {
                let salt = [UInt8](repeating: 9, count: 16)
                return Workload.Prepared(.items(1)) {
                    let key = try KDF.Insecure.PBKDF2.deriveKey(
                        from: Array("a passphrase".utf8), salt: salt, using: .sha512,
                        outputByteCount: 32, unsafeUncheckedRounds: 256_000)
                    return key.bitCount
                }
            },
            Workload("\(name): encrypted", baseline: "\(name): the derivation alone") {
                let directory = try BenchmarkDirectory()
                let path = directory.path + "/passphrase.db"
                let made = try SQLContext(path: path, configuration: .plus)
                try made.key("a passphrase")
                try insert(made)
                try made.close()
                return Workload.Prepared(.items(1)) {
                    withExtendedLifetime(directory) {}
                    let context = try SQLContext(path: path, configuration: .plus)
                    try context.key("a passphrase")
                    let row = try context.selectValue(sql: "SELECT k FROM t WHERE k = 77")
                    try context.close()
                    return try checked(Int(row?.longValue ?? 0), 77)
                }
            },
        ]
    }
}
