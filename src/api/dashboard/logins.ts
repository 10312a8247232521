import { randomBytes } from 'node:crypto'
import { toUtf8 } from '../../base/bytes.js'
import { sha256Hex } from '../../base/digest.js'
import { DAY, HOUR, type Instant, MINUTE } from '../../base/time.js'

/**
 * Who is logged in at the owner's page. A login link works once and for two minutes; what it opens is a session of two
 * secrets: the cookie, and the token that the page sends beside it. Everything is in memory: a node that ends has ended
 * its sessions. Only hashes are kept. Source: protocols/socket-api.md, "Dashboard".
 */

/** Links that are open at once; the oldest gives way. */
const LINKS = 4
const LINK_MS = 2 * MINUTE
/** Sessions at once; the one that was idle longest gives way. */
const SESSIONS = 8
const IDLE_MS = 12 * HOUR
const LIFE_MS = 7 * DAY

interface Opened {
  /** The value of the cookie. */
  readonly id: string
  readonly csrf: string
  readonly expiresAt: Instant
}

export interface Session {
  /** Whether this is the token that the page of this session was given. */
  isCsrf(token: string): boolean
  /** When it ends, whatever is done with it. */
  readonly expiresAt: Instant
}

export interface Logins {
  /** A fresh one-time token. */
  link(): { readonly token: string; readonly expiresAt: Instant }
  /** Uses a token up; undefined: it was used, is over, or never was. */
  open(token: string): Opened | undefined
  /** The session of a cookie, if it lives. */
  find(id: string): Session | undefined
  /** As `find`, and it was idle for no time. */
  use(id: string): Session | undefined
  end(id: string): void
}

interface Kept {
  readonly csrfHash: string
  readonly expiresAt: Instant
  usedAt: Instant
}

export function createLogins(now: () => Instant): Logins {
  /** In the order in which they were made, by hash. */
  const links = new Map<string, Instant>()
  /** In the order of their last use, by hash. */
  const sessions = new Map<string, Kept>()

  function living(hash: string): Kept | undefined {
    const kept = sessions.get(hash)
    if (kept === undefined) return undefined
    // A clock that jumped back makes nothing live longer.
    const idle = now() - kept.usedAt
    if (now() < kept.expiresAt && idle < IDLE_MS && idle > -IDLE_MS) return kept
    sessions.delete(hash)
    return undefined
  }

  return {
    link() {
      const token = secret()
      const expiresAt = now() + LINK_MS
      links.set(hashOf(token), expiresAt)
      dropOldest(links, LINKS)
      return { token, expiresAt }
    },
    open(token) {
      const hash = hashOf(token)
      const until = links.get(hash)
      links.delete(hash)
      if (until === undefined || now() >= until || now() < until - LINK_MS) return undefined
      const opened = { id: secret(), csrf: secret(), expiresAt: now() + LIFE_MS }
      sessions.set(hashOf(opened.id), { csrfHash: hashOf(opened.csrf), expiresAt: opened.expiresAt, usedAt: now() })
      dropOldest(sessions, SESSIONS)
      return opened
    },
    find: (id) => sessionOf(living(hashOf(id))),
    use(id) {
      const hash = hashOf(id)
      const kept = living(hash)
      if (kept === undefined) return undefined
      kept.usedAt = now()
      sessions.delete(hash)
      sessions.set(hash, kept)
      return sessionOf(kept)
    },
    end: (id) => void sessions.delete(hashOf(id))
  }
}

function sessionOf(kept: Kept | undefined): Session | undefined {
  if (kept === undefined) return undefined
  const { csrfHash, expiresAt } = kept
  return { expiresAt, isCsrf: (token) => hashOf(token) === csrfHash }
}

/** 256 random bits in 43 characters that a cookie, a header and a fragment take as they are. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(text: string): string {
  return sha256Hex(toUtf8(text))
}

function dropOldest(map: Map<string, unknown>, most: number): void {
  for (const key of map.keys()) {
    if (map.size <= most) return
    map.delete(key)
  }
}
