//! Memory that this process may still take, and sizes as people write them.

/// Bytes that can be taken without swapping or being killed: the machine's available memory, or what the limits of
/// the process's control groups leave of it. None where the system does not tell.
pub fn available() -> Option<u64> {
    #[cfg(target_os = "linux")]
    return linux::available(std::path::Path::new("/"));
    #[cfg(not(target_os = "linux"))]
    None
}

/// A size as people write it: `800000000`, `500M`, `4G`, `1.5GiB`. Units are powers of 1024.
pub fn parse_size(text: &str) -> Option<u64> {
    let text = text.trim();
    let end = text.find(|c: char| !(c.is_ascii_digit() || c == '.')).unwrap_or(text.len());
    let (number, unit) = text.split_at(end);
    let power = match unit.trim().to_ascii_lowercase().as_str() {
        "" | "b" => 0,
        "k" | "kb" | "kib" => 1,
        "m" | "mb" | "mib" => 2,
        "g" | "gb" | "gib" => 3,
        "t" | "tb" | "tib" => 4,
        _ => return None,
    };
    let bytes = number.parse::<f64>().ok()? * 1024_f64.powi(power);
    (bytes.is_finite() && bytes >= 1.0).then_some(bytes as u64)
}

/// A size for people: "3.2 GB", "710 MB". Units are powers of 1024, as [`parse_size`] reads them.
pub fn show_size(bytes: f64) -> String {
    const GB: f64 = (1_u64 << 30) as f64;
    const MB: f64 = (1_u64 << 20) as f64;
    match bytes {
        b if b >= 10.0 * GB => format!("{:.0} GB", b / GB),
        b if b >= GB => format!("{:.1} GB", b / GB),
        b if b >= MB => format!("{:.0} MB", b / MB),
        b => format!("{b:.0} bytes"),
    }
}

#[cfg(target_os = "linux")]
mod linux {
    use std::fs::read_to_string;
    use std::path::{Path, PathBuf};

    /// `root` is where `proc` and `sys` are.
    pub fn available(root: &Path) -> Option<u64> {
        let of_machine = of_machine(&read_to_string(root.join("proc/meminfo")).ok()?)?;
        let groups = read_to_string(root.join("proc/self/cgroup")).unwrap_or_default();
        let left = groups.lines().flat_map(|line| of_groups(root, line)).min();
        Some(left.map_or(of_machine, |left| left.min(of_machine)))
    }

    fn of_machine(meminfo: &str) -> Option<u64> {
        let line = meminfo.lines().find_map(|line| line.strip_prefix("MemAvailable:"))?;
        line.trim().strip_suffix("kB")?.trim().parse::<u64>().ok()?.checked_mul(1024)
    }

    /// What each limited group leaves, from the process's own up to the root, by a line `number:controllers:path`.
    fn of_groups(root: &Path, line: &str) -> Vec<u64> {
        let mut parts = line.splitn(3, ':').skip(1);
        let (Some(controllers), Some(path)) = (parts.next(), parts.next()) else { return Vec::new() };
        let (base, limit, used) = match controllers {
            "" => ("sys/fs/cgroup", "memory.max", "memory.current"),
            c if c.split(',').any(|c| c == "memory") => {
                ("sys/fs/cgroup/memory", "memory.limit_in_bytes", "memory.usage_in_bytes")
            }
            _ => return Vec::new(),
        };
        let base = root.join(base);
        let own = base.join(path.trim_start_matches('/'));
        let within = own.ancestors().take_while(|folder| folder.starts_with(&base));
        within.filter_map(|folder| left_in(folder.to_owned(), limit, used)).collect()
    }

    fn left_in(folder: PathBuf, limit: &str, used: &str) -> Option<u64> {
        let number = |name: &str| read_to_string(folder.join(name)).ok()?.trim().parse::<u64>().ok();
        // Cached pages of files count as used and are given back when memory is short.
        let statistics = read_to_string(folder.join("memory.stat")).unwrap_or_default();
        let cached = |name: &str| statistics.lines().find_map(|l| l.strip_prefix(name)?.trim().parse::<u64>().ok());
        let cached = cached("total_inactive_file ").or(cached("inactive_file ")).unwrap_or(0);
        Some(number(limit)?.saturating_sub(number(used)?.saturating_sub(cached)))
    }

    #[cfg(test)]
    mod tests {
        use super::*;

        fn machine(files: &[(&str, &str)]) -> tempfile::TempDir {
            let root = tempfile::tempdir().unwrap();
            for (path, content) in files {
                let path = root.path().join(path);
                std::fs::create_dir_all(path.parent().unwrap()).unwrap();
                std::fs::write(path, content).unwrap();
            }
            root
        }

        const MEMINFO: (&str, &str) = ("proc/meminfo", "MemTotal:  2000 kB\nMemAvailable:    1000 kB\n");

        #[test]
        fn the_machine_alone() {
            assert_eq!(available(machine(&[MEMINFO]).path()), Some(1000 * 1024));
            assert_eq!(available(machine(&[]).path()), None);
        }

        #[test]
        fn the_tightest_group_above_the_process() {
            let root = machine(&[
                MEMINFO,
                ("proc/self/cgroup", "0::/a/b\n"),
                ("sys/fs/cgroup/a/b/memory.max", "max\n"),
                ("sys/fs/cgroup/a/memory.max", "900000\n"),
                ("sys/fs/cgroup/a/memory.current", "600000\n"),
                ("sys/fs/cgroup/a/memory.stat", "anon 500000\ninactive_file 100000\n"),
            ]);
            assert_eq!(available(root.path()), Some(400_000));
        }

        #[test]
        fn groups_of_the_first_version() {
            let root = machine(&[
                MEMINFO,
                ("proc/self/cgroup", "5:cpu:/x\n4:memory:/x\n"),
                ("sys/fs/cgroup/memory/x/memory.limit_in_bytes", "5000\n"),
                ("sys/fs/cgroup/memory/x/memory.usage_in_bytes", "7000\n"),
            ]);
            assert_eq!(available(root.path()), Some(0));
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_are_read_and_shown() {
        assert_eq!(parse_size("800"), Some(800));
        assert_eq!(parse_size("500M"), Some(500 << 20));
        assert_eq!(parse_size(" 1.5 GiB"), Some(3 << 29));
        for nonsense in ["", "G", "-4G", "4X", "1e9", "0", "nan", "1.2.3M"] {
            assert_eq!(parse_size(nonsense), None, "{nonsense}");
        }
        assert_eq!(show_size(1.5 * f64::from(1 << 30)), "1.5 GB");
        assert_eq!(show_size(2e7), "19 MB");
        assert_eq!(show_size(12.0), "12 bytes");
    }

    #[cfg(target_os = "linux")]
    #[test]
    fn this_machine_has_memory() {
        assert!(available().is_some_and(|bytes| bytes > 1 << 20));
    }
}
