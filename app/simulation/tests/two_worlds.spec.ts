import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { yaml } from '#tests/support/requests'
import { inWorld, mutation } from './support/world_plugins.js'
import { runs } from '#tests/support/effort'
import { withoutLeftWork } from '#tests/support/left_work'

const of = (plugin: string, type: string, data: Record<string, string> = {}) => ({
  plugin,
  type,
  data,
})
const BUNDLE = { bundleId: 'com.acme.shop' }
const USED = {
  ci: of('sim', 'sim-ci', { workflowId: 'release' }),
  versionControl: of('sim', 'sim-vcs', { repoName: 'shop' }),
  chat: of('sim', 'sim-chat'),
  issueTracking: of('sim', 'sim-issues'),
  appStore: of('sim-apple', 'sim-apple', BUNDLE),
}
type One = Awaited<ReturnType<typeof lived>>

const lived = (seed: string) => inWorld(seed, USED)

/** Actions in a world by people, by the service and by tests. */
const DEEDS: readonly ((one: One, now: number) => Promise<unknown>)[] = [
  ({ advance }, now) => advance(`${1 + (now % 90)}h`),
  async ({ capability }) =>
    (await capability('ci')).trigger('release', { branch: 'main' }, {}, mutation()),
  async ({ capability }, now) =>
    (await capability('chat')).post('C1', { text: `Said ${now}` }, mutation()),
  async ({ capability }, now) =>
    (await capability('issueTracking')).ensureVersion!('SHOP', `1.0.${now}`, mutation()),
  async ({ capability }, now) => {
    const code = await capability('versionControl')
    const files = [{ path: `${now}.txt`, text: 'more\n' }]
    return code.commitFiles('main', files, `Commit ${now}`, mutation())
  },
  async ({ capability }) => (await capability('appStore')).listBuilds({}),
  ({ of: { admin, organizationId } }, now) => {
    const scenario = ['rejected', 'store-outage', 'happy-train'][now % 3]
    return admin.put(`/org/${organizationId}/simulatedWorld/scenario`, undefined, yaml(scenario))
  },
  ({ of: { admin, organizationId } }) =>
    admin.post(`/org/${organizationId}/simulatedWorld/reset`, { seed: 'again' }),
]

/** Returns everything stored of an organization's world, timeline, jobs and calls. */
async function kept({ of: { organizationId } }: One) {
  const rows = (table: string) =>
    db.from(table).where('organization_id', organizationId).orderBy('id')
  const [world] = await rows('simulated_worlds')
  const { state, ahead_ms: ahead, token_hash: token } = world
  return {
    ...{ state, ahead, token },
    jobs: await rows('jobs'),
    events: await rows('events'),
    connections: await rows('connections'),
  }
}

test.group('Two worlds in one process', (group) => {
  group.each.timeout(300_000)
  withoutLeftWork(group)

  test('no action in one changes anything of the other', async ({ assert }) => {
    const [one, other] = [await lived('same seed'), await lived('same seed')]
    for (const action of DEEDS.slice(1, 5)) await action(other, 0)
    const steps = fc.array(fc.tuple(fc.nat(DEEDS.length - 1), fc.nat(1000), fc.boolean()), {
      minLength: 3,
      maxLength: 8,
    })
    await fc.assert(
      fc.asyncProperty(steps, async (planned) => {
        for (const [action, now, isOne] of planned) {
          const [acting, watching] = isOne ? [one, other] : [other, one]
          const before = await kept(watching)
          // A store may be unavailable or refuse, which concerns only its own world.
          await DEEDS[action](acting, now).catch(() => {})
          assert.deepEqual(await kept(watching), before)
        }
      }),
      { numRuns: runs(6) }
    )
    assert.notDeepEqual(await kept(one), await kept(other))
  })
})
