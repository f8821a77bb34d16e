package import Foundation

/// Where this package lies, for tests that compare its pages and examples with what they say.
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
