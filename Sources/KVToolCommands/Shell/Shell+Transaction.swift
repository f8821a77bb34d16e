internal import DocumentStore
internal import KVToolCore

// Transactions of several commands.
extension Shell {
    /// Performs `begin`, `commit` or `rollback`.
    func perform(transaction word: String, _ words: [String]) async throws {
        guard word != "begin" else { return try await begin(words) }
        guard words.isEmpty else {
            throw ToolError("\(word) takes no arguments", status: .usage)
        }
        guard let open = transaction else {
            throw ToolError("no transaction is open; start one with begin", status: .conflict)
        }
        setTransaction(nil)
        if word == "commit" {
            try await open.commit()
        } else {
            await open.rollBack()
        }
    }

    private func begin(_ words: [String]) async throws {
        guard words.isEmpty || words == ["--upgrade"] else {
            isWithoutTransaction = transaction == nil
            throw ToolError("begin takes only --upgrade", status: .usage)
        }
        try requireNoTransaction()
        isWithoutTransaction = true
        try OpenShell.current.requireWritable()
        let file = try location.openForWriting(upgrades: !words.isEmpty)
        // Waiting for another process's lock can take long.
        let result = await Interruption.cancelling { () -> Result<HeldTransaction, any Error> in
            do {
                return .success(try await HeldTransaction(file))
            } catch {
                return .failure(error)
            }
        }
        do {
            setTransaction(try result.get())
        } catch let error as StoreError where words.isEmpty && error.isAboutOlderSchema {
            throw ToolError(
                "\(error.messageForPeople); use begin --upgrade to upgrade it first",
                status: ExitStatus(error))
        }
        isWithoutTransaction = false
    }

    /// Throws if a transaction is open.
    func requireNoTransaction() throws {
        guard transaction == nil else {
            throw ToolError(
                "a transaction is open; end it with commit or rollback", status: .conflict)
        }
    }

    /// Reports that SQLite has ended the transaction because it could not roll back a single
    /// command, for example because the disk is full.
    func forgetLostTransaction() {
        guard let open = transaction, open.isOver else { return }
        setTransaction(nil)
        isWithoutTransaction = true
        open.file.close()
        StandardError.current.write("the transaction was rolled back", status: .failure)
    }

    /// Rolls back an open transaction when the shell ends, and returns the status of a failure
    /// then.
    func leave() async -> ExitStatus {
        guard let open = transaction else { return .success }
        setTransaction(nil)
        await open.rollBack()
        StandardError.current.write(
            "the transaction was rolled back, since there was no commit", status: .failure)
        return .failure
    }

    private func setTransaction(_ value: HeldTransaction?) {
        transaction = value
        OpenShell.current.setTransaction(value)
    }
}
