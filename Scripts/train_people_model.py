#!/usr/bin/env python3
"""Trains the model in Examples/newsletter-model.json: will this person read the newsletter?

    swift build --product kvtool
    Scripts/train_people_model.py [--kvtool PATH] [--output FILE]

The people are those of `kvtool generate`, made up at random, so it is not known which of them reads
anything: the label is made up, too. Points are given for interests, activity, score and years of
membership (`points` below); a random number between -0.75 and 0.75 stands for all that is not
known of a person. The model sees the documents and the labels only, not the points. It is a softmax
regression, trained by gradient descent on 20,000 people and measured on 10,000 others. Needs numpy.
"""

import argparse
import json
import subprocess
import sys

import numpy

CLASSES = ["no", "perhaps", "yes"]
YEAR = 2026
LIKES = [
    "baking", "chess", "cycling", "dancing", "drawing", "films", "fishing", "gardening",
    "hiking", "knitting", "music", "painting", "reading", "running", "sailing", "swimming",
]
POINTS_OF_LIKES = {"reading": 3, "films": 2, "music": 1, "chess": 1, "painting": 1, "sailing": -1}


def points(person):
    """Who has 7.5 points is a reader, who has 5.5 perhaps. The years stop counting at 12, which no
    linear model can know."""
    years = YEAR - int(person["memberSince"][:4])
    return (
        sum(POINTS_OF_LIKES.get(like, 0) for like in person["likes"])
        + 2 * person["active"] + person["score"] / 25 + min(years, 12) / 4
    )


def features(person):
    """What the model sees, each between 0 and about 1, in the order of `FEATURES`."""
    years = YEAR - int(person["memberSince"][:4])
    return [
        float(person["active"]), person["score"] / 100, years / 16,
        *(float(like in person["likes"]) for like in LIKES),
    ]


FEATURES = ["active", "score", "years", *(f"likes {like}" for like in LIKES)]


def people(kvtool, count, seed):
    command = [kvtool, "generate", "--count", str(count), "--seed", str(seed)]
    lines = subprocess.run(command, check=True, capture_output=True).stdout.splitlines()
    return [json.loads(line) for line in lines]


def labels(documents, noise):
    return numpy.digitize(numpy.array([points(d) for d in documents]) + noise, [5.5, 7.5])


def train(inputs, answers):
    """Gradient descent with momentum; a little weight decay."""
    wanted = numpy.eye(len(CLASSES))[answers]
    weights = numpy.zeros((inputs.shape[1], len(CLASSES)))
    bias = numpy.zeros(len(CLASSES))
    pace = [numpy.zeros_like(weights), numpy.zeros_like(bias)]
    for _ in range(4000):
        off = (softmax(inputs @ weights + bias) - wanted) / len(inputs)
        slopes = [inputs.T @ off + 1e-5 * weights, off.sum(axis=0)]
        pace = [0.9 * old + slope for old, slope in zip(pace, slopes)]
        weights -= 0.8 * pace[0]
        bias -= 0.8 * pace[1]
    return weights.round(4), bias.round(4)


def softmax(scores):
    powers = numpy.exp(scores - scores.max(axis=1, keepdims=True))
    return powers / powers.sum(axis=1, keepdims=True)


def main():
    parser = argparse.ArgumentParser(description=__doc__.splitlines()[0])
    parser.add_argument("--kvtool", default=".build/debug/kvtool")
    parser.add_argument("--output", default="Examples/newsletter-model.json")
    options = parser.parse_args()
    random = numpy.random.default_rng(20261121)

    known = people(options.kvtool, 20_000, seed=1001)
    known_labels = labels(known, random.uniform(-0.75, 0.75, len(known)))
    weights, bias = train(numpy.array([features(d) for d in known]), known_labels)

    others = people(options.kvtool, 10_000, seed=2002)
    noise = random.uniform(-0.75, 0.75, len(others))
    scores = numpy.array([features(d) for d in others]) @ weights + bias
    guesses = scores.argmax(axis=1)
    noisy = float((guesses == labels(others, noise)).mean())
    plain = float((guesses == labels(others, 0)).mean())
    most = float(numpy.bincount(labels(others, 0)).max() / len(others))
    print(f"accuracy on {len(others)} others: {noisy:.3f} of the labels with chance in them, "
          f"{plain:.3f} of those without; always the most frequent label: {most:.3f}",
          file=sys.stderr)

    model = {
        "about": "Softmax regression by Scripts/train_people_model.py on 20,000 made-up people, "
                 f"whose labels are made up, too. On 10,000 others it is right for {noisy:.1%} of "
                 f"the labels, for {plain:.1%} without the chance in them; the most frequent label "
                 f"is right for {most:.1%}.",
        "classes": CLASSES,
        "year": YEAR,
        "bias": bias.tolist(),
        "weights": {name: row.tolist() for name, row in zip(FEATURES, weights)},
    }
    with open(options.output, "w", encoding="utf-8") as file:
        file.write(layout(model))


def layout(model):
    """One line for each feature."""
    rows = ",\n".join(
        f"    {json.dumps(name)}: {json.dumps(row)}" for name, row in model["weights"].items())
    rest = "".join(
        f"  {json.dumps(key)}: {json.dumps(value)},\n"
        for key, value in model.items() if key != "weights")
    return "{\n" + rest + '  "weights": {\n' + rows + "\n  }\n}\n"


if __name__ == "__main__":
    main()
