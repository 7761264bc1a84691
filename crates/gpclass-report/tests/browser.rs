//! The report of a real fit, as a browser sees it.

use gpclass::classifier::{Classifier, Spec};
use gpclass::data::{Column, LabelValues, Table};
use gpclass::learn::{Approach, Control, KernelFamily, Lengthscales, LikelihoodFamily, ManyRows};
use gpclass::model::Multiclass;
use gpclass_report::{Report, ReportOptions};
use rand::{RngExt, SeedableRng};
use rand_chacha::ChaCha8Rng;
use std::path::{Path, PathBuf};
use std::process::Command;

#[path = "../src/examples.rs"]
#[allow(dead_code, reason = "some examples are for the tests beside the code")]
mod examples;

/// One label in this many is flipped.
const FLIPPED: usize = 20;

/// Points in a square, of the class inside if within a circle, some labels flipped; learned as `many_rows` says.
fn circle(rows: usize, many_rows: ManyRows) -> (Classifier, Vec<usize>) {
    let mut rng = ChaCha8Rng::seed_from_u64(2);
    let mut coordinates = || (0..rows).map(|_| rng.random_range(-2.0..2.0)).collect::<Vec<f64>>();
    let (x, y) = (coordinates(), coordinates());
    let far = |i: usize| (x[i].hypot(y[i]) - 1.25).abs() > 0.4;
    let flipped: Vec<usize> = (0..rows).filter(|&i| far(i)).step_by(FLIPPED).collect();
    let inside = |i: usize| (x[i].hypot(y[i]) < 1.25) != flipped.contains(&i);
    let labels = LabelValues::text((0..rows).map(|i| if inside(i) { "inside" } else { "outside" }));
    let table = Table::new(vec![Column::continuous("x1", x.clone()), Column::continuous("x2", y.clone())]).unwrap();
    let mut spec = Spec { positive: Some("inside".to_owned()), ..Spec::default() };
    spec.fit.kernel = Some(KernelFamily::SquaredExponential);
    spec.fit.likelihood = Some(LikelihoodFamily::Robust);
    spec.fit.lengthscales = Lengthscales::Auto;
    spec.fit.many_rows = many_rows;
    let classifier = Classifier::fit(&table, &labels, None, &spec, &Control::default()).unwrap();
    (classifier.with_origin(Some("circle <b>data</b>".to_owned()), None), flipped)
}

const FIGURES: [&str; 14] = [
    "surface",
    "calibration",
    "decision",
    "left-out",
    "roc",
    "precision-recall",
    "stability",
    "novelty",
    "relevance",
    "effect-1",
    "effect-2",
    "candidates",
    "convergence-evidence",
    "convergence-loss",
];

/// Some rows stand for all, as in a fit of thousands.
const MANY: ManyRows = ManyRows { exact: false, inducing: Some(60), neighbours: Some(20) };

/// Figures of seven classes that two do not have.
const SEVEN: [&str; 10] = [
    "confusion",
    "own-label",
    "calibration-1",
    "calibration-7",
    "decision",
    "roc",
    "precision-recall",
    "novelty",
    "relevance",
    "effect-3",
];

#[test]
fn reports_of_many_rows_and_of_seven_classes_open_without_complaint() {
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium, chromium-browser or google-chrome on the path");
        return;
    };
    let folder = tempfile::tempdir().unwrap();
    let (many, _) = circle(500, MANY);
    assert_eq!(many.summary().approach, Approach::Sparse);
    // What draws of the hyperparameters would show takes all rows again; the page says so instead.
    let of_many: Vec<&str> = FIGURES.into_iter().filter(|figure| *figure != "stability").collect();
    let html = opened(&browser, folder.path(), &many, &of_many);
    assert!(html.contains("was not computed: of so many rows they are learned by blocks"));
    opened(&browser, folder.path(), &examples::days(84), &SEVEN);
}

/// The page of a report that a browser has opened: it asks for nothing, nothing in it complains, and it has these figures and
/// no other drawings than the report's.
fn opened(browser: &Path, folder: &Path, classifier: &Classifier, figures: &[&str]) -> String {
    let report = Report::of(classifier, &ReportOptions::default()).unwrap();
    let (html, page) = (report.html(), folder.join("report.html"));
    std::fs::write(&page, &html).unwrap();
    let view = open(browser, &page, folder, &[]);
    assert!(view.complaints.is_empty(), "{:?}", view.complaints);
    for figure in figures {
        assert!(view.dom.contains(&format!("<figure id=\"figure-{figure}\">")), "{figure}");
    }
    assert_eq!(view.dom.matches("<svg ").count(), report.figures().len());
    for element in ["<script", "<img", "<iframe", "http://", "https://", "src="] {
        assert!(!view.dom.contains(element), "{element}");
    }
    html
}

#[test]
fn the_report_of_a_fit_shows_the_flipped_labels_and_opens_without_complaint() {
    let (classifier, flipped) = circle(200, ManyRows::default());
    let options = ReportOptions::default();
    let suspects = classifier.summary().suspects.above(options.suspect_threshold);
    let found = flipped.iter().filter(|row| suspects.contains(row)).count();
    assert!(found * 10 >= flipped.len() * 8, "{found} of {} flipped labels", flipped.len());
    assert!(suspects.len() <= flipped.len() + 3);
    let report = Report::of(&classifier, &options).unwrap();
    let html = report.html();
    write_examples(&report, &html);

    let folder = tempfile::tempdir().unwrap();
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium, chromium-browser or google-chrome on the path");
        return;
    };
    // A page that complains, to be sure that complaints are heard.
    let control = folder.path().join("control.html");
    std::fs::write(&control, "<script>console.error('heard')</script>").unwrap();
    assert!(open(&browser, &control, folder.path(), &[]).complaints.iter().any(|line| line.contains("heard")));

    let html = opened(&browser, folder.path(), &classifier, &FIGURES);
    assert_eq!(report.figures().len(), FIGURES.len());
    assert!(html.contains("circle &lt;b&gt;data&lt;/b&gt;"));
}

#[test]
fn reports_of_several_classes_fit_a_phone_and_a_desk_in_light_and_dark() {
    let folder = tempfile::tempdir().unwrap();
    let examples = [
        ("flowers.html", examples::flowers(90)),
        ("birds.html", examples::birds(60, Multiclass::OneVsRest)),
        ("days.html", examples::days(84)),
        ("months.html", examples::months(84)),
    ];
    for (name, classifier) in &examples {
        let mut options = ReportOptions::default();
        // Twelve classes take their time on a fine grid.
        (options.surface.resolution, options.effect.grid, options.effect.rows) = (25, 9, 8);
        let html = Report::of(classifier, &options).unwrap().html();
        std::fs::write(folder.path().join(name), html).unwrap();
    }
    // A page that is too wide, to be sure that it is noticed.
    let wide = "<body style='margin:0'><p style='width:5000px'>wide</p></body>";
    std::fs::write(folder.path().join("wide.html"), wide).unwrap();
    let Some(browser) = browser() else {
        eprintln!("skipped: no chromium, chromium-browser or google-chrome on the path");
        return;
    };
    let pages = ["flowers.html", "birds.html", "days.html", "months.html", "wide.html"];
    let frames: Vec<(&str, u32)> = pages.into_iter().flat_map(|page| [(page, 360), (page, 1280)]).collect();
    for (scheme, paper) in [(LIGHT, "rgb(255, 255, 255)"), (DARK, "rgb(20, 23, 28)")] {
        for ((page, width), seen) in frames.iter().zip(measure(&browser, folder.path(), &frames, scheme)) {
            if *page == "wide.html" {
                assert!(seen.excess > 0 && seen.outside == "P", "{} {}", seen.excess, seen.outside);
                continue;
            }
            assert_eq!((seen.excess, seen.outside.as_str()), (0, ""), "{page} at {width}");
            assert_eq!(seen.paper, paper, "{page} with {scheme}");
            let missing: Vec<_> = CLASS_FIGURES.iter().filter(|part| !seen.figures.contains(**part)).collect();
            assert!(missing.is_empty(), "{page} lacks {missing:?}: {}", seen.figures);
        }
    }
}

/// Some of the figures of several classes.
const CLASS_FIGURES: [&str; 9] = [
    "figure-confusion",
    "figure-own-label",
    "figure-decision",
    "figure-roc",
    "figure-precision-recall",
    "figure-calibration-3",
    "figure-novelty",
    "figure-effect-2",
    "figure-candidates",
];

const DARK: &str = "--blink-settings=preferredColorScheme=0";
const LIGHT: &str = "--blink-settings=preferredColorScheme=1";

/// How a page lies in a window.
struct Measures {
    /// By how much its content is wider than the window.
    excess: u32,
    /// The colour behind everything.
    paper: String,
    /// Its figures.
    figures: String,
    /// Elements that reach out of the window, but for what scrolls by itself.
    outside: String,
}

/// What to note of every frame, as lines of fields.
const MEASURE: &str = "onload = () => {
    const said = [...document.querySelectorAll('iframe')].map(frame => {
        const page = frame.contentDocument, root = page.documentElement;
        const reachesOut = e => !e.closest('.scroll, svg') && e.getBoundingClientRect().right > root.clientWidth + 1;
        return [
            root.scrollWidth - root.clientWidth,
            page.defaultView.getComputedStyle(page.body).backgroundColor,
            [...page.querySelectorAll('figure')].map(e => e.id).join(' '),
            [...page.querySelectorAll('body *')].filter(reachesOut).map(e => e.tagName).join(' '),
        ].join('|');
    });
    document.querySelector('pre').textContent = said.join('\\n');
}";

/// Pages in windows of the given widths: frames inside one page, because a browser's own window has a least width.
fn measure(browser: &Path, folder: &Path, frames: &[(&str, u32)], scheme: &str) -> Vec<Measures> {
    let frame = |(page, width): &(&str, u32)| {
        format!("<iframe src='{page}' style='width:{width}px;height:800px;border:0'></iframe>")
    };
    let all: String = frames.iter().map(frame).collect();
    let outer = folder.join("frames.html");
    std::fs::write(&outer, format!("{all}<pre></pre><script>{MEASURE}</script>")).unwrap();
    let view = open(browser, &outer, folder, &[scheme, "--allow-file-access-from-files"]);
    assert!(view.complaints.is_empty(), "{:?}", view.complaints);
    let (_, said) = view.dom.split_once("<pre>").unwrap();
    let (said, _) = said.split_once("</pre>").unwrap();
    let one = |line: &str| {
        let fields: Vec<String> = line.split('|').map(str::to_owned).collect();
        let [excess, paper, figures, outside] = <[String; 4]>::try_from(fields).unwrap();
        Measures { excess: excess.parse().unwrap(), paper, figures, outside }
    };
    said.lines().map(one).collect()
}

/// What a browser made of a page.
struct View {
    dom: String,
    /// Console messages, refused requests and violations of the page's own security policy.
    complaints: Vec<String>,
}

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome"];
    let path = std::env::var_os("PATH")?;
    std::env::split_paths(&path).flat_map(|folder| names.map(|name| folder.join(name))).find(|file| file.is_file())
}

fn open(browser: &Path, page: &Path, folder: &Path, settings: &[&str]) -> View {
    let profile = tempfile::tempdir_in(folder).unwrap();
    let output = Command::new(browser)
        .args(["--headless", "--no-sandbox", "--disable-gpu", "--disable-quic", "--no-first-run"])
        .args(["--disable-background-networking", "--disable-component-update", "--disable-sync"])
        .args(settings)
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--enable-logging=stderr", "--v=0", "--dump-dom"])
        .arg(format!("--user-data-dir={}", profile.path().display()))
        .arg(format!("file://{}", page.display()))
        .output()
        .unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    let log = String::from_utf8_lossy(&output.stderr);
    let complaints = log.lines().filter(|line| line.contains("CONSOLE")).map(str::to_owned).collect();
    View { dom: String::from_utf8_lossy(&output.stdout).into_owned(), complaints }
}

/// Writes the report and its figures where `GPCLASS_REPORT_EXAMPLES` says, for looking at.
fn write_examples(report: &Report<'_>, html: &str) {
    let Some(folder) = std::env::var_os("GPCLASS_REPORT_EXAMPLES").map(PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("fit.html"), html).unwrap();
    for figure in report.figures() {
        std::fs::write(folder.join(format!("fit-{}.svg", figure.stem)), figure.svg).unwrap();
    }
}
