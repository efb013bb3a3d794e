import fc from 'fast-check'
import { test } from '@japa/runner'
import { makeUser } from '#tests/support/app_fixture'
import { runs } from '#tests/support/effort'
import { withLiveVersion, type Use } from './support.js'

/*
 * Rules, builds, live versions and votes in any order: the items of a release depend on the current
 * state alone, not on the order of changes.
 */

const KINDS = ['permissionAdded', 'permissionRemoved'] as const
type Kind = (typeof KINDS)[number]
const TITLES = { permissionAdded: 'New permissions', permissionRemoved: 'Removed permissions' }

type Action =
  | { do: 'configure'; rules: Kind[] }
  | { do: 'build'; uses: Use[] }
  | { do: 'goLive'; uses: Use[] }
  | { do: 'approve'; kind: Kind }

const uses = fc.subarray<Use>(['camera', 'contacts', 'location'])
const action: fc.Arbitrary<Action> = fc.oneof(
  fc.record({ do: fc.constant('configure' as const), rules: fc.subarray([...KINDS]) }),
  { weight: 2, arbitrary: fc.record({ do: fc.constant('build' as const), uses }) },
  fc.record({ do: fc.constant('goLive' as const), uses }),
  {
    weight: 3,
    arbitrary: fc.record({ do: fc.constant('approve' as const), kind: fc.constantFrom(...KINDS) }),
  }
)

/** The expected items and votes. */
class Model {
  rules: Kind[] = ['permissionAdded']
  live: Use[] = ['camera']
  liveVersion = '1.0.0'
  build: Use[] | null = null
  approved = new Map<Kind, string>()

  changes(kind: Kind): string[] {
    if (this.build === null) return [`not known since ${this.liveVersion}`]
    const [more, fewer] =
      kind === 'permissionAdded' ? [this.build, this.live] : [this.live, this.build]
    return more!.filter((use) => !fewer!.includes(use))
  }

  /** Returns the current items. A vote falls with its item, or when the changes differ. */
  expected(): string[] {
    for (const [kind, given] of this.approved) {
      const stands = this.rules.includes(kind) && this.changes(kind).join() === given
      if (!stands) this.approved.delete(kind)
    }
    return this.rules
      .filter((kind) => this.changes(kind).length > 0)
      .map((kind) => {
        const status = this.approved.has(kind) ? 'approved' : 'notStarted'
        const unknown = this.build === null ? ': not known' : ''
        return `${TITLES[kind]} since ${this.liveVersion}${unknown}: ${status}`
      })
      .sort()
  }
}

test.group('Changes that need an approval, in any order', () => {
  test('the items of a release match the model after each action', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(fc.array(action, { minLength: 6, maxLength: 12 }), async (actions) => {
        const given = await withLiveVersion()
        const { release, build, draft, goLive, configure, world } = given
        await makeUser(world, 'lea@acme.example', ['Legal'])
        const model = new Model()
        let number = 100
        for (const each of actions) {
          number += 1
          if (each.do === 'configure') {
            const rules = each.rules.map((change) => `{change: ${change}, groups: [Legal]}`)
            await configure(`changeApprovals: [${rules.join(', ')}]`)
            model.rules = each.rules
          } else if (each.do === 'build') {
            await build('1.1.0', { number: String(number), uses: each.uses })
            model.build = each.uses
          } else if (each.do === 'goLive') {
            const version = `1.0.${number}`
            await draft(version)
            await build(version, { number: String(number), uses: each.uses })
            await goLive(version)
            model.live = each.uses
            model.liveVersion = version
          } else {
            const items = await release.items()
            const item = items.find(({ demand }: any) => demand.rule === each.kind)
            if (!item) continue
            await release.vote(item.id, { userEmail: 'lea@acme.example' })
            model.approved.set(each.kind, model.changes(each.kind).join())
          }
          assert.deepEqual((await release.approvals()).sort(), model.expected())
          const isHeld = model.expected().some((line) => line.endsWith('notStarted'))
          assert.equal((await release.step('approvals')).status === 'complete', !isHeld)
        }
      }),
      { numRuns: runs(20) }
    )
  })
})
