import { expect } from 'chai'
import { refusal } from '../../src/base/refusal.js'
import { fail, ok } from '../../src/base/result.js'
import type { OwnerApprovalView } from '../../src/flows/views/approvals.js'
import { startTestApi } from '../api/test-api.js'
import { approvalView, contactView, UID } from '../api/views.js'
import { makeHome } from './home.js'
import { agentlink, type Shown } from './screen.js'

describe('remote text on the screen', () => {
  const EVIL = '\u001b[2J\u202eevil\u0007\u200b\n'

  async function withApproval(view: OwnerApprovalView, words: readonly string[]): Promise<Shown> {
    const { createDoubleDoors } = await import('../api/double.js')
    const doors = createDoubleDoors()
    const owner = {
      ...doors.owner,
      approval: () => Promise.resolve(ok(view)),
      contacts: () => Promise.resolve(ok({ items: [{ ...contactView(), handle: EVIL, reason: EVIL }] })),
      agents: () => Promise.resolve({ items: [{ agent: view.agent, name: 'default', handle: '@alice' }] }),
      grants: () => Promise.resolve(fail(refusal('not_found', EVIL)))
    }
    const api = await startTestApi({ owner })
    makeHome(api)
    try {
      return await agentlink([...words, '--home', api.home])
    } finally {
      await api.stop()
    }
  }

  const TREACHEROUS = /[\u0000-\u0009\u000b-\u001f\u007f-\u009f\u200b\u202e]/

  for (const words of [
    ['contact', 'list'],
    ['approval', 'show', UID],
    ['grant', 'list']
  ]) {
    for (const flags of [[], ['--json']]) {
      it(`can not move or hide anything in ${[...words, ...flags].join(' ')}`, async () => {
        const view = { ...approvalView(), participantHandle: EVIL, proposal: { notes: EVIL } }
        const shown = await withApproval(view, [...words, ...flags])
        expect(shown.out + shown.err)
          .to.include('evil')
          .and.not.to.match(TREACHEROUS)
      })
    }
  }

  it('an approval shows each value that leaves, under which capability, and what it replaces', async () => {
    const view = {
      ...approvalView(),
      action: 'propose' as const,
      proposal: { date: '2026-11-14', time: '19:45', venue: { name: 'Nonna' }, dietaryNotes: ['vegetarian', '2'] },
      replaces: { date: '2026-11-14', time: '19:00', cuisine: 'Italian' }
    }
    const { out } = await withApproval(view, ['approval', 'show', UID])
    for (const part of ['"2026-11-14"', 'venue.name', '"Nonna"', 'dietaryNotes[1]', '"2"', 'disclose.availability']) {
      expect(out).to.include(part)
    }
    expect(out)
      .to.match(/- time +"19:00"/)
      .and.to.match(/\+ time +"19:45"/)
    expect(out).to.match(/- cuisine +"Italian"/)
    expect(out).not.to.match(/[-+] date/)
    expect(out).to.include(`agentlink approval approve ${UID}`)
  })
})
