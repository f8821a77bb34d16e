internal import StoreFormat

extension DataFile {
    /// How much room the file takes at this moment.
    public var size: FileSize {
        let bundle = BundlePath(path)
        return FileSize(
            database: FileSystem.size(bundle.database), log: FileSystem.size(bundle.log))
    }
}
