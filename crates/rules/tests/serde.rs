//! Values survive a round trip through JSON.
#![cfg(feature = "serde")]

use foglight_rules::{
    Action, Color, Dice, FogRules, Game, MoveVisibility, Outcome, Record, Role, Sight, Size, State,
    Termination,
};
use serde::{Serialize, de::DeserializeOwned};
use serde_json::{Value, json, to_value};

fn survives<T: Serialize + DeserializeOwned + PartialEq + std::fmt::Debug>(value: T) -> Value {
    let text = serde_json::to_string(&value).expect("text");
    let back: T = serde_json::from_str(&text).expect("the same value");
    assert_eq!(back, value, "{text}");
    to_value(value).expect("a value")
}

/// The derived deserialiser knows every variant, so that none can be missing in
/// `ALL`.
#[test]
fn every_rule_set_is_in_the_list() {
    let error = serde_json::from_str::<FogRules>("\"none\"").expect_err("no rule set");
    let quoted = FogRules::ALL.map(|rules| format!("`{}`", rules.name()));
    assert!(
        error
            .to_string()
            .contains(&format!("expected one of {} at", quoted.join(", "))),
        "{error}"
    );
}

#[test]
fn names_are_those_of_records() {
    for rules in FogRules::ALL {
        assert_eq!(survives(rules), rules.name());
    }
    for reason in Termination::ALL {
        assert_eq!(survives(reason), reason.name());
    }
    for sighting in [
        MoveVisibility::Known,
        MoveVisibility::SemiRetreat,
        MoveVisibility::AdverseSurprise,
    ] {
        assert_eq!(survives(sighting), sighting.name());
    }
}

#[test]
fn values_survive_a_round_trip() {
    for game in Game::ALL {
        survives(game);
    }
    let game = Game::fog().with_sight(Color::Black, Sight::Full);
    survives(game.with_halfmove_limit(None));
    let dice = Dice::new(&[Role::King, Role::Pawn]).expect("two dice");
    assert_eq!(survives(dice), "PK");
    assert_eq!(survives(Size::new(4, 5).expect("a size")), "4x5");
    survives(Outcome::draw(Termination::Repetition));
    assert_eq!(
        survives(Outcome::win(Color::Black, Termination::Timeout)),
        json!({"winner": "black", "reason": "timeout"})
    );
}

#[test]
fn a_record_is_read_by_its_rules() {
    let game = Game::dice1();
    let mut state = State::start(game);
    let mut actions: Vec<Action> = Vec::new();
    for text in ["roll:P", "e2e4", "roll:N", "g8f6"] {
        actions.push(state.parse_action(text).expect("an action"));
        state.play_unchecked(actions[actions.len() - 1]);
    }
    let record = Record {
        game,
        start: game.start(),
        actions,
        outcome: None,
    };
    let mut value = survives(record);
    assert_eq!(
        value["actions"],
        json!(["roll:P", "e2e4", "roll:N", "g8f6"])
    );
    value["actions"][1] = json!("e2e5");
    let error = serde_json::from_value::<Record>(value).expect_err("an illegal move");
    assert!(
        error.to_string().contains("'e2e5' is not a legal move"),
        "{error}"
    );
}

#[test]
fn an_observation_holds_what_its_side_may_know() {
    let mut state = State::start(Game::fog());
    for text in ["e2e4", "d7d5", "e4d5"] {
        state
            .play(state.parse_action(text).expect("a move"))
            .expect("a legal move");
    }
    let seen = to_value(state.observe(Color::Black)).expect("a value");
    assert_eq!(seen["turn"], json!({"player": "black"}));
    assert_eq!(
        seen["announced"]["lost"],
        json!({"square": "d5", "piece": "P"})
    );
    assert_eq!(seen["position"], Value::Null);
    assert_eq!(seen["view"], state.observe(Color::Black).view().to_string());
    assert!(
        seen["moves"]
            .as_array()
            .expect("moves")
            .contains(&json!("d8d5"))
    );
    let all = State::start(Game::chess()).observe(Color::White);
    assert_eq!(
        to_value(all).expect("a value")["position"],
        Game::chess().start().to_string()
    );
}
