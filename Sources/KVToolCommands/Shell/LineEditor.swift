internal import KVToolCore

#if canImport(CEdit)
    internal import CEdit

    /// Reads lines from a terminal, with the keys of Emacs, a history, and completion.
    final class LineEditor {
        private let editor: OpaquePointer
        private let completion: (_ before: String) -> LineCompletion

        /// Nil if the terminal does not support line editing.
        init?(
            history: [String], limit: Int,
            completion: @escaping (_ before: String) -> LineCompletion
        ) {
            guard let editor = cedit_open("kvtool", Int32(limit)) else { return nil }
            self.editor = editor
            self.completion = completion
            for line in history { cedit_remember(editor, line) }
            let context = Unmanaged.passUnretained(self).toOpaque()
            cedit_set_completer(
                editor,
                { context, _, line, before in
                    guard let context else { return }
                    let bytes = UnsafeRawBufferPointer(start: line, count: before)
                    Unmanaged<LineEditor>.fromOpaque(context).takeUnretainedValue()
                        .complete(String(decoding: bytes, as: UTF8.self))
                }, context)
        }

        deinit { cedit_close(editor) }

        /// Adds a line to the history.
        func remember(_ line: String) { cedit_remember(editor, line) }

        /// Waits for a line.
        func read(prompt: String) -> TypedLine {
            var line: UnsafePointer<CChar>?
            // Escape sequences take up no columns.
            let shown =
                Colour.isOn() ? "\u{1}\u{1B}[1m\u{1}\(prompt)\u{1}\u{1B}[0m\u{1} " : prompt + " "
            let end = Interruption.ending(after: { cedit_restore_terminal() }, isNew: true) {
                cedit_read(editor, shown, &line)
            }
            switch end {
            case CEDIT_LINE: return .line(line.map { String(cString: $0) } ?? "")
            case CEDIT_DROPPED: return .dropped
            default: return .end
            }
        }

        private func complete(_ before: String) {
            let completion = completion(before)
            cedit_insert(editor, Int32(completion.replaced), completion.insertion)
            guard !completion.list.isEmpty else { return }
            let columns = System.terminalSize(StandardOutput.current.descriptor)?.columns ?? 80
            cedit_list(editor, completion.listText(columns: columns))
        }
    }
#else
    /// Without libedit the terminal's own line editing applies.
    final class LineEditor {
        init?(
            history: [String], limit: Int,
            completion: @escaping (_ before: String) -> LineCompletion
        ) {
            return nil
        }

        func remember(_ line: String) {}

        func read(prompt: String) -> TypedLine { .end }
    }
#endif
