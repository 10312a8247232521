import type { FastifyRequest } from 'fastify'
import { readFileSync } from 'node:fs'
import { dirname } from 'node:path'
import { refusal } from '../base/refusal.js'
import { refuse } from './answer.js'
import { type Perform, readCall } from './perform.js'
import { type Route, ROUTE_NAMES, routeOf } from './routes.js'
import { toolNames } from './tools.js'

/**
 * The skill pages: what an agent that never heard of AgentLink reads to manage everything with its node. The text stands
 * in `pages/`, with `{{…}}` for what only a running node knows. Spec: protocols/socket-api.md, "Skill pages".
 */

/** Where the node that serves a page is reached, as the reader of the page would. */
export interface Addresses {
  /** Absent when loopback TCP is switched off. */
  readonly url?: string
  /** Path of an agent's own socket; its token lies beside it. */
  readonly socket: string
}

/** Pages by the name in their path. One that tells of a room of routes is there when the room is. */
export const PAGES: Readonly<Record<string, { readonly room?: string }>> = {
  tasks: {},
  envelopes: {},
  hiring: { room: 'jobs' },
  approvals: {},
  capabilities: {},
  mail: {},
  delivery: {},
  mcp: {}
}
const FRONT = 'agents'
const MARKDOWN = 'text/markdown; charset=utf-8'

export function createPages(addressesOf: (request: FastifyRequest) => Addresses): Perform {
  const texts = new Map<string, string>()
  return async (name, request, reply) => {
    const call = readCall(name, request)
    if (!call.ok) return refuse(reply, call.refusal)
    const { page = `${FRONT}.md` } = call.value.params
    const known = pageOf(page)
    if (known === undefined) return refuse(reply, NO_PAGE)
    const text = texts.get(known) ?? readPage(known)
    texts.set(known, text)
    return reply.type(MARKDOWN).send(filled(text, addressesOf(request)))
  }
}

/** Names of the pages that this node has, the front page left out. */
export function pageNames(): string[] {
  return Object.keys(PAGES).filter((page) => {
    const room = PAGES[page]?.room
    return room === undefined || ROUTE_NAMES.some((name) => name.startsWith(`${room}.`))
  })
}

const NO_PAGE = refusal('not_found', `there is no such page; start at /agents.md`)

function pageOf(file: string): string | undefined {
  return [FRONT, ...pageNames()].find((page) => file === `${page}.md`)
}

function readPage(page: string): string {
  return readFileSync(new URL(`pages/${page}.md`, import.meta.url), 'utf8')
}

function filled(text: string, addresses: Addresses): string {
  const base = addresses.url ?? 'http://localhost'
  const values: Readonly<Record<string, () => string>> = {
    base: () => base,
    directory: () => dirname(addresses.socket),
    connection: () => connection(addresses),
    pages: () =>
      pageNames()
        .map((page) => `- ${base}/agents/${page}.md : ${titleOf(page)}`)
        .join('\n'),
    tools: toolTable
  }
  return text.replace(/\{\{([a-z]+)\}\}/g, (whole, name: string) => values[name]?.() ?? whole)
}

function titleOf(page: string): string {
  return /^# (.+)$/m.exec(readPage(page))?.[1] ?? page
}

/** How to reach the node from a shell: lines to run once, before the requests of the page. */
function connection({ url, socket }: Addresses): string {
  const token = `TOKEN=$(cat "${dirname(socket)}/token")`
  const bySocket = ['AGENTLINK_URL=http://localhost', token, `curl() { command curl --unix-socket "${socket}" "$@"; }`]
  if (url === undefined) return ['Run this once in your shell:', ...fence('sh connection', bySocket)].join('\n')
  const byTcp = [`AGENTLINK_URL=${url}`, token]
  return [
    'Run this once in your shell, with the token that your owner gave you:',
    ...fence('sh connection', byTcp),
    'or, over the unix socket:',
    ...fence('sh connection', bySocket)
  ].join('\n')
}

function fence(info: string, lines: readonly string[]): string[] {
  return ['', `\`\`\`${info}`, ...lines, '```', '']
}

function toolTable(): string {
  const rows = toolNames().map(({ name, route }) => {
    const { method, path, summary }: Route = routeOf(route)
    return `| \`${name}\` | \`${method} ${path}\` | ${summary} |`
  })
  return ['| tool | route | |', '|---|---|---|', ...rows].join('\n')
}
