/** What two nodes must agree on, each value written once. Source: protocols/wire.md, "Limits", unless another clause is named. */
export const LIMITS = {
  /** Bytes of a signed message: small enough for a frame, large enough for any proposal with its definition. */
  messageBytes: 65_536,
  /** Bytes of a signed message of an `envelope.*` kind: contracts and evidence carry text. */
  envelopeMessageBytes: 262_144,
  /** Levels of any other JSON: cards, receipts, frames, requests. Deeper input explodes in ordinary serialisers. */
  jsonDepth: 8,
  /** Levels of a message payload: a definition has six and travels three levels down in an invite (payload, body, type). */
  messageDepth: 9,
  /** Characters of a kind: it is shown, logged and stored as a key. */
  kindLength: 64,
  /** Characters of a task type's name in an invite. */
  typeNameLength: 64,
  /** Characters of an action's name in a confirm. */
  actionLength: 160,
  /** Characters of a confirm's summary. */
  summaryLength: 500,
  /** Bytes of a signed card (protocols/identity.md, "Card"): eight long addresses fit. */
  cardBytes: 4096,
  /** Addresses in a card: a node has few, and each costs a dial. */
  cardAddrs: 8,
  /** Characters of one address: the longest DNS name, its wrapping and a peer id. */
  addrLength: 340,
  /** Most that a card's `seq` may rise at once: a thief can't use the numbers up. */
  cardSeqJump: 1_000_000,
  /** Characters of a handle with its `@`. */
  handleLength: 32,
  /** Bytes of an invite secret: 128 bits, not to be guessed. */
  inviteBytes: 16,
  /** Days that an invite secret lives (protocols/identity.md, "Link"). */
  inviteDays: 7,
  /** Characters of a contact link: a card in base64url and its frame. */
  linkLength: 8192,
  /** Bytes of a signed receipt: `receiptResults` exceptions fit. */
  receiptBytes: 32_768,
  /** Exceptions in one receipt: no commit covers more than a window. */
  receiptResults: 256,
  /** Messages on the way without a receipt, per chain (protocols/streams.md, "Window"). */
  window: 256,
  /** Messages per side in one task; more have no place in it, so that folding stays cheap (protocols/tasks.md, "The log"). */
  taskMessages: 1000,
  /** Characters of each text of a task envelope's contract (protocols/envelopes.md): pages, not a library. */
  contractText: 8000,
  /** Characters of an acceptance command. */
  commandLength: 4000,
  /** Entries of `filesAndInterfaces`; a folder stands for all below it. */
  ownedEntries: 100,
  /** Characters of one of them. */
  ownedLength: 500,
  /** Characters of a `contextID`. */
  contextLength: 200,
  /** Tasks that one task may depend on. */
  dependencies: 50,
  /** Tools that one task may ask for. */
  tools: 100,
  /** Artifacts of one result. */
  artifacts: 100,
  /** Characters of an artifact's name. */
  artifactName: 200,
  /** Characters of an artifact's location. */
  artifactLocation: 2000,
  /** Characters of the end of an output that evidence carries; the digest covers all of it. */
  outputTail: 16_000,
  /** Characters of a reason, an answer, a note or a summary. */
  reasonLength: 4000,
  /** Offers that an agent has at a time: its contacts get all of them in one message (protocols/jobs.md, "Offers"). */
  offers: 12,
  /** Characters of an offer's title. */
  offerTitle: 80,
  /** Characters of an offer's description, and of its deliverable. */
  offerText: 600,
  /** Live task envelopes that one contact may have at one agent; more are rejected, so that ownership stays cheap to decide. */
  liveEnvelopes: 100,
  /** Bytes of a transcript file: a reader holds it in memory (protocols/transcripts.md, "The file"). */
  transcriptBytes: 33_554_432,
  /** Bytes of a hello frame: a card in base64url and two heads. */
  helloBytes: 8192,
  /** Bytes of a want or refuse frame. */
  controlBytes: 256,
  /** Bytes of the largest frame: its type byte and the largest signed message. A reader drops a stream that announces more. */
  frameBytes: 262_145,
  /** Milliseconds that a refusal may ask to wait: one day. */
  retryAfterMs: 86_400_000
} as const
