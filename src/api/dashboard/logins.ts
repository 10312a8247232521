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
  /** Calls `fn` once the session is over: left, or given way. Returns what calls that off. */
  onEnd(fn: () => void): () => void
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
  /** Ends every session but this one, and every link that is open: how many sessions. */
  endOthers(id: string): number
}

interface Kept {
  readonly csrfHash: string
  readonly expiresAt: Instant
  readonly enders: Set<() => void>
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
    drop(hash)
    return undefined
  }

  function drop(hash: string): void {
    const kept = sessions.get(hash)
    sessions.delete(hash)
    for (const end of kept?.enders ?? []) end()
  }

  return {
    link() {
      const token = secret()
      const expiresAt = now() + LINK_MS
      links.set(hashOf(token), expiresAt)
      for (const oldest of beyond(links, LINKS)) links.delete(oldest)
      return { token, expiresAt }
    },
    open(token) {
      const hash = hashOf(token)
      const until = links.get(hash)
      links.delete(hash)
      if (until === undefined || now() >= until || now() < until - LINK_MS) return undefined
      const opened = { id: secret(), csrf: secret(), expiresAt: now() + LIFE_MS }
      const { expiresAt } = opened
      const kept = { csrfHash: hashOf(opened.csrf), expiresAt, usedAt: now(), enders: new Set<() => void>() }
      sessions.set(hashOf(opened.id), kept)
      for (const idlest of beyond(sessions, SESSIONS)) drop(idlest)
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
    end: (id) => drop(hashOf(id)),
    endOthers(id) {
      const others = [...sessions.keys()].filter((hash) => hash !== hashOf(id))
      others.forEach(drop)
      links.clear()
      return others.length
    }
  }
}

function sessionOf(kept: Kept | undefined): Session | undefined {
  if (kept === undefined) return undefined
  const { csrfHash, expiresAt, enders } = kept
  return {
    expiresAt,
    isCsrf: (token) => hashOf(token) === csrfHash,
    onEnd(fn) {
      enders.add(fn)
      return () => void enders.delete(fn)
    }
  }
}

/** 256 random bits in 43 characters that a cookie, a header and a fragment take as they are. */
function secret(): string {
  return randomBytes(32).toString('base64url')
}

function hashOf(text: string): string {
  return sha256Hex(toUtf8(text))
}

/** The keys that were entered first, as many as are too many. */
function beyond(map: ReadonlyMap<string, unknown>, most: number): readonly string[] {
  return [...map.keys()].slice(0, Math.max(0, map.size - most))
}
