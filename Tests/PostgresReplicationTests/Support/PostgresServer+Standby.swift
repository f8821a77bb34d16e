import ProjectTestSupport
import Foundation
import StoreTestSupport

// A second server that takes over.
extension PostgresServer {
    /// Creates a copy of a cluster and starts it as a standby, which streams the changes of the
    /// other server.
    ///
    /// - Parameter isSynchronous: whether the other server acknowledges a commit only when the
    ///   standby has it.
    convenience init(standbyOf primary: PostgresServer, isSynchronous: Bool) throws {
        try self.init { server in
            try server.runAsUser(
                "pg_basebackup",
                [
                    "-D", server.data, "-h", primary.directory.path, "-U", "store", "-R",
                    "-X", "stream", "-c", "fast", "--no-sync",
                ])
        }
        try primary.awaitStandby(isSynchronous: isSynchronous)
    }

    private func awaitStandby(isSynchronous: Bool) throws {
        let state = isSynchronous ? "sync" : "async"
        if isSynchronous { try set("synchronous_standby_names", to: "*") }
        try wait(until: "SELECT sync_state = '\(state)' FROM pg_stat_replication")
    }

    /// A server and its synchronous standby, copies of one cluster, which is faster than creating
    /// two.
    static func pair() throws -> (primary: PostgresServer, standby: PostgresServer) {
        let template = try template.get()
        let primary = try PostgresServer(copyOf: template, settings: [])
        let standby = try PostgresServer(
            copyOf: template,
            settings: [
                "primary_conninfo = 'host=\(primary.directory.path) user=store'",
                // After a crash of the primary server commits wait for it.
                "wal_retrieve_retry_interval = 50",
            ], isStandby: true)
        try primary.awaitStandby(isSynchronous: true)
        return (primary, standby)
    }

    private static let template = Result {
        let server = try PostgresServer()
        server.stop(mode: "fast")
        return server
    }

    private convenience init(
        copyOf template: PostgresServer, settings: [String], isStandby: Bool = false
    ) throws {
        try self.init { server in
            try server.run(Self.user + ["/bin/cp", "-a", template.data, server.data])
            let lines = settings.joined(separator: "\n")
            let signal = isStandby ? "touch '\(server.data)/standby.signal'" : "true"
            try server.run(
                Self.user + [
                    "/bin/sh", "-c",
                    "echo \"\(lines)\" >> '\(server.data)/postgresql.auto.conf'; \(signal)",
                ])
        }
    }

    /// Ends the stream of a standby, which from now on lacks what the primary server writes.
    func stopFollowing(_ primary: PostgresServer) throws {
        try set("primary_conninfo", to: "")
        try primary.wait(until: "SELECT count(*) = 0 FROM pg_stat_replication")
    }

    /// Makes a standby the primary server.
    func promote() throws {
        try runAsUser("pg_ctl", ["-D", data, "-w", "promote"])
    }

    private func set(_ setting: String, to value: String) throws {
        try sql("ALTER SYSTEM SET \(setting) = '\(value)'")
        try sql("SELECT pg_reload_conf()")
    }

    /// Runs a query until it returns true.
    private func wait(until condition: String) throws {
        let deadline = ContinuousClock.now + .seconds(180)
        while try sql(condition) != ["t"] {
            guard ContinuousClock.now < deadline else {
                throw Failure(message: "never true: \(condition)")
            }
        }
    }
}
