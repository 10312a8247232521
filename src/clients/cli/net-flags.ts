import { type Command, InvalidArgumentError } from 'commander'

export interface NetFlags {
  readonly listen?: readonly string[]
  readonly port?: number
}

/** Adds `--listen ADDR` (may be repeated) and its short form `--port N`. */
export function addNetFlags(command: Command): Command {
  return command
    .option(
      '--listen <address>',
      'where other nodes reach this one, e.g. /ip4/127.0.0.1/tcp/4650; may be repeated',
      gather
    )
    .option('--port <number>', 'short for --listen /ip4/0.0.0.0/tcp/NUMBER', wholePort)
}

/** The addresses that the flags say; undefined when they say nothing. */
export function listenOf(flags: NetFlags): readonly string[] | undefined {
  const short = flags.port === undefined ? [] : [`/ip4/0.0.0.0/tcp/${flags.port}`]
  const all = [...(flags.listen ?? []), ...short]
  return all.length === 0 ? undefined : all
}

/** Parser of port flags. */
export function wholePort(text: string): number {
  const port = /^\d{1,5}$/.test(text) ? Number(text) : Number.NaN
  if (port <= 65535) return port
  throw new InvalidArgumentError('A port is a whole number from 0 to 65535.')
}

function gather(address: string, before: readonly string[] | undefined): readonly string[] {
  return [...(before ?? []), address]
}
