// The rows in Rust: bench ROUNDS, as bench.c.
use std::ffi::{c_char, c_void};
use std::sync::{mpsc, Mutex};
use std::thread;
use std::time::Instant;

#[repr(C)]
#[derive(Clone, Copy)]
struct Value {
    bits: u64,
    owner: *mut c_void,
}

#[repr(C)]
struct Observer {
    context: *mut c_void,
    value: Option<unsafe extern "C" fn(*mut c_void, Value)>,
    end: Option<unsafe extern "C" fn(*mut c_void, i32, *const c_void)>,
    release: Option<unsafe extern "C" fn(*mut c_void)>,
}

#[link(name = "corinth")]
extern "C" {
    fn corinth_pipe(inbox: *const c_void, input: *mut *mut c_void) -> *mut c_void;
    fn corinth_send(input: *mut c_void, value: Value);
    fn corinth_end(input: *mut c_void, end: i32, error: *const c_void);
    fn corinth_thread_create(name: *const c_char, waiting: i32, processor: i32) -> *mut c_void;
    fn corinth_observe_on(signal: *mut c_void, scheduler: *mut c_void, buffering: *const c_void) -> *mut c_void;
    fn corinth_observe(signal: *mut c_void, observer: *const Observer) -> *mut c_void;
    fn corinth_dispose(disposable: *mut c_void);
    fn corinth_release(handle: *mut c_void);
}

unsafe extern "C" fn call<F: FnMut(u64)>(context: *mut c_void, value: Value) {
    (*(context as *mut F))(value.bits)
}

unsafe extern "C" fn drop_box<F>(context: *mut c_void) {
    drop(Box::from_raw(context as *mut F))
}

unsafe extern "C" fn end_of(context: *mut c_void, _: i32, _: *const c_void) {
    (*(context as *const Context)).over.send((*(context as *const Context)).sum).unwrap()
}

struct Context {
    sum: u64,
    over: mpsc::Sender<u64>,
}

unsafe extern "C" fn add(context: *mut c_void, value: Value) {
    (*(context as *mut Context)).sum += value.bits
}

fn value(bits: u64) -> Value {
    Value { bits, owner: std::ptr::null_mut() }
}

fn observe<F: FnMut(u64) + Send + 'static>(signal: *mut c_void, f: F) -> *mut c_void {
    let context = Box::into_raw(Box::new(f)) as *mut c_void;
    let observer = Observer { context, value: Some(call::<F>), end: None, release: Some(drop_box::<F>) };
    unsafe { corinth_observe(signal, &observer) }
}

fn observed(n: u64) -> f64 {
    let mut input = std::ptr::null_mut();
    let signal = unsafe { corinth_pipe(std::ptr::null(), &mut input) };
    let mut sum = 0u64;
    let observation = observe(signal, move |v| sum = std::hint::black_box(sum + v));
    let begin = Instant::now();
    for i in 0..n {
        unsafe { corinth_send(input, value(i)) }
    }
    let time = begin.elapsed().as_nanos() as f64 / n as f64;
    unsafe {
        corinth_dispose(observation);
        for handle in [observation, signal, input] {
            corinth_release(handle)
        }
    }
    time
}

fn observed_list(n: u64) -> f64 {
    let mut sum = 0u64;
    let listeners: Mutex<Vec<Box<dyn FnMut(u64) + Send>>> =
        Mutex::new(vec![Box::new(move |v| sum = std::hint::black_box(sum + v))]);
    let begin = Instant::now();
    for i in 0..n {
        for listener in listeners.lock().unwrap().iter_mut() {
            listener(i)
        }
    }
    begin.elapsed().as_nanos() as f64 / n as f64
}

fn hop(n: u64) -> f64 {
    let mut input = std::ptr::null_mut();
    let (over, told) = mpsc::channel();
    unsafe {
        let signal = corinth_pipe(std::ptr::null(), &mut input);
        let engine = corinth_thread_create(b"bench\0".as_ptr() as *const c_char, 0, -1);
        let there = corinth_observe_on(signal, engine, std::ptr::null());
        let context = Box::into_raw(Box::new(Context { sum: 0, over })) as *mut c_void;
        let observer =
            Observer { context, value: Some(add), end: Some(end_of), release: Some(drop_box::<Context>) };
        let observation = corinth_observe(there, &observer);
        let begin = Instant::now();
        for i in 0..n {
            corinth_send(input, value(i))
        }
        corinth_end(input, 0, std::ptr::null());
        assert_eq!(told.recv().unwrap(), n * (n - 1) / 2);
        let time = begin.elapsed().as_nanos() as f64 / n as f64;
        for handle in [observation, there, engine, signal, input] {
            corinth_release(handle)
        }
        time
    }
}

fn hop_channel(n: u64) -> f64 {
    let (sender, receiver) = mpsc::sync_channel(16384);
    let consumer = thread::spawn(move || receiver.iter().sum::<u64>());
    let begin = Instant::now();
    for i in 0..n {
        sender.send(i).unwrap()
    }
    drop(sender);
    assert_eq!(consumer.join().unwrap(), n * (n - 1) / 2);
    begin.elapsed().as_nanos() as f64 / n as f64
}

fn main() {
    let rows: [(&str, fn(u64) -> f64, u64); 4] = [
        ("Rust, observed: Corinth", observed, 2_000_000),
        ("Rust, observed: boxed closures under a mutex", observed_list, 2_000_000),
        ("Rust, to a thread, bounded: Corinth", hop, 500_000),
        ("Rust, to a thread, bounded: std::sync::mpsc::sync_channel", hop_channel, 500_000),
    ];
    let rounds: usize = std::env::args().nth(1).map_or(5, |n| n.parse().unwrap());
    let mut times = vec![Vec::new(); rows.len()];
    for round in 0..=rounds {
        for (row, (_, run, events)) in rows.iter().enumerate() {
            let time = run(if round == 0 { events / 10 } else { *events });
            if round > 0 {
                times[row].push(format!("{:.1}", time));
            }
        }
    }
    for (row, (name, _, _)) in rows.iter().enumerate() {
        println!("{}\t{}", name, times[row].join("\t"));
    }
}
