import { McpServer, ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import { type Tool, agentTools } from '../../api/tools.js'
import { visible } from '../../base/visible.js'
import { callTool } from './call-tool.js'
import { INSTRUCTIONS } from './instructions.js'
import type { NodeLine } from './node-line.js'

/**
 * The tools of an agent as an MCP server. Schemas are handed out as they are, and arguments go to the node unchecked: it
 * checks them against the same schemas, and its refusals have the codes that agents know.
 */
export function createMcp(line: NodeLine, version: string): McpServer {
  const tools = agentTools()
  const byName = new Map(tools.map((tool) => [tool.name, tool]))
  const mcp = new McpServer(
    { name: 'agentlink', title: 'AgentLink', version },
    { capabilities: { tools: {} }, instructions: INSTRUCTIONS }
  )
  mcp.server.setRequestHandler('tools/list', () => ({ tools: tools.map(listed) }))
  mcp.server.setRequestHandler('tools/call', async ({ params }, context) => {
    const tool = byName.get(params.name)
    if (tool === undefined) {
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, `there is no tool ${visible(params.name.slice(0, 64))}`)
    }
    return callTool(tool, params.arguments ?? {}, line, context.mcpReq.signal)
  })
  return mcp
}

function listed({ name, description, inputSchema, outputSchema, annotations }: Tool) {
  return {
    name,
    title: annotations.title,
    description,
    inputSchema: inputSchema as typeof inputSchema & { type: 'object' },
    outputSchema: outputSchema as typeof outputSchema & { type: 'object' },
    annotations
  }
}
