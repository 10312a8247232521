import { visible } from '../../../base/visible.js'
import { Badge, Card, Id } from '../../parts/basics.js'
import { type Setting, type Subject, fromWords, headingOf, keyInSection, valueWords } from '../../words/settings.js'

/** The settings of one section, and how they are changed. */
export function SubjectCard({ subject, home }: { readonly subject: Subject; readonly home: string }) {
  const { part, section, title, settings } = subject
  const [first] = settings
  return (
    <Card title={title} id={headingOf(part)}>
      <table class="table settings">
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">Set by</th>
          </tr>
        </thead>
        <tbody>
          {settings.map((setting) => (
            <Row key={setting.name} setting={setting} />
          ))}
        </tbody>
      </table>
      {first === undefined ? null : (
        <details>
          <summary>How to change {settings.length === 1 ? 'it' : 'them'}</summary>
          <p class="small">
            Write it into <Id>{`${home}/${first.file}`}</Id>,{' '}
            {section === '' ? (
              'above all sections'
            ) : (
              <>
                under <code>[{visible(section)}]</code>
              </>
            )}
            , such as <code>{exampleOf(first)}</code>. An environment variable, here <code>{first.variable}</code>, wins
            over the file.
            {settings.some(({ restart }) => restart) ? ' The node takes it at its next start.' : ''}
          </p>
        </details>
      )}
    </Card>
  )
}

function Row({ setting }: { readonly setting: Setting }) {
  const { name, key, value, from, says } = setting
  const usual = valueWords(name, setting.default)
  const shown = valueWords(name, value)
  return (
    <tr>
      <th scope="row">
        {says}
        <br />
        <code class="small">{visible(key)}</code>
      </th>
      <td data-head="Value">
        <span class="value-exact">{visible(shown)}</span>
        {shown === usual || setting.default === undefined ? null : <p class="small">default: {visible(usual)}</p>}
      </td>
      <td data-head="Set by">
        <Badge tone={from === 'default' ? 'quiet' : 'busy'}>{fromWords(from)}</Badge>
      </td>
    </tr>
  )
}

/** As the file takes it: JSON's numbers, texts, lists and yes or no are TOML's too. */
function exampleOf(setting: Setting): string {
  return `${keyInSection(setting)} = ${visible(JSON.stringify(setting.value ?? setting.default ?? '@alice'))}`
}
