// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what is measured beside the store never reaches its users.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [
        .package(name: "document-store", path: ".."),
        // The SQLite library that users of Swift would pick: measured beside SQLCore.
        .package(url: "https://github.com/groue/GRDB.swift", exact: "7.10.0"),
        // Pages through the ciphers alone, beside encrypted databases.
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        // The commands of the programs.
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
    ],
    targets: [
        // The same work in C.
        .target(
            name: "CBaseline", cSettings: [.define("NDEBUG", .when(configuration: .release))],
            linkerSettings: [.linkedLibrary("sqlite3")]),
        // A key-value store to measure beside.
        .systemLibrary(
            name: "CLMDB", pkgConfig: "lmdb",
            providers: [.apt(["liblmdb-dev"]), .brew(["lmdb"])]),
        // YCSB, LevelDB's db_bench and YCSB-JSON, on this project and on others.
        .target(
            name: "StandardBenchmarks",
            dependencies: [
                "CBaseline", "CLMDB",
                .product(name: "DocumentStore", package: "document-store"),
                .product(name: "StoreTestSupport", package: "document-store"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        .testTarget(
            name: "StandardBenchmarksTests",
            dependencies: [
                "StandardBenchmarks",
                .product(name: "StoreTestSupport", package: "document-store"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
        // Counts of instructions, and what they may be.
        .target(name: "BenchmarkGate"),
        .testTarget(name: "BenchmarkGateTests", dependencies: ["BenchmarkGate"]),
        .executableTarget(
            name: "kvgate",
            dependencies: [
                "BenchmarkGate",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DocumentStore", package: "document-store"),
                .product(name: "SQLCore", package: "document-store"),
                .product(name: "StoreTestSupport", package: "document-store"),
            ]),
        // Results, and what is written about them.
        .target(name: "BenchmarkReport"),
        .testTarget(name: "BenchmarkReportTests", dependencies: ["BenchmarkReport"]),
        .executableTarget(
            name: "kvbench",
            dependencies: [
                "BenchmarkGate",
                "BenchmarkReport",
                "CBaseline",
                "StandardBenchmarks",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "DocumentStore", package: "document-store"),
                .product(name: "OONIStore", package: "document-store"),
                .product(name: "CouchbaseReplication", package: "document-store"),
                .product(name: "PostgresReplication", package: "document-store"),
                .product(name: "Replication", package: "document-store"),
                .product(name: "SQLCore", package: "document-store"),
                .product(name: "SQLTables", package: "document-store"),
                .product(name: "SQLPlus", package: "document-store"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "ServerStore", package: "document-store"),
                .product(name: "StoreTestSupport", package: "document-store"),
                .product(name: "GRDB", package: "GRDB.swift"),
            ]),
    ]
)
