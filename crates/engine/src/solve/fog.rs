//! Exact equilibria of tiny fog games: the whole tree up to a horizon, solved
//! by CFR+ (Tammelin 2014) with a bound on the error, as ground truth for
//! players that cannot search the whole tree.
//!
//! A player's information set is its own sequence of moves and views. The game
//! ends by its rules or at the horizon, where it is drawn unless `material`
//! decides.

use std::collections::HashMap;

use foglight_play::Session;
use foglight_rules::{Action, Color, Game, Position, State};

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct FogSettings {
    /// Plies until the horizon.
    pub plies: u32,
    /// Stop when the exploitability of both sides together is at most this.
    pub error: f64,
    /// Maximum iterations of CFR+.
    pub iterations: usize,
    /// At the horizon: share of the material balance as value, or a draw.
    pub material: bool,
    /// Maximum nodes of the tree.
    pub most: usize,
}

impl Default for FogSettings {
    fn default() -> FogSettings {
        FogSettings {
            plies: 4,
            error: 0.005,
            iterations: 2000,
            material: false,
            most: 5_000_000,
        }
    }
}

/// Error for a fog game that cannot be solved.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum FogError {
    /// The tree is too large.
    #[error("more than {0} positions in the tree; expected fewer pieces or fewer plies")]
    Tree(usize),
    /// The game has no fog.
    #[error("the game hides nothing; expected fog")]
    Game,
}

/// An approximate equilibrium and its error.
#[derive(Clone, PartialEq, Debug)]
pub struct FogSolution {
    /// White's expected result under the average strategies: +1 won, -1 lost.
    pub value: f64,
    /// Total gain of both best responses: the true value is within this of
    /// [`FogSolution::value`].
    pub error: f64,
    /// Positions in the tree.
    pub nodes: usize,
    /// Information sets of White and of Black.
    pub sets: [usize; 2],
    pub iterations: usize,
    /// The moves of the side to move at the start with their probabilities.
    pub mix: Vec<(foglight_rules::Move, f64)>,
}

/// A node of the tree: terminal, or an infoset and children in the order of its
/// moves.
enum Node {
    End(f64),
    Choice { set: usize, children: Vec<usize> },
}

/// Data of an infoset.
struct Set {
    side: Color,
    regrets: Vec<f64>,
    sums: Vec<f64>,
    strategy: Vec<f64>,
}

struct Tree {
    nodes: Vec<Node>,
    sets: Vec<Set>,
}

/// Builds the tree depth first.
struct Builder {
    tree: Tree,
    keys: HashMap<(Color, u64, usize), usize>,
    chains: HashMap<String, u64>,
    settings: FogSettings,
}

impl Builder {
    /// A number for the information state of one side: that of the state
    /// before, extended by the observation since. Equal if and only if the
    /// information states are.
    fn extend_infostate_key(&mut self, before: u64, session: &Session, side: Color) -> u64 {
        let seen = session.observation(side);
        let key = format!("{before} {} {:?}", seen.view(), seen.news());
        let next = self.chains.len() as u64 + 1;
        *self.chains.entry(key).or_insert(next)
    }

    fn build(&mut self, session: &Session, chains: [u64; 2]) -> Result<usize, FogError> {
        if self.tree.nodes.len() >= self.settings.most {
            return Err(FogError::Tree(self.settings.most));
        }
        let state = session.state();
        let at = self.tree.nodes.len();
        self.tree.nodes.push(Node::End(0.0));
        let ended = state.outcome().map(|o| 2.0 * o.score(Color::White) - 1.0);
        if let Some(value) = ended {
            self.tree.nodes[at] = Node::End(value);
        } else if state.plies() >= self.settings.plies {
            self.tree.nodes[at] = Node::End(self.horizon(state));
        } else {
            let side = state.position().turn();
            let moves = state.legal_moves();
            let set = self.set(side, chains[index(side)], moves.len());
            let mut children = Vec::with_capacity(moves.len());
            for m in moves {
                let mut next = session.clone();
                next.apply(Action::Move(m));
                let linked = [
                    self.extend_infostate_key(chains[0], &next, Color::White),
                    self.extend_infostate_key(chains[1], &next, Color::Black),
                ];
                children.push(self.build(&next, linked)?);
            }
            self.tree.nodes[at] = Node::Choice { set, children };
        }
        Ok(at)
    }

    fn set(&mut self, side: Color, chain: u64, moves: usize) -> usize {
        let sets = &mut self.tree.sets;
        *self.keys.entry((side, chain, moves)).or_insert_with(|| {
            sets.push(Set {
                side,
                regrets: vec![0.0; moves],
                sums: vec![0.0; moves],
                strategy: vec![1.0 / moves as f64; moves],
            });
            sets.len() - 1
        })
    }

    fn horizon(&self, state: &State) -> f64 {
        if !self.settings.material {
            return 0.0;
        }
        let board = state.position().board();
        let worth = |side: Color| -> i32 {
            let pieces = board.iter().filter(|(_, piece)| piece.color == side);
            pieces
                .filter(|(_, piece)| piece.role != foglight_rules::Role::King)
                .map(|(_, piece)| crate::eval::michniewski::value(piece.role))
                .sum()
        };
        0.95 * crate::eval::value_of(worth(Color::White) - worth(Color::Black))
    }
}

fn index(side: Color) -> usize {
    usize::from(side.is_black())
}

impl Tree {
    /// One CFR traversal for `hero`: returns values for White and accumulates
    /// regrets in `new`. `reach` is that of everyone but the hero, `own` the
    /// hero's.
    fn walk(&self, at: usize, hero: Color, reach: f64, own: f64, new: &mut Gathered) -> f64 {
        let (set, children) = match &self.nodes[at] {
            Node::End(value) => return *value,
            Node::Choice { set, children } => (*set, children),
        };
        let info = &self.sets[set];
        let mine = info.side == hero;
        let mut values = Vec::with_capacity(children.len());
        let mut value = 0.0;
        for (child, share) in children.iter().zip(&info.strategy) {
            let (reach, own) = if mine {
                (reach, own * share)
            } else {
                (reach * share, own)
            };
            let v = self.walk(*child, hero, reach, own, new);
            value += share * v;
            values.push(v);
        }
        if mine {
            let sign = if hero == Color::White { 1.0 } else { -1.0 };
            for (i, v) in values.iter().enumerate() {
                new.regrets[set][i] += reach * sign * (v - value);
                new.sums[set][i] += own * info.strategy[i];
            }
        }
        value
    }

    /// CFR+ on the hero's infosets: regrets are floored at zero, and later
    /// strategies have more weight in the average.
    fn learn(&mut self, hero: Color, round: usize, new: &Gathered) {
        for (i, set) in self.sets.iter_mut().enumerate() {
            if set.side != hero {
                continue;
            }
            for a in 0..set.regrets.len() {
                set.regrets[a] = (set.regrets[a] + new.regrets[i][a]).max(0.0);
                set.sums[a] += round as f64 * new.sums[i][a];
            }
            set.strategy = normalised(&set.regrets);
        }
    }

    fn average(&self) -> Vec<Vec<f64>> {
        self.sets.iter().map(|set| normalised(&set.sums)).collect()
    }

    /// White's value under these strategies.
    fn value(&self, at: usize, strategies: &[Vec<f64>]) -> f64 {
        match &self.nodes[at] {
            Node::End(value) => *value,
            Node::Choice { set, children } => {
                let shares = children.iter().zip(&strategies[*set]);
                shares
                    .map(|(child, p)| p * self.value(*child, strategies))
                    .sum()
            }
        }
    }

    /// White's value when `hero` plays a best response to these strategies.
    fn best_response(&self, hero: Color, strategies: &[Vec<f64>]) -> f64 {
        let mut members: Vec<Vec<(usize, f64)>> = vec![Vec::new(); self.sets.len()];
        self.reach(0, hero, 1.0, strategies, &mut members);
        let mut choices = vec![None; self.sets.len()];
        self.respond(0, hero, strategies, &members, &mut choices)
    }

    fn reach(
        &self,
        at: usize,
        hero: Color,
        reach: f64,
        strategies: &[Vec<f64>],
        members: &mut [Vec<(usize, f64)>],
    ) {
        if let Node::Choice { set, children } = &self.nodes[at] {
            let mine = self.sets[*set].side == hero;
            if mine {
                members[*set].push((at, reach));
            }
            for (child, share) in children.iter().zip(&strategies[*set]) {
                let reach = if mine { reach } else { reach * share };
                self.reach(*child, hero, reach, strategies, members);
            }
        }
    }

    fn respond(
        &self,
        at: usize,
        hero: Color,
        strategies: &[Vec<f64>],
        members: &[Vec<(usize, f64)>],
        choices: &mut [Option<usize>],
    ) -> f64 {
        let (set, children) = match &self.nodes[at] {
            Node::End(value) => return *value,
            Node::Choice { set, children } => (*set, children),
        };
        if self.sets[set].side != hero {
            let shares = children.iter().zip(&strategies[set]);
            return shares
                .map(|(c, p)| p * self.respond(*c, hero, strategies, members, choices))
                .sum();
        }
        let choice = match choices[set] {
            Some(choice) => choice,
            None => {
                let sign = if hero == Color::White { 1.0 } else { -1.0 };
                let mut sums = vec![0.0; children.len()];
                for (member, reach) in &members[set] {
                    let Node::Choice { children, .. } = &self.nodes[*member] else {
                        continue;
                    };
                    for (sum, child) in sums.iter_mut().zip(children) {
                        let v = self.respond(*child, hero, strategies, members, choices);
                        *sum += reach * sign * v;
                    }
                }
                let best = (0..sums.len()).max_by(|&a, &b| sums[a].total_cmp(&sums[b]));
                let best = best.expect("a set has moves");
                choices[set] = Some(best);
                best
            }
        };
        self.respond(children[choice], hero, strategies, members, choices)
    }
}

/// Regrets and values of one traversal.
struct Gathered {
    regrets: Vec<Vec<f64>>,
    sums: Vec<Vec<f64>>,
}

impl Gathered {
    fn new(tree: &Tree) -> Gathered {
        let zeros = || {
            tree.sets
                .iter()
                .map(|s| vec![0.0; s.regrets.len()])
                .collect()
        };
        Gathered {
            regrets: zeros(),
            sums: zeros(),
        }
    }
}

fn normalised(weights: &[f64]) -> Vec<f64> {
    let total: f64 = weights.iter().sum();
    if total > 0.0 {
        weights.iter().map(|weight| weight / total).collect()
    } else {
        vec![1.0 / weights.len() as f64; weights.len()]
    }
}

/// Solves a fog game from a position that both sides know. `progress` is called
/// with the iterations done and the error so far.
pub fn solve_fog(
    game: &Game,
    position: &Position,
    settings: FogSettings,
    mut progress: impl FnMut(usize, f64),
) -> Result<FogSolution, FogError> {
    if game.fog_rules().is_none() {
        return Err(FogError::Game);
    }
    let mut builder = Builder {
        tree: Tree {
            nodes: Vec::new(),
            sets: Vec::new(),
        },
        keys: HashMap::new(),
        chains: HashMap::new(),
        settings,
    };
    let start = Session::new(*game, *position, None);
    builder.build(&start, [0, 0])?;
    let mut tree = builder.tree;
    let mut error = f64::INFINITY;
    let mut done = 0;
    while done < settings.iterations && error > settings.error {
        done += 1;
        for hero in [Color::White, Color::Black] {
            let mut new = Gathered::new(&tree);
            tree.walk(0, hero, 1.0, 1.0, &mut new);
            tree.learn(hero, done, &new);
        }
        if done.is_power_of_two() || done % 50 == 0 || done == settings.iterations {
            let average = tree.average();
            let white = tree.best_response(Color::White, &average);
            error = white - tree.best_response(Color::Black, &average);
            progress(done, error);
        }
    }
    let average = tree.average();
    let count = |side| tree.sets.iter().filter(|set| set.side == side).count();
    let mix = match &tree.nodes[0] {
        Node::Choice { set, .. } => {
            let shares = average[*set].iter().copied();
            start
                .state()
                .legal_moves()
                .into_iter()
                .zip(shares)
                .collect()
        }
        Node::End(_) => Vec::new(),
    };
    Ok(FogSolution {
        value: tree.value(0, &average),
        error,
        nodes: tree.nodes.len(),
        sets: [count(Color::White), count(Color::Black)],
        iterations: done,
        mix,
    })
}
