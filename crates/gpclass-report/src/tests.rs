use super::examples::{birds, circle, days, flowers, from_table, mixed, months};
use super::text::{decimals, escape, number, percent, probability, two_decimals};
use super::{By, Report, ReportOptions};
use gpclass::classifier::{Classifier, Summary};
use gpclass::data::Column;
use gpclass::explain::Relevance;
use gpclass::learn::ScoreKind;
use gpclass::model::Multiclass;

fn report(classifier: &Classifier) -> Report<'_> {
    Report::of(classifier, &ReportOptions::default()).unwrap()
}

/// The page of a classifier whose summary is changed before it is shown.
fn changed(classifier: &Classifier, change: impl FnOnce(&mut Summary)) -> String {
    let mut summary = classifier.summary().clone();
    change(&mut summary);
    Report { summary: &summary, ..report(classifier) }.html()
}

/// Every `name="value"` of the SVG elements must be free of words that no coordinate may contain.
fn assert_drawable(html: &str) {
    for bad in ["NaN", "inf\"", "inf ", "-0\"", "\"\"", "e308", "e-3"] {
        for attribute in ["x=\"", "y=\"", "d=\"", "width=\"", "height=\"", "cx=\"", "cy=\"", "r=\"", "points=\""] {
            for part in html.split(&format!(" {attribute}")).skip(1) {
                let value = &part[..=part.find('"').unwrap()];
                assert!(!value.contains(bad) && value.len() > 1, "{attribute}{value}");
            }
        }
    }
}

fn figures(html: &str) -> Vec<&str> {
    html.split("<figure id=\"figure-").skip(1).map(|part| &part[..part.find('"').unwrap()]).collect()
}

#[test]
fn a_report_has_all_its_figures_with_text_alternatives() {
    let classifier = circle(120);
    let report = report(&classifier);
    let html = report.html();
    let expected = [
        "surface",
        "calibration",
        "decision",
        "left-out",
        "roc",
        "precision-recall",
        "novelty",
        "relevance",
        "effect-1",
        "effect-2",
        "candidates",
        "convergence-evidence",
        "convergence-loss",
    ];
    assert_eq!(figures(&html), expected);
    assert_eq!(html.matches("role=\"img\"").count(), expected.len());
    assert_eq!(html.matches("<desc ").count(), expected.len());
    assert_eq!(html.matches("class=\"ring\"").count(), report.suspects.len() + 1, "one ring is in the legend");
    assert!(!report.suspects.is_empty());
    assert_drawable(&html);
    assert!(html.len() < 400_000, "{}", html.len());
}

#[test]
fn the_page_holds_the_summarys_own_numbers() {
    let classifier = circle(120);
    let (summary, report) = (classifier.summary(), report(&classifier));
    let html = report.html();
    for class in &summary.classes {
        assert!(html.contains(&format!("{} “{}”", class.rows, class.class)), "{class:?}");
    }
    for note in summary.data_notes.iter().chain(&summary.fit_notes) {
        assert!(html.contains(&escape(&note.text[1..])), "{note}");
    }
    for parameter in &summary.hyperparameters {
        assert!(html.contains(&format!("<td>{}</td>", escape(&parameter.name))), "{}", parameter.name);
    }
    let evidence = number(classifier.fitted().log_evidence());
    assert!(html.contains(&format!("<td>{evidence} nats</td>")), "{evidence}");
    for digest in [&classifier.provenance().data_digest, &classifier.provenance().version] {
        assert!(html.contains(digest.as_str()));
    }
    // The first suspect: its row, its label, how doubtful it is, and what the other rows say.
    let row = report.suspects[0];
    let (own, other) = (report.class_of_row[row], report.rather(row));
    let (label, instead) = (&summary.classes[own].class, &summary.classes[other].class);
    let (wrong, chance) = (summary.suspects.probability[row], report.left_out(row, own));
    let [wrong, chance] = [wrong, chance].map(|p| escape(&probability(p)));
    let (_, table) = html.split_once("chance of label</th>").unwrap();
    let (_, first) = table.split_once("<tr class=\"suspect\">").unwrap();
    let (first, _) = first.split_once("</tr>").unwrap();
    let numbered = format!("<td class=\"number\">{}</td><td>{label}</td><td class=\"flag\">", row + 1);
    let judged = format!("{wrong}</td><td>{instead}</td><td class=\"number\">{chance}</td>");
    assert!(first.starts_with(&numbered) && first.contains(&judged), "{first}");
    assert!((report.left_out(row, own) + report.left_out(row, other) - 1.0).abs() < 1e-12);
}

#[test]
fn suspects_are_named_by_their_lines_where_these_are_known() {
    let classifier = circle(120);
    let row = report(&classifier).suspects[0];
    for (lines, head, place) in [
        (None, "data row", row as u64 + 1),
        (Some((0..120).map(|i| 3 * i + 2).collect()), "line", 3 * row as u64 + 2),
        (Some(vec![2]), "data row", row as u64 + 1),
    ] {
        let html = Report::of(&classifier, &ReportOptions { lines, ..ReportOptions::default() }).unwrap().html();
        let (_, suspects) = html.split_once("<section id=\"suspects\">").unwrap();
        let (_, table) = suspects.split_once("<table class=\"readable\">").unwrap();
        assert!(table.starts_with(&format!("<thead><tr><th scope=\"col\">{head}</th>")), "{place}");
        assert!(table.contains(&format!("<tbody><tr class=\"suspect\"><td class=\"number\">{place}</td>")), "{place}");
    }
}

#[test]
fn nothing_is_fetched_and_nothing_runs() {
    for classifier in [mixed(60), birds(30, Multiclass::Joint)] {
        let html = report(&classifier).html();
        for word in ["http://", "https://", "src=", "url(", "@import", "<script", "<iframe", "javascript:", "onload"] {
            assert!(!html.contains(word), "{word}");
        }
        assert_eq!(html.matches("href=").count(), 1);
        assert!(html.contains("href=\"data:,\""));
    }
}

#[test]
fn no_word_is_of_the_command_line() {
    let classifier = mixed(60);
    let html = report(&classifier).html();
    let (_, body) = html.split_once("</style>").unwrap();
    for word in body.split(|c: char| c.is_whitespace() || "<>\"'“”(;".contains(c)) {
        assert!(!(word.len() > 2 && word.starts_with("--")), "{word}");
    }
}

#[test]
fn names_from_the_data_cannot_become_markup() {
    let evil = "</title><script>alert('1')</script>\"><img src=x onerror=alert(1)> & 体重 \u{202e}";
    for classifier in [circle(40), flowers(30)] {
        assert_harmless(&classifier, evil);
    }
}

fn assert_harmless(classifier: &Classifier, evil: &str) {
    let mut summary = classifier.summary().clone();
    summary.classes.iter_mut().for_each(|class| class.class = evil.to_owned());
    summary.candidates[0].name = evil.to_owned();
    summary.hyperparameters[0].name = evil.to_owned();
    summary.hyperparameters[0].meaning = evil.to_owned();
    summary.relevances[0].feature = evil.to_owned();
    summary.data_notes.iter_mut().chain(&mut summary.fit_notes).for_each(|note| note.text = evil.to_owned());
    summary.suspects.source = gpclass::classifier::SuspectSource::Contender { name: evil.to_owned() };
    summary.kernel = evil.to_owned();
    let mut provenance = classifier.provenance().clone();
    provenance.source = Some(evil.to_owned());
    provenance.version = evil.to_owned();
    provenance.data_digest = evil.to_owned();
    let mut report =
        Report { title: evil.to_owned(), summary: &summary, provenance: &provenance, ..report(classifier) };
    report.effects[0][0].curve.feature = evil.to_owned();
    report.surface.as_mut().unwrap().x.feature = evil.to_owned();
    let figures = report.figures();
    for text in figures.iter().map(|figure| &figure.svg).chain([&report.html()]) {
        assert!(!text.contains("<script") && !text.contains("<img") && !text.contains("alert('"));
    }
    assert!(report.html().contains("体重"));
}

#[test]
fn extreme_reports_are_still_drawn() {
    let constant =
        from_table(vec![Column::continuous("same", vec![3.0; 6])], &[true, false, true, false, true, false], 1.0);
    let three = from_table(vec![Column::continuous("x", vec![1.0, 2.0, 4.0])], &[true, false, true], 1.0);
    for classifier in [constant, three, circle(5), mixed(12), flowers(4), birds(7, Multiclass::Joint)] {
        assert_drawable(&report(&classifier).html());
    }
}

#[test]
fn absent_parts_leave_no_hole() {
    let classifier = circle(30);
    let mut summary = classifier.summary().clone();
    summary.trace.entries.clear();
    summary.candidates.clear();
    summary.relevances.clear();
    summary.hyperparameters.clear();
    summary.data_notes.clear();
    summary.fit_notes.clear();
    let mut report = Report { summary: &summary, ..report(&classifier) };
    report.suspects.clear();
    report.unlike.clear();
    report.effects.clear();
    report.class_of_row.clear();
    report.curves.clear();
    report.surface = None;
    let html = report.html();
    assert!(figures(&html).is_empty());
    assert!(html.contains("No label looks wrong."));
    assert!(html.contains("No column moves the prediction, and no label looks wrong."));
    assert!(!html.contains("Please note"));
    assert!(report.figures().is_empty());
}

#[test]
fn rows_that_move_with_the_hyperparameters_are_drawn_and_counted() {
    use gpclass::classifier::Stability;
    let html = |classifier: &Classifier| {
        changed(classifier, |summary| {
            let rows = summary.rows;
            let low = (0..rows).map(|row| 0.4 * row as f64 / rows as f64).collect();
            let high = (0..rows).map(|row| 0.4 * row as f64 / rows as f64 + 0.2).collect();
            let turned = (0..rows).map(|row| if row < 3 { 0.5 } else { 0.0 }).collect();
            summary.stability = Some(Stability { low, high, turned });
        })
    };
    for html in [html(&circle(60)), html(&flowers(60))] {
        let (_, figure) = html.split_once("<figure id=\"figure-stability\">").unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        assert!(
            figure.contains("less than ± 0.100") && figure.contains("3 of 60 rows (5.0\u{a0}%) are called another"),
            "{figure}"
        );
        assert_eq!(figure.matches("class=\"mark alert\"").count(), 3);
        assert_eq!(figure.matches("class=\"mark main\"").count(), 57);
        assert!(!html.contains("was not computed here"));
        assert_drawable(figure);
    }
    let without = report(&circle(60)).html();
    assert!(without.contains("was not computed here") && !without.contains("figure-stability"));
}

#[test]
fn each_of_seven_classes_has_its_line_in_every_figure_of_curves() {
    let classifier = days(70);
    let mut options = ReportOptions::default();
    (options.effect.grid, options.effect.rows) = (5, 4);
    let html = Report::of(&classifier, &options).unwrap().html();
    for stem in ["decision", "roc", "precision-recall"] {
        let (_, figure) = html.split_once(&format!("<figure id=\"figure-{stem}\">")).unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        for class in 0..7 {
            let lines = figure.matches(&format!("class=\"line class-{class}")).count();
            assert_eq!(lines, 2, "a line and its key of class {class} in {stem}");
        }
        assert_drawable(figure);
    }
}

#[test]
fn novelty_is_a_map_or_a_strip() {
    let map = |html: &str| {
        let (_, figure) = html.split_once("<figure id=\"figure-novelty\">").unwrap();
        figure.split_once("</figure>").unwrap().0.to_owned()
    };
    let plane = map(&report(&circle(60)).html());
    assert!(plane.contains("veil fill-alert") && plane.contains("New rows in the coloured ground"), "{plane}");
    let points = ["mute", "main", "alert"].map(|kind| plane.matches(&format!("class=\"point fill-{kind}\"")).count());
    assert_eq!(points.iter().sum::<usize>(), 60 + 3, "every row, and the legend");
    let several = map(&report(&mixed(60)).html());
    assert!(several.contains("the two numbers that matter most") && !several.contains("veil"), "{several}");
    let colours = ["red", "green", "blue"];
    let column = |shift: usize| (0..60).map(move |i| colours[(i * i / 5 + shift * i) % 3]);
    let columns = vec![Column::categories("hue", column(0)), Column::categories("frame", column(1))];
    let labels: Vec<bool> = (0..60).map(|i| i * i / 5 % 3 == 0).collect();
    let strip = map(&report(&from_table(columns, &labels, 1.0)).html());
    assert_eq!(
        strip.matches("class=\"mark\"").count() + strip.matches("class=\"whisker alert\"").count(),
        60,
        "{strip}"
    );
}

#[test]
fn decisions_are_shown_with_their_threshold() {
    use gpclass::classifier::{Decision, DecisionRule};
    use gpclass::evaluate::decision::Costs;
    let costs = Costs { false_negative: 9.0, false_positive: 1.0 };
    let html = changed(&circle(60), |summary| {
        summary.decision = Some(Decision {
            threshold: 0.25,
            rule: DecisionRule::Cost(costs),
            interval: Some((0.125, 0.375)),
            bayes: Some(0.1),
            cost: Some(0.5),
            bayes_cost: Some(0.625),
        });
    });
    for part in [
        "at least 0.25",
        "Missing one costs 9, a false alarm 1",
        "0.125 to 0.375",
        "decided here",
        "from a probability of 0.25 on",
    ] {
        assert!(html.contains(part), "{part}");
    }
    let classifier = circle(60);
    let positive = classifier.summary().loo_probability.of_class(gpclass::data::Class::POSITIVE);
    let labels = classifier.training().labels();
    let found = (0..60).filter(|&i| labels[i].position() == 1 && positive[i] >= 0.25).count();
    assert!(html.contains(&format!("<td>{found} (")), "{found}");
    assert!(!report(&circle(60)).html().contains("How are rows decided?"));
}

#[test]
fn grouped_rows_are_nowhere_said_to_be_left_out_one_by_one() {
    let html = changed(&circle(60), |summary| {
        let (name, groups, largest) = ("patient".to_owned(), 15, 4);
        summary.groups = Some(gpclass::classifier::GroupSummary { name, groups, largest });
    });
    for part in [
        "leave-group-out",
        "Leave-group-out results",
        "15 groups by “patient”, of 4 rows at most",
        "were left out together",
    ] {
        assert!(html.contains(part), "{part}");
    }
    for part in ["eave-one-out", "from all the others", "without that row", "from all other rows"] {
        assert!(!html.contains(part), "{part}");
    }
}

#[test]
fn thousands_of_features_are_folded() {
    let html = changed(&circle(20), |summary| {
        let gene = |k: usize| Relevance {
            feature: format!("gene {k}"),
            effect: 1.0 / (k + 1) as f64,
            error: 0.01,
            share: 0.0005,
            gain: None,
        };
        summary.relevances = (0..2000).map(gene).collect();
    });
    assert!(html.contains("The other 1980 features are in the table below."));
    assert_eq!(html.matches("gene 1999").count(), 1);
    assert_drawable(&html);
}

#[test]
fn wild_numbers_stay_out_of_the_drawing() {
    let classifier = circle(20);
    let wild = [f64::NAN, f64::INFINITY, f64::NEG_INFINITY, 1e308, -1e308];
    for known in 1..=wild.len() {
        assert_drawable(&changed(&classifier, |summary| {
            let first = summary.trace.entries[0].clone();
            summary.trace.entries = vec![first; 14];
            for (entry, &value) in summary.trace.entries.iter_mut().zip(&wild[..known]) {
                (entry.log_evidence, entry.objective) = (value, value);
            }
            let value = wild[known - 1];
            summary.relevances[0].effect = value;
            summary.candidates[1].score = value;
            summary.hyperparameters[0].value = value;
        }));
    }
}

#[test]
fn the_page_says_what_the_candidates_were_judged_by() {
    let classifier = circle(20);
    for (kind, said, nats) in [
        (Some(ScoreKind::Integrated), "averaged over its hyperparameters", true),
        (Some(ScoreKind::Penalised), "less a charge for every hyperparameter", true),
        (None, "less a charge for every hyperparameter", true),
        (Some(ScoreKind::Criterion), "compared by the leave-one-out score that was asked for", false),
        (Some(ScoreKind::LeftOut), "with which they predict left-out rows best", false),
    ] {
        let html = changed(&classifier, |summary| summary.candidates.iter_mut().for_each(|c| c.score_kind = kind));
        assert!(html.contains(said), "{said}");
        assert_eq!(html.contains("are nats behind the chosen model"), nats, "{kind:?}");
    }
}

#[test]
fn standalone_figures_know_no_variables() {
    let figures = report(&circle(60)).figures();
    assert_eq!(figures.len(), 13);
    for figure in &figures {
        let (stem, svg) = (&figure.stem, &figure.svg);
        assert!(svg.starts_with("<svg xmlns=\"http://www.w3.org/2000/svg\""), "{stem}");
        assert!(!svg.contains("var("), "{stem}");
        assert!(stem.chars().all(|c| c.is_ascii_alphanumeric() || c == '-'), "{stem}");
        assert_drawable(svg);
    }
}

#[test]
fn a_report_survives_the_model_file() {
    let classifier = circle(15);
    let read = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
    assert_eq!(report(&read).html(), report(&classifier).html());
}

#[test]
fn the_verdict_tells_success_from_failure() {
    let good = super::verdict::verdict(&report(&circle(150)));
    assert!(good.starts_with("The classes can be told apart: with each row predicted from all the others, "), "{good}");
    assert!(good.contains("“x1”") && good.contains("“x2”"), "{good}");
    let noise: Vec<bool> = (0..60).map(|i| (i * 7919 % 13) % 2 == 0).collect();
    let x = (0..60).map(|i| ((i * i) as f64).sin()).collect();
    let bad = super::verdict::verdict(&report(&from_table(vec![Column::continuous("x", x)], &noise, 1.0)));
    assert!(!bad.starts_with("The classes can be told apart"), "{bad}");
}

#[test]
fn three_classes_have_all_their_figures_with_text_alternatives() {
    let classifier = flowers(60);
    let report = report(&classifier);
    let html = report.html();
    let expected = [
        "surface",
        "confusion",
        "own-label",
        "decision",
        "roc",
        "precision-recall",
        "calibration-1",
        "calibration-2",
        "calibration-3",
        "novelty",
        "relevance",
        "effect-1",
        "effect-2",
        "candidates",
        "convergence-evidence",
        "convergence-loss",
    ];
    assert_eq!(figures(&html), expected);
    assert_eq!(report.figures().iter().map(|figure| figure.stem.as_str()).collect::<Vec<_>>(), expected);
    assert_eq!(html.matches("role=\"img\"").count(), expected.len());
    assert_eq!(html.matches("<desc ").count(), expected.len());
    assert_eq!(
        html.matches("<summary>The numbers</summary>").count(),
        expected.len() - 2,
        "all but surface and relevance"
    );
    for class in 0..3 {
        // Three curves, two effects and five legends; a band in each effect.
        let line = format!("class=\"line class-{class}\"");
        let smooth = usize::from(report.curves[class].smooth.is_some());
        assert_eq!(html.matches(&line).count(), 10 + smooth, "{line}");
        assert_eq!(html.matches(&format!("class=\"band fill-class-{class}\"")).count(), 2 + smooth);
        assert_eq!(html.matches(&format!("class=\"veil fill-class-{class}\"")).count(), 5);
    }
    assert!(!html.contains("class-3"));
    assert_drawable(&html);
    assert!(html.len() < 400_000, "{}", html.len());
}

#[test]
fn the_page_of_three_classes_holds_the_summarys_own_numbers() {
    let classifier = flowers(60);
    let (summary, report) = (classifier.summary(), report(&classifier));
    let html = report.html();
    let rows = |class: usize| summary.classes[class].rows;
    let under = format!("60 rows, {} “setosa”, {} “versicolor” and {} “virginica”; ", rows(0), rows(1), rows(2));
    assert!(html.contains(&under), "{under}");
    for (name, estimate) in [("Macro AUROC", summary.loo.auc), ("Brier score", Some(summary.loo.brier))] {
        let tile = format!("<dt>{name}</dt><dd>{} <small>±", decimals(estimate.unwrap().value));
        assert!(html.contains(&tile), "{tile}");
    }
    let details = summary.loo.classes.as_ref().unwrap();
    for (class, scores) in details.each.iter().enumerate() {
        let name = &summary.classes[class].class;
        let begin = format!("</i>{name}</td><td class=\"number\">{}</td><td class=\"number\">", scores.rows);
        let recall = percent(scores.recall.unwrap().value);
        let (_, row) = html.split_once(&begin).unwrap();
        assert!(row.split_once("</tr>").unwrap().0.contains(&recall), "{row}");
    }
    for (label, called) in (0..3).flat_map(|label| (0..3).map(move |called| (label, called))) {
        let weight = details.confusion.at((label as u16).into(), (called as u16).into());
        let [label, called] = [label, called].map(|class: usize| report.class(class));
        let row = format!("<tr><td>{label}</td><td>{called}</td><td>{weight}</td>");
        let cell = format!("<title>{weight} of {label}: {called} predicted,");
        assert_eq!((html.contains(&row), html.contains(&cell)), (weight > 0.0, weight > 0.0), "{row}");
    }
    assert!(html.contains("<td>3: a function for each, inferred together</td>"));
    assert!(html.contains(&format!("{} is guessing evenly", number(3f64.ln()))));
}

#[test]
fn classes_against_the_rest_have_the_same_figures_as_together_and_say_how_they_are_modelled() {
    let [together, apart] = [Multiclass::Joint, Multiclass::OneVsRest].map(|how| report(&birds(36, how)).html());
    assert_eq!(figures(&together), figures(&apart));
    assert!(figures(&apart).contains(&"effect-3"));
    assert!(together.contains("<td>3: a function for each, inferred together</td>"));
    assert!(apart.contains("<td>3: each against the rest, their probabilities made to sum to one</td>"));
    assert_drawable(&apart);
}

#[test]
fn suspects_of_three_classes_have_the_label_that_they_have_rather() {
    let classifier = flowers(60);
    let report = report(&classifier);
    let row = report.suspects[0];
    let (own, rather) = (report.class_of_row[row], report.rather(row));
    assert_eq!(rather, report.summary.suspects.rather(row, (own as u16).into()).position());
    let [wrong, chance, of_rather] =
        [report.summary.suspects.probability[row], report.left_out(row, own), report.left_out(row, rather)]
            .map(|p| escape(&probability(p)));
    let html = report.html();
    let (_, table) = html.split_once("chance of rather</th>").unwrap();
    let (_, first) = table.split_once("<tr class=\"suspect\">").unwrap();
    let (first, _) = first.split_once("</tr>").unwrap();
    let judged = format!(
        "{wrong}</td><td>{}</td><td class=\"number\">{chance}</td><td class=\"number\">{of_rather}</td>",
        report.class(rather)
    );
    assert!(first.contains(&format!("<td>{}</td><td class=\"flag\">", report.class(own))), "{first}");
    assert!(first.contains(&judged), "{first} {judged}");
}

#[test]
fn of_twelve_classes_the_most_frequent_have_curves_and_all_have_the_rest() {
    let classifier = months(72);
    let mut options = ReportOptions::default();
    (options.surface.resolution, options.effect.grid, options.effect.rows) = (16, 5, 4);
    let report = Report::of(&classifier, &options).unwrap();
    let html = report.html();
    let sentence = "Of 12 classes the 8 with the most rows are shown.";
    // In the text and in the description of three figures, and in the lead of two sections.
    assert_eq!(html.matches(sentence).count(), 8);
    assert!(html.contains("72 rows, 12 classes of 2 to 10 rows; 2 numeric features"));
    let shown: Vec<usize> = report.curves.iter().map(|curves| curves.class).collect();
    assert_eq!(shown.len(), 8);
    let rare = report.summary.classes.iter().position(|class| class.rows == 2).unwrap();
    assert!(!shown.contains(&rare), "{shown:?}");
    assert!(report.effects.iter().all(|effects| effects.iter().map(|effect| effect.class).eq(shown.iter().copied())));
    assert_eq!(figures(&html).iter().filter(|stem| stem.starts_with("calibration-")).count(), 8);
    // The map names and colours all; their table, histograms and matrix have them too.
    for class in 0..12 {
        assert!(html.contains(&format!("class=\"veil fill-class-{class}\"")), "{class}");
        assert!(html.contains(&format!("--class-{class}:")), "{class}");
    }
    assert!(html.matches("class=\"label\"").count() >= 10);
    assert!(html.contains("The month befor…") && html.contains("The month before the new year"));
    assert_drawable(&html);
    assert!(html.len() < 700_000, "{}", html.len());
    for figure in report.figures() {
        assert!(!figure.svg.contains("var("), "{}", figure.stem);
        assert_drawable(&figure.svg);
    }
}

#[test]
fn the_matrix_of_many_classes_scrolls_instead_of_becoming_illegible() {
    let html = |classes: usize| {
        changed(&flowers(30), |summary| {
            let name = |k: usize| gpclass::classifier::ClassRows { class: format!("class {k}"), rows: 1 };
            summary.classes = (0..classes).map(name).collect();
            let details = summary.loo.classes.as_mut().unwrap();
            let matrix = (0..classes).map(|k| (0..classes).map(|c| f64::from(u8::from(c == k) * 120)).collect());
            details.confusion = matrix.collect::<Vec<Vec<f64>>>().try_into().unwrap();
            details.each = vec![details.each[0].clone(); classes];
        })
    };
    for (classes, width) in [(5, 452.0), (30, 950.0), (100, 2840.0)] {
        let html = html(classes);
        let (_, figure) = html.split_once("<figure id=\"figure-confusion\">").unwrap();
        let (figure, _) = figure.split_once("</figure>").unwrap();
        assert!(figure.contains("<div class=\"scroll\" tabindex=\"0\" role=\"group\" aria-label="));
        let (_, least) = figure.split_once("<div style=\"min-width:").unwrap();
        let least: f64 = least.split_once("px").unwrap().0.parse().unwrap();
        assert!((least - 0.75 * width).abs() < 0.02 * width, "{least}");
        assert_eq!(figure.matches("<title>120 of class ").count(), classes);
        assert_drawable(figure);
    }
}

#[test]
fn nothing_of_several_classes_is_in_the_page_of_two() {
    let html = report(&circle(40)).html();
    let (_, body) = html.split_once("</style>").unwrap();
    for word in ["confusion", "Macro", "own-label", "rather</th>", "figure-calibration-", "swatch", "dash-"] {
        assert!(!body.contains(word), "{word}");
    }
    assert!(!html.contains("--class-2"));
}

#[test]
fn several_classes_without_their_details_leave_no_hole() {
    let html = changed(&flowers(30), |summary| {
        summary.loo.classes = None;
        (summary.loo.auc, summary.loo.f_measure) = (None, None);
    });
    assert!(!html.contains("id=\"classes\"") && !figures(&html).contains(&"confusion"));
    assert!(html.contains("<dt>Macro AUROC</dt><dd>–"));
    assert_drawable(&html);
}

/// What would keep the report out of a browser, or tie it to one face, is not in its sources.
#[test]
fn the_sources_need_no_files_no_clock_and_no_command_line() {
    let mut folders = vec![std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src")];
    let mut seen = 0;
    while let Some(folder) = folders.pop() {
        for path in std::fs::read_dir(folder).unwrap().map(|entry| entry.unwrap().path()) {
            let name = path.file_name().unwrap().to_str().unwrap();
            if path.is_dir() {
                folders.push(path);
            } else if name.ends_with(".rs") && !["tests.rs", "examples.rs"].contains(&name) {
                let source = std::fs::read_to_string(&path).unwrap();
                for word in ["std::fs", "std::env", "std::io", "std::time", "std::process", "print!", "clap", "Sign::"]
                {
                    assert!(!source.contains(word), "{word} in {}", path.display());
                }
                seen += 1;
            }
        }
    }
    assert!(seen > 20, "{seen}");
}

/// Writes example reports where `GPCLASS_REPORT_EXAMPLES` says, for looking at.
#[test]
fn examples_can_be_written_out() {
    let Some(folder) = std::env::var_os("GPCLASS_REPORT_EXAMPLES").map(std::path::PathBuf::from) else { return };
    std::fs::create_dir_all(&folder).unwrap();
    std::fs::write(folder.join("mixed.html"), report(&mixed(150)).html()).unwrap();
    std::fs::write(folder.join("birds.html"), report(&birds(150, Multiclass::Joint)).html()).unwrap();
    for (name, classifier) in [("circle", circle(200)), ("flowers", flowers(150)), ("months", months(180))] {
        let report = report(&classifier);
        std::fs::write(folder.join(format!("{name}.html")), report.html()).unwrap();
        for figure in report.figures() {
            std::fs::write(folder.join(format!("{name}-{}.svg", figure.stem)), figure.svg).unwrap();
        }
    }
}

#[test]
fn the_answer_depends_mostly_on_what_stands_out() {
    let classifier = circle(40);
    let of = |effects: [(f64, f64); 4]| {
        let mut summary = classifier.summary().clone();
        let total: f64 = effects.iter().map(|(effect, _)| effect).sum();
        let relevance = |(k, (effect, error)): (usize, (f64, f64))| Relevance {
            feature: format!("f{k}"),
            effect,
            error,
            share: effect / total,
            gain: None,
        };
        summary.relevances = effects.into_iter().enumerate().map(relevance).collect();
        super::verdict::verdict(&Report { summary: &summary, ..report(&classifier) })
    };
    let clear = of([(0.02, 0.01), (0.3, 0.02), (0.01, 0.01), (0.02, 0.01)]);
    assert!(clear.contains("The answer depends mostly on “f1”, and"), "{clear}");
    let alike = of([(0.10, 0.01), (0.11, 0.01), (0.10, 0.01), (0.09, 0.01)]);
    assert!(alike.contains("depends on 4 columns, none of which stands out"), "{alike}");
    let first = of([(0.07, 0.01), (0.2, 0.01), (0.07, 0.01), (0.06, 0.01)]);
    assert!(first.contains("depends on 4 columns, most of all on “f1”, and"), "{first}");
    let unsure = of([(0.02, 0.01), (0.3, 0.2), (0.01, 0.01), (0.02, 0.01)]);
    assert!(!unsure.contains("mostly"), "{unsure}");
}

#[test]
fn rows_unlike_the_others_are_listed() {
    let mut x: Vec<f64> = (0..80).map(|i| ((i * i) as f64).sin()).collect();
    x[17] = 60.0;
    let labels: Vec<bool> = x.iter().map(|x| *x > 0.0).collect();
    let classifier = from_table(vec![Column::continuous("x", x)], &labels, 1.0);
    let report = report(&classifier);
    assert_eq!(report.unlike[0].0, 17, "{:?}", report.unlike);
    let html = report.html();
    assert!(html.contains("Rows unlike the others") && html.contains(r#"<td class="number">18</td>"#), "{html}");
}

#[test]
fn the_corrected_loss_stands_beside_the_plain_one() {
    let classifier = circle(40);
    let html = changed(&classifier, |summary| {
        let mut worse = summary.loo.clone();
        worse.nlp_nats.value = 0.777;
        summary.corrected = Some(worse);
    });
    assert!(html.contains("<small>corrected 0.777</small>") && html.contains("the same corrected</th>"));
    assert!(!changed(&classifier, |summary| summary.corrected = None).contains("corrected</th>"));
}

#[test]
fn the_head_holds_skill_calibration_and_what_to_look_at_and_no_hard_calls() {
    let classifier = circle(120);
    let report = report(&classifier);
    let html = report.html();
    let (_, tiles) = html.split_once("<dl class=\"tiles\">").unwrap();
    let (tiles, _) = tiles.split_once("</dl>").unwrap();
    let (intercept, slope) = (report.head.intercept.unwrap(), report.head.slope.unwrap());
    for part in [
        format!("<dt>AUROC</dt><dd>{} ", decimals(report.summary.loo.auc.unwrap().value)),
        format!("<small>skill {}</small>", percent(report.head.skill.nlp.unwrap().value)),
        format!("<small>skill {}</small>", percent(report.head.skill.brier.unwrap().value)),
        format!("<dt>Calibration intercept</dt><dd>{} ", two_decimals(intercept.value)),
        format!("<dt>Calibration slope</dt><dd>{} ", two_decimals(slope.value)),
        format!("<dt>Labels to check</dt><dd>{} ", report.suspects.len()),
        format!("<dt>Novel rows</dt><dd>{} ", report.unlike.len()),
    ] {
        assert!(tiles.contains(&part), "{part} in {tiles}");
    }
    for hard in ["F-measure", "rror", "ccuracy"] {
        assert!(!tiles.contains(hard), "{hard}");
    }
    assert!(html.find("id=\"further\"").unwrap() > html.find("id=\"effects\"").unwrap());
    assert!(html.contains("<td>F-measure</td>") && html.contains("<td>error rate</td>"));
}

#[test]
fn suspects_stand_beside_rows_that_contradict_them() {
    let classifier = flowers(60);
    let report = report(&classifier);
    let html = report.html();
    let first = &report.suspect_rows.rows[0];
    assert_eq!(first.own.row, report.suspects[0]);
    assert!(!first.against.is_empty());
    for other in &first.against {
        assert_eq!(report.class_of_row[other.row], report.rather(first.own.row));
        assert_ne!(other.row, first.own.row);
    }
    assert_eq!(html.matches("<tr class=\"suspect\">").count(), report.suspect_rows.rows.len());
    let values: String = first.own.values.iter().map(|value| format!("<td>{}</td>", escape(value))).collect();
    assert!(values.matches("<td>").count() == 2 && html.contains(&values), "{values}");
}

#[test]
fn scores_are_broken_down_by_a_column() {
    let classifier = circle(120);
    let sites = Column::categories("ward <b>", (0..120).map(|i| if i % 4 == 0 { "north" } else { "south" }));
    let options = ReportOptions { by: Some(By::column(&sites)), ..ReportOptions::default() };
    let with_groups = Report::of(&classifier, &options).unwrap();
    let html = with_groups.html();
    assert!(html.contains("Is it as good for every “ward &lt;b&gt;”?"));
    assert!(html.contains("<td>south</td><td class=\"number\">90</td>"));
    assert!(html.contains("<td>north</td><td class=\"number\">30</td>"));
    assert!(html.contains("performance by “ward &lt;b&gt;” is in this report"), "the checklist");
    assert!(!report(&classifier).html().contains("id=\"groups\""));
    let short = ReportOptions { by: Some(By::column(&Column::categories("w", ["a"]))), ..ReportOptions::default() };
    assert!(Report::of(&classifier, &short).is_err());
}

#[test]
fn methods_and_checklist_say_what_the_fit_knows() {
    for (classifier, words) in [
        (circle(60), ["calibration intercept", "decision-curve analysis", "2 numeric predictors"]),
        (birds(36, Multiclass::OneVsRest), ["each class against the rest", "categorical predictor", "common slope"]),
    ] {
        let html = report(&classifier).html();
        let (_, paragraph) = html.split_once("<p class=\"paste\">").unwrap();
        let (paragraph, _) = paragraph.split_once("</p>").unwrap();
        for word in words {
            assert!(paragraph.contains(word), "{word} in {paragraph}");
        }
        assert!(html.contains("TRIPOD+AI checklist") && html.contains("<td class=\"yours\">"));
    }
}

#[test]
fn columns_of_few_values_have_bars() {
    let rows = 60;
    let grade: Vec<f64> = (0..rows).map(|i| (i % 4) as f64).collect();
    let x: Vec<f64> = (0..rows).map(|i| ((i * i) as f64).sin()).collect();
    let labels: Vec<bool> = (0..rows).map(|i| grade[i] + x[i] > 1.5).collect();
    let classifier = from_table(vec![Column::continuous("grade", grade), Column::continuous("x", x)], &labels, 1.0);
    let report = report(&classifier);
    let of = |name: &str| report.effects.iter().find(|effect| effect[0].curve.feature == name).unwrap();
    let grade = &of("grade")[0].curve;
    assert_eq!(grade.points.len(), 4);
    assert_eq!(of("x")[0].curve.points.len(), 41);
    let html = report.html();
    let (_, figure) = html.split_once("<h3>grade</h3>").unwrap_or_else(|| panic!("a figure of grade"));
    let (figure, _) = figure.split_once("</svg>").unwrap();
    assert_eq!(figure.matches("<rect").count(), 4, "{figure}");
}
