"""Foglight as a plain UCI engine under python-chess, in place of any GUI or
match runner. Called with the program's path; raises an error on a failure."""

import sys
import time

import chess
import chess.engine

MATE_IN_2 = "kbK5/pp6/1P6/8/8/8/8/R7 w - - 0 1"
MATED_IN_1 = "7k/R7/6K1/8/8/8/8/8 b - - 0 1"
ENDLESS = chess.engine.Limit()


def limits(engine):
    board = chess.Board()
    for limit in [
        chess.engine.Limit(time=0.1),
        chess.engine.Limit(nodes=2000),
        chess.engine.Limit(depth=5),
        chess.engine.Limit(white_clock=1, black_clock=1, white_inc=0.1, black_inc=0.1),
    ]:
        start = time.monotonic()
        result = engine.play(board, limit, info=chess.engine.INFO_ALL)
        assert result.move in board.legal_moves, limit
        assert time.monotonic() - start < 8, f"{limit} took too long"
        assert result.info["pv"][0] == result.move, result.info
        if limit.nodes:
            assert result.info["nodes"] <= limit.nodes, result.info
        if limit.depth:
            assert result.info["depth"] == limit.depth, result.info


def mates(engine):
    info = engine.analyse(chess.Board(MATE_IN_2), chess.engine.Limit(nodes=300_000))
    assert info["score"].pov(chess.WHITE) == chess.engine.Mate(2), info
    assert info["pv"][0] == chess.Move.from_uci("a1a6"), info
    info = engine.analyse(chess.Board(MATED_IN_1), chess.engine.Limit(nodes=20_000))
    assert info["score"].pov(chess.BLACK) == chess.engine.Mate(-1), info
    info = engine.analyse(chess.Board(), chess.engine.Limit(depth=6))
    assert abs(info["score"].white().score()) < 150, info


def analysis(engine):
    """Infinite analysis reports results and stops on request."""
    board = chess.Board("r1bqkbnr/pppp1ppp/2n5/4p3/2B1P3/5N2/PPPP1PPP/RNBQK2R b KQkq - 3 3")
    depths = []
    start = time.monotonic()
    with engine.analysis(board, ENDLESS) as running:
        for info in running:
            if "depth" in info and "pv" in info:
                depths.append(info["depth"])
                for move in info["pv"]:
                    board.push(move)  # raises on an illegal move
                for _ in info["pv"]:
                    board.pop()
            if time.monotonic() - start > 1.5 and len(depths) >= 4:
                running.stop()
        best = running.wait()
    assert best.move in board.legal_moves
    assert depths[:-1] == sorted(depths[:-1]) and depths[-2] >= 4, depths
    assert time.monotonic() - start < 15


def pondering(engine):
    board = chess.Board()
    for expected in (True, False, True):
        result = engine.play(board, chess.engine.Limit(time=0.1), ponder=True)
        assert result.move in board.legal_moves
        board.push(result.move)
        guess = result.ponder
        replies = [move for move in board.legal_moves if move != guess]
        board.push(guess if expected and guess else replies[0])
    result = engine.play(board, chess.engine.Limit(time=0.1))
    assert result.move in board.legal_moves


def whole_game(engine):
    board = chess.Board()
    while not board.is_game_over(claim_draw=True) and board.ply() < 300:
        result = engine.play(board, chess.engine.Limit(nodes=300))
        board.push(result.move)  # raises on an illegal move
    assert board.ply() > 10


def odd_positions(engine):
    """Castling, en passant, promotions, and a side without a move."""
    for fen in [
        "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1",
        "rnbqkbnr/1pp1pppp/p7/3pP3/8/8/PPPP1PPP/RNBQKBNR w KQkq d6 0 3",
        "8/P6k/8/8/8/8/7K/8 w - - 0 1",
    ]:
        board = chess.Board(fen)
        result = engine.play(board, chess.engine.Limit(nodes=2000))
        assert result.move in board.legal_moves, fen
    mated = chess.Board("R5k1/5ppp/8/8/8/8/8/6K1 b - - 0 1")
    assert not engine.play(mated, chess.engine.Limit(nodes=100)).move


def main():
    program = sys.argv[1]
    with chess.engine.SimpleEngine.popen_uci([program, "uci"], timeout=20) as engine:
        assert engine.id["name"].startswith("Foglight"), engine.id
        assert {"Hash", "Threads", "Ponder"} <= set(engine.options), engine.options
        engine.configure({"Hash": 8, "Threads": 1})
        for check in [limits, mates, analysis, pondering, whole_game, odd_positions]:
            check(engine)
            engine.ping()
            print(check.__name__, "is good")


main()
