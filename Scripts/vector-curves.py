#!/usr/bin/env python3
"""Draws the recall and the speed of vector indexes, which vector-benchmark.py has measured.

    vector-curves.py RESULTS.jsonl TITLE > curves.svg
"""

import json
import math
import sys

WIDTH, HEIGHT, LEFT, BOTTOM, TOP, RIGHT = 640, 400, 70, 50, 40, 170
COLORS = ["#0a84ff", "#888888", "#d97706", "#15803d", "#9333ea", "#b91c1c"]


def curves(path):
    """The points (recall, searches a second) of each library, from all lines."""
    found = {}
    for line in open(path, encoding="utf-8"):
        row = json.loads(line)
        if "searches" in row:
            for search in row["searches"]:
                if "probes" in search:
                    found.setdefault("document-store", []).append(
                        (search["recall"], search["perSecond"]))
        else:
            found.setdefault(row["library"], []).append((row["recall"], row["perSecond"]))
    return {name: sorted(points) for name, points in found.items()}


def main():
    path, title = sys.argv[1:]
    lines = curves(path)
    points = [point for line in lines.values() for point in line]
    least = max(0.5, min(recall for recall, _ in points))
    low = math.floor(math.log10(min(speed for _, speed in points)))
    high = math.ceil(math.log10(max(speed for _, speed in points)))

    def x(recall):
        return LEFT + (recall - least) / (1 - least) * (WIDTH - LEFT - RIGHT)

    def y(speed):
        share = (math.log10(speed) - low) / (high - low)
        return HEIGHT - BOTTOM - share * (HEIGHT - TOP - BOTTOM)

    out = [
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {WIDTH} {HEIGHT}" '
        'font-family="sans-serif" font-size="12">',
        f'<rect width="{WIDTH}" height="{HEIGHT}" fill="white"/>',
        f'<text x="{LEFT}" y="24" font-size="14">{title}</text>',
        f'<text x="{LEFT}" y="{HEIGHT - 12}">recall of the 10 nearest; searches a second by one '
        "thread, up is faster</text>",
    ]
    for exponent in range(low, high + 1):
        at = y(10**exponent)
        out.append(f'<path d="M{LEFT} {at:.1f}H{WIDTH - RIGHT}" stroke="#ddd"/>')
        out.append(f'<text x="{LEFT - 8}" y="{at + 4:.1f}" text-anchor="end">{10**exponent:,}</text>')
    for step in range(math.ceil(least * 20), 21):
        at = x(step / 20)
        out.append(f'<path d="M{at:.1f} {TOP}V{HEIGHT - BOTTOM}" stroke="#ddd"/>')
        out.append(
            f'<text x="{at:.1f}" y="{HEIGHT - BOTTOM + 18}" text-anchor="middle">{step / 20:.2f}'
            "</text>")
    for number, (name, line) in enumerate(lines.items()):
        color = COLORS[number % len(COLORS)]
        shown = [point for point in line if point[0] >= least]
        steps = " ".join(f"{x(recall):.1f},{y(speed):.1f}" for recall, speed in shown)
        out.append(f'<polyline points="{steps}" fill="none" stroke="{color}" stroke-width="2"/>')
        for recall, speed in shown:
            out.append(f'<circle cx="{x(recall):.1f}" cy="{y(speed):.1f}" r="3" fill="{color}"/>')
        at = TOP + 16 * number + 12
        out.append(f'<text x="{WIDTH - RIGHT + 14}" y="{at}" fill="{color}">{name}</text>')
    out.append("</svg>")
    print("\n".join(out))


if __name__ == "__main__":
    main()
