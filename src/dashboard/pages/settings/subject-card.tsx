import { visible } from '../../../base/visible.js'
import { Badge, Card } from '../../parts/basics.js'
import { type Setting, type Subject, fromWords, keyOf, valueWords } from '../../words/settings.js'

/** The settings of one section, and how they are changed. */
export function SubjectCard({ subject }: { readonly subject: Subject }) {
  const { section, title, settings } = subject
  const [first] = settings
  return (
    <Card title={title}>
      <table class="table settings">
        <caption class="hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">Setting</th>
            <th scope="col">Value</th>
            <th scope="col">From</th>
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
            In <code>{first.file}</code> in the home,{' '}
            {section === '' ? (
              'above all sections'
            ) : (
              <>
                under <code>[{section}]</code>
              </>
            )}
            : <code>{exampleOf(first)}</code>. A variable such as <code>{first.variable}</code> wins over the file.
            {settings.some(({ restart }) => restart) ? ' It counts from the next start of the node.' : ''}
          </p>
        </details>
      )}
    </Card>
  )
}

function Row({ setting }: { readonly setting: Setting }) {
  const { name, value, from, says } = setting
  const usual = valueWords(name, setting.default)
  const shown = valueWords(name, value)
  return (
    <tr>
      <th scope="row">
        {says}
        <br />
        <code class="small">{keyOf(setting)}</code>
      </th>
      <td data-head="Value">
        <span class="value-exact">{visible(shown)}</span>
        {shown === usual || setting.default === undefined ? null : <p class="small">as it comes: {visible(usual)}</p>}
      </td>
      <td data-head="From">
        <Badge tone={from === 'default' ? 'quiet' : 'busy'}>{fromWords(from)}</Badge>
      </td>
    </tr>
  )
}

/** As the file takes it: JSON's numbers, texts, lists and yes or no are TOML's too. */
function exampleOf(setting: Setting): string {
  return `${keyOf(setting)} = ${visible(JSON.stringify(setting.value ?? setting.default ?? '@alice'))}`
}
