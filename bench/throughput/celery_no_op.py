"""No-op tasks of Celery: the module of its workers, and, when it is run, the submitter, which prints how long they took, with all results here."""

import json
import os
import sys
import time

from celery import Celery, group

# Seconds: a worker that does not come must not be waited for without end.
LIMIT = 120

app = Celery("no_op", broker=os.environ["REDIS"], backend=os.environ["REDIS"])
# More at a time than the default of 4: it is the rate that is measured.
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
