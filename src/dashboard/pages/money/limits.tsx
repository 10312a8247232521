import { Facts, StateBadge, Time } from '../../parts/basics.js'
import { handleWords } from '../../words/contacts.js'
import { solOf } from '../../../api/words/money.js'
import { addressOf } from '../../words/place.js'
import { type Limits, METER_STEPS, dayWords, meterOf } from '../../words/wallet.js'

/** What may leave the wallet, how much of it is taken, and until when. */
export function LimitsView({ limits }: { readonly limits: Limits }) {
  return (
    <>
      <h3>What your agents may spend</h3>
      <Facts
        rows={[
          ['For one job, at most', solOf(limits.perJob)],
          [
            'For all jobs within 24 hours',
            <div key="day" class="field">
              <Meter limits={limits} />
              <span>{dayWords(limits)}</span>
            </div>
          ]
        ]}
      />
      {limits.items.length === 0 ? null : <Counting items={limits.items} />}
      <p class="small">
        The limits stand under <a href={addressOf(['settings'])}>Settings</a>. No rule and no yes goes above them.
      </p>
    </>
  )
}

/** Drawn, because browsers agree neither on how a meter looks nor on how that is changed. */
function Meter({ limits }: { readonly limits: Limits }) {
  const taken = meterOf(limits)
  return (
    <svg
      class="meter"
      role="meter"
      aria-label="Promised or spent within 24 hours"
      aria-valuemin={0}
      aria-valuemax={METER_STEPS}
      aria-valuenow={taken}
      aria-valuetext={dayWords(limits)}
      viewBox={`0 0 ${METER_STEPS} 1`}
      preserveAspectRatio="none"
    >
      <rect width={taken} height={1} />
    </svg>
  )
}

function Counting({ items }: { readonly items: Limits['items'] }) {
  return (
    <table class="table">
      <caption class="hidden">What counts against the 24 hours</caption>
      <thead>
        <tr>
          <th scope="col">Payment</th>
          <th scope="col">Amount</th>
          <th scope="col">How far it is</th>
          <th scope="col">Counts until</th>
        </tr>
      </thead>
      <tbody>
        {items.map((one) => (
          <tr key={`${one.taskUid} ${one.attempt}`}>
            <th scope="row">
              <Payment one={one} />
            </th>
            <td data-head="Amount">{solOf(one.lamports)}</td>
            <td data-head="How far it is">
              <StateBadge list="counted" state={one.state} />
            </td>
            <td data-head="Counts until">
              <Time at={one.until} />
            </td>
          </tr>
        ))}
      </tbody>
    </table>
  )
}

function Payment({ one }: { readonly one: Limits['items'][number] }) {
  const to = handleWords(one.participantHandle)
  if (one.agent === undefined) return <>To {to}</>
  return <a href={addressOf(['tasks', one.taskUid], { agent: one.agent, from: 'money' })}>To {to}</a>
}
