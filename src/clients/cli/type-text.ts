import type { AnswerOf } from '../../api/contract.js'
import { visible } from '../../base/visible.js'
import { facts, table } from './table.js'

type Inspection = AnswerOf<'owner.types.inspect'>['inspection']
type Field = Inspection['fields'][number]
/** Of a file it is not known what a node holds. */
type Shown = Omit<Inspection, 'state' | 'sameName' | 'definition'> & Partial<Pick<Inspection, 'state' | 'sameName'>>

/** How a type is named to a person: two definitions may share name and version, never the hash. */
export function typeName(type: { readonly name: string; readonly version: number; readonly hash: string }): string {
  return `${type.name}@${type.version} ${type.hash.slice(0, 16)}`
}

const STATES: Readonly<Record<Inspection['state'], string>> = {
  unknown: 'not installed here',
  active: 'installed here',
  retired: 'installed here, retired: no new tasks'
}

/** Rows of fields: what each is, and what disclosing it needs. Labels stand in quotes: they are the writer's words. */
function fieldTable(fields: readonly Field[]): string {
  const rows = fields.map((field) => [
    field.path,
    field.required ? 'required' : '',
    field.kind,
    field.bounds,
    field.capability ?? 'NONE',
    JSON.stringify(field.label)
  ])
  return table(['field', '', 'kind', 'bounds', 'needs', 'label (written by its author)'], rows)
}

/** What a definition asks for, the field -> capability map first of all. Titles and labels are the words of its author. */
export function inspectionText(inspection: Shown): string {
  const { title, description, fields, actions, uncoveredText, customCapabilities, state, sameName = [] } = inspection
  const opening = facts([
    ['type', typeName(inspection)],
    ['hash', inspection.hash],
    ...(state === undefined ? [] : ([['here', STATES[state]]] as const)),
    ['title', JSON.stringify(title)],
    ...(description === undefined ? [] : ([['description', JSON.stringify(description)]] as const)),
    ['size', `${inspection.bytes} bytes; a proposal has at most ${inspection.worstProposalBytes}`],
    ...(sameName.length === 0 ? [] : ([['same name, other type', sameName]] as const))
  ])
  const warnings = [
    uncoveredText.length === 0
      ? ''
      : `Takes any text and needs no capability, so your agent can say anything there: ${uncoveredText.map(visible).join(', ')}`,
    customCapabilities.length === 0
      ? ''
      : `Made up by this type; starts on ask, and disclose.* never opens it: ${customCapabilities.map(visible).join(', ')}`
  ]
  return [opening, fieldTable(fields), ...warnings, ...actions.map(actionText)]
    .filter((part) => part !== '')
    .join('\n\n')
}

function actionText({ name, label, params }: Inspection['actions'][number]): string {
  const opening = facts([
    ['action', name],
    ['label', JSON.stringify(label)],
    ['needs', `action.${name}; it is recorded and told to the peer, nothing else happens`]
  ])
  const rows = params.map((param) => [
    param.path,
    param.required ? 'required' : '',
    param.kind,
    param.bounds,
    JSON.stringify(param.label)
  ])
  return `${opening}\n${table(['param', '', 'kind', 'bounds', 'label (written by its author)'], rows)}`
}
