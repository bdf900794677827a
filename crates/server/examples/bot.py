#!/usr/bin/env python3
"""A small bot for Foglight's bot API, with nothing but the standard library.

It challenges an agent, reads the stream of the game line by line, captures a
visible piece when it can and otherwise moves at random; after a number of
moves it resigns.

    python3 bot.py http://127.0.0.1:8080 --agent greedy --game fog
"""
import argparse
import json
import random
import urllib.request


def call(address, method, path, token=None, body=None):
    request = urllib.request.Request(address + path, method=method)
    if token:
        request.add_header("Authorization", "Bearer " + token)
    data = json.dumps(body).encode() if body is not None else b""
    return urllib.request.urlopen(request, data=data if method == "POST" else None, timeout=60)


def choose(seen, rng):
    """A random capture of a visible piece, otherwise a random move."""
    rows = seen["board"].split("/")
    enemy = str.islower if seen["side"] == "white" else str.isupper

    def at(square):
        return rows[len(rows) - int(square[1])]["abcdefgh".index(square[0])]

    captures = [m for m in seen["moves"] if enemy(at(m[2:4]))]
    return rng.choice(captures or seen["moves"])


def main():
    options = argparse.ArgumentParser(description=__doc__)
    options.add_argument("address")
    options.add_argument("--agent", default="greedy")
    options.add_argument("--game", default="fog")
    options.add_argument("--moves", type=int, default=200)
    options.add_argument("--seed", type=int, default=1)
    options = options.parse_args()
    rng = random.Random(options.seed)
    address = options.address.rstrip("/")
    token = json.load(call(address, "POST", "/api/token", body={"name": "example bot"}))["token"]
    game = json.load(
        call(address, "POST", "/api/challenge/" + options.agent, token, {"game": options.game})
    )["id"]
    side, moves = None, 0
    for line in call(address, "GET", "/api/bot/game/stream/" + game, token):
        if not line.strip():
            continue  # keeps the stream alive
        message = json.loads(line)
        if message["type"] == "gameFull":
            side = message["color"]
            if message["commit"] and not message["seed"]:
                seed = "%016x" % random.SystemRandom().getrandbits(64)
                call(address, "POST", f"/api/bot/game/{game}/seed/{seed}", token)
            message = message["state"]
        if message["type"] != "gameState":
            continue
        if message["status"] == "over":
            print("over:", message["observation"]["result"])
            return
        seen = message["observation"]
        if seen["turn"] != side or seen["over"]:
            continue
        if moves >= options.moves:
            call(address, "POST", f"/api/bot/game/{game}/resign", token)
        elif seen["roll"]:
            call(address, "POST", f"/api/bot/game/{game}/move/roll", token)
        elif seen["moves"]:
            moves += 1
            call(address, "POST", f"/api/bot/game/{game}/move/{choose(seen, rng)}", token)
    raise SystemExit("the stream ended before the game")


if __name__ == "__main__":
    main()
