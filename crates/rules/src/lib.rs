//! Boards, moves, games, observations and notation of chess under uncertainty.
