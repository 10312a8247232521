/** Views of one list, each with an address of its own. */

interface Tab {
  readonly href: string
  readonly text: string
  readonly current: boolean
}

export function Tabs({ label, tabs }: { readonly label: string; readonly tabs: readonly Tab[] }) {
  return (
    <nav class="tabs" aria-label={label}>
      {tabs.map((tab) => (
        <a key={tab.href} href={tab.href} {...(tab.current ? { 'aria-current': 'page' as const } : {})}>
          {tab.text}
        </a>
      ))}
    </nav>
  )
}
