import { Client as Client2 } from '@modelcontextprotocol/client'
import { StdioClientTransport as Stdio2 } from '@modelcontextprotocol/client/stdio'
import { Client as Client1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StdioClientTransport as Stdio1 } from '@modelcontextprotocol/sdk/client/stdio.js'
import { homePaths } from '../../src/api/home.js'

/** An agent in a host program that speaks MCP, with a real client library and our program as its child. */

export interface ToolAnswer {
  readonly isError: boolean
  readonly text: string
  readonly structured: Readonly<Record<string, unknown>>
}

export interface McpAgent {
  readonly instructions: string
  tools(): Promise<readonly { readonly name: string; readonly outputSchema?: unknown }[]>
  call(name: string, given?: Record<string, unknown>): Promise<ToolAnswer>
  /** What the answer says, under `remote` or `result`. */
  ask<T>(name: string, given?: Record<string, unknown>): Promise<T>
  /** Process id of the program. */
  readonly pid: number
  /** What it said on stderr. */
  readonly complaints: () => string
  close(): Promise<void>
}

type Era = 'v1' | 'v2' | 'v2 of 2026'
const INFO = { name: 'test-host', version: '1.0.0' }

export async function mcpAgent(home: string, era: Era): Promise<McpAgent> {
  const directory = homePaths(home).agent('default').directory
  // With nothing of the home but the agent's own directory, and without the loader of the tests.
  const server = {
    command: process.execPath,
    args: ['dist/node/main.js', 'mcp', '--agent-dir', directory],
    env: { PATH: process.env['PATH'] ?? '' },
    stderr: 'pipe' as const
  }
  const { client, transport } = era === 'v1' ? await connect1(server) : await connect2(server, era)
  let complaints = ''
  transport.stderr?.on('data', (part: Buffer) => (complaints += part.toString()))

  async function call(name: string, given: Record<string, unknown> = {}): Promise<ToolAnswer> {
    const result = await client.callTool({ name, arguments: given })
    const content = result.content as { readonly type: string; readonly text: string }[]
    return {
      isError: result.isError === true,
      text: content.map((part) => part.text).join(''),
      structured: result.structuredContent as Record<string, unknown>
    }
  }

  return {
    instructions: client.getInstructions() ?? '',
    // The library keeps the output schemas and checks every result of a tool against its own.
    tools: async () => (await client.listTools()).tools,
    call,
    async ask<T>(name: string, given?: Record<string, unknown>) {
      const { isError, structured, text } = await call(name, given)
      if (isError) throw new Error(`${name}: ${text}`)
      return (structured['remote'] ?? structured['result']) as T
    },
    pid: transport.pid ?? 0,
    complaints: () => complaints,
    close: () => client.close()
  }
}

async function connect1(server: ConstructorParameters<typeof Stdio1>[0]) {
  const client = new Client1(INFO)
  const transport = new Stdio1(server)
  await client.connect(transport)
  return { client, transport }
}

async function connect2(server: ConstructorParameters<typeof Stdio2>[0], era: Era) {
  const client = new Client2(INFO, era === 'v2' ? {} : { versionNegotiation: { mode: { pin: '2026-07-28' } } })
  const transport = new Stdio2(server)
  await client.connect(transport)
  return { client, transport }
}
