import Foundation
import StoreTestSupport
import Testing

@Suite("kvtool similar, and vectors in other commands")
struct SimilarTests {
    private let database: SampleDatabase

    init() throws {
        database = try SampleDatabase(people: 0)
        for (id, at) in [("a", "[1,0]"), ("b", "[2,0]"), ("c", "[9,0]"), ("bad", "[1]")] {
            try database.run(
                "put", id, "{\"at\":\(at),\"name\":\"Name of \(id)\",\"n\":1}"
            ).success()
        }
        try database.run(
            "mkindex", "near", "at", "--vector", "--dimensions", "2", "--encoding", "none"
        ).success()
    }

    private func object(_ command: String, _ arguments: String...) throws -> NSDictionary {
        let words = command.split(separator: " ").map(String.init)
        let bytes = try Kvtool.run(words + [database.path] + arguments + ["--json"])
            .success().standardOutput
        return try #require(JSONSerialization.jsonObject(with: bytes) as? NSDictionary)
    }

    @Test("lists the nearest documents with their short values")
    func list() throws {
        #expect(
            try database.run("similar", "a").success().lines == [
                "Document  Distance  Excerpt",
                "b              1.0  name: Name of b · n: 1",
                "c             64.0  name: Name of c · n: 1",
            ])
        #expect(
            try database.run("similar", "a", "--limit", "1", "--csv").success().lines
                == ["id,distance,excerpt", "b,1.0,name: Name of b · n: 1"])
        #expect(
            try object("similar", "b", "--limit", "1")["documents"] as? NSArray
                == [["id": "a", "distance": 1, "excerpt": "name: Name of a · n: 1"]])
    }

    @Test("says which index or document is missing")
    func errors() throws {
        #expect(try database.run("similar", "x").refusal(status: 3).contains("\"x\""))
        #expect(
            try database.run("similar", "bad").refusal(status: 3)
                .contains("has no vector of the document \"bad\""))
        #expect(try database.run("similar", "a", "--index", "x").refusal(status: 3).contains("x"))
        try database.run("mkindex", "other", "at", "--vector", "--dimensions", "2").success()
        #expect(try object("similar", "a")["index"] as? String == "near")
        #expect(try object("similar", "a", "--index", "other")["index"] as? String == "other")
        for name in ["near", "other"] { try database.run("rmindex", name).success() }
        #expect(try database.run("similar", "a").refusal(status: 3).contains("mkindex --vector"))
    }

    @Test("index show, stat, info and verify tell what a vector index has, and leaves out")
    func reports() throws {
        let lines = try Kvtool.run(["index", "show", database.path, "near"]).success().lines
        #expect(
            lines.prefix(8).suffix(3) == [
                "Vectors:     3 with 2 dimensions, euclidean2, none",
                "Cells:       none, all vectors are compared",
                "Left out:    1 with another value (bad), 0 without a value",
            ])
        let vectors = try object("index show", "near")["vectors"] as? NSDictionary
        #expect(
            vectors == [
                "dimensions": 2, "metric": "euclidean2", "encoding": "none", "lazy": false,
                "vectors": 3, "cells": 0, "changed": 0, "withoutValue": 0, "leftOut": 1,
                "leftOutIDs": ["bad"],
            ])
        let row = (try object("stat")["vectorIndexes"] as? [NSDictionary])?.first
        #expect(row?["name"] as? String == "near" && row?["leftOut"] as? Int == 1)
        #expect(
            try database.run("info").success().stdout
                .contains("_default.near (vector of 2 dimensions, euclidean2, none)"))
        let verify = try database.run("verify").success().stdout
        #expect(verify.contains("leaves out 1 documents whose value is not a vector"))
    }

    @Test("a parameter's value is read from a file, or from a part of it")
    func parameters() throws {
        let query =
            "SELECT META().id FROM _ ORDER BY APPROX_VECTOR_DISTANCE(at, $v) LIMIT 1"
        func found(_ value: String) throws -> [String] {
            try database.run("query", query, "-p", "v=\(value)", "--csv").success().lines
        }
        let lines = try database.newFile(
            "v.ndjson", Data("{\"v\":[0,0]}\n{\"v\":[8,0]}\n".utf8))
        #expect(try found("@\(lines)#[1].v") == ["id", "c"])
        #expect(try found("@\(lines)#[0].v") == ["id", "a"])
        let json = try database.newFile("v.json", Data("[2,0]".utf8))
        #expect(try found("@\(json)") == ["id", "b"])
        let floats = [Float(9), 0].map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
        let raw = try database.newFile("v.f32", floats)
        #expect(try found("@\(raw)") == ["id", "c"])
        #expect(
            try database.run("query", query, "-p", "v=@\(lines)#[2].v").refusal(status: 3)
                .contains("it has 2 lines"))
        #expect(
            try database.run("query", query, "-p", "v=@\(lines)").refusal(status: 2)
                .contains("append the line, counted from 0"))
        #expect(
            try database.run("query", query, "-p", "v=@\(lines)#[0].w").refusal(status: 3)
                .contains("it has no w"))
        #expect(try database.run("query", query, "-p", "v=@nothing.json").refusal(status: 3) != "")
    }

    @Test("a parameter can be a row of an array of NumPy")
    func numpy() throws {
        func file(_ header: String, _ numbers: [Float]) throws -> String {
            let text = header + String(repeating: " ", count: 117 - header.utf8.count) + "\n"
            var bytes = Data([0x93] + Array("NUMPY".utf8) + [1, 0, 118, 0]) + Data(text.utf8)
            bytes += numbers.map(\.bitPattern.littleEndian).withUnsafeBytes { Data($0) }
            return try database.newFile("v.npy", bytes)
        }
        func run(_ value: String) throws -> Command.Outcome {
            try database.run(
                "query", "SELECT META().id FROM _ ORDER BY APPROX_VECTOR_DISTANCE(at, $v) LIMIT 1",
                "-p", "v=\(value)", "--csv")
        }
        let two = "{'descr': '<f4', 'fortran_order': False, 'shape': (2, 2), }"
        let path = try file(two, [1, 0, 9, 0])
        #expect(try run("@\(path)#[1]").success().lines == ["id", "c"])
        #expect(try run("@\(path)#[2]").refusal(status: 3).contains("it has 2 vectors"))
        #expect(try run("@\(path)").refusal(status: 2).contains("append one, counted from 0"))
        _ = try file("{'descr': '<f4', 'fortran_order': False, 'shape': (2,), }", [2, 0])
        #expect(try run("@\(path)").success().lines == ["id", "b"])
        for (header, reason) in [
            ("{'descr': '<f8', 'fortran_order': False, 'shape': (2, 2), }", "not float32"),
            ("{'descr': '<f4', 'fortran_order': True, 'shape': (2, 2), }", "contiguous"),
            ("{'descr': '<f4', 'fortran_order': False, 'shape': (2, 3), }", "instead of 24"),
            (
                "{'descr': '<f4', 'fortran_order': False, 'shape': (9223372036854775807, 9), }",
                "shape"
            ),
            ("{'descr': '<f4', }", "no shape"),
        ] {
            _ = try file(header, [1, 0, 9, 0])
            let outcome = try run("@\(path)#[0]")
            #expect(outcome.status != 0 && outcome.stderr.contains(reason), "\(outcome)")
        }
    }
}
