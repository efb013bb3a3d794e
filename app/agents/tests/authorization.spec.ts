import type { Assert } from '@japa/assert'
import { test } from '@japa/runner'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import type { Api } from '#tests/support/api'
import { some } from '#tests/support/effort'
import { Fixtures, isWord, paramsOf } from '#tests/support/fixtures'
import { partiesOfFile, writingNothing, type Parties } from '#tests/support/parties'
import { bodyReferences, exampleBody, withValue } from '#tests/support/references'
import { makeWorld } from '#tests/support/world'
import { tools } from '../tools/catalog.js'
import { partsOf } from '../tools/schema.js'
import { operationOf, type Tool } from '../tools/tool.js'
import { call, refusalOf } from './support.js'

const parties = partiesOfFile()

/*
 * No tool gives more access than the operation behind it. This is checked for every action of every
 * tool, in the way tests/authorization.spec.ts checks all operations.
 */

interface Walked {
  tool: Tool
  action: string
  operation: AnyOperation
}

/** Calls an action with the ids of some fixtures, and with the operation's example as its body. */
async function asked(
  api: Api,
  { tool, action, operation }: Walked,
  fixtures: Fixtures,
  {
    replaced = {},
    body,
    more = {},
  }: { replaced?: Record<string, string>; body?: unknown; more?: object } = {}
) {
  const params = await fixtures.params(operation.path, replaced)
  const declared = operation.body as AnyOperation['body'] | undefined
  const example =
    declared?.kind === 'text' ? declared.example : await exampleBody(operation, fixtures.get)
  const sent = body ?? example
  return call(api, tool.name, {
    action,
    ...params,
    ...requiredQuery(operation),
    ...(sent !== undefined && { body: sent }),
    ...more,
  })
}

/** Values for required query parameters. */
const ASKED: Readonly<Record<string, unknown>> = { q: 'ACME-1', locale: 'en-US', tag: 'v1' }

/**
 * Returns the required query of an operation.
 * @throws Error for a parameter without a value above
 */
function requiredQuery(operation: AnyOperation) {
  const names = [...partsOf(operation).requiredQuery]
  const unknown = names.filter((name) => !(name in ASKED))
  if (unknown.length > 0) throw new Error(`Say here what ${unknown.join(', ')} may be`)
  return Object.fromEntries(names.map((name) => [name, ASKED[name]]))
}

async function refuseWithoutAction(assert: Assert, walked: Walked, { mine, powerless }: Parties) {
  const { access } = walked.operation
  const needed = { actions: 'action_missing', admin: 'admin_required' } as const
  for (const more of isWrite(walked.operation) ? [{}, { dryRun: true }] : [{}]) {
    const response = await asked(powerless, walked, mine, { more })
    if (access.kind === 'actions' || access.kind === 'admin') {
      const refused = refusalOf(response)
      assert.deepEqual([refused.status, refused.code], [403, needed[access.kind]])
      assert.match(refused.next, /ask a person/)
    } else if (isWrite(walked.operation)) {
      assert.isTrue(response.isError, 'a key without groups wrote')
    }
  }
}

async function hideForeign(assert: Assert, walked: Walked, { mine, theirs }: Parties) {
  const { operation } = walked
  const names = paramsOf(operation.path).filter((name) => !isWord(name))
  for (const name of names) {
    const sent = async (id: string) => {
      const replaced = { [name]: id }
      const response = await asked(mine.world.admin, walked, mine, { replaced })
      // An operation that calls others is only checked when it is carried out.
      const plan = response.structuredContent?.plan?.token
      if (!plan) return refusalOf(response)
      return refusalOf(await asked(mine.world.admin, walked, mine, { replaced, more: { plan } }))
    }
    const foreign = await sent(await theirs.get(name))
    assert.equal(foreign.status, 404, `another organization's ${name}`)
    assert.deepEqual(foreign, await sent(name === 'releaseId' ? 'nowhere:9.9.9' : 'absent_0'))
  }
}

async function hideForeignReferences(assert: Assert, walked: Walked, { mine, theirs }: Parties) {
  const { operation } = walked
  const body = await exampleBody(operation, mine.get)
  for (const reference of bodyReferences(operation)) {
    const sent = async (value: unknown) =>
      refusalOf(
        await asked(mine.world.admin, walked, mine, {
          body: withValue(body, reference.path, value),
        })
      )
    const foreign = await sent(await reference.value(theirs.get))
    const absent = await sent(await reference.value(async () => 'absent_0'))
    assert.equal(foreign.status, absent.status, reference.path.join('.'))
  }
}

async function refuseOutsideAppScope(
  assert: Assert,
  walked: Walked,
  { mine, restricted }: Parties
) {
  const { operation } = walked
  if (!operation.path.includes('{appId}')) return
  const refused = refusalOf(await asked(restricted, walked, mine))
  if (isWrite(operation)) {
    assert.deepEqual([refused.status, refused.code], [403, 'app_scope_missing'])
    return
  }
  assert.equal(refused.status, 404)
  const nowhere = await asked(restricted, walked, mine, { replaced: { appId: 'nowhere' } })
  assert.deepEqual(refused, refusalOf(nowhere))
}

/** The other checks only mean something if the same call works for its owner. */
async function servesItsOwner(assert: Assert, walked: Walked, { mine }: Parties) {
  const own = isWrite(walked.operation) ? new Fixtures(await makeWorld()) : mine
  const response = await asked(own.world.admin, walked, own)
  if (!response.isError) return
  const { status } = refusalOf(response)
  assert.notInclude([401, 403, 404, 429, 500], status, response.content[0].text)
}

test.group('authorization of every tool', () => {
  for (const tool of some(tools)) {
    test(tool.name, async ({ assert }) => {
      for (const [action, declared] of Object.entries(tool.actions)) {
        const walked: Walked = { tool, action, operation: operationOf(declared) }
        const parts = await parties()
        // Created before rows are counted.
        await servesItsOwner(assert, walked, parts)
        for (const side of [parts.mine, parts.theirs]) {
          await side.params(walked.operation.path)
          await exampleBody(walked.operation, side.get)
          for (const { value } of bodyReferences(walked.operation)) await value(side.get)
        }
        await writingNothing(assert, parts, async () => {
          await refuseWithoutAction(assert, walked, parts)
          await hideForeign(assert, walked, parts)
          await hideForeignReferences(assert, walked, parts)
          await refuseOutsideAppScope(assert, walked, parts)
        })
      }
    }).timeout(60_000)
  }
})
