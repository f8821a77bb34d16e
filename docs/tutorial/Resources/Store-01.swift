import DocumentStore

let file = try DataFile(path: "tasks.cblite2", options: DataFileOptions(access: .create))
