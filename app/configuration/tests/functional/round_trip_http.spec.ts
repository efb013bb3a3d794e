import db from '@adonisjs/lucid/services/db'
import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import fc from 'fast-check'
import { makeUser } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'
import { connections } from '#integrations/tables'
import type { CapabilityKind } from '#plugin-kit/kinds'
import { plugins } from '#integrations/plugins/plugin_registry'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { paperPlugin } from '#tests/support/plugins/paper'
import { bindAutomations, bindStores, validFiles, write } from '../generators.js'
import { PROVIDERS } from '../generators/known.js'
import type { FileMap } from '../generators/values.js'
import { sendYaml } from './yaml.js'
import { runs } from '#tests/support/effort'

const HOSTILE = [
  [
    'bomb of aliases',
    `a: &a x\n${Array.from({ length: 20 }, (_, i) => `b${i}: &b${i} [${i ? `*b${i - 1},*b${i - 1}` : '*a,*a'}]`).join('\n')}`,
  ],
  ['deep nesting', '['.repeat(60_000)],
  ['flat keys', Array.from({ length: 9000 }, (_, index) => `k${index}: 1`).join('\n')],
  ['flat pairs', `{${'a:1,'.repeat(30_000)}}`],
  ['repeated keys', 'k: 1\n'.repeat(9000)],
  ['stray tags', '! '.repeat(60_000)],
  ['stray braces', '}'.repeat(120_000)],
] as const

/** Connects a world to every provider of the generated files, each through its own plugin. */
async function connectAll(assert: Assert, world: World): Promise<void> {
  const papers = PROVIDERS.map(({ types: [{ type, kind }] }, index) => {
    const plugin = paperPlugin(`of-${index}`, { [kind as CapabilityKind]: { type, features: [] } })
    return [`of-${index}`, async () => ({ default: plugin })] as const
  })
  assert.deepEqual(await plugins.load(Object.fromEntries(papers)), [])
  const ids = PROVIDERS.map(({ id }) => id)
  await db.from('integrations').whereIn('connection_id', ids).delete()
  await db.from('connections').whereIn('id', ids).delete()
  await world.write((scope) =>
    scope.insert(
      connections,
      PROVIDERS.map(({ id, alias }, index) => ({
        id,
        pluginId: `of-${index}`,
        alias,
        aliasKey: alias!.toLowerCase(),
        status: 'unverified' as const,
        settings: {},
        account: null,
        checkedAt: null,
        missingPermissions: [],
        checkFailure: null,
        endsAt: null,
        createdAt: scope.now,
        updatedAt: scope.now,
      }))
    )
  )
}

/** Returns the group that generated files name. */
const addGroup = (world: World) =>
  world.write((scope) =>
    scope.insertStored('groups', [
      {
        id: `grp_${scope.organization.id}`,
        name: '42',
        name_key: '42',
        is_default: false,
        user_actions: '[]',
        created_at: scope.now,
        updated_at: scope.now,
      },
    ])
  )

test.group('Configuration file over HTTP', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('create, export, create again under another name, export: the same document', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await world.write((scope) =>
      scope.insertStored('users', [
        {
          id: `user_ann${scope.organization.id}`,
          email: 'ann@acme.example',
          name: 'Ann',
          status: 'active',
          created_at: scope.now,
        },
        {
          id: `user_bob${scope.organization.id}`,
          email: 'bob@acme.example',
          name: null,
          status: 'active',
          created_at: scope.now,
        },
      ])
    )
    await addGroup(world)
    await connectAll(assert, world)
    const create = (text: string) => sendYaml(world.admin, 'POST', '/app/config', text)
    const exported = async (id: string) => (await world.admin.get(`/app/${id}/config`)).text
    await fc.assert(
      fc.asyncProperty(validFiles({ integrations: true }), async (file) => {
        file.delete('icon')
        const first = await create(write(file))
        assert.equal(first.status, 201, `${write(file)}\n${first.text}`)
        const text = await exported(first.body.id)
        assert.equal(await exported(first.body.id), text)
        const renamed = text.replace(/^name: .*$/m, 'name: Another')
        const second = await create(renamed)
        assert.equal(second.status, 201, `${renamed}\n${second.text}`)
        assert.equal(await exported(second.body.id), renamed)
      }),
      { numRuns: runs(25) }
    )
  })

  test('changing an app by any valid file has the same result as creating it', async ({
    assert,
  }) => {
    const world = await makeWorld()
    await makeUser(world, 'ann@acme.example')
    await makeUser(world, 'bob@acme.example')
    await addGroup(world)
    await connectAll(assert, world)
    const files = validFiles({ integrations: true }).map((file) => {
      for (const key of ['icon', 'buildDistro']) file.delete(key)
      return file
    })
    await fc.assert(
      fc.asyncProperty(files, files, async (before, after) => {
        after.set('platform', before.get('platform')!)
        bindStores(after)
        bindAutomations(after)
        // Its empty lists would be missing in the target, and missing members are left unchanged.
        before.delete('appSettings')
        const settings = before.get('appStoreReleaseSettings') as FileMap | undefined
        for (const key of ['rollout', 'inAppUpdatePriority']) settings?.delete(key)
        const made = await sendYaml(world.admin, 'POST', '/app/config', write(before))
        const wanted = await sendYaml(world.admin, 'POST', '/app/config', write(after))
        const path = `/app/${made.body.id}/app/config`
        const target = (await world.admin.get(`/app/${wanted.body.id}/app/config`)).text
        const nothing = SECTIONS.filter((key) => !target.includes(`\n${key}:`))
        const whole = target + nothing.map((key) => `${key}: null\n`).join('')
        const plan = await sendYaml(world.admin, 'PATCH', `${path}?dryRun=true`, whole)
        const changed = await sendYaml(world.admin, 'PATCH', path, whole)
        assert.equal(changed.status, 200, changed.text)
        assert.equal((await world.admin.get(path)).text, target)
        const again = await sendYaml(world.admin, 'PATCH', `${path}?dryRun=true`, whole)
        assert.deepEqual(again.body, [], JSON.stringify(plan.body))
      }),
      { numRuns: runs(15) }
    )
  })

  test('hostile files are refused with messages, and the service goes on', async ({ assert }) => {
    const world = await makeWorld()
    for (const [what, text] of HOSTILE) {
      const { status, body } = await sendYaml(world.admin, 'POST', '/app/config', text)
      assert.oneOf(status, [400, 422], what)
      assert.isAbove(body.errors.length, 0, what)
    }
    assert.deepEqual((await world.admin.get(`/org/${world.organizationId}/apps`)).body, [])
  })
})

const SECTIONS = [
  'appGroup',
  'integrations',
  'appUsers',
  'branchSettings',
  'tagSettings',
  'featureAffiliations',
  'x-destinations',
  'x-scheduleCadence',
  'x-lifecycleFreezes',
  'x-automations',
  'x-notifications',
  'x-fixRequests',
  'changeApprovals',
]
