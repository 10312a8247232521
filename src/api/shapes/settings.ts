import { z } from 'zod'
import { text } from './parts.js'

/** What the owner set, as the running node read it at its start. Source: protocols/socket-api.md, "Views". */

const value = z.union([text, z.number(), z.boolean(), z.array(text)])

const setting = z.strictObject({
  /** Dotted: section and key. */
  name: text,
  value: value.exactOptional(),
  default: value.exactOptional(),
  from: z.enum(['default', 'file', 'environment', 'flag']),
  says: text,
  /** Where it is changed: the file in the home, its key, and the variable that wins over the file. */
  file: text,
  key: text,
  variable: text,
  restart: z.boolean()
})

export type SettingView = z.infer<typeof setting>

export const settingsAnswer = z.strictObject({
  items: z.array(setting),
  node: z.strictObject({ version: text, home: text })
})

export type SettingsView = z.infer<typeof settingsAnswer>
