//! The tool's options and the TOML specifications have the library's names.

mod support;

use clap::{Command, CommandFactory};
use gpclass::classifier::{Spec, vocabulary};
use gpclass::inference::Method;
use gpclass::learn::{ClassKernels, Search};
use gpclass::model::Multiclass;
use gpclass::named::Named;
use gpclass::objective::{Criterion, Objective};
use gpclass_cli::args::{Cli, read_spec};
use support::Bench;

/// The option of the command line for an option of the library; standardisation is a flag.
fn flag(option: &str) -> Option<&str> {
    match option {
        "standardise" => None,
        "missing" => Some("on_missing"),
        other => Some(other),
    }
}

fn names(command: &Command, argument: &str) -> Vec<(String, Option<String>)> {
    let found = command.get_arguments().find(|a| a.get_id() == argument);
    let found = found.unwrap_or_else(|| panic!("{} has no {argument}", command.get_name()));
    let text = |value: &clap::builder::PossibleValue| value.get_help().map(ToString::to_string);
    found.get_possible_values().iter().map(|value| (value.get_name().to_owned(), text(value))).collect()
}

#[test]
fn options_offer_the_names_of_the_library_with_its_sentences() {
    let cli = Cli::command();
    for option in vocabulary() {
        let words: Vec<_> = option.words.iter().map(|w| (w.name.to_owned(), Some(w.about.to_owned()))).collect();
        let Some(flag) = flag(option.option) else { continue };
        for command in ["fit", "evaluate", "audit"] {
            assert_eq!(names(cli.find_subcommand(command).unwrap(), flag), words, "{command} {flag}");
        }
        if ["kernel", "likelihood", "inference", "multiclass"].contains(&option.option) {
            let offered = names(cli.find_subcommand("infer").unwrap(), flag);
            // Inference at given values also has the names that likelihoods of several classes have elsewhere.
            let (usual, further) = offered.split_at(words.len());
            let further: Vec<&str> = further.iter().map(|(name, _)| name.as_str()).collect();
            assert_eq!(usual, words, "infer {flag}");
            assert_eq!(further.join(" "), if flag == "likelihood" { "multinomial-probit softmax" } else { "" });
        }
    }
}

/// The specification of these lines below a table.
fn spec(bench: &Bench, table: &str, line: &str) -> Result<Spec, String> {
    bench.write("spec.toml", format!("[{table}]\n{line}\n"));
    read_spec(&bench.path("spec.toml")).map_err(|error| format!("{error:?}"))
}

#[test]
fn specifications_are_written_in_these_names() {
    let bench = Bench::new();
    for option in vocabulary() {
        let table = if ["missing", "standardise"].contains(&option.option) { "encoder" } else { "fit" };
        for word in &option.words {
            let line = |name: &str| format!("{} = \"{name}\"", option.option);
            let read = spec(&bench, table, &line(word.name)).unwrap();
            let json = serde_json::to_value(&read).unwrap();
            let value = &json[table][option.option];
            let own = value.as_str().or_else(|| value.as_object()?.keys().next().map(String::as_str));
            assert_eq!(own, Some(word.name));
            for former in word.also {
                assert_eq!(spec(&bench, table, &line(former)).unwrap(), read, "{former}");
            }
        }
        let error = spec(&bench, table, &format!("{} = \"nonsense\"", option.option)).unwrap_err();
        assert!(option.words.iter().all(|word| error.contains(word.name)), "{error}");
    }
}

#[test]
fn parameters_are_tables_below_a_name() {
    let bench = Bench::new();
    let fit = |line: &str| spec(&bench, "fit", line).unwrap().fit;
    let f = Objective::leave_one_out(Criterion::FMeasure { zeta: 0.3 });
    assert_eq!(fit("objective = { loo-f = { zeta = 0.3 } }").objective, f);
    assert_eq!(fit("search = { two-step = { zeta = 0.7 } }").search, Search::TwoStep { zeta: 0.7 });
    let Method::LeastSquares(options) = fit("inference = { ls = { noise = 0.3 } }").method else { panic!("not ls") };
    assert_eq!(options.noise, 0.3);
    assert_eq!(fit("driver = { em_ep = { label_error = \"posterior\" } }").search.name(), "em-ep-posterior");
    assert_eq!(fit("method = { ep = { schedule = \"one_pass\" } }").method.name(), "adf");
    let error = spec(&bench, "fit", "inference = { ep = { tolerence = 1.0 } }").unwrap_err();
    assert!(error.contains("tolerence"), "{error}");
}

#[test]
fn every_name_is_accepted_by_fit() {
    let bench = Bench::new();
    bench.write("d.csv", support::disc(24));
    let quick = ["fit", "d.csv", "--label", "y", "--drop", "c", "--quiet", "--json"];
    for (option, given) in
        [("--search", Search::words()), ("--objective", Objective::words()), ("--inference", Method::words())]
    {
        for word in given {
            let model = ["--kernel", "linear", "--lengthscales", "single", "--likelihood", "probit-bias"];
            let ran = bench.run(&[&quick[..], &model, &[option, word.name]].concat());
            assert_eq!(ran.code, Some(0), "{option} {}: {ran:?}", word.name);
        }
    }
}

#[test]
fn every_way_to_model_several_classes_is_accepted_by_fit() {
    let bench = Bench::new();
    bench.write("d.csv", support::species(24));
    for (option, given) in [("--multiclass", Multiclass::words()), ("--class-kernels", ClassKernels::words())] {
        for word in given {
            let fit = ["fit", "d.csv", "--label", "species", "--quiet", "--json", option, word.name];
            let ran = bench.run(&[&fit[..], &support::QUICK].concat());
            assert_eq!(ran.code, Some(0), "{option} {}: {ran:?}", word.name);
        }
    }
}

#[test]
fn a_category_of_its_own_does_not_impute_numbers() {
    let bench = Bench::new();
    let rows =
        |i: usize| format!("{},{},{}", i % 5, if i == 3 { "" } else { ["x", "z"][i % 2] }, ["in", "out"][i % 3 / 2]);
    let table = |number: &str| {
        let mut lines: Vec<String> = (0..16).map(rows).collect();
        lines.push(format!("{number},x,in"));
        format!("a,c,y\n{}\n", lines.join("\n"))
    };
    bench.write("whole.csv", table("1")).write("gap.csv", table(""));
    let fit = |data: &str, policy: &str| {
        let model = ["--kernel", "linear", "--likelihood", "probit", "--lengthscales", "single"];
        bench.run(&[&["fit", data, "--label", "y", "--quiet", "--on-missing", policy], &model[..]].concat())
    };
    fit("whole.csv", "category").ok();
    let error = fit("gap.csv", "category").error();
    assert!(error.contains("'a'"), "{error}");
    fit("gap.csv", "impute+category").ok();
}

#[test]
fn inputs_are_seen_as_asked() {
    let bench = Bench::new();
    bench.write("d.csv", support::disc(40));
    let fit = |inputs: &str, more: &[&str]| {
        let given = ["fit", "d.csv", "--label", "y", "--kernel", "se", "--likelihood", "probit"];
        bench.run(&[&given[..], &["--lengthscales", "single", "--inputs", inputs], more].concat())
    };
    for inputs in ["standardised", "warped", "ranked"] {
        let told: serde_json::Value = serde_json::from_str(&fit(inputs, &["--json"]).ok()).unwrap();
        assert_eq!(told["summary"]["inputs"], inputs);
        assert_eq!(told["spec"]["fit"]["inputs"], inputs);
        let name = told["summary"]["candidates"][0]["name"].as_str().unwrap();
        assert_eq!(name, if inputs == "standardised" { "se, probit".into() } else { format!("se {inputs}, probit") });
    }
    let text = fit("ranked", &["-o", "m.gpc"]).ok();
    assert!(text.contains("on ranked inputs with probit likelihood"), "{text}");
    bench.run(&["predict", "m.gpc", "d.csv"]).ok();
    bench.run(&["explain", "m.gpc"]).ok();
}
