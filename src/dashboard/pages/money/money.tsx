import type { ComponentChildren } from 'preact'
import { Page, type PageProps } from '../../parts/page.js'
import { Tabs } from '../../parts/tabs.js'
import { addressOf } from '../../words/place.js'
import { Jobs } from './jobs.js'
import { Offers } from './offers.js'
import { Payments } from './payments.js'
import { WalletCard } from './wallet-card.js'

const VIEWS: ReadonlyArray<readonly [view: string, text: string]> = [
  ['', 'Wallet and jobs'],
  ['offers', 'Offers'],
  ['payments', 'Payments']
]

/** What the agents do for money and pay for: the wallet, jobs, offers, and every payment. */
export function JobsAndMoney({ rest: [view = ''] }: PageProps) {
  const tabs = VIEWS.map(([name, text]) => ({
    href: addressOf(name === '' ? ['money'] : ['money', name]),
    text,
    current: name === view
  }))
  return (
    <Page
      title="Jobs & money"
      lead="Work that is paid for, in play money alone: a node refuses every chain with real money."
    >
      <Tabs label="Jobs and money" tabs={tabs} />
      <div class="stack">{bodyOf(view)}</div>
    </Page>
  )
}

function bodyOf(view: string): ComponentChildren {
  if (view === 'offers') return <Offers />
  if (view === 'payments') return <Payments />
  return (
    <>
      <WalletCard />
      <Jobs />
    </>
  )
}
