import type { JSX } from 'preact'
import { Agents } from './pages/agents/agents.js'
import { Approvals } from './pages/approvals/approvals.js'
import { Audit } from './pages/audit/audit.js'
import { Contacts } from './pages/contacts/contacts.js'
import { Envelopes } from './pages/envelopes/envelopes.js'
import { Home } from './pages/home/home.js'
import { JobsAndMoney } from './pages/money/money.js'
import { Rules } from './pages/rules/rules.js'
import { Settings } from './pages/settings/settings.js'
import { Tasks } from './pages/tasks/tasks.js'
import { Types } from './pages/types/types.js'
import type { PageProps } from './parts/page.js'

/** The pages in the order of the menu. */

export interface PageEntry {
  /** First part of the address; empty for the first page. */
  readonly page: string
  readonly text: string
  readonly body: (props: PageProps) => JSX.Element
}

export const PAGES: readonly PageEntry[] = [
  { page: '', text: 'Home', body: Home },
  { page: 'approvals', text: 'Approvals', body: Approvals },
  { page: 'tasks', text: 'Tasks', body: Tasks },
  { page: 'envelopes', text: 'Delegated work', body: Envelopes },
  { page: 'money', text: 'Jobs & money', body: JobsAndMoney },
  { page: 'contacts', text: 'Contacts', body: Contacts },
  { page: 'rules', text: 'Rules', body: Rules },
  { page: 'types', text: 'Task types', body: Types },
  { page: 'agents', text: 'Agents', body: Agents },
  { page: 'audit', text: 'Audit', body: Audit },
  { page: 'settings', text: 'Settings', body: Settings }
]
