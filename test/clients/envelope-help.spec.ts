import { expect } from 'chai'
import type { Json } from '../../src/base/json.js'
import { faultsOf } from '../../src/tasks/envelope/contract.js'
import { agentlink } from './screen.js'

describe('the help of agentlink envelope submit', () => {
  it('shows a contract in which no rule of contracts finds a fault', async () => {
    const { out } = await agentlink(['envelope', 'submit', '--help'])
    const [shown = ''] = /^ {2}\{$.*?^ {2}\}$/ms.exec(out) ?? []
    expect(faultsOf(JSON.parse(shown) as Json, 'mine')).to.deep.equal([])
  })
})
