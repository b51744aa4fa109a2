"""No-op tasks of Dask.distributed, two worker processes: prints how long they took, with all results here."""

import json
import sys
import time

from distributed import Client, LocalCluster


def no_op(i):
    return i


def main(tasks):
    processes = {"n_workers": 2, "threads_per_worker": 1, "processes": True}
    with LocalCluster(host="127.0.0.1", dashboard_address=None, **processes) as cluster, Client(cluster) as client:

        def run(n):
            # Not pure: each is a task of its own, and none is taken for one that ran before.
            return sum(client.gather(client.map(no_op, range(n), pure=False)))

        run(tasks // 10)
        began = time.perf_counter()
        total = run(tasks)
        ms = (time.perf_counter() - began) * 1000
        print(json.dumps({"ms": ms, "sum": total}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
