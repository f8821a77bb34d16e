// swift-tools-version: 6.2
import PackageDescription

/// Swift 6 language mode is the default of this tools version; these add what the next one will
/// require. In CI a warning is an error.
let settings: [SwiftSetting] =
    [
        .enableUpcomingFeature("ExistentialAny"),
        .enableUpcomingFeature("InternalImportsByDefault"),
        .enableUpcomingFeature("MemberImportVisibility"),
        .enableUpcomingFeature("NonisolatedNonsendingByDefault"),
    ] + (Context.environment["CI"] == nil ? [] : [.treatAllWarnings(as: .error)])

let package = Package(
    name: "document-store",
    platforms: [.macOS(.v15), .iOS(.v18), .tvOS(.v18), .visionOS(.v2)],
    products: [
        .library(name: "DocumentStore", targets: ["DocumentStore"]),
        .library(name: "DataFileCore", targets: ["DataFileCore"]),
        .library(name: "FleeceLite", targets: ["FleeceLite"]),
        .library(name: "SQLCore", targets: ["SQLCore"]),
        .library(name: "StoreTools", targets: ["StoreTools"]),
        .library(name: "SQLTables", targets: ["SQLTables"]),
        .library(name: "SQLPlus", targets: ["SQLPlus"]),
        .library(name: "Replication", targets: ["Replication"]),
        .library(name: "PostgresReplication", targets: ["PostgresReplication"]),
        .library(name: "CouchbaseReplication", targets: ["CouchbaseReplication"]),
        .library(name: "Inspector", targets: ["Inspector"]),
        .library(name: "OONIStore", targets: ["OONIStore"]),
        .library(name: "ServerStore", targets: ["ServerStore"]),
        .library(name: "ServerStoreTestSupport", targets: ["ServerStoreTestSupport"]),
        .library(name: "StoreTestSupport", targets: ["StoreTestSupport", "SampleData"]),
        .executable(name: "kvtool", targets: ["kvtool"]),
    ],
    dependencies: [
        .package(url: "https://github.com/apple/swift-argument-parser", from: "1.8.2"),
        .package(url: "https://github.com/apple/swift-crypto", from: "4.5.2"),
        .package(url: "https://github.com/apple/swift-log", from: "1.16.2"),
        .package(url: "https://github.com/apple/swift-nio", from: "2.101.2"),
        .package(url: "https://github.com/apple/swift-nio-ssl", from: "2.37.6"),
    ],
    targets: [
        // Layer 0: the system and its libraries.
        .systemLibrary(
            name: "CSQLite", pkgConfig: "sqlite3",
            providers: [.apt(["libsqlite3-dev"]), .brew(["sqlite"])]),
        .systemLibrary(
            name: "CSnowball", providers: [.apt(["libstemmer-dev"]), .brew(["snowball"])]),
        .target(
            name: "CICU",
            linkerSettings: [
                .linkedLibrary("icui18n", .when(platforms: [.linux])),
                .linkedLibrary("icuuc", .when(platforms: [.linux])),
                .linkedLibrary("iconv", .when(platforms: [.macOS, .iOS, .tvOS, .visionOS])),
            ]),
        .systemLibrary(
            name: "CPQ", pkgConfig: "libpq", providers: [.apt(["libpq-dev"]), .brew(["libpq"])]),
        .systemLibrary(
            name: "CZlib", pkgConfig: "zlib", providers: [.apt(["zlib1g-dev"])]),
        .target(name: "CVector"),
        .target(name: "CEdit", linkerSettings: [.linkedLibrary("edit")]),
        .target(name: "StorePlatform", swiftSettings: settings),

        // Layer 1: SQLite in Swift; the binary format.
        .target(
            name: "SQLCore", dependencies: ["CSQLite", "StorePlatform"], swiftSettings: settings),
        .target(
            name: "FleeceLite", dependencies: ["StorePlatform"], swiftSettings: settings),
        .target(name: "SampleData", swiftSettings: settings),

        // Layer 2: tables of SQLite as types of Swift.
        .target(
            name: "SQLTables", dependencies: ["SQLCore", "StorePlatform"], swiftSettings: settings),

        // Layer 2: the protocol of messages with which Couchbase's databases replicate.
        .target(name: "BLIP", dependencies: ["CZlib", "FleeceLite"], swiftSettings: settings),

        // Layer 3: the same over WebSockets.
        .target(
            name: "BLIPWebSocket",
            dependencies: [
                "BLIP",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOConcurrencyHelpers", package: "swift-nio"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
                .product(name: "NIOSSL", package: "swift-nio-ssl"),
                .product(name: "NIOWebSocket", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // Layer 2: encryption.
        .target(
            name: "SQLPlus",
            dependencies: [
                "SQLCore", "StorePlatform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "CryptoExtras", package: "swift-crypto"),
            ],
            swiftSettings: settings),

        // Layer 2: what stands in a file: rows, names, revisions; errors, calls of the system.
        .target(
            name: "StoreFormat",
            dependencies: [
                "FleeceLite", "SQLCore", "StorePlatform",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),

        // Layer 3: queries as text and trees, and the SQL that they become.
        .target(
            name: "QueryLanguage",
            dependencies: ["FleeceLite", "SQLCore", "StoreFormat", "StorePlatform"],
            swiftSettings: settings),

        // Layer 3: the functions that SQL calls; orders and words of languages.
        .target(
            name: "QueryFunctions",
            dependencies: [
                "CICU", "CSnowball", "FleeceLite", "SQLCore", "StoreFormat", "StorePlatform",
            ],
            swiftSettings: settings),

        // Layer 3: vector indexes: the nearest vectors, in the tables of a file.
        .target(
            name: "VectorIndex",
            dependencies: ["CVector", "SQLCore", "StoreFormat", "StorePlatform"],
            swiftSettings: settings),

        // Layer 4: the storage engine.
        .target(
            name: "DataFileCore",
            dependencies: [
                "FleeceLite", "QueryFunctions", "QueryLanguage", "SQLCore", "StoreFormat",
                "StorePlatform", "VectorIndex",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // Layer 5: what runs queries, and keeps their results current.
        .target(
            name: "QueryEngine",
            dependencies: [
                "DataFileCore", "FleeceLite", "QueryFunctions", "QueryLanguage", "SQLCore",
                "StoreFormat", "StorePlatform", "VectorIndex",
            ],
            swiftSettings: settings),

        // Layer 5: what tools do with files: verify, salvage, dump and restore.
        .target(
            name: "StoreTools",
            dependencies: [
                "DataFileCore", "FleeceLite", "QueryFunctions", "QueryLanguage", "SQLCore",
                "StoreFormat", "VectorIndex",
            ],
            swiftSettings: settings),

        // Layer 5: replication with other databases, without the protocols.
        .target(
            name: "Replication",
            dependencies: ["DataFileCore", "FleeceLite", "StoreFormat", "StorePlatform"],
            swiftSettings: settings),

        // Layer 6: replication with PostgreSQL.
        .target(
            name: "PostgresReplication",
            dependencies: ["CPQ", "DataFileCore", "Replication", "StorePlatform"],
            swiftSettings: settings),

        // Layer 6: replication with Couchbase's protocol.
        .target(
            name: "CouchbaseReplication",
            dependencies: [
                "BLIP", "BLIPWebSocket", "DataFileCore", "FleeceLite", "Replication",
                "StoreFormat", "StorePlatform",
                .product(name: "Crypto", package: "swift-crypto"),
            ],
            swiftSettings: settings),

        // Layer 6: queries written in Swift.
        .target(
            name: "QueryBuilder",
            dependencies: [
                "DataFileCore", "FleeceLite", "QueryEngine", "QueryLanguage", "SQLCore",
                "StoreFormat", "StorePlatform", "VectorIndex",
            ],
            swiftSettings: settings),

        // Layer 7: all that a program with documents imports.
        .target(
            name: "DocumentStore",
            dependencies: [
                "DataFileCore", "FleeceLite", "QueryBuilder", "QueryEngine", "QueryFunctions",
                "QueryLanguage", "StoreFormat", "VectorIndex",
            ],
            swiftSettings: settings),

        // Layer 8: what tests of stores need.
        .target(
            name: "StoreTestSupport",
            dependencies: ["DocumentStore", "SQLCore", "SampleData", "StorePlatform"],
            swiftSettings: settings),

        // Layer 8: models for the examples, with weights in Examples/.
        .target(
            name: "ExampleModels", dependencies: ["DocumentStore"],
            swiftSettings: settings),

        // Layer 8: real schemas.
        .target(
            name: "OONIStore",
            dependencies: ["DocumentStore", "SQLCore", "SQLTables"], swiftSettings: settings),

        .target(
            name: "ServerStore",
            dependencies: [
                "DocumentStore", "SQLCore",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // Layer 9: what tests of applications with a ServerStore need.
        .target(
            name: "ServerStoreTestSupport", dependencies: ["ServerStore"],
            swiftSettings: settings),

        // A program that uses the first of them.
        .executableTarget(
            name: "probe-run", dependencies: ["DocumentStore", "OONIStore"],
            path: "Examples/ProbeRun", swiftSettings: settings),

        // A program that uses the second of them.
        .executableTarget(
            name: "server-list", dependencies: ["ServerStore"],
            path: "Examples/ServerList", swiftSettings: settings),

        // A program that replicates.
        .executableTarget(
            name: "shared-list",
            dependencies: ["DocumentStore", "PostgresReplication", "Replication"],
            path: "Examples/SharedList", swiftSettings: settings),

        // Layer 8: what the commands of the inspector read, compare and write.
        .target(
            name: "KVToolCore",
            dependencies: [
                "CICU", "DocumentStore", "SQLCore", "SQLPlus", "SampleData", "StorePlatform",
                "StoreTools",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),

        // Layer 0: the files of the inspector's pages.
        .target(name: "CInspectorPages", exclude: ["Web", "openapi.json"]),

        // Layer 9: what shows databases in a browser.
        .target(
            name: "InspectorServer",
            dependencies: [
                "CInspectorPages", "DocumentStore", "FleeceLite", "KVToolCore", "StorePlatform",
                .product(name: "Crypto", package: "swift-crypto"),
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOHTTP1", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),

        // Layer 10: the commands of the inspector, and its shell.
        .target(
            name: "KVToolCommands",
            dependencies: [
                "CEdit", "CouchbaseReplication", "DocumentStore", "FleeceLite", "InspectorServer",
                "KVToolCore", "PostgresReplication", "Replication", "SQLCore", "SQLPlus",
                "SampleData",
                "StorePlatform", "StoreTools",
                .product(name: "ArgumentParser", package: "swift-argument-parser"),
            ],
            swiftSettings: settings),

        // Layer 11: the inspector in the browser, for applications.
        .target(
            name: "Inspector",
            dependencies: ["DocumentStore", "InspectorServer", "KVToolCommands"],
            swiftSettings: settings),

        // Layer 11: the inspector.
        .executableTarget(
            name: "kvtool", dependencies: ["KVToolCommands", "KVToolCore"],
            swiftSettings: settings),

        .testTarget(
            name: "StorePlatformTests", dependencies: ["SampleData", "StorePlatform"],
            swiftSettings: settings),
        .testTarget(
            name: "SQLCoreTests",
            dependencies: [
                "ProjectTestSupport", "SQLCore", "SQLTables", "SampleData", "StorePlatform",
                "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "SQLTablesTests",
            dependencies: ["ProjectTestSupport", "SQLCore", "SQLTables", "StoreTestSupport"],
            swiftSettings: settings),
        .testTarget(
            name: "SQLPlusTests",
            dependencies: [
                "ProjectTestSupport", "SQLCore", "SQLPlus", "SampleData", "StorePlatform",
                "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "FleeceLiteTests",
            dependencies: [
                "FleeceLite", "ProjectTestSupport", "SampleData", "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "BLIPTests",
            dependencies: ["BLIP", "CZlib", "FleeceLite", "ProjectTestSupport", "SampleData"],
            swiftSettings: settings),
        .testTarget(
            name: "VectorIndexTests",
            dependencies: [
                "CVector", "SQLCore", "SampleData", "StoreTestSupport", "VectorIndex",
            ],
            swiftSettings: settings),
        // What tests read of this repository: golden files, articles.
        .target(
            name: "ProjectTestSupport", dependencies: ["CZlib", "StoreTestSupport"],
            path: "Tests/ProjectTestSupport", swiftSettings: settings),
        // Fixtures of the engine's tests, and an evaluator of queries that is not the engine's.
        .target(
            name: "EngineTestSupport",
            dependencies: [
                "DataFileCore", "FleeceLite", "ProjectTestSupport", "QueryEngine",
                "QueryFunctions", "QueryLanguage", "SQLCore", "SQLPlus", "SampleData",
                "StoreFormat", "StorePlatform", "StoreTestSupport",
            ],
            path: "Tests/EngineTestSupport", swiftSettings: settings),
        .testTarget(
            name: "StoreFormatTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "FleeceLite", "SQLCore", "SampleData",
                "StoreFormat", "StorePlatform", "StoreTestSupport", "StoreTools",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "QueryLanguageTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "FleeceLite", "QueryFunctions",
                "QueryLanguage", "SQLCore", "SampleData", "StoreFormat", "StorePlatform",
                "StoreTestSupport",
            ],
            exclude: ["Planner/plans.txt"], swiftSettings: settings),
        .testTarget(
            name: "QueryFunctionsTests",
            dependencies: [
                "EngineTestSupport", "ExampleModels", "FleeceLite", "ProjectTestSupport",
                "QueryFunctions", "SQLCore", "SampleData", "StoreFormat", "StorePlatform",
                "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DataFileCoreTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "ExampleModels", "FleeceLite",
                "ProjectTestSupport", "QueryEngine", "QueryFunctions", "QueryLanguage", "SQLCore",
                "SQLPlus", "SampleData", "StoreFormat", "StorePlatform", "StoreTestSupport",
                "StoreTools", "VectorIndex",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "QueryEngineTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "FleeceLite", "QueryEngine", "QueryFunctions",
                "QueryLanguage", "SampleData", "SQLCore", "StoreFormat", "StoreTestSupport",
                "VectorIndex",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "QueryBuilderTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "FleeceLite", "QueryBuilder", "QueryEngine",
                "SampleData", "StoreFormat", "StoreTestSupport", "VectorIndex",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoreToolsTests",
            dependencies: [
                "DataFileCore", "EngineTestSupport", "FleeceLite", "ProjectTestSupport",
                "QueryEngine", "QueryFunctions", "SQLCore", "SQLPlus", "SampleData", "StoreFormat",
                "StorePlatform", "StoreTestSupport", "StoreTools", "VectorIndex",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "DocumentStoreTests",
            dependencies: [
                "DataFileCore", "DocumentStore", "FleeceLite", "OONIStore",
                "PostgresReplication", "ProjectTestSupport", "Replication", "SQLCore", "SQLPlus",
                "SQLTables", "SampleData", "ServerStore", "ServerStoreTestSupport",
                "StoreTestSupport", "StoreTools",
            ],
            // Compiled by tests, with the examples of the documentation.
            exclude: ["Support/Examples"], swiftSettings: settings),
        .testTarget(
            name: "CompatibilityTests",
            dependencies: [
                "DataFileCore", "DocumentStore", "FleeceLite", "ProjectTestSupport",
                "QueryFunctions", "SampleData", "SQLCore", "StoreFormat", "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "OONIStoreTests",
            dependencies: [
                "DocumentStore", "OONIStore", "ProjectTestSupport", "SQLCore", "SQLPlus",
                "SampleData", "SQLTables", "StorePlatform", "StoreTestSupport", "kvtool",
                "probe-run",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ServerStoreTests",
            dependencies: [
                "DocumentStore", "ProjectTestSupport", "SQLCore", "SQLPlus", "SampleData",
                "ServerStore", "ServerStoreTestSupport", "StorePlatform", "StoreTestSupport",
                "kvtool", "server-list",
                .product(name: "Logging", package: "swift-log"),
            ],
            swiftSettings: settings),
        .testTarget(
            name: "kvtoolTests",
            dependencies: [
                "DocumentStore", "KVToolCommands", "KVToolCore", "ProjectTestSupport", "SQLCore",
                "SQLPlus", "SampleData", "StoreTestSupport", "kvtool",
            ],
            exclude: ["Browser/Scenarios"], swiftSettings: settings),
        .testTarget(
            name: "InspectorTests",
            dependencies: [
                "DocumentStore", "Inspector", "InspectorServer", "KVToolCommands", "KVToolCore",
                "ProjectTestSupport", "SQLPlus", "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "StoreTestSupportTests",
            dependencies: [
                "CrashWriter", "DocumentStore", "ProjectTestSupport", "SQLCore", "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "ReplicationTests", dependencies: ["Replication"], swiftSettings: settings),
        .testTarget(
            name: "PostgresReplicationTests",
            dependencies: [
                "DataFileCore", "FleeceLite", "PostgresReplication", "ProjectTestSupport",
                "Replication", "ReplicationTestSupport", "SampleData", "StoreFormat",
                "StoreTestSupport", "SyncWriter", "shared-list",
            ],
            swiftSettings: settings),
        .testTarget(
            name: "CouchbaseReplicationTests",
            dependencies: [
                "BLIP", "BLIPWebSocket", "CouchbaseReplication", "DataFileCore", "FleeceLite",
                "ProjectTestSupport", "Replication", "ReplicationTestSupport", "SQLCore",
                "SampleData", "StoreFormat", "StorePlatform", "StoreTestSupport",
                .product(name: "NIOCore", package: "swift-nio"),
                .product(name: "NIOPosix", package: "swift-nio"),
            ],
            swiftSettings: settings),
        // Files that the tests of replication replicate.
        .target(
            name: "ReplicationTestSupport",
            dependencies: [
                "DataFileCore", "FleeceLite", "Replication", "SampleData", "StoreFormat",
                "StorePlatform", "StoreTestSupport",
            ],
            path: "Tests/ReplicationTestSupport", swiftSettings: settings),
        // What the tests of replication run and kill.
        .executableTarget(
            name: "SyncWriter",
            dependencies: ["DataFileCore", "FleeceLite", "PostgresReplication", "Replication"],
            path: "Tests/SyncWriter", swiftSettings: settings),
        // What the tests of crashes run and kill.
        .executableTarget(
            name: "CrashWriter",
            dependencies: ["DocumentStore", "SampleData", "SQLPlus", "StoreTestSupport"],
            path: "Tests/CrashWriter", swiftSettings: settings),
        .testTarget(
            name: "ReliabilityTests",
            dependencies: [
                "CrashWriter", "DocumentStore", "ProjectTestSupport", "SQLCore", "SQLPlus",
                "SampleData", "StoreFormat", "StorePlatform", "StoreTestSupport",
            ],
            swiftSettings: settings),
        .testTarget(name: "ConventionTests", swiftSettings: settings),
    ]
)
