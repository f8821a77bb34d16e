// swift-tools-version: 6.2
import PackageDescription

// A package of its own, so that what is measured beside the store never reaches its users.
let package = Package(
    name: "Benchmarks",
    platforms: [.macOS(.v15)],
    dependencies: [.package(name: "document-store", path: "..")],
    targets: [
        .executableTarget(
            name: "kvbench",
            dependencies: [
                .product(name: "FleeceLite", package: "document-store"),
                .product(name: "SampleData", package: "document-store"),
            ])
    ]
)
