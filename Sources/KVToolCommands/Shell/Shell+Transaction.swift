internal import DocumentStore
internal import KVToolCore

// A transaction over several commands.
extension Shell {
    /// Does what `begin`, `commit` or `rollback` says.
    func perform(transaction word: String, _ words: [String]) async throws {
        guard word != "begin" else { return try await begin(words) }
        guard words.isEmpty else {
            throw ToolError("nothing belongs behind \(word)", status: .usage)
        }
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

    private func begin(_ words: [String]) async throws {
        guard words.isEmpty || words == ["--upgrade"] else {
            isWithoutTransaction = transaction == nil
            throw ToolError("only --upgrade belongs behind begin", status: .usage)
        }
        try requireNoTransaction()
        isWithoutTransaction = true
        try OpenShell.current.requireWritable()
        let file = try place.openForWriting(upgrades: !words.isEmpty)
        // Another process may keep the lock for long.
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
                "\(error.messageForPeople); begin --upgrade upgrades it first",
                status: ExitStatus(error))
        }
        isWithoutTransaction = false
    }

    /// Throws if a transaction is open.
    func requireNoTransaction() throws {
        guard transaction == nil else {
            throw ToolError(
                "a transaction is open; commit or rollback ends it", status: .conflict)
        }
    }

    /// Says so if a command that SQLite could not undo by itself, as when the disk is full, has
    /// ended the transaction.
    func forgetLostTransaction() {
        guard let open = transaction, open.isOver else { return }
        setTransaction(nil)
        isWithoutTransaction = true
        open.file.close()
        StandardError.current.write("the transaction was rolled back", status: .failure)
    }

    /// Undoes what was not committed when the shell ends; the status is that of a failure then.
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
