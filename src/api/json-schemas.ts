import { z } from 'zod'
import type { JsonObject } from '../base/json.js'
import { CONTRACT, PARAMS } from './contract.js'
import type { RouteName } from './routes.js'

/**
 * The contract of a route as JSON Schema 2020-12, for programs that can't read ours: the OpenAPI document and the tools
 * of MCP are made of these. Everything stands in its place, nothing is referred to.
 */

export type JsonSchema = JsonObject

/** The members of an object: schema by name, and the names that must be there. */
export interface Members {
  readonly properties: Readonly<Record<string, JsonSchema>>
  readonly required: readonly string[]
}

export interface RouteJsonSchemas {
  readonly params: Members
  readonly query: Members
  /** Absent: the route takes no member in its body. */
  readonly body?: JsonSchema
  readonly answer: JsonSchema
}

/** What a route takes and answers. */
export function jsonSchemasOf(name: RouteName): RouteJsonSchemas {
  const { query, body, answer } = CONTRACT[name]
  const said = jsonSchemaOf(body, 'input')
  return {
    params: membersOf(jsonSchemaOf(PARAMS[name], 'input')),
    query: queryMembers(query),
    ...(isEmpty(said) ? {} : { body: said }),
    answer: jsonSchemaOf(answer, 'output')
  }
}

/** A schema of ours as JSON Schema: what may be written (`input`), or what is read (`output`). */
export function jsonSchemaOf(schema: z.ZodType, io: 'input' | 'output'): JsonSchema {
  const { $schema: _dialect, ...made } = z.toJSONSchema(schema, { io, override: ({ jsonSchema }) => tidy(jsonSchema) })
  return made as unknown as JsonSchema
}

/** Members of an object's schema; empty when it has none. */
function membersOf(schema: JsonSchema): Members {
  const { properties = {}, required = [] } = schema as unknown as Partial<Members>
  return { properties, required }
}

/** Numbers travel as digits in a query: what they mean is said by how they come out, what may be missing by how they go in. */
function queryMembers(query: z.ZodType): Members {
  const { required } = membersOf(jsonSchemaOf(query, 'input'))
  return { properties: membersOf(jsonSchemaOf(query, 'output')).properties, required }
}

/** That the names of members are texts goes without saying in JSON. */
function tidy(schema: { propertyNames?: unknown }): void {
  delete schema.propertyNames
}

function isEmpty(schema: JsonSchema): boolean {
  const { properties } = membersOf(schema)
  return schema['type'] === 'object' && 'properties' in schema && Object.keys(properties).length === 0
}
