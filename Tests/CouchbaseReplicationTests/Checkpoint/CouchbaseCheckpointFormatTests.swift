import Replication
import Testing

@testable import CouchbaseReplication

@Suite("Checkpoints in LiteCore's form")
struct CouchbaseCheckpointFormatTests {
    private let format = CouchbaseCheckpointFormat(url: "ws://host/db/_blipsync", channels: [])

    @Test("are read as they were written")
    func written() throws {
        var checkpoint = ReplicationCheckpoint(local: 12, remote: #""3::12""#)
        checkpoint.unverified = 20
        #expect(format.checkpoint(format.text(of: checkpoint)) == checkpoint)
        let empty = ReplicationCheckpoint()
        #expect(format.checkpoint(format.text(of: empty)) == empty)
    }

    @Test("have gaps, before which everything is done")
    func gaps() throws {
        let texts: [(String, Int64)] = [
            (#"{"local": 5}"#, 5), (#"{"local":9,"localCompleted":[0,6,7,1]}"#, 5),
            (#"{"localCompleted":[1,6]}"#, 0), (#"{"localCompleted":"x","local":3}"#, 0),
            (#"{"local":-3}"#, 0), (#"{"time":1}"#, 0),
        ]
        for (text, local) in texts {
            #expect(format.checkpoint(text)?.local == local, "\(text)")
        }
        let remote = #"{"remote":{"b":1,"a":[2, 3]}}"#
        #expect(format.checkpoint(remote)?.remote == #"{"a":[2,3],"b":1}"#)
        #expect(format.checkpoint("[]") == nil)
        #expect(format.checkpoint("no JSON") == nil)
    }
}
