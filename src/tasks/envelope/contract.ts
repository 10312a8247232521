import type { JsonObject, Json } from '../../base/json.js'
import { isObject } from '../../base/json.js'
import { type DetailCode, refusal } from '../../base/refusal.js'
import { type Result, fail, ok } from '../../base/result.js'
import { type Contract, taskId as taskIdShape, toolName } from '../../wire/envelope-bodies.js'
import { LIMITS } from '../../wire/limits.js'
import { type DependencyFault, faultsInList } from './dependencies.js'
import { isPath, normalPath } from './ownership.js'

/**
 * The contract of a task envelope: every fault is found at once and has its own name, so that a caller learns which parts
 * it left out. Source: protocols/envelopes.md, "Contract".
 */

/** One thing that is wrong: its code, the member, and a sentence that says what belongs there. */
export interface ContractFault {
  readonly code: DetailCode
  /** A path below the contract, such as `acceptanceCheck.passFailCommand`. */
  readonly field: string
  readonly message: string
}

interface TextRow {
  readonly field: string
  readonly name: string
  readonly max: number
  readonly what: string
}

/** The texts that a contract must hold, in the order in which their faults are told. */
const TEXTS = {
  objective: { field: 'objective', name: 'objective', max: LIMITS.contractText, what: 'what is being asked for' },
  outputFormat: {
    field: 'outputFormat',
    name: 'output_format',
    max: LIMITS.contractText,
    what: 'the shape the result must arrive in'
  },
  toolAndSourceGuidance: {
    field: 'toolAndSourceGuidance',
    name: 'tool_and_source_guidance',
    max: LIMITS.contractText,
    what: 'which tools and sources the work should draw on'
  },
  boundaries: {
    field: 'boundaries',
    name: 'boundaries',
    max: LIMITS.contractText,
    what: 'what the recipient must not do'
  },
  passFailCommand: {
    field: 'acceptanceCheck.passFailCommand',
    name: 'acceptance_check_command',
    max: LIMITS.commandLength,
    what: 'an executable command whose exit decides pass or fail'
  },
  endToEndVerification: {
    field: 'acceptanceCheck.endToEndVerification',
    name: 'acceptance_check_end_to_end',
    max: LIMITS.contractText,
    what: 'the step that proves the result works in context'
  },
  contextID: { field: 'contextID', name: 'context_id', max: LIMITS.contextLength, what: 'the context of the task' }
} as const satisfies Record<string, TextRow>

const MEMBERS: readonly string[] = [
  'objective',
  'outputFormat',
  'toolAndSourceGuidance',
  'boundaries',
  'filesAndInterfaces',
  'acceptanceCheck',
  'contextID',
  'dependsOn',
  'toolsAllowed'
]
const CHECK_MEMBERS: readonly string[] = ['passFailCommand', 'endToEndVerification']

/**
 * Reads a contract. Refuses with `bad_request`: `details.errors` names every fault once, `details.faults` says where each
 * is. `taskId`: the task that it is for, which it may not depend on.
 */
export function parseContract(value: Json | undefined, taskId: string): Result<Contract> {
  const faults = faultsOf(value ?? {}, taskId)
  return faults.length === 0 ? ok(value as unknown as Contract) : fail(contractRefusal(faults))
}

/** The refusal of a contract with these faults. */
export function contractRefusal(faults: readonly ContractFault[]): ReturnType<typeof refusal> {
  const errors = [...new Set(faults.map((fault) => fault.code))]
  const first = faults[0]
  const strange = faults.filter((fault) => fault.code === 'unknown_member').map((fault) => fault.field)
  // The other codes name their member.
  const named = errors.map((code) => (code === 'unknown_member' ? `${code} (${strange.join(', ')})` : code))
  return refusal('bad_request', `The task envelope was refused: ${named.join(', ')}. Nothing was sent.`, {
    ...(first === undefined ? {} : { code: first.code, field: `envelope.${first.field}` }),
    errors,
    faults
  })
}

/** Everything that is wrong with a contract by itself, in the order of the table. */
export function faultsOf(value: Json, taskId: string): ContractFault[] {
  if (!isObject(value)) return faultsOf({}, taskId)
  const check = value['acceptanceCheck']
  return [
    ...textFaults(value['objective'], TEXTS.objective),
    ...textFaults(value['outputFormat'], TEXTS.outputFormat),
    ...textFaults(value['toolAndSourceGuidance'], TEXTS.toolAndSourceGuidance),
    ...textFaults(value['boundaries'], TEXTS.boundaries),
    ...fileFaults(value['filesAndInterfaces']),
    ...checkFaults(check),
    ...textFaults(value['contextID'], TEXTS.contextID),
    ...dependencyFaults(value['dependsOn'], taskId),
    ...toolFaults(value['toolsAllowed']),
    ...unknownFaults(value, MEMBERS, ''),
    ...(check !== undefined && isObject(check) ? unknownFaults(check, CHECK_MEMBERS, 'acceptanceCheck.') : [])
  ]
}

/** Whether there is nothing there: no member, null, or text of white space alone. */
function isMissing(value: Json | undefined): boolean {
  return value === undefined || value === null || (typeof value === 'string' && value.trim() === '')
}

function textFaults(value: Json | undefined, row: (typeof TEXTS)[keyof typeof TEXTS]): ContractFault[] {
  if (isMissing(value)) {
    return [{ code: `${row.name}_required`, field: row.field, message: `${row.field} is missing: say ${row.what}.` }]
  }
  if (typeof value === 'string' && (value.length <= row.max || [...value].length <= row.max)) return []
  const message = `${row.field} must be text of at most ${row.max} characters: ${row.what}.`
  return [{ code: `${row.name}_invalid`, field: row.field, message }]
}

function checkFaults(value: Json | undefined): ContractFault[] {
  const isThere = value !== undefined && isObject(value)
  if (!isMissing(value) && !isThere) {
    const message = 'acceptanceCheck must be an object with passFailCommand and endToEndVerification.'
    return [{ code: 'acceptance_check_invalid', field: 'acceptanceCheck', message }]
  }
  const check: JsonObject = isThere ? value : {}
  return [
    ...textFaults(check['passFailCommand'], TEXTS.passFailCommand),
    ...textFaults(check['endToEndVerification'], TEXTS.endToEndVerification)
  ]
}

function fileFaults(value: Json | undefined): ContractFault[] {
  const field = 'filesAndInterfaces'
  if (isMissing(value) || (Array.isArray(value) && value.length === 0)) {
    const message = `${field} is missing: list the files and interfaces that the recipient owns for this task.`
    return [{ code: 'files_and_interfaces_required', field, message }]
  }
  if (!Array.isArray(value) || value.length > LIMITS.ownedEntries) {
    const message = `${field} must be a list of at most ${LIMITS.ownedEntries} paths; a folder stands for all below it.`
    return [{ code: 'files_and_interfaces_invalid', field, message }]
  }
  return value.flatMap((entry, at) => entryFault(entry, `${field}[${at}]`))
}

function entryFault(entry: Json, field: string): ContractFault[] {
  const tooLong = typeof entry !== 'string' || [...entry].length > LIMITS.ownedLength
  const form = tooLong ? 'invalid' : normalPath(entry)
  if (isPath(form)) return []
  switch (form) {
    case 'glob':
      return [
        {
          code: 'files_and_interfaces_glob',
          field,
          message: `${field} is a glob, which owns nothing for certain: name each file, or the folder that holds them.`
        }
      ]
    case 'outside':
      return [{ code: 'files_and_interfaces_outside', field, message: `${field} leads out of the context with "..".` }]
    case 'invalid':
      return [
        {
          code: 'files_and_interfaces_invalid',
          field,
          message: `${field} must be a path of 1 to ${LIMITS.ownedLength} characters without control characters.`
        }
      ]
  }
}

function dependencyFaults(value: Json | undefined, taskId: string): ContractFault[] {
  if (value === undefined) return []
  const field = 'dependsOn'
  if (!isListOf(value, LIMITS.dependencies, (id) => taskIdShape.fault(id) === undefined)) {
    const message = `${field} must be a list of at most ${LIMITS.dependencies} task ids.`
    return [{ code: 'depends_on_invalid', field, message }]
  }
  return faultsInList(taskId, value as string[]).map(({ at, code }) => dependencyFault(code, at, value[at] as string))
}

/** A dependency that may not be named, in words. */
export function dependencyFault(code: DependencyFault, at: number, id: string): ContractFault {
  const field = `dependsOn[${at}]`
  return { code, field, message: `${field}: ${WHY_NOT[code].replace('%', id)}` }
}

const WHY_NOT = {
  self_dependency: 'a task can not depend on itself.',
  duplicate_dependency: '% is named twice.',
  unknown_dependency: 'this agent has submitted no task %; submit it first.',
  dependency_cycle: '% depends on this task already, so neither could ever start.'
} as const

function toolFaults(value: Json | undefined): ContractFault[] {
  if (value === undefined) return []
  if (isListOf(value, LIMITS.tools, (tool) => toolName.fault(tool) === undefined)) return []
  const message = `toolsAllowed must be a list of at most ${LIMITS.tools} tool names; it asks for tools and grants none.`
  return [{ code: 'tools_allowed_invalid', field: 'toolsAllowed', message }]
}

function isListOf(value: Json, max: number, holds: (item: Json) => boolean): value is Json[] {
  return Array.isArray(value) && value.length <= max && value.every(holds)
}

function unknownFaults(value: JsonObject, known: readonly string[], path: string): ContractFault[] {
  const names = Object.keys(value).filter((name) => !known.includes(name))
  // A stranger's name may be anything, so it is cut short, and a flood of them is not repeated back.
  return names.slice(0, 10).map((name) => {
    const field = `${path}${name.slice(0, 40)}`
    return { code: 'unknown_member', field, message: `${field} is not a member of a task envelope.` }
  })
}
