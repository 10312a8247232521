import { useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/contract.js'
import type { Refusal } from '../../base/refusal.js'
import type { Result } from '../../base/result.js'
import type { CallInput, OwnerRoute } from './call.js'
import { useHere } from './here.js'

/** Something that the owner does: at most one at a time, and why it was refused. */
export interface Deed {
  readonly busy: boolean
  readonly refusal: Refusal | undefined
  /** The answer, after it came; a refusal is kept until the next try. */
  run<K extends OwnerRoute>(name: K, input?: CallInput<K>): Promise<Result<AnswerOf<K>>>
  forget(): void
}

export function useDeed(): Deed {
  const here = useHere()
  const [busy, setBusy] = useState(false)
  const [refusal, setRefusal] = useState<Refusal | undefined>()
  return {
    busy,
    refusal,
    forget: () => setRefusal(undefined),
    async run(name, input) {
      setBusy(true)
      setRefusal(undefined)
      const answer = await here.call(name, input)
      setBusy(false)
      if (!answer.ok) setRefusal(answer.refusal)
      return answer
    }
  }
}
