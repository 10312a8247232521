import { Card, Id } from '../../parts/basics.js'
import { NODE_PARTS, headingOf } from '../../words/settings.js'

/** What an owner does outside of this page to keep the node: copies, and a look at how it is. */
export function Safekeeping({ home }: { readonly home: string }) {
  return (
    <Card title={NODE_PARTS.safekeeping.title} id={headingOf(NODE_PARTS.safekeeping.part)}>
      <dl class="facts">
        <div>
          <dt>Backup</dt>
          <dd>
            <p>
              <code>agentlink backup FILE</code>
            </p>
            <p class="small">
              Works while the node runs. The file holds everything: keys, wallet, contacts, rules and every message, so
              give it a passphrase (<code>--passphrase</code>) and keep it elsewhere. Make one after you add an agent or
              a wallet, and from time to time; an old one is good too, because contacts send again what it lacks.
            </p>
          </dd>
        </div>
        <div>
          <dt>Restore</dt>
          <dd>
            <p>
              <code>agentlink restore FILE --home NEW</code>
            </p>
            <p class="small">
              Never run two nodes of one backup: contacts stop all exchange with an agent that speaks from two places.
            </p>
          </dd>
        </div>
        <div>
          <dt>Check</dt>
          <dd>
            <p>
              <code>agentlink doctor</code>
            </p>
            <p class="small">
              Looks at the home <Id>{home}</Id>, its keys, the store, disk, clock, ports and the chain, and says what to
              do about each finding.
            </p>
          </dd>
        </div>
      </dl>
    </Card>
  )
}
