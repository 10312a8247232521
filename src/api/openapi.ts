import { z } from 'zod'
import type { Json, JsonObject } from '../base/json.js'
import { canonicalText } from '../base/canonical.js'
import { type JsonSchema, type Members, jsonSchemaOf, jsonSchemasOf } from './json-schemas.js'
import { type Route, type RouteName, ROUTE_NAMES, paramNamesOf, routeOf } from './routes.js'
import * as shapes from './shapes.js'

/**
 * The OpenAPI 3.1 document of the socket API, made from the route table and the contract: nothing in it is written by
 * hand, so it says what the server does. Spec: protocols/socket-api.md, "Description for programs".
 */

const DIALECT = 'https://json-schema.org/draft/2020-12/schema'
const SECURITY = { agent: [{ agentToken: [] }], owner: [{ ownerSecret: [] }], none: [] } as const
/** Name of the schema in `shapes.ts` that every answer but a 2xx has. */
const FAILURE = 'Failure'

type Document = z.output<typeof shapes.openApi>

/** Makes the document. It depends on nothing but the tables, so one is enough for the life of a process. */
export function openApiDocument(): Document {
  const components = componentSchemas()
  const refer = referrer(components)
  const paths: Record<string, Record<string, Json>> = {}
  for (const name of ROUTE_NAMES) {
    const { method, path } = routeOf(name)
    const template = path.replace(/:([A-Za-z]+)/g, '{$1}')
    paths[template] = { ...paths[template], [method.toLowerCase()]: operation(name, refer) }
  }
  const schemas = Object.fromEntries(
    Object.entries(components).map(([id, schema]) => [id, referMembers(schema, refer)])
  )
  return {
    openapi: '3.1.0',
    jsonSchemaDialect: DIALECT,
    info: {
      title: 'AgentLink socket API',
      version: '1',
      description: 'What the programs of an owner may ask of their node, on the machine that it runs on.'
    },
    servers: [{ url: '/' }],
    paths,
    components: {
      securitySchemes: {
        agentToken: { type: 'http', scheme: 'bearer', description: 'agents/NAME/token in the home' },
        ownerSecret: { type: 'http', scheme: 'bearer', description: 'owner.secret in the home' }
      },
      responses: {
        [FAILURE]: { description: 'A refusal', content: json({ $ref: `#/components/schemas/${FAILURE}` }) }
      },
      schemas
    }
  }
}

function operation(name: RouteName, refer: Refer): JsonObject {
  const row = routeOf(name)
  const { params, query, body, answer } = jsonSchemasOf(name)
  return {
    operationId: name,
    tags: [name.split('.').slice(0, -1).join('.')],
    summary: row.summary,
    ...(row.help === undefined ? {} : { description: row.help }),
    security: SECURITY[row.auth],
    parameters: [
      ...paramNamesOf(row.path).map((param) => parameter('path', param, params)),
      ...Object.keys(query.properties).map((param) => parameter('query', param, query)),
      ...(row.method === 'POST' ? [IDEMPOTENCY_KEY] : [])
    ],
    ...(body === undefined ? {} : { requestBody: { required: isNeeded(body), content: json(refer(body)) } }),
    responses: {
      '2XX': { description: 'Done', content: answerContent(row, refer(answer)) },
      default: { $ref: `#/components/responses/${FAILURE}` }
    }
  }
}

const IDEMPOTENCY_KEY: JsonObject = {
  in: 'header',
  name: 'Idempotency-Key',
  required: false,
  description: 'The same call again with this key changes nothing and gets the same answer.',
  schema: { type: 'string', pattern: '^[!-~]{1,128}$' }
}

function parameter(place: 'path' | 'query', name: string, { properties, required }: Members): JsonObject {
  const { description, ...schema } = properties[name] as JsonSchema
  const said = typeof description === 'string' ? { description } : {}
  return { in: place, name, required: place === 'path' || required.includes(name), ...said, schema }
}

function answerContent(row: Route, schema: JsonSchema): JsonObject {
  return row.media === undefined ? json(schema) : { [row.media]: { schema } }
}

function json(schema: JsonSchema): JsonObject {
  return { 'application/json': { schema } }
}

function isNeeded(body: JsonSchema): boolean {
  const { required } = body
  return Array.isArray(required) && required.length > 0
}

/** Every schema that `shapes.ts` gives, under its own name, and the one of refusals. */
function componentSchemas(): Record<string, JsonSchema> {
  const named = Object.entries(shapes).flatMap(([name, shape]): [string, JsonSchema][] =>
    shape instanceof z.ZodType ? [[capital(name), jsonSchemaOf(shape, 'output')]] : []
  )
  return Object.fromEntries(named)
}

function capital(name: string): string {
  return name.charAt(0).toUpperCase() + name.slice(1)
}

/** Puts a reference in the place of what has a name. */
type Refer = (schema: JsonSchema) => JsonSchema

function referrer(components: Readonly<Record<string, JsonSchema>>): Refer {
  const ids = new Map(Object.entries(components).map(([id, schema]) => [canonicalText(schema), id]))
  const refer: Refer = (schema) => {
    const id = ids.get(canonicalText(schema))
    return id === undefined ? referMembers(schema, refer) : { $ref: `#/components/schemas/${id}` }
  }
  return refer
}

function referMembers(schema: JsonSchema, refer: Refer): JsonSchema {
  return Object.fromEntries(Object.entries(schema).map(([name, value]) => [name, referIn(value, refer)]))
}

function referIn(value: Json, refer: Refer): Json {
  if (Array.isArray(value)) return value.map((each: Json) => referIn(each, refer))
  return typeof value === 'object' && value !== null ? refer(value as JsonObject) : value
}
