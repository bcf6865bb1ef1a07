import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

/// The servers of the product for tests, which all other tests use.
struct TestServerTests {
    @Test func `A server that refuses its configuration says why, at once`() throws {
        let error = #expect(throws: NATSTestServer.Failure.self) {
            try NATSTestServer(configuration: "max_payload: many")
        }
        #expect(error?.description.contains("server.conf:6:") == true, "\(String(describing: error))")
    }

    @Test func `It is started again on its port, with its data and another configuration, and leaves nothing`() throws {
        var folder: URL?
        do {
            let server = try NATSTestServer(jetStream: true)
            folder = server.folder
            let port = server.port
            let jetStream = NATSConnection.to(server).jetStream()
            try jetStream.declareGroups()
            try jetStream.publish(10)
            server.kill()
            try server.reload("max_payload: 1234")
            try server.start()
            // It runs already.
            try server.start()
            #expect(server.port == port && server.log.contains("Server is ready"))
            #expect(try jetStream.info(ofStream: "ORDERS").completed()[0].messages == 10)
        }
        #expect(folder.map { FileManager.default.fileExists(atPath: $0.path) } == false)
    }
}
