import Corinth
import CorinthNATS
import CorinthNATSTesting
import Foundation
import Testing

struct TLSTests {
    /// An authority, a certificate of the server for 127.0.0.1, and one of the client, made by openssl.
    private func makeCertificates(in folder: URL) throws {
        let script = """
            set -e
            openssl req -x509 -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -days 2 -subj /CN=authority \
                -keyout authority.key -out authority.pem
            for name in server client; do
                openssl req -newkey ec -pkeyopt ec_paramgen_curve:P-256 -nodes -subj /CN=$name -keyout $name.key -out $name.csr
                echo 'subjectAltName=IP:127.0.0.1' >$name.ext
                openssl x509 -req -in $name.csr -CA authority.pem -CAkey authority.key -CAcreateserial -days 2 \
                    -extfile $name.ext -out $name.pem
            done
            """
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/bin/sh")
        process.arguments = ["-c", script]
        process.currentDirectoryURL = folder
        process.standardOutput = FileHandle.nullDevice
        process.standardError = FileHandle.nullDevice
        try process.run()
        process.waitUntilExit()
        try #require(process.terminationStatus == 0, "openssl makes no certificates")
    }

    @Test func encrypts() throws {
        let folder = FileManager.default.temporaryDirectory.appending(path: "corinth-nats-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try makeCertificates(in: folder)
        func file(_ name: String) -> String { folder.appending(path: name).path }
        let server = try NATSTestServer(
            configuration: """
                tls {
                    cert_file: "\(file("server.pem"))", key_file: "\(file("server.key"))"
                    ca_file: "\(file("authority.pem"))", verify: true
                }
                """)
        let right = NATSConnection.to(server) {
            $0.tls = NATSOptions.TLS()
            $0.tls?.authorities = file("authority.pem")
            $0.tls?.certificate = (file("client.pem"), file("client.key"))
            $0.tls?.expectedHost = "127.0.0.1"
        }
        let (messages, _) = right.messages(on: "news").collected()
        try right.flushed()
        try right.publish(Data("secret".utf8), to: "news")
        try messages.values(1)
        // The address alone asks for encryption; without the client's certificate, the server refuses it.
        let byAddress = NATSConnection.to(server) { $0.servers = ["tls://127.0.0.1:\(server.port)"] }
        guard case .tls = try byAddress.closed.collected().0.waitForEnd() else {
            Issue.record("the end is \(byAddress.state.value)")
            return
        }
        let unknown = NATSConnection.to(server) { $0.tls = NATSOptions.TLS() }
        let (end, _) = unknown.closed.collected()
        guard case .tls = try end.waitForEnd() else {
            Issue.record("the end is \(String(describing: end.end))")
            return
        }
        // A client that trusts the server, but has no certificate.
        let bare = NATSConnection.to(server) {
            $0.tls = NATSOptions.TLS()
            $0.tls?.authorities = file("authority.pem")
        }
        let refusal = try #require(try bare.closed.collected().0.waitForEnd())
        #expect("\(refusal)".contains("certificate"))
        // A client that doesn't encrypt.
        let plain = NATSConnection.to(server)
        guard case .tls = try plain.closed.collected().0.waitForEnd() else {
            Issue.record("the end is \(plain.state.value)")
            return
        }
        let missing = NATSConnection.to(server) {
            $0.tls = NATSOptions.TLS()
            $0.tls?.authorities = file("missing.pem")
        }
        let (missingEnd, _) = missing.closed.collected()
        guard case .invalidOption = try missingEnd.waitForEnd() else {
            Issue.record("the end is \(String(describing: missingEnd.end))")
            return
        }
    }

    /// Nothing is sent in the clear to a server that doesn't encrypt.
    @Test(arguments: [false, true])
    func refusesPlainServers(_ byAddress: Bool) throws {
        let server = try NATSTestServer()
        let connection = NATSConnection.to(server) {
            if byAddress { $0.servers = ["tls://127.0.0.1:\(server.port)"] } else { $0.tls = NATSOptions.TLS() }
        }
        guard case .tls = try connection.closed.collected().0.waitForEnd() else {
            Issue.record("the end is \(connection.state.value)")
            return
        }
    }
}
