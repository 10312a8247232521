import type { Result } from '../../base/result.js'
import type { GrantView, PresetView } from '../../flows/views/contacts.js'
import type { TranscriptReport } from './transcript-report.js'

/** What the command line asks of the node's own code: what runs without a node to talk to. */

export interface InitRequest {
  /** Absolute path. */
  readonly home: string
  /** With `@`. Absent: a neutral one is made. */
  readonly handle?: string
  /** Multiaddresses. Absent: all interfaces on a port of this home's own. */
  readonly listen?: readonly string[]
  /** What the agent begins with. Absent: no rules, everything is asked. */
  readonly preset?: PresetView['preset']
}

export interface InitReport {
  /** False: the home was there already, and nothing was changed but what `renewed` names. */
  readonly created: boolean
  /** Paths of the secrets that were missing and made anew; absent when none was. */
  readonly renewed?: readonly string[]
  readonly home: string
  readonly handle: string
  readonly agent: string
  readonly peerId: string
  readonly listen: readonly string[]
  /** Paths of the configuration and of the default agent's token. */
  readonly config: string
  readonly token: string
  /** The preset that was put in place, and its rules. */
  readonly preset?: { readonly name: PresetView['preset']; readonly rules: readonly GrantView[] }
}

export interface StartRequest {
  /** Absolute path. */
  readonly home: string
  /** Dotted setting -> value, e.g. `net.listen`. */
  readonly settings: Readonly<Record<string, unknown>>
  /** Called once, when the node serves its API and listens for other nodes. */
  readonly onReady: (report: ReadyReport) => void
}

export interface ReadyReport {
  readonly pid: number
  readonly home: string
  readonly handle: string
  readonly agent: string
  readonly peerId: string
  readonly socket: string
  readonly url?: string
  readonly addrs: readonly string[]
}

export interface BackupFile {
  readonly file: string
  readonly passphrase?: string
}

export interface BackupRequest extends BackupFile {
  /** Absolute path. */
  readonly home: string
  /** What becomes of a file that is there. */
  readonly existing: 'replace' | 'keep'
}

export interface RestoreRequest extends BackupFile {
  /** Absolute path, where nothing is yet. */
  readonly home: string
}

export interface RepairRequest {
  /** Absolute path. */
  readonly home: string
  /** Dotted setting -> value, as for a start. */
  readonly settings: Readonly<Record<string, unknown>>
  /** How long to wait for the next message that comes back, milliseconds. */
  readonly patienceMs: number
  /** Called once, before anything is fetched, if something is harmed. */
  readonly onFound: (harms: readonly HarmReport[]) => void
  /** Called for each row of messages that are back. */
  readonly onMended: (messages: number) => void
}

/** Messages `from` … `to` of one chain that a damaged store lost. */
export interface HarmReport {
  readonly agent: string
  /** What the contact is called. */
  readonly contact: string
  /** Uids of the tasks in whose log they stand. */
  readonly tasks: readonly string[]
  /** Whether the agent wrote them or the contact. */
  readonly chain: 'sent' | 'received'
  readonly from: number
  readonly to: number
  readonly fault: string
  /** All of it in words. */
  readonly says: string
}

export interface RepairReport {
  readonly harmed: readonly HarmReport[]
  /** What is harmed still. */
  readonly left: readonly HarmReport[]
}

/** What is in a backup file. */
export interface BackupReport {
  readonly file: string
  /** ISO 8601. */
  readonly madeAt: string
  readonly agents: readonly string[]
  readonly files: number
  readonly records: number
  readonly encrypted: boolean
  /** Whether it was made of a node that ran. */
  readonly running: boolean
}

export interface WalletReport {
  /** base58. */
  readonly address: string
  /** Path of the key. */
  readonly file: string
}

export interface BalanceReport {
  readonly address: string
  readonly cluster: string
  /** Decimal digits. */
  readonly lamports: string
  /** For people: `0.25 SOL`. */
  readonly sol: string
}

export interface LimitsReport {
  readonly cluster: string
  /** Decimals, in SOL. */
  readonly perJobSol: string
  readonly perDaySol: string
}

/** The wallet of one home. Every "no" is a CommandFailure. */
export interface WalletDesk {
  create(): Promise<WalletReport>
  /** `text` is that of a solana-keygen file. */
  import(text: string): Promise<WalletReport>
  address(): Promise<WalletReport>
  /** Of the wallet, or of another address. */
  balance(address?: string): Promise<BalanceReport>
  /** Asks for play money (a decimal, in SOL) and waits until it is there. */
  airdrop(sol: string): Promise<BalanceReport>
  limits(): LimitsReport
}

export interface LocalnetRequest {
  /** 0 = a free one. */
  readonly port: number
  readonly faults: readonly string[]
  /** Called once, when it answers. */
  readonly onReady: (report: LocalnetReport) => void
}

export interface LocalnetReport {
  readonly url: string
  readonly websocketUrl: string
  readonly genesis: string
  readonly faults: readonly string[]
}

/** One thing that was looked at. */
export interface Finding {
  readonly check:
    | 'program'
    | 'home'
    | 'settings'
    | 'keys'
    | 'store'
    | 'disk'
    | 'clock'
    | 'ports'
    | 'node'
    | 'contacts'
    | 'chain'
    | 'wallet'
  /** `warn`: it works, and deserves a look. `fail`: it doesn't, or is not safe. */
  readonly state: 'ok' | 'warn' | 'fail'
  readonly found: string
  /** What the owner can do; absent when all is well. */
  readonly advice?: string
}

/** Handed in by node/main.ts, so that no client imports the node, and nothing of it is loaded before it is needed. */
export interface Launch {
  init(request: InitRequest): Promise<InitReport>
  /** Resolves with the exit code after a clean stop. */
  start(request: StartRequest): Promise<number>
  /** Looks at the node of a home (absolute path), whether it runs or not. */
  doctor(home: string): Promise<readonly Finding[]>
  backup(request: BackupRequest): Promise<BackupReport>
  verifyBackup(file: BackupFile): Promise<BackupReport>
  restore(request: RestoreRequest): Promise<BackupReport>
  /** Fetches harmed messages of a home again from its contacts; no node may run on it. */
  repair(request: RepairRequest): Promise<RepairReport>
  /** Verifies the bytes of a transcript file, its state at a time (ISO 8601), without a home. */
  verifyTranscript(bytes: Uint8Array, at: string): Promise<Result<TranscriptReport>>
  /** The wallet of a home (absolute path). */
  wallet(home: string): Promise<WalletDesk>
  /** Runs a local chain; resolves with the exit code after a clean stop. */
  localnet(request: LocalnetRequest): Promise<number>
}
