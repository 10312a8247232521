import { writeFileSync } from 'node:fs'
import { configSchema } from '../../src/node/settings.js'

/** Writes config/schema.json anew, after a change of src/node/settings.ts. */
writeFileSync('config/schema.json', `${JSON.stringify(configSchema(), null, 2)}\n`)
