package import Foundation

/// The location of this package, for tests of its pages and examples.
package enum PackageDirectory {
    /// The directory of Package.swift.
    package static let url: URL = {
        var url = URL(filePath: #filePath)
        while url.path != "/", !FileManager.default.fileExists(atPath: url.path + "/Package.swift")
        {
            url.deleteLastPathComponent()
        }
        return url
    }()
}
