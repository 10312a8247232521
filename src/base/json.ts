/** Any JSON value. Objects that our strict reader makes have no prototype. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json
}
