internal import CInspectorPages
internal import NIOHTTP1

/// The files of the pages, which are part of the program.
enum InspectorPages {
    /// The file with a name; nil if there is none.
    static func file(_ name: String) -> HTTPResponse? {
        for index in 0..<inspector_page_count() {
            guard let page = inspector_page_at(index)?.pointee, String(cString: page.name) == name
            else { continue }
            let bytes = Array(UnsafeBufferPointer(start: page.bytes, count: page.count))
            return HTTPResponse(type: String(cString: page.type), .bytes(bytes))
        }
        return nil
    }
}
