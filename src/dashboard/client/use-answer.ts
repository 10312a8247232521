import { useCallback, useEffect, useRef, useState } from 'preact/hooks'
import type { AnswerOf } from '../../api/contract.js'
import type { Refusal } from '../../base/refusal.js'
import type { CallInput, OwnerRoute } from './call.js'
import { useHere } from './here.js'
import type { Topic } from './live.js'

/** What is known of an answer. While it is read again the last one stays on the screen. */
export type Loaded<T> = (
  | { readonly state: 'loading' }
  | { readonly state: 'failed'; readonly refusal: Refusal }
  | { readonly state: 'ready'; readonly value: T }
) & {
  /** Reads it again; ends with the answer. */
  readonly again: () => Promise<void>
}

type Kept<T> =
  | { readonly key: string; readonly ok: true; readonly value: T }
  | { readonly key: string; readonly ok: false; readonly refusal: Refusal }

/** Reads a route, and reads it again whenever one of `topics` changed at the node. */
export function useAnswer<K extends OwnerRoute>(
  name: K,
  topics: readonly Topic[],
  input: CallInput<K> = {}
): Loaded<AnswerOf<K>> {
  const all = useAnswers(name, topics, [input])
  if (all.state !== 'ready') return all
  const [value] = all.value
  return value === undefined ? { state: 'loading', again: all.again } : { ...all, value }
}

/** The same for several inputs at once, such as each agent's contacts: in their order, and all of them or none. */
export function useAnswers<K extends OwnerRoute>(
  name: K,
  topics: readonly Topic[],
  inputs: ReadonlyArray<CallInput<K>>
): Loaded<ReadonlyArray<AnswerOf<K>>> {
  const here = useHere()
  const [kept, setKept] = useState<Kept<ReadonlyArray<AnswerOf<K>>> | undefined>()
  const key = JSON.stringify([name, inputs])
  const wanted = useRef(0)
  const latest = useRef(inputs)
  latest.current = inputs

  const again = useCallback(async () => {
    const turn = ++wanted.current
    const answers = await Promise.all(latest.current.map((input) => here.call(name, input)))
    if (turn !== wanted.current) return
    const values = answers.flatMap((answer) => (answer.ok ? [answer.value] : []))
    const refused = answers.find((answer) => !answer.ok)
    setKept(refused?.ok === false ? { key, ok: false, refusal: refused.refusal } : { key, ok: true, value: values })
  }, [here.call, key])

  useEffect(() => {
    void again()
    return () => void wanted.current++
  }, [again])

  const watched = topics.join(' ')
  useEffect(() => {
    const names = new Set(watched.split(' '))
    return here.live.onChange((what) => {
      if (what === 'everything' || what.some((topic) => names.has(topic))) void again()
    })
  }, [again, watched, here.live])

  if (kept === undefined || kept.key !== key) return { state: 'loading', again }
  return kept.ok ? { state: 'ready', value: kept.value, again } : { state: 'failed', refusal: kept.refusal, again }
}
