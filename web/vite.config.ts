import { defineConfig } from 'vite';

/** Where `foglight serve` listens while the page is developed with `npm run dev`. */
const server = 'http://127.0.0.1:8080';

export default defineConfig({
  build: {
    target: 'es2022',
    // The server's policy is `default-src 'self'`: no data: addresses.
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
  },
  server: {
    proxy: { '/api': server, '/ws': { target: server, ws: true } },
  },
});
