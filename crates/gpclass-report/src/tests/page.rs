//! What the page says.

use super::{assert_drawable, changed, figures, report};
use crate::examples::{birds, circle, flowers, from_table};
use crate::text::{decimals, escape, number, percent, probability, two_decimals};
use crate::{By, Report, ReportOptions};
use gpclass::classifier::Classifier;
use gpclass::data::Column;
use gpclass::explain::Relevance;
use gpclass::learn::ScoreKind;
use gpclass::model::Multiclass;

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
fn a_report_survives_the_model_file() {
    let classifier = circle(15);
    let read = Classifier::from_bytes(&classifier.to_bytes()).unwrap();
    assert_eq!(report(&read).html(), report(&classifier).html());
}

#[test]
fn the_verdict_tells_success_from_failure() {
    let good = crate::verdict::verdict(&report(&circle(150)));
    assert!(good.starts_with("The classes can be told apart: with each row predicted from all the others, "), "{good}");
    assert!(good.contains("“x1”") && good.contains("“x2”"), "{good}");
    let noise: Vec<bool> = (0..60).map(|i| (i * 7919 % 13) % 2 == 0).collect();
    let x = (0..60).map(|i| ((i * i) as f64).sin()).collect();
    let bad = crate::verdict::verdict(&report(&from_table(vec![Column::continuous("x", x)], &noise, 1.0)));
    assert!(!bad.starts_with("The classes can be told apart"), "{bad}");
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
        crate::verdict::verdict(&Report { summary: &summary, ..report(&classifier) })
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
