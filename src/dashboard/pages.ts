import type { JSX } from 'preact'
import { Approvals } from './pages/approvals/approvals.js'
import { Home } from './pages/home/home.js'
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
  { page: 'approvals', text: 'Approvals', body: Approvals }
]
