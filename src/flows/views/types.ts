import type { JsonObject } from '../../base/json.js'
import type { Inspection } from '../../types/inspection.js'

/** Task types as agents and owners see them. Source: protocols/socket-api.md. */

export interface TypeRef {
  readonly name: string
  readonly version: number
  readonly hash: string
}

/** A type as its owner sees it in a list. `title` is text of whoever wrote the definition. */
export interface OwnerTypeView extends TypeRef {
  readonly builtin: boolean
  readonly state: 'active' | 'retired'
  readonly title: string
  /** Capabilities that its definition made up, in order. */
  readonly customCapabilities: readonly string[]
  /** Absent for a built-in type that was never installed anew or retired. */
  readonly installedAt?: string
  readonly retiredAt?: string
}

/** What a definition asks for, and whether this node holds it. */
export interface TypeInspectionView extends TypeRef, Inspection {
  readonly state: 'unknown' | 'active' | 'retired'
  /** Hashes of other definitions that this node holds under the same name and version. */
  readonly sameName: readonly string[]
  readonly definition: JsonObject
}

/** A no to invites of one type between two agents. */
export interface DeclineView {
  readonly agent: string
  readonly participant: string
  readonly type: TypeRef
  /** `peer`: its node refused our invite, and none of this type is sent again. `owner`: you said no to its invites. */
  readonly by: 'peer' | 'owner'
  readonly code: string
  readonly at: string
}

export interface TypeView extends TypeRef {
  readonly builtin: boolean
  readonly definition: JsonObject
  /** What can be run on an agreed plan, in the form of the definition. */
  readonly actions: readonly JsonObject[]
}
