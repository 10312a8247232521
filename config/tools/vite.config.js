import { fileURLToPath } from 'node:url'
import { defineConfig } from 'vite'

// The owner's page: one script, one style sheet and one document, served by the node itself under a policy that allows
// nothing inline. Nothing is loaded later, so no helper that loads is put in.
export default defineConfig({
  root: fileURLToPath(new URL('../../src/dashboard/', import.meta.url)),
  base: '/dashboard/',
  publicDir: false,
  logLevel: 'warn',
  oxc: { jsx: { runtime: 'automatic', importSource: 'preact' } },
  build: {
    outDir: fileURLToPath(new URL('../../dist/dashboard/', import.meta.url)),
    emptyOutDir: true,
    assetsInlineLimit: 0,
    modulePreload: false,
    reportCompressedSize: false,
    target: 'es2022'
  }
})
