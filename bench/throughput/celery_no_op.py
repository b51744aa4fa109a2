"""No-op tasks of Celery. Workers import this module; run as a script, it submits the tasks and prints the time until it has all results."""

import json
import os
import sys
import time

from celery import Celery, group

# The time limit in seconds, so that a missing worker does not block the run for ever.
LIMIT = 120

app = Celery("no_op", broker=os.environ["REDIS"], backend=os.environ["REDIS"])
# A larger prefetch than the default of 4, since the throughput is measured.
app.conf.update(worker_prefetch_multiplier=64)


@app.task(name="no-op")
def no_op(i):
    return i


def run(n):
    return sum(group(no_op.s(i) for i in range(n))().get(timeout=LIMIT))


def main(tasks):
    run(tasks // 10)
    began = time.perf_counter()
    total = run(tasks)
    ms = (time.perf_counter() - began) * 1000
    print(json.dumps({"ms": ms, "sum": total}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
