# The server, for deployments. It needs a DynamoDB (DYNAMODB_ENDPOINT or AWS): the image has neither the embedded one
# nor development dependencies. ROLE says what a container does; see docs/operations.md.

FROM node:24-slim AS build
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci
COPY tsconfig.json ./
COPY scripts/build ./scripts/build
COPY src ./src
COPY web ./web
RUN npm run build:server && npm run build:web

FROM node:24-slim AS dependencies
WORKDIR /app
COPY package.json package-lock.json .npmrc ./
RUN npm ci --omit=dev --omit=optional

FROM node:24-slim
ENV NODE_ENV=production PORT=4000
WORKDIR /app
COPY package.json ./
COPY assets ./assets
COPY bin ./bin
COPY --from=dependencies /app/node_modules ./node_modules
COPY --from=build /app/dist ./dist
# `tsudoi repair` and the other commands.
RUN ln -s /app/bin/tsudoi.js /usr/local/bin/tsudoi
USER node
EXPOSE 4000
HEALTHCHECK --interval=10s --timeout=3s --start-period=30s \
  CMD ["node", "-e", "fetch(`http://127.0.0.1:${process.env.PORT}/healthz`).then(({ ok }) => process.exit(ok ? 0 : 1), () => process.exit(1))"]
# Without npm or a shell in between, so the server itself receives SIGTERM.
CMD ["node", "--enable-source-maps", "dist/main.js"]
