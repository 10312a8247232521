/**
 * A value of ours that is still being made. On the way of every message a copy is changed before anybody sees it
 * (`const next: Writable<T> = { ...value }`, then assignments), because the engine is slow at `{ ...value, member }` where
 * the value has that member already.
 */
export type Writable<T> = { -readonly [K in keyof T]: T[K] }
