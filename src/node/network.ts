import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { Log } from '../flows/ports.js'
import { createHost, type Host, type HostOptions } from '../net/host.js'
import type { Keystore } from './keystore.js'
import type { Config } from './settings.js'

/** The node on the network, as its settings want it. */

/** Does no I/O yet. */
export function hostOf(config: Config, keystore: Keystore, log: Log): Host {
  return createHost(hostOptions(config, keystore), { log })
}

function hostOptions(config: Config, keystore: Keystore): HostOptions {
  const { limits, net } = config
  return {
    seed: keystore.nodeSeed,
    listen: net.listen,
    announce: net.announce,
    transports: ['tcp', 'ws'],
    limits: {
      strangers: limits.strangers,
      strangersPerAddress: limits.strangers_per_address,
      perPeer: limits.per_peer,
      newPerSecond: limits.new_per_second
    }
  }
}

/** Starts the host. @throws CommandFailure that says which setting to change */
export async function listen(host: Host, config: Config): Promise<void> {
  try {
    await host.start()
  } catch (error) {
    const places = config.net.listen.join(', ')
    throw new CommandFailure(
      EXIT.refused,
      `can't listen on ${places}: ${reasonIn(error)}; say another place with --listen, --port or net.listen`
    )
  }
}

/** libp2p wraps what the system said in a page of advice and stacks; a person needs the one clause. */
function reasonIn(error: unknown): string {
  const { message } = error as Error
  return /\blisten (E[A-Z]+: [^\n]+)/.exec(message)?.[1] ?? message.split('\n')[0] ?? ''
}
