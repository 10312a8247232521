import { useAgent, useHere } from '../client/here.js'

/** Whose something is, at the end of a line; nothing where the owner has one agent only. */
export function OfAgent({ id }: { readonly id: string }) {
  const { agents } = useHere()
  const own = useAgent(id)
  return agents.length < 2 || own === undefined ? null : <> · your agent {own.name}</>
}
