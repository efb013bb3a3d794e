import { test } from '@japa/runner'
import { makeTrain } from '#releases/tests/helpers/release_world'
import type { Api } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import { tools } from '../tools/catalog.js'
import { SETS } from '../tools/sets.js'
import { call, headersFor, messageOf, readAnswer, rpc } from './support.js'

const KB = 1000

/** Returns the list of tools, as sent over the wire. */
async function listing(api: Api, query = '') {
  const json = messageOf('tools/list', {})
  const headers = headersFor('tools/list')
  const { status, body, text } = await api.send<any>('POST', `/mcp${query}`, { json, headers })
  if (status !== 200) throw new Error(text)
  return { ...body.result, bytes: Buffer.byteLength(text) }
}

const namesIn = ({ tools: listed }: { tools: { name: string }[] }) => listed.map(({ name }) => name)

const actionsOf = (listed: { tools: any[] }, name: string): string[] =>
  listed.tools.find((each) => each.name === name)?.inputSchema.properties.action?.enum ?? []

test.group('Sets of tools', () => {
  test('the default one covers a release, and takes at most 30 KB', async ({ assert }) => {
    const { admin } = await makeWorld()
    const listed = await listing(admin)
    assert.deepEqual(namesIn(listed), [...SETS.default])
    assert.lengthOf(listed.tools, 12)
    assert.isAtMost(listed.bytes, 30 * KB)
    assert.deepEqual((await rpc(admin, 'tools/list')).tools, listed.tools)
    assert.deepEqual(await listing(admin, '?tools=default'), listed)
  })

  test('others are asked for by their names, and all of them together', async ({ assert }) => {
    const { admin } = await makeWorld()
    assert.deepEqual(namesIn(await listing(admin, '?tools=admin,builds')), [
      'find_builds',
      'distribute_builds',
      'configuration',
      'organization_admin',
    ])
    const plan = await listing(admin, '?tools=plan')
    assert.includeMembers(namesIn(plan), ['change_plan', 'rollout'])
    assert.deepEqual(actionsOf(plan, 'rollout'), ['policy', 'set_policy', 'pair', 'part'])
    assert.notInclude(actionsOf(await listing(admin), 'rollout'), 'set_policy')
    const both = await listing(admin, '?tools=plan,%20default')
    assert.sameMembers(actionsOf(both, 'rollout'), Object.keys(toolCalled('rollout').actions))
    const all = await listing(admin, '?tools=all')
    assert.deepEqual(
      namesIn(all),
      tools.map(({ name }) => name)
    )
    for (const { name, actions } of tools)
      if (Object.keys(actions).length > 1)
        assert.deepEqual(actionsOf(all, name), Object.keys(actions))
  })

  test('each tool is in one, and each set takes at most 30 KB', async ({ assert }) => {
    const { admin } = await makeWorld()
    const named = Object.values(SETS).flat()
    assert.lengthOf(new Set(named), named.length)
    const whole = named.filter((name) => !name.includes('.'))
    assert.sameMembers(
      whole as string[],
      tools.map(({ name }) => name)
    )
    for (const set of Object.keys(SETS))
      assert.isAtMost((await listing(admin, `?tools=${set}`)).bytes, 30 * KB, set)
  })

  test('the default one sends nobody to a tool that is not listed without its set', ({
    assert,
  }) => {
    const listed: readonly string[] = SETS.default
    for (const { name, description } of tools) {
      assert.notMatch(description.replace(/`[^`]*`/g, ''), /[a-z][A-Z]/, `${name} names no action`)
      if (!listed.includes(name)) continue
      for (const [named] of description.matchAll(/\b[a-z]+_[a-z_]+\b|\btriage\b/g)) {
        const { actions } = toolCalled(name)
        const isKnown = listed.includes(named) || named in actions
        assert.isTrue(
          isKnown || description.includes(`${named}, of the set \``),
          `${name}: ${named}`
        )
      }
    }
  })

  test('an unknown name is refused with the existing ones', async ({ assert }) => {
    const { admin } = await makeWorld()
    for (const requested of ['nothing', 'default,nothing', '__proto__', 'default,,plan']) {
      const { status, body } = await admin.send<any>('POST', `/mcp?tools=${requested}`, {
        json: messageOf('tools/list', {}),
        headers: headersFor('tools/list'),
      })
      assert.deepEqual([status, body.code], [400, 'invalid_query'])
      assert.match(body.detail, /There are: default, plan, changes, builds, admin, all\.$/)
      assert.equal(body.errors[0].parameter, 'tools')
    }
  })

  test('a tool of another one is carried out all the same', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const { structuredContent } = await call(admin, 'read_plan', { action: 'freezes', appId: app })
    assert.equal(structuredContent.outcome, 'answered')
    const policy = await call(admin, 'rollout', { action: 'policy', appId: app })
    assert.equal(policy.structuredContent.operation, 'getRolloutPolicy')
  })
})

const toolCalled = (name: string) => tools.find((tool) => tool.name === name)!

test.group('The list of tools for a key', () => {
  test('contains what it may do, and may be cached privately only', async ({ assert }) => {
    const { admin, keyed } = await makeWorld()
    const reader = await listing(await keyed(), '?tools=all')
    assert.equal(reader.cacheScope, 'private')
    assert.isAbove(reader.ttlMs, 0)
    assert.isTrue(reader.tools.every(({ annotations }: any) => annotations.readOnlyHint))
    assert.notInclude(namesIn(reader), 'manage_release')
    const approver = await listing(await keyed({ groups: ['Approvers'] }))
    assert.include(namesIn(approver), 'approve')
    assert.deepEqual(actionsOf(approver, 'manage_release'), [])
    const all = await listing(admin, '?tools=all')
    assert.isBelow(reader.tools.length, all.tools.length)
    assert.include(actionsOf(all, 'organization_admin'), 'create_webhook')
  })

  test('requires no name for a single action, and no id of its organization', async ({
    assert,
  }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const { tools: listed } = await listing(admin, '?tools=all')
    for (const { name, inputSchema } of listed) {
      assert.notProperty(inputSchema.properties, 'orgId', name)
      for (const [member, schema] of Object.entries<any>(inputSchema.properties))
        assert.notEqual(schema.enum?.length, 1, `${name} ${member} has one legal value`)
    }
    const its = { appId: app, releaseId: `${app}:1.0.0` }
    for (const args of [its, { ...its, action: 'ask' }]) {
      const { structuredContent } = await call(admin, 'why_not_moving', args)
      assert.equal(structuredContent.operation, 'whyNotMoving')
    }
    // A set may list a single action of a tool.
    const reader = await (await makeTrain()).world.keyed()
    const alone = await listing(reader, '?tools=plan')
    const rollout = alone.tools.find(({ name }: { name: string }) => name === 'rollout')
    assert.notProperty(rollout.inputSchema.properties, 'action')
    const params = { name: 'rollout', arguments: { appId: 'none' } }
    const response = readAnswer(await rpc(reader, 'tools/call', params, '/mcp?tools=plan'))
    assert.include(response.content[0].text, '"not_found"')
  })

  test('carries no schema of answers, and answers are sent once', async ({ assert }) => {
    const { admin } = await makeWorld()
    for (const { name, outputSchema } of (await listing(admin, '?tools=all')).tools)
      assert.isUndefined(outputSchema, name)
    const params = { name: 'look_around', arguments: { action: 'apps' } }
    const result = await rpc(admin, 'tools/call', params)
    assert.deepEqual(Object.keys(result), ['content'])
    assert.lengthOf(result.content, 1)
  })

  test('says where somebody else is called', async ({ assert }) => {
    const { admin } = await makeWorld()
    const { tools: listed } = await listing(admin, '?tools=all')
    const open = (hint: boolean) =>
      listed
        .filter(({ annotations }: any) => annotations.openWorldHint === hint)
        .map(({ name }: any) => name)
    assert.includeMembers(open(true), ['submit_to_store', 'rollout', 'feature_flags', 'fixes'])
    assert.includeMembers(open(false), ['find_items', 'read_timeline', 'why_not_moving', 'approve'])
  })
})
