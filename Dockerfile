# A peer of p2p-worker, and its command line: docs/deploy.md shows how to run it.
#
#   docker build -t p2p-worker .
#   docker run --rm p2p-worker --help
#
# The base needs Node >= 20.19 and npm; another one is taken with --build-arg BASE=…
ARG BASE=node:24-bookworm-slim

FROM ${BASE} AS build
WORKDIR /app
COPY package.json package-lock.json ./
RUN npm ci --ignore-scripts --no-audit --no-fund
COPY tsconfig.json tsconfig.build.json ./
COPY scripts/bundle-cli.mjs scripts/bundle-dashboard.mjs scripts/bundle-http.mjs scripts/
COPY scripts/build.mjs scripts/keep-names.mjs scripts/man.mjs scripts/third-party.mjs scripts/trim-dist.mjs scripts/
COPY src src
# Only what runs: no development tools, and of the libraries no types, source maps or documents but their licences.
RUN npm run --silent build \
  && npm prune --omit=dev --ignore-scripts --no-audit --no-fund \
  && find node_modules \( -name '*.d.ts' -o -name '*.d.mts' -o -name '*.d.cts' -o -name '*.map' -o -iname '*.md' \) ! -iname 'licen[cs]e*' -delete \
  && rm -rf node_modules/.package-lock.json \
  && mkdir -p /data

FROM ${BASE}
WORKDIR /app
COPY --from=build /app/package.json ./
COPY --from=build /app/node_modules node_modules
COPY --from=build /app/dist dist
COPY examples examples
# dist/cli/THIRD-PARTY.txt refers to it.
COPY LICENSE ./
# GET /api/openapi.yaml
COPY docs/openapi.yaml docs/
# Not root. The number rather than a name, so that Kubernetes can tell.
COPY --from=build --chown=10001:10001 /data /data
RUN ln -s /app/dist/cli/main.js /usr/local/bin/p2p-worker
USER 10001:10001
# The identity stays with the container, or with the volume that is mounted at /data.
ENV NODE_ENV=production \
  P2P_WORKER_HOME=/data \
  P2P_WORKER_DATA_DIR=/data/peer \
  P2P_WORKER_LISTEN=/ip4/0.0.0.0/tcp/4001
EXPOSE 4001
# Whether this container's own peer answers and knows a leader.
HEALTHCHECK --interval=30s --timeout=15s --start-period=30s --retries=3 \
  CMD ["p2p-worker", "status", "--no-mdns", "--bootstrap", "/ip4/127.0.0.1/tcp/4001", "--wait", "10s"]
# Not through a shell: signals reach the peer, which leaves the cluster on SIGTERM, well within docker's ten seconds.
ENTRYPOINT ["node", "/app/dist/cli/main.js"]
CMD ["join"]
