/** The programs of the chain that the rules know by address. Source: protocols/payments.md, "Finding". */

export const SYSTEM_PROGRAM = '11111111111111111111111111111111'
/** The memo program that this node calls. */
export const MEMO_PROGRAM = 'MemoSq4gqABAXKb96qnH8TysNcWxMyWCqXgDLGmfcHr'

/** Every memo program whose instruction counts as a memo. */
export const MEMO_PROGRAMS: ReadonlySet<string> = new Set([MEMO_PROGRAM, 'Memo1UhkJRfHyvLMcVucJwxXeuD728EqVDDwQDxFMNo'])
