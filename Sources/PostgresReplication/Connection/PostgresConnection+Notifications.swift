internal import CPQ

// LISTEN and NOTIFY.
extension PostgresConnection {
    /// Receives the notifications of a channel from now on.
    func listen(to channel: String) throws {
        guard !channels.contains(channel) else { return }
        _ = try run("LISTEN \(Self.quoted(channel))")
        channels.insert(channel)
    }

    /// Removes the notifications that have arrived; whether one is from another connection.
    func takeNotifications() -> Bool {
        var isFromOther = false
        while let notification = nextNotification() {
            if notification.pointee.be_pid != backend { isFromOther = true }
            PQfreemem(notification)
        }
        return isFromOther
    }
}
