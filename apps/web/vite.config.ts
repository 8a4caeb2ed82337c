/** Builds the page into `dist` with hashed asset names; it must never need the network or emit an inline script or style (the gateway's CSP refuses both). */
import tailwindcss from '@tailwindcss/vite';
import react from '@vitejs/plugin-react';
import { defineConfig } from 'vite';

export default defineConfig({
  root: import.meta.dirname,
  plugins: [react(), tailwindcss()],
  resolve: {
    alias: [{ find: /^@bravo\/policy\/(.*)$/, replacement: `${import.meta.dirname}/../../libs/policy/src/$1.ts` }],
  },
  build: {
    outDir: 'dist',
    emptyOutDir: true,
    // A data: URL would need an exception in the CSP.
    assetsInlineLimit: 0,
    chunkSizeWarningLimit: 900,
    rollupOptions: {
      output: {
        // The libraries change less often than the page, so a release leaves them in the browser's cache.
        codeSplitting: { groups: [{ name: 'vendor', test: /node_modules/ }] },
      },
    },
  },
});
