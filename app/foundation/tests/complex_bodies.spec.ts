import { test } from '@japa/runner'
import fc from 'fast-check'
import { REVISION } from '#agents/server_info'
import { operations } from '#foundation/api/operation/registry'
import type { Problem } from '#foundation/core/problems/problem'
import { makeApp } from '#tests/support/app_fixture'
import { yieldsOf } from '#tests/support/yields'
import { makeWorld } from '#tests/support/world'
import { inputOf } from '../api/execution/input_of.js'
import { parseJson } from '../api/http/read_body.js'
import { runs } from '#tests/support/effort'

const MEMBERS = 50_000
const DEPTH = 32

const listOf = (count: number, item: string) => `[${Array.from({ length: count }, () => item)}]`
const objectOf = (count: number) =>
  `{${Array.from({ length: count }, (_, index) => `"key${index}":1`)}}`
const nested = (depth: number) => '{"a":'.repeat(depth - 1) + '{}' + '}'.repeat(depth - 1)

function codeOf(json: string): string {
  try {
    parseJson(Buffer.from(json))
    return 'parsed'
  } catch (error) {
    return (error as Problem).code
  }
}

const membersOf = (value: unknown): number =>
  typeof value === 'object' && value !== null
    ? Object.values(value).reduce((sum: number, each) => sum + 1 + membersOf(each), 0)
    : 0

test.group('Bodies of too many members or levels', () => {
  test('are refused beyond the limit, even before their syntax is checked', ({ assert }) => {
    const most: [string, string][] = [
      [listOf(MEMBERS, '{}'), listOf(MEMBERS + 1, '{}')],
      [objectOf(MEMBERS), objectOf(MEMBERS + 1)],
      [nested(DEPTH), nested(DEPTH + 1)],
      ['['.repeat(DEPTH) + ']'.repeat(DEPTH), '['.repeat(DEPTH + 1)],
      [listOf(MEMBERS / 2, '[1]'), `{"a":${listOf(MEMBERS / 2, '[1]')}}`],
      [listOf(MEMBERS, '1'), `${listOf(MEMBERS + 1, '1')} and no JSON`],
    ]
    for (const [allowed, refused] of most) {
      assert.equal(codeOf(allowed), 'parsed', allowed.slice(0, 20))
      assert.equal(codeOf(refused), 'too_complex', refused.slice(0, 20))
    }
    // Text in strings is not a member.
    assert.equal(codeOf(JSON.stringify({ a: '[{",\\"]'.repeat(60_000) })), 'parsed')
  })

  test('are counted like the parser counts them', ({ assert }) => {
    fc.assert(
      fc.property(
        fc.jsonValue({ maxDepth: 6 }),
        fc.integer({ min: 0, max: 3 }),
        (value, indent) => {
          const room = MEMBERS - membersOf(value) - 2
          const around = (count: number) =>
            `[${JSON.stringify(value, null, indent)},${listOf(count, '0')}]`
          return codeOf(around(room)) === 'parsed' && codeOf(around(room + 1)) === 'too_complex'
        }
      ),
      { numRuns: runs(20) }
    )
    assert.equal(codeOf('[,'), 'malformed_json')
  })

  test('are answered with 422 by every operation with JSON, and write nothing', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const raw = `{"items":${listOf(60_000, '{}')}}`
    const headers = { 'content-type': 'application/json' }
    const mcp = {
      ...headers,
      'accept': 'application/json, text/event-stream',
      'mcp-protocol-version': REVISION,
    }
    for (const [path, sent] of [
      [`/app/${app}/regressionItems/batch`, headers],
      [`/app/${app}/release`, headers],
      [`/org/${world.organizationId}/group`, headers],
      ['/mcp', mcp],
    ] as const) {
      const { status, body } = await world.admin.post(path, undefined, {
        raw,
        headers: sent,
        uncounted: true,
      })
      assert.deepEqual([status, body.code], [422, 'too_complex'], path)
      assert.equal(body.limit, MEMBERS)
    }
    assert.lengthOf(await world.events(), 0)
  })

  test('list only the first of many broken members, and count the others', async ({ assert }) => {
    const { admin, organizationId } = await makeWorld()
    const body = { name: 'A', userActions: Array.from({ length: 40_000 }, () => null) }
    const { status, body: problem } = await admin.post(`/org/${organizationId}/group`, body)
    assert.deepEqual([status, problem.errors.length], [422, 501])
    assert.match(problem.errors.at(-1).message, /^395\d\d more problems are not listed\.$/)
  })

  test('let others be served between the steps of their validation', async ({ assert }) => {
    const turnsFor = (count: number) => {
      const body = { name: 'A', userActions: [], ...JSON.parse(objectOf(count)) }
      return yieldsOf(() => inputOf(operations.get('createGroup'), { body }))
    }
    assert.equal(await turnsFor(10), 0)
    assert.equal(await turnsFor(3000), 2)
  })

  test('are refused as plain values, too, which are not parsed from JSON', async ({ assert }) => {
    const given = { body: { name: 'A', userActions: JSON.parse(listOf(MEMBERS, '1')) } }
    await assert.rejects(() => inputOf(operations.get('createGroup'), given), /50000 members/)
  })
})
