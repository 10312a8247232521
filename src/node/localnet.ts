import { CommandFailure, EXIT } from '../clients/cli/failure.js'
import type { LocalnetRequest } from '../clients/cli/launch.js'
import { FAULTS, isFault } from '../solana/localnet/faults.js'
import { GENESIS } from '../solana/genesis.js'
import type { startLocalnet } from '../solana/localnet/localnet.js'
import { firstSignal } from './signals.js'

/**
 * `agentlink localnet`: runs a local chain in this process until a signal stops it. The runtime is loaded here and nowhere
 * else. Resolves with the exit code.
 * @throws CommandFailure for an unknown fault, a port in use, or a machine for which there is no runtime
 */
export async function runLocalnet(request: LocalnetRequest): Promise<number> {
  const stopping = firstSignal()
  const odd = request.faults.find((name) => !isFault(name))
  if (odd !== undefined) {
    throw new CommandFailure(EXIT.usage, `${JSON.stringify(odd)} is no fault; known: ${Object.keys(FAULTS).join(', ')}`)
  }
  const runtime = await loaded()
  const net = await runtime.startLocalnet(request.port, Date.now).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'EADDRINUSE') throw error
    throw new CommandFailure(EXIT.refused, `port ${request.port} or the next one is in use; choose another with --port`)
  })
  net.setFaults(request.faults.filter(isFault))
  const { url, websocketUrl } = net
  request.onReady({ url, websocketUrl, genesis: GENESIS['solana:localnet'], faults: request.faults })
  await stopping
  await net.stop()
  return EXIT.done
}

async function loaded(): Promise<{ readonly startLocalnet: typeof startLocalnet }> {
  try {
    return await import('../solana/localnet/localnet.js')
  } catch (error) {
    const why = (error as Error).message
    throw new CommandFailure(EXIT.refused, `the local chain's runtime can't be loaded on this machine: ${why}`)
  }
}
