#!/usr/bin/env node
import { runCommand } from '../clients/cli/run.js'

/**
 * The `agentlink` command. It stands in node/, on top of the ladder, because what needs no running node (`init`, `start`,
 * backups, the wallet, the local chain, the check of a transcript) is the node's own code; that is loaded only when one of
 * them is asked for, so every other command starts without libp2p and the store.
 */
process.exitCode = await runCommand(process.argv.slice(2), {
  init: async (request) => (await import('./init.js')).init(request),
  start: async (request) => (await import('./run.js')).run(request),
  doctor: async (home) => (await import('./doctor/doctor.js')).doctor(home),
  backup: async (request) => (await import('./backup/backup.js')).backup(request),
  verifyBackup: async (file) => (await import('./backup/restore.js')).verifyBackup(file),
  restore: async (request) => (await import('./backup/restore.js')).restore(request),
  repair: async (request) => (await import('./repair.js')).repair(request),
  verifyTranscript: async (bytes, at) => (await import('./verify-transcript.js')).verifyTranscript(bytes, at),
  wallet: async (home) => (await import('./wallet.js')).openWalletDesk(home),
  localnet: async (request) => (await import('./localnet.js')).runLocalnet(request)
})
