internal import DataFileCore

// A transaction over several commands.
extension Shell {
    /// Does what `begin`, `commit` or `rollback` says.
    func perform(transaction word: String, _ words: [String]) async throws {
        guard words.isEmpty else {
            throw ToolError("nothing belongs behind \(word)", status: .usage)
        }
        guard word != "begin" else { return try await begin() }
        guard let open = transaction else {
            throw ToolError("no transaction is open; begin opens one", status: .conflict)
        }
        setTransaction(nil)
        if word == "commit" {
            try await open.commit()
        } else {
            await open.rollBack()
        }
    }

    private func begin() async throws {
        try requireNoTransaction()
        isWithoutTransaction = true
        try OpenShell.requireWritable()
        let file = try place.openForWriting()
        // Another process may keep the lock for long.
        let result = await Interruption.cancelling { () -> Result<HeldTransaction, any Error> in
            do {
                return .success(try await HeldTransaction(file))
            } catch {
                return .failure(error)
            }
        }
        setTransaction(try result.get())
        isWithoutTransaction = false
    }

    /// Throws if a transaction is open.
    func requireNoTransaction() throws {
        guard transaction == nil else {
            throw ToolError(
                "a transaction is open; commit or rollback ends it", status: .conflict)
        }
    }

    /// Says so if Ctrl-C, or a command that SQLite could not undo by itself, has ended the
    /// transaction.
    func forgetLostTransaction() {
        guard let open = transaction, open.isOver else { return }
        setTransaction(nil)
        isWithoutTransaction = true
        open.file.close()
        StandardError.write("the transaction was rolled back", status: .failure)
    }

    /// Undoes what was not committed when the shell ends; the status is that of a failure then.
    func leave() async -> ExitStatus {
        guard let open = transaction else { return .success }
        setTransaction(nil)
        await open.rollBack()
        StandardError.write(
            "the transaction was rolled back, since there was no commit", status: .failure)
        return .failure
    }

    private func setTransaction(_ value: HeldTransaction?) {
        transaction = value
        OpenShell.setTransaction(value)
    }
}
