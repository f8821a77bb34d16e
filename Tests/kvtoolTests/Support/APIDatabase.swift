import Foundation
import StoreTestSupport
import Testing

/// A database that has all that the examples of the OpenAPI document name: a conflict, indexes of
/// several kinds, a blob, an expiration, a tombstone.
struct APIDatabase {
    /// The digest of the blob `hello blob`.
    static let digest = "sha1-c2XTGPrFT86b4bdd8Xo4E/Zpuww="

    private let conflicted: ConflictedDatabase
    var path: String { conflicted.database.path }

    init() throws {
        conflicted = try ConflictedDatabase(
            .vector, local: #"{"age":8,"name":"Ada"}"#, remotes: #"{"age":9,"name":"Ada"}"#)
        let database = conflicted.database
        let people = try Kvtool.run(["gen", "--count", "60"]).success().standardOutput
        try database.run("import", "-", stdin: people).success()
        try database.run("mkcoll", "notes").success()
        let notes = [
            #"{"_id":"ada","text":"the quick brown fox","tags":["a","b"]}"#,
            #"{"_id":"weird/id ?*\\ü","text":"<script>","tags":["b"]}"#,
        ]
        try database.importing(notes, "--collection", "notes").success()
        let blob = database.directory("hello.txt")
        try Data("hello blob".utf8).write(to: URL(fileURLWithPath: blob))
        let reference = try database.run("blob put", blob, "--type", "text/plain").success().lines
        try database.run("put", "photo", #"{"greeting":\#(reference[0])}"#).success()
        try database.run("mkindex", "byAge", "age").success()
        try database.run("mkindex", "byLikes", "--array", "likes").success()
        try database.run("mkindex", "words", "text", "--fts", "--collection", "notes").success()
        try database.run("mkindex", "near", "([age, 1])", "--vector", "--dimensions", "2").success()
        try database.run("expire set", "person-0003", "--at", "2100-01-01T00:00:00Z").success()
        try database.run("rm", "person-0004").success()
    }
}
