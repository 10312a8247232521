import { useAnswer } from '../../client/use-answer.js'
import { Page, type PageProps } from '../../parts/page.js'
import { Show } from '../../parts/states.js'
import { NODE_PARTS, subjectsOf } from '../../words/settings.js'
import { NodeCard } from './node-card.js'
import { PartLinks } from './part-links.js'
import { Safekeeping } from './safekeeping.js'
import { Sessions } from './sessions.js'
import { SubjectCard } from './subject-card.js'

/** The node itself, who is signed in, how to keep it safe, and every setting that it was started with. */
export function Settings({ query }: PageProps) {
  const answer = useAnswer('owner.settings.list', [])
  return (
    <Page
      title="Settings"
      lead="What your node was started with. Nothing can be changed on this page; each part says how it is done."
    >
      <Show of={answer}>
        {({ items, node }) => {
          const subjects = subjectsOf(items)
          return (
            <div class="stack">
              <PartLinks parts={[...Object.values(NODE_PARTS), ...subjects]} wanted={query['part']} />
              <NodeCard version={node.version} home={node.home} />
              <Sessions />
              <Safekeeping home={node.home} />
              {subjects.map((subject) => (
                <SubjectCard key={subject.section} subject={subject} home={node.home} />
              ))}
            </div>
          )
        }}
      </Show>
    </Page>
  )
}
