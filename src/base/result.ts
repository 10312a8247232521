import type { Refusal } from './refusal.js'

/**
 * An outcome that is not an exception. A "no" is a value with a code from one closed list (`refusal.ts`);
 * a throw means that we are broken.
 */
export type Result<T> = { readonly ok: true; readonly value: T } | { readonly ok: false; readonly refusal: Refusal }

/** Wraps a value as a success. */
export function ok(): Result<void>
export function ok<T>(value: T): Result<T>
export function ok<T>(value?: T): Result<T | undefined> {
  return { ok: true, value }
}

/** Wraps a refusal as a failure. */
export function fail(refusal: Refusal): { readonly ok: false; readonly refusal: Refusal } {
  return { ok: false, refusal }
}
