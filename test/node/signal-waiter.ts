import { firstSignal } from '../../src/node/signals.js'

/** A process that takes its time to stop: says that it listens, says the first signal, and stays. */
const stopping = firstSignal()
setInterval(() => undefined, 1000)
console.log('listening')
console.log(await stopping)
