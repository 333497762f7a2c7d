import type { Plugin, ProxyOptions } from 'vite';

/** The address of `npm run dev`, unless `SERVER` gives another one. */
const SERVER = process.env.SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 4000}`;
const CONFIG = /<script id="server" type="application\/json">.*?<\/script>/s;

/** Sets the server's own origin on each request, because the server refuses all other origins. */
const proxied: ProxyOptions = {
  target: SERVER,
  changeOrigin: true,
  ws: true,
  configure(proxy) {
    proxy.on('proxyReq', (request) => request.setHeader('origin', SERVER));
    proxy.on('proxyReqWs', (request) => request.setHeader('origin', SERVER));
  },
};

/** The paths that Vite forwards to the server. The service worker is the one of the last build. */
export const proxy: Readonly<Record<string, ProxyOptions>> = {
  '/graphql': proxied,
  '/stamps': proxied,
  '/sw.js': proxied,
};

/** In development Vite serves the page. This copies the configuration that the product's server puts into it. */
export const pageConfig = (): Plugin => ({
  name: 'page-config',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await fetch(SERVER).then(
      (response) => response.text(),
      () => {
        throw new Error(`No server responds at ${SERVER}. Start it with npm run dev.`);
      },
    );
    const [config] = CONFIG.exec(page) ?? [];
    return config === undefined ? html : html.replace(CONFIG, () => config);
  },
});
