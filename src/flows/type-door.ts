import { toUtf8 } from '../base/bytes.js'
import type { JsonObject } from '../base/json.js'
import { badRequest, conflict } from '../base/refusal.js'
import { type Result, fail, ok } from '../base/result.js'
import { isoOf } from '../base/time.js'
import { type InstalledType, findType } from '../types/catalog.js'
import { type HashedDefinition, readDefinition } from '../types/definition.js'
import { inspect } from '../types/inspection.js'
import { record } from './audit.js'
import type { OwnerDoor } from './doors.js'
import type { Clock, Tx } from './ports.js'
import type { StepTx, Steps } from './steps.js'
import type { TypeBook } from './type-book.js'
import type { OwnerTypeView, TypeInspectionView } from './views.js'

/** What an owner does with task types: look at them, install them from files, retire them (protocols/types.md). */
export type TypeDoor = Pick<OwnerDoor, 'types' | 'type' | 'inspectType' | 'installType' | 'retireType'>

export function createTypeDoor(components: {
  readonly steps: Steps
  readonly types: TypeBook
  readonly clock: Clock
}): TypeDoor {
  const { steps, types, clock } = components

  /** The whole of a definition file as text. Refuses as `readDefinition` does, the field below `file`. */
  function readFile(file: string): Result<HashedDefinition> {
    const read = readDefinition(toUtf8(file))
    if (read.ok) return read
    const { details } = read.refusal
    const field = details.field === undefined ? 'file' : `file.${details.field}`
    return fail({ ...read.refusal, details: { ...details, field } })
  }

  function view(tx: Pick<Tx, 'get'>, type: InstalledType): OwnerTypeView {
    const { name, version, hash, builtin, retired, definition } = type
    const since = types.recordOf(tx, hash)
    return {
      name,
      version,
      hash,
      builtin,
      state: retired ? 'retired' : 'active',
      title: definition.title,
      ...(since === undefined ? {} : { installedAt: isoOf(since.installedAt) }),
      ...(since?.retiredAt === undefined ? {} : { retiredAt: isoOf(since.retiredAt) })
    }
  }

  function inspection(tx: Pick<Tx, 'get'>, { definition, hash }: HashedDefinition): TypeInspectionView {
    const { name, version } = definition
    const known = types.byHash(tx, hash)
    const others = types.all(tx).filter((one) => one.name === name && one.version === version && one.hash !== hash)
    return {
      name,
      version,
      hash,
      state: known === undefined ? 'unknown' : known.retired ? 'retired' : 'active',
      sameName: others.map((one) => one.hash),
      ...inspect(definition),
      definition: definition as unknown as JsonObject
    }
  }

  function install(tx: StepTx, type: HashedDefinition): OwnerTypeView {
    const now = clock.now()
    if (types.byHash(tx, type.hash)?.retired !== false) {
      types.install(tx, type, now)
      record(tx, { at: now, who: { kind: 'owner' }, what: 'type.installed', about: { type: type.hash } })
    }
    return view(tx, found(tx, type))
  }

  function found(tx: Pick<Tx, 'get'>, { hash }: { readonly hash: HashedDefinition['hash'] }): InstalledType {
    const type = types.byHash(tx, hash)
    if (type === undefined) throw new Error(`type ${hash} was staged and is not there`)
    return type
  }

  function retire(tx: StepTx, ref: string): Result<OwnerTypeView> {
    const meant = findType(types.all(tx), ref)
    if (!meant.ok) return meant
    if (meant.value.retired) return fail(conflict('illegal_transition', 'This type is retired already.'))
    const now = clock.now()
    types.retire(tx, meant.value, now)
    record(tx, { at: now, who: { kind: 'owner' }, what: 'type.retired', about: { type: meant.value.hash } })
    return ok(view(tx, found(tx, meant.value)))
  }

  return {
    types: () => steps.read((tx) => ({ items: types.all(tx).map((type) => view(tx, type)) })),
    type: (ref) =>
      steps.read((tx) => {
        const meant = findType(types.all(tx), ref)
        return meant.ok ? ok({ type: view(tx, meant.value), inspection: inspection(tx, meant.value) }) : meant
      }),
    async inspectType({ file }) {
      const read = readFile(file)
      return read.ok ? steps.read((tx) => ok(inspection(tx, read.value))) : read
    },
    async installType({ file, hash }) {
      const read = readFile(file)
      if (!read.ok) return read
      if (hash !== undefined && hash !== read.value.hash) {
        return fail(badRequest('invalid_field', `the file has the hash ${read.value.hash}, not this one`, 'hash'))
      }
      return steps.run((tx) => ok(install(tx, read.value)))
    },
    retireType: (ref) => steps.run((tx) => retire(tx, ref))
  }
}
