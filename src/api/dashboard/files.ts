import { readFileSync, readdirSync } from 'node:fs'
import type { FastifyReply } from 'fastify'

/** The owner's page as it was built: read once, served by exact name, under a policy that lets nothing else in. */

export interface PageFile {
  readonly bytes: Buffer
  readonly type: string
  /** Its name holds a hash of what is in it. */
  readonly hashed: boolean
}

/** Beside `src/` and `dist/` lies the same: where the build puts it. */
const BUILT = new URL('../../../dist/dashboard/', import.meta.url)
const TYPES: Readonly<Record<string, string>> = {
  html: 'text/html; charset=utf-8',
  js: 'text/javascript; charset=utf-8',
  css: 'text/css; charset=utf-8',
  svg: 'image/svg+xml',
  woff2: 'font/woff2'
}

/** The files by their path on this node; empty when there is no built page. */
export function readPageFiles(folder: URL = BUILT): ReadonlyMap<string, PageFile> {
  const files = new Map<string, PageFile>()
  const add = (path: string, file: string, hashed: boolean): void => {
    const type = TYPES[file.slice(file.lastIndexOf('.') + 1)]
    if (type !== undefined) files.set(path, { bytes: readFileSync(new URL(file, folder)), type, hashed })
  }
  try {
    for (const name of readdirSync(new URL('assets/', folder))) add(`/dashboard/assets/${name}`, `assets/${name}`, true)
    add('/dashboard/', 'index.html', false)
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error
    files.clear()
  }
  return files
}

/** Scripts and styles of our own files alone; no frames, forms, or base; text never becomes markup or script. */
const POLICY = [
  "default-src 'none'",
  "script-src 'self'",
  "style-src 'self'",
  "img-src 'self' data:",
  "connect-src 'self'",
  "base-uri 'none'",
  "form-action 'none'",
  "frame-ancestors 'none'",
  "require-trusted-types-for 'script'",
  "trusted-types 'none'"
].join('; ')

const HEADERS: Readonly<Record<string, string>> = {
  'content-security-policy': POLICY,
  'x-frame-options': 'DENY',
  'referrer-policy': 'no-referrer',
  'cross-origin-opener-policy': 'same-origin',
  'cross-origin-resource-policy': 'same-origin',
  'cross-origin-embedder-policy': 'require-corp',
  // What a page could ask the browser for, and this one never does.
  'permissions-policy': 'camera=(), microphone=(), geolocation=(), payment=(), usb=(), serial=(), hid=(), midi=()'
}

/** Sends a file of the page. */
export function sendPageFile(reply: FastifyReply, { bytes, type, hashed }: PageFile): FastifyReply {
  if (hashed) reply.header('cache-control', 'private, max-age=31536000, immutable')
  return reply.headers(HEADERS).type(type).send(bytes)
}
