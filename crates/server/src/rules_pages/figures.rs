//! Figures 24 to 26 of Mellemseter 2017, section 6.2.1: three moments of its
//! games against people; and figure 27, of section 7.4. The text does not include the diagrams, so that these
//! positions are reconstructions in which every statement of the text holds;
//! tests check each.

use foglight_rules::{Color, FogRules, Variant};

use super::{Claim, nothing};

fn thesis(variant: Variant) -> bool {
    variant == Variant::Fog(FogRules::Thesis)
}

/// Black's rook leaves the diagonal and its queen mates with it. White has lost
/// the dark-squared bishop.
const MATE_BEFORE: &str = "6k1/5ppp/8/4q3/3rP3/PP6/1K3PPP/1NR5 b - - 0 1";
const MATE_AFTER: &str = "6k1/5ppp/8/4q3/4P3/PP6/1K1r1PPP/1NR5 w - - 1 2";

/// White's bishop leaves the file and attacks the king, the rook behind it
/// attacks the queen.
const DOUBLE_BEFORE: &str = "3q3r/ppp3pp/4k3/4p3/8/3B4/PPP2PPP/3R2K1 w - - 0 1";
const DOUBLE_AFTER: &str = "3q3r/ppp3pp/4k3/4p3/2B5/8/PPP2PPP/3R2K1 b - - 1 1";

/// White's last pawns, one of them about to promote.
const PROMOTION: &str = "4r1k1/2P3pp/8/4b3/P6P/8/5r2/1K6 b - - 0 1";

/// White's knight beside what it may take; of the rest Black sees a pawn.
const KNIGHT: &str = "r1bqkb1r/ppp1pppp/2n2n2/3pN3/3P4/8/PPP1PPPP/RNBQKB1R b KQkq - 0 4";

pub(crate) const CLAIMS: &[Claim] = &[
    Claim {
        title: "Mate in the fog (figure 24): Black to move",
        text: "After figure 24 of the thesis. Black has taken White's bishop of the dark squares, \
               so nothing on a1, b2 or c3 can take the queen when the rook leaves d4. What does \
               stand there is dark.",
        fen: MATE_BEFORE,
        side: Color::Black,
        of: thesis,
        sees: |_| &[("b2", '?'), ("c3", '?'), ("a1", '?'), ("d2", '.')],
        may: |_| &["d4d2"],
        may_not: nothing,
    },
    Claim {
        title: "Mate in the fog (figure 24): before, as White sees it",
        text: "The pawn on e4 sees the queen that blocks it; the rook beside it is dark.",
        fen: MATE_BEFORE,
        side: Color::White,
        of: thesis,
        sees: |_| &[("e5", 'q'), ("d4", '?'), ("d2", '.')],
        may: nothing,
        may_not: nothing,
    },
    Claim {
        title: "Mate in the fog (figure 24): after the rook went to d2, as Black sees it",
        text: "The king is found, on the diagonal of the queen and on the rank of the rook.",
        fen: MATE_AFTER,
        side: Color::Black,
        of: thesis,
        sees: |_| &[("b2", 'K'), ("c3", '.'), ("c2", '.')],
        may: nothing,
        may_not: nothing,
    },
    Claim {
        title: "Mate in the fog (figure 24): after the rook went to d2, as White sees it",
        text: "White sees both attackers, the rook by the knight and the queen by the pawn, and so \
               knows that it is mate: whatever it plays, one of them takes the king.",
        fen: MATE_AFTER,
        side: Color::White,
        of: thesis,
        sees: |_| &[("d2", 'r'), ("e5", 'q')],
        may: |_| &["b1d2", "b2a2", "c1c2"],
        may_not: nothing,
    },
    Claim {
        title: "A double attack (figure 25): White to move",
        text: "After figure 25 of the thesis. The bishop goes to c4: it attacks the king on e6, and \
               uncovers the rook's attack on the queen. White sees neither of them yet.",
        fen: DOUBLE_BEFORE,
        side: Color::White,
        of: thesis,
        sees: |_| &[("d8", '?'), ("e6", '?')],
        may: |_| &["d3c4"],
        may_not: nothing,
    },
    Claim {
        title: "A double attack (figure 25): before, as Black sees it",
        text: "The queen sees the bishop on d3, and nothing behind it.",
        fen: DOUBLE_BEFORE,
        side: Color::Black,
        of: thesis,
        sees: |_| &[("d3", 'B'), ("d1", '?')],
        may: nothing,
        may_not: nothing,
    },
    Claim {
        title: "A double attack (figure 25): after the bishop went to c4, as White sees it",
        text: "Both are in sight: queen and king are under attack.",
        fen: DOUBLE_AFTER,
        side: Color::White,
        of: thesis,
        sees: |_| &[("d8", 'q'), ("e6", 'k')],
        may: nothing,
        may_not: nothing,
    },
    Claim {
        title: "A double attack (figure 25): after the bishop went to c4, as Black sees it",
        text: "Only the queen seems to be under attack: the bishop has gone into the dark. Who \
               saves the queen loses the king.",
        fen: DOUBLE_AFTER,
        side: Color::Black,
        of: thesis,
        sees: |_| &[("d1", 'R'), ("c4", '?'), ("d5", '.')],
        may: |_| &["d8e7"],
        may_not: nothing,
    },
    Claim {
        title: "A promotion that is let through (figure 26)",
        text: "After figure 26 of the thesis. The bishop could take the pawn on c7 and the rook \
               could stop it on c8, but b7 and d7 are dark and may hold another pawn that takes \
               them; f7 is seen, by the rook on f2. The agent of the user test lets it through.",
        fen: PROMOTION,
        side: Color::Black,
        of: thesis,
        sees: |_| {
            &[
                ("c7", 'P'),
                ("c8", '.'),
                ("b7", '?'),
                ("d7", '?'),
                ("f7", '.'),
            ]
        },
        may: |_| &["e5c7", "e8c8"],
        may_not: nothing,
    },
    Claim {
        title: "A dangerous knight (figure 27): Black to move",
        text: "After figure 27 of the thesis. Of White's pieces that can move Black sees the knight \
               on e5 alone. An agent that thinks the knight has to move, as it moves only what it \
               sees, expects it to be lost; in truth White may leave it there and move in the dark.",
        fen: KNIGHT,
        side: Color::Black,
        of: thesis,
        sees: |_| &[("e5", 'N'), ("d4", 'P'), ("e2", '?'), ("g1", '?')],
        may: |_| &["c6e5"],
        may_not: nothing,
    },
];

#[cfg(test)]
mod tests {
    use foglight_rules::{Game, Move, Position, State};

    use super::*;
    use crate::{user_study::AGENT, workers::AgentFactory};

    fn at(fen: &str) -> (Game, Position) {
        let game = Game::fog_with(FogRules::Thesis);
        let position = game.parse_fen(fen).expect("a FEN");
        (game, position)
    }

    fn after(game: &Game, position: &Position, m: Move) -> Position {
        let mut next = *position;
        game.play_unchecked(&mut next, m);
        next
    }

    fn find(game: &Game, position: &Position, uci: &str) -> Move {
        let moves = game.legal_moves(position);
        *moves.iter().find(|m| m.to_string() == uci).expect("a move")
    }

    #[test]
    fn figure_24_is_mate() {
        let (game, before) = at(MATE_BEFORE);
        let mated = after(&game, &before, find(&game, &before, "d4d2"));
        assert_eq!(game.fen(&mated), MATE_AFTER);
        assert!(mated.in_check() && mated.legal_moves().is_empty());
        for m in game.legal_moves(&mated) {
            assert!(after(&game, &mated, m).can_capture_king(), "{m}");
        }
    }

    #[test]
    fn figure_25_takes_the_queen_or_the_king() {
        let (game, before) = at(DOUBLE_BEFORE);
        let hit = after(&game, &before, find(&game, &before, "d3c4"));
        assert_eq!(game.fen(&hit), DOUBLE_AFTER);
        let saved = after(&game, &hit, find(&game, &hit, "d8e7"));
        assert!(
            saved.can_capture_king(),
            "who saves the queen loses the king"
        );
        let walked = after(&game, &hit, find(&game, &hit, "e6e7"));
        find(&game, &walked, "d1d8"); // the rook captures the queen
    }

    #[test]
    fn figure_26_promotes_unless_it_is_stopped() {
        let (game, start) = at(PROMOTION);
        let idle = after(&game, &start, find(&game, &start, "g8h8"));
        find(&game, &idle, "c7c8q");
        for stop in ["e5c7", "e8c8"] {
            let stopped = after(&game, &start, find(&game, &start, stop));
            let moves = game.legal_moves(&stopped);
            let promotes = moves.iter().any(|m| m.promotion().is_some());
            assert!(!promotes, "{stop} was safe, since b7 was empty");
        }
    }

    /// The agent of the user study avoids a capture on b7, as the thesis
    /// reports.
    #[test]
    fn the_agent_of_the_user_test_lets_the_pawn_of_figure_26_through() {
        let (game, start) = at(PROMOTION);
        let seen = State::new(game, start).observe(Color::Black);
        let agents = AgentFactory::new(foglight_play::Providers::default());
        let asked = crate::study::ask(AGENT, &game, &start, &seen, &agents, &Default::default());
        let played = asked.expect("an opinion").m.to_string();
        assert!(!["e5c7", "e8c8"].contains(&played.as_str()), "{played}");
        let after = after(&game, &start, find(&game, &start, &played));
        find(&game, &after, "c7c8q");
    }
}
