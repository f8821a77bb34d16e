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
        let parameters = try PostgresAddress(text).parameters(nil)
        #expect(parameters.contains("sslmode='\(mode)'"), "\(parameters)")
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

    @Test("is passed on with a password that has quotation marks")
    func quoting() throws {
        let parameters = try PostgresAddress("host=localhost").parameters(#"a'b\c"#)
        #expect(parameters.contains(#"password='a\'b\\c'"#))
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
