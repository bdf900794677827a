//! Monte Carlo tree search compared with exact values.

use foglight_engine::{
    dice::{
        EvalTerms,
        mcts::{Bias, MctsSettings, MctsTree},
        reference::ReferenceExpectiminimax,
    },
    registry,
};
use foglight_play::{
    Agent, Budget, GameConfig, Providers, Rng, Session, seeded, session::play_agents,
};
use foglight_rules::{Action, Game, Role, State, Turn};
use rand::seq::IndexedRandom;

fn agent(text: &str) -> impl Agent {
    let spec = text.parse().expect("a spec");
    registry::build(&spec, &Game::dice1(), &Providers::default()).expect("an agent")
}

#[test]
fn every_king_that_a_roll_takes_is_taken() {
    let game = Game::dice1();
    let mut rng: Rng = seeded(5);
    let specs = [
        "mcts",
        "mcts:bias=logistic",
        "mcts:bias=network",
        "mcts:eval=off",
        "dice",
        "goal",
        "expectiminimax",
    ];
    let mut agents: Vec<_> = specs.map(agent).into();
    let mut seen = 0;
    while seen < 200 {
        let mut state = State::start(game);
        while !matches!(state.turn(), Turn::Over(_)) {
            let position = *state.position();
            let takes = |m: &foglight_rules::Move| position.captured(*m) == Some(Role::King);
            if state.legal_moves().iter().any(takes) {
                let observation = state.observe(position.turn());
                for (agent, name) in agents.iter_mut().zip(specs) {
                    let choice = agent.act(&observation, &Budget::nodes(20));
                    assert!(
                        takes(&choice),
                        "{name} misses the king: {}",
                        game.fen(&position)
                    );
                }
                seen += 1;
            }
            let action: Action = *state.legal_actions().choose(&mut rng).expect("an action");
            state.play_unchecked(action);
        }
    }
}

/// On 4x4 with a halfmove limit of two every game ends soon, so expectiminimax is
/// exact and the value of the tree must approach it.
#[test]
fn values_approach_expectiminimax() {
    let game = Game::dice1().with_halfmove_limit(Some(2));
    let settings = MctsSettings {
        exploration: 8.0,
        win_score: 1.0,
        bias: Bias::Off,
        ..MctsSettings::default()
    };
    for fen in [
        "kq2/4/4/2QK w - - 0 1 Q",
        "k3/1r2/2R1/3K w - - 0 1 K",
        "knr1/4/4/1RNK w - - 0 1 R",
    ] {
        let position = game.parse_fen(fen).expect("a position");
        let budget = Budget::default();
        let mut plain = ReferenceExpectiminimax {
            game,
            evaluate: &|at| EvalTerms::default().win_probability(at, at.turn()),
            budget: &budget,
            nodes: 0,
        };
        let exact = plain.value(&position, 12).expect("no limit");
        let error = |rounds: u64| {
            let mut rng = seeded(3);
            let mut tree = MctsTree::new(game, position, &settings, &mut rng);
            tree.search(&Budget::nodes(rounds));
            (tree.children()[0].value - exact).abs()
        };
        let late = error(40_000);
        assert!(late < 0.03, "{fen}: {exact} missed by {late}");
    }
}

#[test]
fn a_budget_in_nodes_repeats() {
    let mut state = State::start(Game::dice1());
    state.play(state.legal_actions()[0]).expect("a roll");
    let observation = state.observe(state.position().turn());
    let run = || {
        let mut agent = agent("mcts:bias=logistic");
        agent.start(state.game(), state.position().turn(), 4);
        let choice = agent.act(&observation, &Budget::nodes(500));
        (choice, agent.report())
    };
    assert_eq!(run(), run());
}

#[test]
fn three_dice_are_played_to_the_end() {
    let game = Game::dice3();
    let build = |text: &str| {
        let spec = text.parse().expect("a spec");
        registry::build(&spec, &game, &Providers::default()).expect("an agent")
    };
    let (mut white, mut black) = (build("dice:nodes=20000"), build("mcts:nodes=20"));
    let agents = foglight_rules::ByColor {
        white: &mut white as &mut dyn Agent,
        black: &mut black,
    };
    let config = GameConfig::new(game, game.start(), 1, 0);
    let session = Session::new(game, game.start(), None);
    let record = play_agents(session, &config, agents, &|session| {
        session.state().plies() >= 500
    });
    assert!(record.outcome.is_some());
}

/// Section IV.A: exploration 3.8775, win score 0.4, bias on, one second per move.
#[test]
fn the_defaults_are_the_base_case() {
    let base = MctsSettings::default();
    assert_eq!((base.exploration, base.win_score), (3.8775, 0.4));
    assert!(matches!(base.bias, Bias::Eval) && base.parts.is_some());
    let mut state = State::start(Game::dice1());
    state.play(state.legal_actions()[0]).expect("a roll");
    let observation = state.observe(state.position().turn());
    let run = |text: &str| {
        let mut agent = agent(text);
        agent.start(state.game(), state.position().turn(), 4);
        agent.act(&observation, &Budget::nodes(400));
        agent.report()
    };
    assert_eq!(run("mcts"), run("mcts:c=3.8775,win=0.4,bias=eval,eval=on"));
    assert_ne!(run("mcts"), run("mcts:c=0.5"));
    assert_ne!(run("mcts"), run("mcts:bias=off"));
}

/// Equation 1: H decides before the first visits and fades as H / (n + 1).
#[test]
fn the_first_play_out_goes_to_the_likeliest_move() {
    use foglight_engine::dice::move_model::MoveModel;
    let game = Game::dice1();
    let mut rng: Rng = seeded(9);
    let mut state = State::start(game);
    let mut seen = 0;
    while seen < 30 {
        if matches!(state.turn(), Turn::Over(_)) {
            state = State::start(game);
        }
        let position = *state.position();
        let takes = |m: &foglight_rules::Move| position.captured(*m) == Some(Role::King);
        let moves = state.legal_moves();
        if moves.len() > 1 && !moves.iter().any(takes) {
            let model = MoveModel::logistic();
            let settings = MctsSettings {
                bias: Bias::Model(model),
                ..MctsSettings::default()
            };
            let mut tree = MctsTree::new(game, position, &settings, &mut rng);
            tree.search(&Budget::nodes(1));
            let first = tree.children()[0];
            let best = moves.iter().map(|&m| model.probability(&position, m));
            let best = best.fold(0.0, f64::max);
            let chosen = model.probability(&position, first.m);
            assert_eq!(first.visits, 1);
            assert!((chosen - best).abs() < 1e-6, "{chosen} {best}");
            seen += 1;
        }
        let action: Action = *state.legal_actions().choose(&mut rng).expect("an action");
        state.play_unchecked(action);
    }
}

/// With the paper's settings a king capture is one child of several.
#[test]
fn king_captures_are_forced_or_not() {
    let game = Game::dice1();
    let position = game
        .parse_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 R")
        .expect("a position");
    let children = |forced_kings: bool| {
        let settings = MctsSettings {
            forced_kings,
            ..MctsSettings::default()
        };
        let mut rng = seeded(1);
        let mut tree = MctsTree::new(game, position, &settings, &mut rng);
        tree.search(&Budget::nodes(200));
        tree.children()
    };
    assert_eq!(children(true).len(), 1);
    let free = children(false);
    assert!(free.len() > 10);
    assert_eq!(free[0].m.to_string(), "e2e8");
}

/// Guided by the evaluation, a playout captures the king that a roll allows, and
/// the side with the rook wins more of them.
#[test]
fn playouts_follow_the_selection_policy() {
    let game = Game::dice1();
    let position = game
        .parse_fen("4k3/8/8/8/8/8/4R3/4K3 w - - 0 1 K")
        .expect("a position");
    let value = |guided: bool| {
        let settings = MctsSettings {
            guided,
            plies: 300,
            forced_kings: false,
            ..MctsSettings::default()
        };
        let mut rng = seeded(1);
        let mut tree = MctsTree::new(game, position, &settings, &mut rng);
        tree.search(&Budget::nodes(300));
        let children = tree.children();
        children.iter().map(|child| child.value).sum::<f64>() / children.len() as f64
    };
    let (random, guided) = (value(false), value(true));
    assert!(guided > random + 0.05, "{random} {guided}");
}
