import type { z } from 'zod'
import type { JsonObject } from '../../base/json.js'
import { VERDICT_SOURCES } from '../../wire/envelope-bodies.js'
import { LIMITS } from '../../wire/limits.js'
import { jsonObject } from './parts.js'

/**
 * What delegated and paid work is written down in: the contract, deliverables and what proves them. Behind the doors every
 * fault of them is found, with its own code; so here they are objects of any members, which only tell programs in their
 * JSON Schema what belongs into them. Source: protocols/envelopes.md, "Contract" and "Evidence".
 */

type Told = Readonly<Record<string, JsonObject>>

function told(description: string, properties: Told, required: readonly string[]): typeof jsonObject {
  return jsonObject.meta({ description, properties, required: [...required] })
}

const text = (description: string, maxLength: number = LIMITS.contractText): JsonObject => ({
  type: 'string',
  minLength: 1,
  maxLength,
  description
})
const sha256 = (description: string): JsonObject => ({ type: 'string', pattern: '^[0-9a-f]{64}$', description })
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 0, description })
const yesOrNo = (description: string): JsonObject => ({ type: 'boolean', description })
const verdictSource: JsonObject = {
  type: 'string',
  enum: [...VERDICT_SOURCES],
  description: 'script: a command decided; llm_judge: a model did'
}

function object(description: string, properties: Told, required: readonly string[]): JsonObject {
  return { type: 'object', description, properties, required: [...required] }
}

export const contractText = told(
  'The contract: what is wanted, what proves it done, and what the recipient owns meanwhile',
  {
    objective: text('What is asked for'),
    outputFormat: text('The shape that the result must arrive in'),
    toolAndSourceGuidance: text('Which tools and sources the work should draw on'),
    boundaries: text('What the recipient must not do'),
    filesAndInterfaces: {
      type: 'array',
      items: text(
        'A path within the context, or an interface; a folder stands for all below it; no globs',
        LIMITS.ownedLength
      ),
      maxItems: LIMITS.ownedEntries,
      description: 'What the recipient owns for this task, and nobody else'
    },
    acceptanceCheck: object(
      'What proves the work',
      {
        passFailCommand: text('A command whose exit decides pass or fail', LIMITS.commandLength),
        endToEndVerification: text('The step that proves the result in its context')
      },
      ['passFailCommand', 'endToEndVerification']
    ),
    contextID: text('The project, say, in which the paths stand', LIMITS.contextLength),
    dependsOn: {
      type: 'array',
      items: { type: 'string' },
      maxItems: LIMITS.dependencies,
      description: 'taskIds of tasks of yours that must be completed first'
    },
    toolsAllowed: {
      type: 'array',
      items: { type: 'string' },
      maxItems: LIMITS.tools,
      description: "Tools that you ask for; the recipient's owner decides"
    }
  },
  [
    'objective',
    'outputFormat',
    'toolAndSourceGuidance',
    'boundaries',
    'filesAndInterfaces',
    'acceptanceCheck',
    'contextID'
  ]
)

/** A deliverable by reference. */
export const artifactText = told(
  'A deliverable by reference, never its bytes',
  {
    name: text('What it is called', LIMITS.artifactName),
    location: text('Where the other side finds it', LIMITS.artifactLocation),
    mediaType: { type: 'string', description: 'Such as text/plain' },
    size: count('Bytes'),
    sha256: sha256('SHA-256 of its bytes: 64 lower-case hex digits')
  },
  ['name', 'location', 'mediaType', 'size', 'sha256']
)

const RUN = {
  command: text("The contract's passFailCommand, byte for byte", LIMITS.commandLength),
  exitStatus: { type: 'integer', minimum: 0, maximum: 255, description: '0: it passed' },
  output: object(
    'What the command wrote',
    {
      tail: { type: 'string', maxLength: LIMITS.outputTail, description: 'The end of it' },
      bytes: count('All of it, in bytes'),
      sha256: sha256('SHA-256 of all of it: 64 lower-case hex digits')
    },
    ['tail', 'bytes', 'sha256']
  ),
  durationMs: count('Milliseconds that it ran')
} as const satisfies Told
const RUN_NAMES = ['command', 'exitStatus', 'output', 'durationMs']

const NOTE = text('In your words', LIMITS.reasonLength)

/** What a sender saw in a run of its own. */
export const runText: z.ZodType<JsonObject, JsonObject> = told(
  'What you saw when you ran the command yourself',
  RUN,
  RUN_NAMES
)

/** What a recipient saw. */
export const evidenceText = told(
  'What you saw when you ran the acceptance check',
  {
    ...RUN,
    endToEnd: object('The end-to-end step', { passed: yesOrNo('Whether it worked'), note: NOTE }, ['passed']),
    verdictSource,
    secondOpinion: object(
      'Of somebody else, if there is one',
      {
        passed: yesOrNo('Whether it is good'),
        freshContext: yesOrNo('Whether who judged knew nothing of how the work was done'),
        verdictSource,
        note: NOTE
      },
      ['passed', 'freshContext', 'verdictSource']
    )
  },
  [...RUN_NAMES, 'endToEnd', 'verdictSource']
)
