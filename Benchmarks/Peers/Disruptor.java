import com.lmax.disruptor.BatchEventProcessor;
import com.lmax.disruptor.RingBuffer;
import com.lmax.disruptor.YieldingWaitStrategy;
import java.io.BufferedReader;
import java.io.IOException;
import java.io.InputStream;
import java.io.InputStreamReader;
import java.util.Properties;
import java.util.concurrent.Semaphore;
import java.util.concurrent.atomic.AtomicLong;

/**
 * The driver of LMAX's Disruptor: see driver.hpp, whose protocol and modes it has. The ring is bounded. The receiver waits with the
 * Disruptor's YieldingWaitStrategy, which checks 100 times and then yields. A sender that finds the ring full sleeps for a moment.
 */
final class Disruptor {
    private static final int CAPACITY = 65_536;
    private static final int WINDOW = 32_768;

    private static final class Value {
        long number;
    }

    private final int team;
    private final RingBuffer<Value> ring;
    private final BatchEventProcessor<Value> processor;
    private final Semaphore start = new Semaphore(0);
    private final Semaphore end = new Semaphore(0);
    private final Semaphore[] starts;
    private final AtomicLong awake = new AtomicLong();
    // The semaphores publish them between two threads.
    private long total;
    private long left;
    private long sum;

    /** `team` threads send; with 0, the thread that calls `pass`. */
    private Disruptor(int team) {
        this.team = team;
        YieldingWaitStrategy waiting = new YieldingWaitStrategy();
        ring = team == 0
            ? RingBuffer.createSingleProducer(Value::new, CAPACITY, waiting)
            : RingBuffer.createMultiProducer(Value::new, CAPACITY, waiting);
        processor = new BatchEventProcessor<>(ring, ring.newBarrier(), (value, sequence, isLastOfBatch) -> {
            sum += value.number;
            if (--left == 0) endRun();
        });
        ring.addGatingSequences(processor.getSequence());
        start(this::receive);
        starts = new Semaphore[team];
        for (int index = 0; index < team; index++) {
            int member = index;
            starts[member] = new Semaphore(0);
            start(() -> sendAsMember(member));
        }
    }

    private static void start(Runnable body) {
        Thread thread = new Thread(body);
        thread.setDaemon(true);
        thread.start();
    }

    /** Passes the numbers from 1 to `count`, and returns their sum. */
    private long pass(long count) {
        if (count == 0) return 0;
        total = count;
        left = count;
        sum = 0;
        start.release();
        for (Semaphore one : starts) one.release();
        if (team == 0) {
            for (long sent = 0; sent < count;) {
                long last = Math.min(count, sent + WINDOW);
                send(sent + 1, last);
                sent = last;
                while (processor.getSequence().get() < ring.getCursor()) Thread.yield();
            }
        }
        end.acquireUninterruptibly();
        return sum;
    }

    private void send(long first, long last) {
        for (long number = first; number <= last; number++) {
            long sequence = ring.next();
            ring.get(sequence).number = number;
            ring.publish(sequence);
        }
    }

    private void sendAsMember(int member) {
        for (long round = 1;; round++) {
            starts[member].acquireUninterruptibly();
            long first = total * member / team + 1;
            long last = total * (member + 1) / team;
            // The members begin when the last one is awake, and has read the total: the run may end without those that have no number.
            awake.incrementAndGet();
            while (awake.get() < round * team) Thread.yield();
            send(first, last);
        }
    }

    private void receive() {
        while (true) {
            start.acquireUninterruptibly();
            processor.run();
            end.release();
        }
    }

    /** Lets the processor return after the current batch, so that its thread sleeps until the next run. */
    private void endRun() {
        processor.halt();
    }

    private static String version() throws IOException {
        Properties properties = new Properties();
        try (InputStream file = RingBuffer.class.getResourceAsStream("/META-INF/maven/com.lmax/disruptor/pom.properties")) {
            if (file != null) properties.load(file);
        }
        return properties.getProperty("version", "unknown") + " (Java " + System.getProperty("java.version") + ")";
    }

    private static void fail(String reason) {
        System.err.println(reason);
        System.exit(2);
    }

    public static void main(String[] arguments) throws IOException {
        int team = 0;
        if (arguments.length == 2 && arguments[0].equals("contend") && arguments[1].matches("[1-9][0-9]{0,3}")) {
            team = Integer.parseInt(arguments[1]);
        } else if (arguments.length != 1 || !arguments[0].equals("1p1c")) {
            fail("the arguments are 1p1c, or contend and a number of threads");
        }
        Disruptor driver = new Disruptor(team);
        // So that everything is compiled before it is measured.
        for (int round = 0; round < 20; round++) driver.pass(100_000);
        System.out.println("disruptor " + version());
        BufferedReader input = new BufferedReader(new InputStreamReader(System.in));
        for (String line = input.readLine(); line != null && !System.out.checkError(); line = input.readLine()) {
            if (!line.matches("[0-9]{1,18}")) fail("'" + line + "' is no number of values");
            System.out.println(driver.pass(Long.parseLong(line)));
        }
    }
}
