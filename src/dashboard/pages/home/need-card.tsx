import { useHere } from '../../client/here.js'
import { Badge, When } from '../../parts/basics.js'
import type { Need } from '../../words/needs.js'

/** Something that needs the owner, and the way to where it is decided. */
export function NeedCard({ need }: { readonly need: Need }) {
  const { agents, pickAgent } = useHere()
  return (
    <article class="card line-card card-wait">
      <div class="line-card-text">
        <h2 class="line-title">
          <a class="cover" href={need.href} onClick={() => pickAgent(need.agent)}>
            {need.title}
          </a>
        </h2>
        <p class="small">
          {need.says}
          {agents.length < 2 ? null : ` It is about your agent ${need.agent}.`}
        </p>
      </div>
      <div class="line-card-aside">
        <Badge tone={need.tone}>{need.badge}</Badge>
        <When at={need.at} />
      </div>
    </article>
  )
}
