import { randomBytes } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import type { AgentId } from '../base/ids.js'
import { fromHex, toHex } from '../base/bytes.js'
import { sha256Hex } from '../base/digest.js'
import type { HomePaths } from '../api/home.js'
import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { Keyring } from '../flows/ports.js'
import { type Signer, signerOf } from '../wire/ed25519.js'
import { agentIdOf } from '../wire/keys.js'
import { makeAgentHome, writePrivate, writePrivateOnce } from './home.js'

/**
 * Keys and secrets as files of the home. A key file is one line, `ed25519-seed ` and 64 hex digits; a secret file is one
 * line of base64url. Nothing here is ever logged, passed as an argument or put into the environment.
 */

const KEY_LINE = /^ed25519-seed ([0-9a-f]{64})\n?$/
const SECRET_LINE = /^([A-Za-z0-9_-]{43})\n?$/
const SECRET_BYTES = 32
const SEED_BYTES = 32

/** An agent of this node with what the flows need to host it. */
export interface KeptAgent {
  readonly name: string
  readonly agent: AgentId
  /** SHA-256 of its bearer token, hex. */
  readonly tokenHash: string
}

export interface Keystore {
  readonly keyring: Keyring
  /** Seed of the node's libp2p key, 32 bytes. */
  readonly nodeSeed: Uint8Array
  readonly agents: readonly KeptAgent[]
  /** SHA-256 of the owner's secret, hex. */
  readonly ownerHash: string
  /** Takes up the key and token of one more agent. */
  take(name: string): KeptAgent
}

/** Makes whatever key or secret is missing; what exists stays as it is, so an interrupted `init` can be repeated. */
export function makeKeys(paths: HomePaths, agent: string): void {
  writeMissing(paths.nodeKey, newKey)
  makeAgentKeys(paths, agent)
  writeMissing(paths.ownerSecret, newSecret)
}

/** The same for one agent. The key comes last: by it an agent is known to be there. */
export function makeAgentKeys(paths: HomePaths, agent: string): void {
  const own = paths.agent(agent)
  writeMissing(own.token, newSecret)
  writeMissing(own.key, newKey)
}

/**
 * Makes the secrets that are missing in a home that exists: nobody but the owner and the agents needs the old ones. Keys are
 * never made anew, for with another key an agent is another. Answers which files those are.
 */
export function renewMissingSecrets(paths: HomePaths, agents: readonly string[]): string[] {
  for (const agent of agents) makeAgentHome(paths, agent)
  const secrets = [paths.ownerSecret, ...agents.map((agent) => paths.agent(agent).token)]
  return secrets.filter((file) => writeMissing(file, newSecret))
}

/** Puts a new token in the place of the old one; answers SHA-256 of it, hex. */
export function renewToken(paths: HomePaths, agent: string): string {
  const { token } = paths.agent(agent)
  writePrivate(token, newSecret())
  return secretHash(token)
}

function newKey(): string {
  return `ed25519-seed ${toHex(randomBytes(SEED_BYTES))}\n`
}

function newSecret(): string {
  return `${randomBytes(SECRET_BYTES).toString('base64url')}\n`
}

function writeMissing(file: string, make: () => string): boolean {
  return !existsSync(file) && writePrivateOnce(file, make())
}

/** Reads the keys of a home that `checkHome` found safe. */
export function openKeystore(paths: HomePaths, agents: readonly string[]): Keystore {
  const nodeSeed = readSeed(paths.nodeKey)
  const node = signerOf(nodeSeed)
  const signers = new Map<AgentId, Signer>()

  function take(name: string): KeptAgent {
    const signer = signerOf(readSeed(paths.agent(name).key))
    const agent = agentIdOf(signer.publicKey)
    signers.set(agent, signer)
    return { name, agent, tokenHash: secretHash(paths.agent(name).token) }
  }

  return {
    keyring: keyringOf(node, signers),
    nodeSeed,
    agents: agents.map(take),
    ownerHash: secretHash(paths.ownerSecret),
    take
  }
}

function keyringOf(node: Signer, signers: ReadonlyMap<AgentId, Signer>): Keyring {
  return {
    node,
    signer(agent) {
      const signer = signers.get(agent)
      if (signer === undefined) throw new Error(`no key for ${agent}`)
      return signer
    }
  }
}

function readSeed(file: string): Uint8Array {
  const seed = fromHex(KEY_LINE.exec(readFileSync(file, 'utf8'))?.[1] ?? '')
  if (seed?.length === SEED_BYTES) return seed
  throw new CommandFailure(EXIT.home, `${file} is not a key file; restore it from your backup`)
}

function secretHash(file: string): string {
  const secret = SECRET_LINE.exec(readFileSync(file, 'utf8'))?.[1]
  if (secret !== undefined) return sha256Hex(Buffer.from(secret))
  throw new CommandFailure(
    EXIT.home,
    `${file} does not hold a secret; remove it, and make a new one with: \`agentlink init\``
  )
}
