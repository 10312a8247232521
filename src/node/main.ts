#!/usr/bin/env node
import { runCommand } from '../clients/cli/run.js'

/**
 * The `agentlink` command. It stands in node/, on top of the ladder, because `init` and `start` are the node's own code;
 * that is loaded only when one of the two is asked for, so every other command starts without libp2p and the store.
 */
process.exitCode = await runCommand(process.argv.slice(2), {
  init: async (request) => (await import('./init.js')).init(request),
  start: async (request) => (await import('./run.js')).run(request)
})
