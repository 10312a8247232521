/**
 * Bounds of the format ttd1. Source: protocols/types.md, "Limits". Two nodes must agree on every one of them, so a
 * change of any is a change of the format.
 */
export const TTD1 = {
  /** Bytes of a definition in canonical form: half a message, so that an invite has room for its proposal. */
  definitionBytes: 32_768,
  /** Nesting of a definition, the definition itself counted. A file that is deeper is no definition. */
  definitionDepth: 6,
  /** Bytes of definition plus worst proposal: what an invite can carry beside its header, signature and frame (4 KiB). */
  inviteBytes: 61_440,
  /** Fields of a definition, sub-fields and parameters of actions counted. */
  fields: 64,
  actions: 3,
  /** Highest version number. */
  version: 999_999,
  /** Characters of a type name; below 64, so that a name is never mistaken for a hash. */
  nameLength: 60,
  /** Characters of titles, labels and choice options. */
  labelLength: 80,
  optionLength: 64,
  descriptionLength: 500,
  options: 64,
  listItems: 100,
  /** Characters of one text, or of one item of a list. */
  textLength: 10_000,
  /** Digits after the point of a `number`. */
  numberDecimals: 6,
  /** Digits after the point, and before it, of an `amount`. */
  amountScale: 18,
  amountDigits: 18,
  unitLength: 12
} as const
