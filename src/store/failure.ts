/** Why the store can't do its work. It is thrown, not returned: a caller can do nothing but tell the owner and wait. */

export type StoreFailureCode =
  /** Another process holds this store. */
  | 'locked'
  /** Its files contradict each other; only a backup helps. */
  | 'corrupt'
  /** A newer program wrote it. */
  | 'newer'
  /** No space left; the store goes on by itself when there is some. */
  | 'disk_full'
  /** The disk refused a read or a write for another reason; the store tries again by itself. */
  | 'io'
  /** It was closed. */
  | 'closed'

export class StoreFailure extends Error {
  override readonly name = 'StoreFailure'
  readonly code: StoreFailureCode

  constructor(code: StoreFailureCode, message: string, cause?: unknown) {
    super(message, cause === undefined ? undefined : { cause })
    this.code = code
  }
}

/** Makes a StoreFailure of whatever a backend threw; one that is already a StoreFailure stays as it is. */
export function storeFailureOf(error: unknown): StoreFailure {
  if (error instanceof StoreFailure) return error
  const reason = deepestReason(error)
  if (isDiskFull(reason)) return new StoreFailure('disk_full', `The disk is full: ${reason.message}`, error)
  if (isDamage(reason)) return new StoreFailure('corrupt', corruptMessage(reason.message), error)
  return new StoreFailure('io', `The disk refused: ${reason.message}`, error)
}

/** What to tell an owner whose store can't be trusted. */
export function corruptMessage(finding: string): string {
  return (
    `The store is damaged (${finding}). Do not delete it: copy the whole home somewhere safe, check the disk, ` +
    'then restore the last backup into a new home. What came after that backup is fetched again from your contacts.'
  )
}

interface Reason {
  readonly message: string
  readonly code: string
}

/** LevelDB's own error sits below the one that says "database failed to open". */
function deepestReason(error: unknown): Reason {
  let at = error
  for (let depth = 0; depth < 8 && at instanceof Error && at.cause instanceof Error; depth++) at = at.cause
  const message = at instanceof Error ? at.message : String(at)
  const code = at instanceof Error && 'code' in at ? String(at.code) : ''
  return { message, code }
}

/** Besides what LevelDB calls corruption: a table file that is gone or empty, which it calls an IO error. */
function isDamage(reason: Reason): boolean {
  return (
    reason.code === 'LEVEL_CORRUPTION' ||
    /\.(ldb|sst): (invalid argument|no such file)|MANIFEST-\d+: no such file/i.test(reason.message)
  )
}

/** LevelDB passes on the text of strerror(3), and no number. A quota that is used up is a full disk to its owner. */
function isDiskFull(reason: Reason): boolean {
  return (
    ['ENOSPC', 'EDQUOT'].includes(reason.code) || /no space left on device|disk quota exceeded/i.test(reason.message)
  )
}
