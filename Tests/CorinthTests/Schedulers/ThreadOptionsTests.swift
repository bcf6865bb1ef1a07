#if os(Linux)
    import CCorinth
    import CTestSupport
    import Dispatch
    import Foundation
    import Testing

    @testable import Corinth

    /// What a thread of the library is started with, and the processors that it may use.
    @Suite("Thread options")
    struct ThreadOptionsTests {
        /// What the system says of a thread.
        private struct Facts: Sendable {
            var (name, status, stat) = ("", "", "")
            var stackSize = 0
            var policy: Int32 = -1
            var priority: Int32 = -1

            static var current: Facts {
                var facts = Facts()
                func read(_ file: String) -> String {
                    (try? String(contentsOfFile: "/proc/thread-self/\(file)", encoding: .utf8)) ?? ""
                }
                (facts.name, facts.status, facts.stat) = (read("comm"), read("status"), read("stat"))
                facts.stackSize = test_stack_size()
                var parameter = sched_param()
                if unsafe pthread_getschedparam(pthread_self(), &facts.policy, &parameter) == 0 {
                    facts.priority = parameter.sched_priority
                }
                return facts
            }

            var processors: Substring? {
                status.split(separator: "\n").first { $0.hasPrefix("Cpus_allowed_list:") }?.split(separator: "\t").last
            }

            /// The 19th field. The second one, the name in parentheses, may have spaces.
            var niceness: Substring? {
                stat.split(separator: ")").last?.split(separator: " ").dropFirst(16).first
            }
        }

        private func facts(_ scheduler: ThreadScheduler) -> Facts {
            let (facts, done) = (Atomic(Facts()), DispatchSemaphore(value: 0))
            scheduler.schedule {
                facts.value = .current
                done.signal()
            }
            done.wait(orElse: "the thread has not run")
            return facts.value
        }

        @Test func `The thread has the stack, the processors and the niceness of its options`() throws {
            let processors = (0..<64).filter { ccorinth_may_use($0) }.prefix(2).map { Int($0) }
            for processor in processors {
                let options = ThreadScheduler.Options(
                    stackSize: 1 << 20, scheduling: .nice(7), processors: [processor])
                let facts = facts(try ThreadScheduler(name: "with options", options: options))
                #expect(facts.name == "with options\n")
                #expect(facts.stackSize == 1 << 20)
                #expect(facts.niceness == "7")
                #expect(facts.processors == "\(processor)")
                #expect(self.facts(ThreadScheduler(affinity: processor)).processors == "\(processor)")
            }
            let usual = facts(ThreadScheduler())
            #expect(usual.name == "corinth.thread\n" && usual.stackSize == 8 << 20)
            #expect(usual.processors == Facts.current.processors)
        }

        @Test func `A real-time thread has its policy and priority, or the system's error says why not`() throws {
            let all: [(ThreadScheduler.Scheduling, Int32)] = [
                (.fifo(priority: 3), SCHED_FIFO), (.roundRobin(priority: 4), SCHED_RR),
            ]
            for (scheduling, policy) in all {
                do throws(ThreadScheduler.StartError) {
                    let scheduler = try ThreadScheduler(
                        name: "real time", waiting: .park, options: .init(scheduling: scheduling))
                    let facts = facts(scheduler)
                    #expect(facts.policy == policy && facts.priority == (policy == SCHED_FIFO ? 3 : 4))
                } catch {
                    #expect(error.code == EPERM)
                    #expect(error.description.contains("“real time”") && error.description.contains("\(scheduling)"))
                }
            }
        }

        @Test func `Without the privilege, the error is thrown and the scheduler is gone`() async {
            await #expect(processExitsWith: .success) {
                guard test_give_up_priorities() else { exit(1) }
                do throws(ThreadScheduler.StartError) {
                    _ = try ThreadScheduler(options: .init(scheduling: .fifo(priority: 1)))
                    exit(2)
                } catch {
                    exit(error.code == EPERM ? 0 : 3)
                }
            }
        }

        @Test func `onStart runs on the thread before the first action, and only once`() throws {
            let (order, done) = (Atomic<[String]>([]), DispatchSemaphore(value: 0))
            let options = ThreadScheduler.Options {
                order.modify { $0.append("start on \(Facts.current.name.dropLast())") }
            }
            let scheduler = try ThreadScheduler(name: "hooked", options: options)
            for number in 0..<2 {
                scheduler.schedule {
                    order.modify { $0.append("action \(number)") }
                    done.signal()
                }
            }
            for _ in 0..<2 { done.wait(orElse: "the action has not run") }
            #expect(order.value == ["start on hooked", "action 0", "action 1"])
        }

        // MARK: Processors

        /// What the system's files say of the groups of a process: the text, and the path and content of each file.
        struct Groups: Sendable, CustomTestStringConvertible {
            let testDescription: String
            let groups: String
            let files: [String: String]
            let count: UInt32

            init(_ name: String, _ groups: String, _ files: [String: String], _ count: UInt32) {
                (testDescription, self.groups, self.files, self.count) = (name, groups, files, count)
            }

            static let all = [
                Groups("no quota", "0::/a\n", ["a/cpu.max": "max 100000\n"], 8),
                Groups("no files", "0::/a/b\n", [:], 8),
                Groups("two", "0::/a\n", ["a/cpu.max": "200000 100000\n"], 2),
                Groups("one and a half", "0::/a\n", ["a/cpu.max": "150000 100000\n"], 2),
                Groups("a tenth", "0::/a\n", ["a/cpu.max": "10000 100000\n"], 1),
                Groups("more than the machine", "0::/a\n", ["a/cpu.max": "3200000 100000\n"], 8),
                Groups(
                    "of a group around it", "0::/a/b/c\n",
                    [
                        "a/b/c/cpu.max": "max 100000\n", "a/b/cpu.max": "500000 100000\n",
                        "a/cpu.max": "300000 100000\n",
                    ], 3),
                Groups("of a container, whose path is outside", "0::/docker/x\n", ["cpu.max": "400000 100000\n"], 4),
                Groups("of the root of a namespace", "0::/\n", ["cpu.max": "400000 100000\n"], 4),
                Groups(
                    "version 1", "12:memory:/m\n4:cpu,cpuacct:/a\n0::/\n",
                    ["cpu/a/cpu.cfs_quota_us": "250000\n", "cpu/a/cpu.cfs_period_us": "100000\n"], 3),
                Groups(
                    "version 1 without a quota", "4:cpu:/a\n",
                    ["cpu/a/cpu.cfs_quota_us": "-1\n", "cpu/a/cpu.cfs_period_us": "100000\n"], 8),
                Groups("of another controller", "5:cpuset:/a\n", ["cpu/a/cpu.cfs_quota_us": "100000\n"], 8),
                Groups("nonsense", "garbage\n::\n0::/a\n", ["a/cpu.max": "much\n"], 8),
            ]
        }

        @Test(arguments: Groups.all)
        func `A quota is that of all groups around the process, in whole processors`(groups: Groups) throws {
            let folder = FileManager.default.temporaryDirectory.appendingPathComponent("corinth-\(UUID())")
            defer { try? FileManager.default.removeItem(at: folder) }
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            try groups.groups.write(to: folder.appendingPathComponent("groups"), atomically: true, encoding: .utf8)
            for (path, content) in groups.files {
                let file = folder.appendingPathComponent(path)
                try FileManager.default.createDirectory(
                    at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
                try content.write(to: file, atomically: true, encoding: .utf8)
            }
            #expect(unsafe ccorinth_quota("\(folder.path)/groups", folder.path, 8) == groups.count)
        }

        @Test func `The processors are those of the main thread's affinity`() async {
            let usable = (0..<1024).filter { ccorinth_may_use($0) }.count
            #expect((1...usable).contains(QueueSchedulerPool.defaultCount))
            await #expect(processExitsWith: .success) {
                guard test_bind_process((0..<64).first { ccorinth_may_use($0) } ?? 0) else { exit(2) }
                exit(QueueSchedulerPool.defaultCount == 1 && QueueSchedulerPool().count == 1 ? 0 : 1)
            }
        }
    }
#endif
