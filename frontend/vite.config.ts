import { svelte } from '@sveltejs/vite-plugin-svelte';
import { defineConfig } from 'vitest/config';

// Everything the page loads is in the build: the server's policy allows no
// inline script or style, so nothing is inlined (assetsInlineLimit) and the
// polyfill that Vite would inline for old browsers is off.
export default defineConfig({
  plugins: [svelte()],
  build: {
    target: ['chrome111', 'firefox114', 'safari16.4'], // oklch() and module scripts
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    reportCompressedSize: false,
  },
  server: { host: '127.0.0.1', port: 5173, strictPort: true },
  test: { include: ['src/**/*.test.ts'], environment: 'node' },
});
