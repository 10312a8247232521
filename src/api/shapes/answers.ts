import { z } from 'zod'
import { DETAIL_CODES, REFUSAL_CODES } from '../../base/refusal.js'
import { jsonObject, text } from './parts.js'

/** Refusals, and the document of the API itself. */

/** Every answer that is not 2xx; `details` may say more than is named here. */
export const failure = z.strictObject({
  error: z.strictObject({
    code: z.enum(REFUSAL_CODES),
    message: text,
    details: z.looseObject({
      code: z.enum(DETAIL_CODES).exactOptional(),
      field: text.exactOptional(),
      denied: z.array(text).exactOptional(),
      fields: z.array(text).exactOptional()
    })
  })
})

/** The OpenAPI document, by its top members; a validator of OpenAPI knows the rest. */
export const openApi = z.strictObject({
  openapi: text,
  jsonSchemaDialect: text,
  info: jsonObject,
  servers: z.array(jsonObject),
  paths: jsonObject,
  components: jsonObject
})
