import type { Plugin, ProxyOptions } from 'vite';

/** Where `npm run dev` listens; `SERVER` names another one. */
const SERVER = process.env.SERVER ?? `http://127.0.0.1:${process.env.PORT ?? 4000}`;
const TOLD = /<script id="server" type="application\/json">.*?<\/script>/s;

/** To the server the page looks like its own: it lets no other origin in. */
const proxied: ProxyOptions = {
  target: SERVER,
  changeOrigin: true,
  ws: true,
  configure(proxy) {
    proxy.on('proxyReq', (request) => request.setHeader('origin', SERVER));
    proxy.on('proxyReqWs', (request) => request.setHeader('origin', SERVER));
  },
};

/** What Vite's own server does not serve itself. */
export const proxy: Readonly<Record<string, ProxyOptions>> = { '/graphql': proxied, '/stamps': proxied };

/** In development the page comes from Vite, and is told what the product's server tells. */
export const toldByServer = (): Plugin => ({
  name: 'told-by-server',
  apply: 'serve',
  async transformIndexHtml(html) {
    const page = await fetch(SERVER).then(
      (response) => response.text(),
      () => {
        throw new Error(`Nobody answers at ${SERVER}: start npm run dev beside this.`);
      },
    );
    const [told] = TOLD.exec(page) ?? [];
    return told === undefined ? html : html.replace(TOLD, () => told);
  },
});
