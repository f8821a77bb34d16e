import Replication
import Testing

@testable import PostgresReplication

@Suite("A connection string")
struct PostgresAddressTests {
    @Test(
        "requires checked certificates unless the server is on this machine",
        arguments: [
            ("postgresql://db.example.com/store", "verify-full"),
            ("postgresql://a.example.com,b.example.com/store", "verify-full"),
            ("hostaddr=203.0.113.5 dbname=store", "verify-full"),
            ("host=localhost hostaddr=203.0.113.5", "verify-full"),
            ("service=store", "verify-full"), ("postgresql://localhost/store", "prefer"),
            ("postgresql://%2Frun%2Fpostgresql/store", "prefer"),
            ("host=localhost,db.example.com", "verify-full"),
            ("postgresql://db.example.com/store?sslmode=require", "require"),
        ])
    func certificates(text: String, mode: String) throws {
        for host in try PostgresAddress(text).hosts(nil) {
            #expect(host.parameters.contains("sslmode='\(mode)'"), "\(host)")
        }
    }

    @Test("shows neither user nor password in the address")
    func address() throws {
        let endpoint = try PostgresEndpoint("postgresql://ada:secret@db.example.com:5433/store")
        #expect(endpoint.address == "postgresql://db.example.com:5433/store")
        let error = #expect(throws: ReplicationError.self) {
            try PostgresEndpoint("postgresql://ada:secret@[/store")
        }
        #expect(error?.code == .invalidParameter)
        #expect(error?.message.contains("secret") == false)
    }

    @Test(
        "with several hosts is one address, in whatever order they are tried",
        arguments: [
            ("postgresql://ada@b.example.com,a.example.com/store", "a.example.com,b.example.com"),
            ("host=a,b port=1 dbname=store", "a:1,b:1"),
            ("postgresql://b,a:5433/store", "a:5433,b"),
        ])
    func hosts(text: String, hosts: String) throws {
        #expect(try PostgresEndpoint(text).address == "postgresql://\(hosts)/store")
    }

    @Test(
        "with several hosts is one for each, which has less time to answer",
        arguments: [
            ("postgresql://a,b:5433/store", ["host='a' port=''", "host='b' port='5433'"], 10),
            ("host=a,b port=1 connect_timeout=3", ["host='a' port='1'", "host='b' port='1'"], 3),
            (
                "host=a,b hostaddr=1.1.1.1,2.2.2.2",
                ["host='a' hostaddr='1.1.1.1'", "host='b' hostaddr='2.2.2.2'"], 10
            ),
            // Of these libpq says what is wrong, or chooses one.
            ("host=a,b port=1,2,3", ["host='a,b' port='1,2,3'"], 30),
            ("host=a,b target_session_attrs=prefer-standby", ["host='a,b'"], 30),
            ("host=a", ["host='a'"], 30),
        ])
    func divided(text: String, hosts: [String], seconds: Int) throws {
        let found = try PostgresAddress(text).hosts(nil)
        let names = ["host=", "hostaddr=", "port="]
        let texts = found.map { host in
            host.parameters.split(separator: " ").filter { word in
                names.contains { word.hasPrefix($0) }
            }.joined(separator: " ")
        }
        #expect(texts == hosts && found.allSatisfy { $0.seconds == seconds })
    }

    @Test("is passed on with a password that has quotation marks")
    func quoting() throws {
        let hosts = try PostgresAddress("host=localhost").hosts(#"a'b\c"#)
        #expect(hosts[0].parameters.contains(#"password='a\'b\\c'"#))
    }
}

@Suite("A position in the changes of a collection")
struct PostgresPositionTests {
    @Test("begins again if its text is not one of so many buckets")
    func parsing() {
        #expect(PostgresPosition("3,5", 2).sequences == [3, 5])
        for text in [nil, "", "3", "3,5,7", "3,x", "-1,5", "3,99999999999999999999"] {
            #expect(PostgresPosition(text, 2).sequences == [0, 0])
        }
        let earlier = PostgresPosition("3,9", 2).earlier(PostgresPosition("5,7", 2))
        #expect(earlier.text == "3,7")
    }
}
