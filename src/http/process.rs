//! Metrics of this process, from the system. Without `/proc`, only the limit of open files is known.

use prometheus_client::collector::Collector;
use prometheus_client::encoding::{DescriptorEncoder, EncodeMetric};
use prometheus_client::metrics::counter::ConstCounter;
use prometheus_client::metrics::gauge::ConstGauge;

/// The number of files that this process may open; none if there is no limit.
#[must_use]
pub fn files_allowed() -> Option<u64> {
    rustix::process::getrlimit(rustix::process::Resource::Nofile).current
}

/// The number of files that this process has open, if the system says so.
#[must_use]
pub fn files_open() -> Option<usize> {
    std::fs::read_dir("/proc/self/fd").ok().map(Iterator::count)
}

/// Reads the system's numbers each time that the metrics are requested.
#[derive(Debug)]
pub struct Process {
    /// Start time, in seconds since 1970.
    pub began: i64,
    /// Counts the lines of the log that were dropped.
    pub log_lines_dropped: fn() -> u64,
}

impl Collector for Process {
    fn encode(&self, mut encoder: DescriptorEncoder<'_>) -> Result<(), std::fmt::Error> {
        let status = std::fs::read_to_string("/proc/self/status").unwrap_or_default();
        let numbers = [
            ("process_resident_memory_bytes", "Memory in use", bytes(&status, "VmRSS")),
            ("process_virtual_memory_bytes", "Virtual memory in use", bytes(&status, "VmSize")),
            ("process_threads", "Threads", field(&status, "Threads")),
            ("process_open_fds", "Open files and sockets", files_open().and_then(|count| u64::try_from(count).ok())),
            ("process_max_fds", "Limit of open files and sockets", files_allowed()),
            (
                "process_start_time_seconds",
                "Start time of the process, in epoch seconds",
                u64::try_from(self.began).ok(),
            ),
        ];
        for (name, help, number) in numbers {
            let Some(number) = number else { continue };
            let gauge = ConstGauge::new(number);
            gauge.encode(encoder.encode_descriptor(name, help, None, gauge.metric_type())?)?;
        }
        let counter = ConstCounter::new((self.log_lines_dropped)());
        let (name, help) = ("guildhall_log_lines_dropped", "Log lines dropped because nothing read them");
        counter.encode(encoder.encode_descriptor(name, help, None, counter.metric_type())?)?;
        if let Some(seconds) = processor_seconds() {
            let counter = ConstCounter::new(seconds);
            let help = "Processor time used";
            counter.encode(encoder.encode_descriptor("process_cpu_seconds", help, None, counter.metric_type())?)?;
        }
        Ok(())
    }
}

fn field(status: &str, name: &str) -> Option<u64> {
    let line = status.lines().find_map(|line| line.strip_prefix(name)?.strip_prefix(':'))?;
    line.split_whitespace().next()?.parse().ok()
}

fn bytes(status: &str, name: &str) -> Option<u64> {
    field(status, name).map(|kibibytes| kibibytes * 1024)
}

/// CPU time in user mode and in the kernel, which the system counts in ticks.
fn processor_seconds() -> Option<f64> {
    let stat = std::fs::read_to_string("/proc/self/stat").ok()?;
    // The name of the program is in parentheses and may contain spaces.
    let (_, rest) = stat.rsplit_once(')')?;
    let ticks = |place| -> Option<u32> { rest.split_whitespace().nth(place)?.parse().ok() };
    let per_second = u32::try_from(rustix::param::clock_ticks_per_second()).ok()?;
    Some((f64::from(ticks(11)?) + f64::from(ticks(12)?)) / f64::from(per_second))
}
