//! The examples run, and what they claim is true: they end in an error or a panic where it is not.

use std::error::Error;

macro_rules! examples {
    ($($name:ident: $path:literal,)*) => {$(
        #[path = $path]
        mod $name;

        #[test]
        fn $name() -> Result<(), Box<dyn Error>> {
            $name::main()
        }
    )*

        /// A new example must be run too.
        #[test]
        fn every_example_is_run() {
            let folder = concat!(env!("CARGO_MANIFEST_DIR"), "/examples");
            let files = std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().file_name().into_string().unwrap());
            let mut files: Vec<String> = files.filter(|name| name.ends_with(".rs")).collect();
            files.sort();
            assert_eq!(files, [$(concat!(stringify!($name), ".rs")),*]);
        }
    };
}

examples! {
    binary: "../examples/binary.rs",
    custom_kernel: "../examples/custom_kernel.rs",
    leave_one_out_objective: "../examples/leave_one_out_objective.rs",
    mixed_columns: "../examples/mixed_columns.rs",
    robust: "../examples/robust.rs",
}
