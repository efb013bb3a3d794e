import { test } from '@japa/runner'
import { allProblems, type ProblemCode } from '#foundation/core/problems/catalog'
import { refuse } from '#foundation/core/problems/problem'
import { makeTrain } from '#releases/tests/helpers/release_world'
import type { Api } from '#tests/support/api'
import { makeWorld } from '#tests/support/world'
import { adviceOn } from '../tools/advice.js'
import { tools } from '../tools/catalog.js'
import { LACKS } from '../tools/lacks.js'
import { DESTRUCTIVE } from './obedient_agent.js'
import { call, headersFor, messageOf, refusalOf, rpc } from './support.js'

const PLAIN = {
  'content-type': 'application/json',
  'accept': 'application/json, text/event-stream',
}

/** Returns the number of requests left for today, according to the response. */
const leftIn = (headers: Record<string, string>) =>
  Number(/"daily";r=(\d+)/.exec(headers.ratelimit)![1])

const sent = (api: Api, raw: string | Buffer, headers: Record<string, string> = PLAIN) =>
  api.send<any>('POST', '/mcp', { raw, headers })

test.group('A malformed message', () => {
  test('is a parse error if it is not JSON', async ({ assert }) => {
    const { admin } = await makeWorld()
    for (const raw of ['{"jsonrpc"', '', 'null,', Buffer.from([0x22, 0xff, 0x22])]) {
      const { status, body } = await sent(admin, raw)
      assert.deepEqual([status, body.id, body.error.code], [400, null, -32700])
      assert.match(body.error.message, /^Parse error: The message/)
    }
  })

  test('is any batch', async ({ assert }) => {
    const { admin, app } = await makeTrain()
    const create = (version: string) => ({
      jsonrpc: '2.0',
      id: 1,
      method: 'tools/call',
      params: {
        name: 'manage_release',
        arguments: { action: 'create', appId: app, body: { version } },
      },
    })
    const ping = { jsonrpc: '2.0', id: 1, method: 'ping' }
    const many = Array.from({ length: 90 }, (_, index) => create(`1.${index}.0`))
    const today = messageOf('tools/call', { name: 'look_around', arguments: { action: 'apps' } })
    for (const batch of [many, [ping], [], [today]]) {
      for (const headers of [PLAIN, headersFor('tools/call', 'manage_release')]) {
        const { status, body } = await sent(admin, JSON.stringify(batch), headers)
        assert.deepEqual([status, body.id, body.error.code], [400, null, -32600])
        assert.match(body.error.message, /Batches are not accepted: send each message on its own/)
      }
    }
    assert.deepEqual((await admin.get(`/v2/app/${app}/releases`)).body.data, [])
  })

  test('is one of a revision with batches, which is not supported', async ({ assert }) => {
    const { admin } = await makeWorld()
    const begin = (protocolVersion: string) => {
      const clientInfo = { name: 'test', version: '1' }
      return rpc(admin, 'initialize', { protocolVersion, capabilities: {}, clientInfo })
    }
    assert.equal((await begin('2025-03-26')).protocolVersion, '2025-11-25')
    assert.equal((await begin('2025-06-18')).protocolVersion, '2025-06-18')
    const ping = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'ping' })
    const named = { ...PLAIN, 'mcp-protocol-version': '2025-03-26' }
    assert.equal((await sent(admin, ping, named)).status, 400)
  })
})

test.group('Every call', () => {
  test('counts as a request of the day', async ({ assert }) => {
    const { admin } = await makeWorld()
    const left: number[] = []
    const args = { name: 'look_around', arguments: { action: 'apps' } }
    const plain = JSON.stringify(messageOf('tools/call', args))
    const old = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: args })
    for (const [text, headers] of [
      [plain, headersFor('tools/call', 'look_around')],
      [old, PLAIN],
      [plain, headersFor('tools/call', 'look_around')],
      [JSON.stringify([JSON.parse(old), JSON.parse(old)]), PLAIN],
      [old, PLAIN],
    ] as const) {
      left.push(leftIn((await sent(admin, text, headers)).headers))
    }
    const [first] = left
    assert.deepEqual(left, [first, first - 1, first - 2, first - 3, first - 4])
  })
})

test.group('An argument that a tool does not take', () => {
  test('is refused with what was probably meant', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const its = { appId: app, releaseId: `${app}:1.0.0` }
    const errorsOf = async (tool: string, args: object) =>
      refusalOf(await call(admin, tool, args)).errors
    const update = { action: 'update', ...its }
    assert.deepEqual(
      await errorsOf('manage_release', { ...update, body: { relaseName: 'Winter' } }),
      [
        {
          pointer: '/relaseName',
          code: 'unknown',
          message: 'There is no member /relaseName here. Did you mean releaseName?',
        },
      ]
    )
    // REST ignores members that only responses have. An agent would believe that they were set.
    const [reported] = await errorsOf('manage_release', {
      ...update,
      body: { status: 'completed' },
    })
    assert.deepEqual(
      [reported.pointer, reported.message],
      ['/status', 'The member /status is read-only, and set by nobody here.']
    )
    const [argument] = await errorsOf('manage_release', { ...update, relaseId: 'x', body: {} })
    assert.equal(argument.message, 'This action takes no relaseId. Did you mean releaseId?')
    const [inBody] = await errorsOf('manage_release', { ...update, releaseName: 'W', body: {} })
    assert.equal(inBody.message, 'This action takes releaseName as a member of body.')
    const [action] = await errorsOf('manage_release', { ...its, action: 'kickoff' })
    assert.match(action.message, /Did you mean kick_off\?$/)
    const [nested] = await errorsOf('rollout', {
      action: 'set_policy',
      appId: app,
      body: { policy: { ladder: [{ percentage: 100, hours: 0, houres: 1 }] } },
    })
    assert.equal(nested.pointer, '/policy/ladder/0/houres')
    const many = await errorsOf('define_items', {
      action: 'create_regression_items',
      appId: app,
      body: { items: [{ title: 'A', titel: 'B' }] },
    })
    assert.equal(many[0].pointer, '/items/0/titel')
    assert.equal((await admin.get(`/v2/app/${app}/releases/${app}:1.0.0`)).body.releaseName, null)
  })
})

test.group('What to do after a refusal', () => {
  /**
   * Problems no tool operation returns: those of transports, files, pages, links, and callers that use no tools.
   */
  const ELSEWHERE = [
    ...['https_required', 'host_refused', 'origin_refused', 'upload_gone', 'link_gone'],
    ...['plan_outdated', 'too_many_trust_rules', 'too_many_links'],
  ]

  test('is said for every refusal by rights or state', ({ assert }) => {
    const codes = [...allProblems()].flatMap(([code, [status]]) =>
      [403, 409, 410].includes(status) && !ELSEWHERE.includes(code) ? [code] : []
    )
    assert.includeMembers(Object.keys(LACKS), codes)
    for (const code of Object.keys(LACKS)) assert.isTrue(allProblems().has(code), code)
  })

  test('never names what destroys, ends, forces or stops something', async ({ assert }) => {
    const state = {
      currentStatus: 'active',
      allowedActions: ['complete', 'skip', 'delete', 'force'],
    }
    for (const code of allProblems().keys()) {
      const problem = refuse(code as ProblemCode, { remedy: 'Repeat with force=true.', ...state })
      const next = await adviceOn(problem, tools[0], async () => null)
      assert.notMatch(next, DESTRUCTIVE, code)
      assert.match(next, /\.$/, code)
    }
  })

  test('leaves out remedies for people', async ({ assert }) => {
    const { admin, app } = await makeTrain(['1.0.0'])
    const deleted = await admin.delete(`/app/${app}/app/config`)
    assert.match(deleted.body.detail, /Finish it, or repeat with force=true\.$/)
    assert.deepEqual(deleted.body.allowedActions, ['complete', 'skip', 'force'])
    const refused = refusalOf(
      await call(admin, 'configuration', { action: 'delete_app', appId: app })
    )
    assert.notProperty(refused, 'allowedActions')
    assert.notMatch(JSON.stringify(refused), /force|skip/)
    assert.equal(refused.currentStatus, 'active')
  })
})
