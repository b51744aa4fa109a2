"""No-op tasks of Dask.distributed with two worker processes. Prints the time until this script has all results."""

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
            # With pure=False, Dask computes every task anew instead of reusing results.
            return sum(client.gather(client.map(no_op, range(n), pure=False)))

        run(tasks // 10)
        began = time.perf_counter()
        total = run(tasks)
        ms = (time.perf_counter() - began) * 1000
        print(json.dumps({"ms": ms, "sum": total}), flush=True)


if __name__ == "__main__":
    main(int(sys.argv[1]))
