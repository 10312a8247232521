import { use } from 'chai'

/** A warning from Node or a rejection that nobody handled is a bug of ours: the run fails. */
const strays: string[] = []
process.on('warning', (warning) => strays.push(`warning: ${warning.stack ?? warning.message}`))
process.on('unhandledRejection', (reason) => strays.push(`unhandled rejection: ${String(reason)}`))

use((chai) => {
  chai.config.truncateThreshold = 400
})

export const mochaHooks = {
  afterEach(): void {
    if (strays.length > 0) throw new Error(strays.splice(0).join('\n'))
  }
}
