import fc from 'fast-check'
import { test } from '@japa/runner'
import { approvers, makeApprovalWorld } from './helpers/approvals.js'
import { runs } from '#tests/support/effort'

/*
 * Runs random sequences of votes, reverts and changes of the texts against a model. The model
 * remembers for every item who has approved since the texts last changed. An item is approved as
 * long as these are enough.
 */

const REQUIRED = [1, 2, 3]
const PEOPLE = ['admin', 'ada', 'bob', 'eve']

type Command =
  | { do: 'vote'; item: number; person: number }
  | { do: 'glass'; item: number }
  | { do: 'revert'; item: number; status: string }
  | { do: 'texts'; text: string }

const item = fc.nat(REQUIRED.length - 1)
const command: fc.Arbitrary<Command> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('vote' as const),
      item,
      person: fc.nat(PEOPLE.length - 1),
    }),
  },
  { weight: 1, arbitrary: fc.record({ do: fc.constant('glass' as const), item }) },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('revert' as const),
      item,
      status: fc.constantFrom('rejected', 'blocked', 'notStarted', 'inProgress'),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      do: fc.constant('texts' as const),
      text: fc.constantFrom('a', 'b', 'c'),
    }),
  }
)

/** The expected state, as simply as possible. */
class Model {
  texts = ''
  edges = 0
  items = REQUIRED.map((required) => ({
    required,
    voters: [] as string[],
    glass: false,
    handSet: 'notStarted',
  }))

  status(index: number): string {
    const { required, voters, glass, handSet } = this.items[index]
    if (glass || voters.length >= required) return 'approved'
    return voters.length > 0 ? 'inProgress' : handSet
  }

  /** Runs a change and counts the statuses that differ afterwards. */
  act(work: () => void) {
    const before = this.items.map((_, index) => this.status(index))
    work()
    this.edges += before.filter((status, index) => status !== this.status(index)).length
  }

  clear(index: number, handSet: string) {
    Object.assign(this.items[index], { voters: [], glass: false, handSet })
  }

  /** Applies a command. @returns the expected HTTP status */
  apply(each: Command): number {
    if (each.do === 'texts') {
      if (each.text === this.texts) return 200
      this.texts = each.text
      this.act(() => {
        for (const [index, { voters, glass }] of this.items.entries()) {
          if (voters.length > 0 || glass) this.clear(index, 'notStarted')
        }
      })
      return 200
    }
    const entry = this.items[each.item]
    switch (each.do) {
      case 'vote': {
        const name = PEOPLE[each.person]
        if (entry.voters.includes(name) || (entry.glass && name === 'admin')) return 200
        this.act(() => entry.voters.push(name))
        return 200
      }
      case 'glass':
        if (entry.glass) return 200
        if (this.status(each.item) === 'approved') return 409
        this.act(() => (entry.glass = true))
        return 200
      case 'revert':
        if (this.status(each.item) === each.status) return 200
        this.act(() => this.clear(each.item, each.status))
        return 200
    }
  }
}

test('an approval is approved as long as enough people approved the current content', async ({
  assert,
}) => {
  await fc.assert(
    fc.asyncProperty(fc.array(command, { minLength: 5, maxLength: 25 }), async (commands) => {
      const approvalWorld = await makeApprovalWorld()
      const { world, vote, changeTexts, releaseItem } = approvalWorld
      const emails = new Map<string, string>()
      for (const name of PEOPLE.slice(1)) emails.set(name, await approvalWorld.person(name))
      const ids: string[] = []
      for (const requiredApprovals of REQUIRED) {
        ids.push((await approvalWorld.item('approval', { requiredApprovals })).id)
      }
      const send = async (each: Command) => {
        if (each.do === 'texts') return changeTexts(each.text)
        const id = ids[each.item]
        if (each.do === 'revert') return vote(id, { status: each.status })
        if (each.do === 'glass') return vote(id, { breakGlass: { reason: 'There is no time.' } })
        return vote(id, { userEmail: emails.get(PEOPLE[each.person]) })
      }

      const model = new Model()
      for (const each of commands) {
        const { status } = await send(each)
        assert.equal(status, model.apply(each), JSON.stringify(each))
        for (const [index, id] of ids.entries()) {
          const shown = await releaseItem(id)
          const context = `item ${index} after ${JSON.stringify(each)}`
          assert.equal(shown.status.type, model.status(index), context)
          const { voters, glass } = model.items[index]
          const named = [...voters, ...(glass ? ['admin'] : [])]
          assert.deepEqual(approvers(shown).sort(), named.sort(), context)
        }
      }
      const events = (await world.events()).filter(({ sequence }) => sequence)
      const edges = events.filter(({ type }) => type === 'checklistItem.statusChanged')
      assert.lengthOf(edges, model.edges)
      assert.deepEqual(
        events.map(({ sequence }) => Number(sequence)),
        events.map((_, index) => index + 1)
      )
    }),
    { numRuns: runs(15) }
  )
})
