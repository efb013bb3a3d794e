import { test } from '@japa/runner'
import type { Assert } from '@japa/assert'
import { isWrite, type AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import { makeKey } from '#organizations/key_format'
import { Api } from '#tests/support/api'
import { makeSignedIn } from '#tests/support/app_fixture'
import { Fixtures, isWord, paramsOf } from '#tests/support/fixtures'
import { partiesOfFile, writingNothing, type Parties } from '#tests/support/parties'
import { bodyReferences, exampleBody, withValue } from '#tests/support/references'
import { call } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'

const parties = partiesOfFile()

/*
 * For every declared operation: nobody reaches another tenant's rows, and a foreign id is answered
 * like an absent one. A new operation is covered as soon as it is declared; a new path parameter
 * needs a fixture.
 */

/** Changes the last character of a key, so that its checksum is wrong. */
const miskeyed = (key: string) => key.slice(0, -1) + (key.endsWith('0') ? '1' : '0')

async function refuseWithoutKey(assert: Assert, operation: AnyOperation, parts: Parties) {
  const path = await parts.mine.path(operation.path)
  const attempts: [string, string | null, string][] = [
    ['no key', null, 'key_missing'],
    ['a malformed key', 'tarmac_x', 'key_invalid'],
    ['a bad checksum', miskeyed(parts.mine.world.adminKey), 'key_invalid'],
    ['an unknown key', makeKey().key, 'key_invalid'],
    ['a revoked key', parts.unusable.revoked, 'key_revoked'],
    ['an expired key', parts.unusable.expired, 'key_expired'],
  ]
  for (const [what, key, code] of attempts) {
    const { status, body, headers } = await call(new Api(key), operation, path)
    assert.deepEqual([status, body.code], [401, code], what)
    assert.equal(headers['www-authenticate'], 'ApiKey realm="api", header="X-API-Key"')
  }
}

/** Every key may make these reads, which leave a record. */
const RECORDED_READS = new Set(['downloadBucketBuild'])

async function refuseWithoutAction(assert: Assert, operation: AnyOperation, parts: Parties) {
  const { access } = operation
  if (RECORDED_READS.has(operation.id)) return
  const path = await parts.mine.path(operation.path)
  const { status, body } = await call(parts.powerless, operation, path)
  if (access.kind === 'actions') {
    assert.deepEqual([status, body.code], [403, 'action_missing'])
    // If the action depends on the subject, the refusal names the one that is needed there.
    const needed: string[] = operation.explainRefusal ? body.missingActions : access.anyOf
    if (operation.explainRefusal) assert.lengthOf(needed, 1)
    assert.deepEqual(body.missingActions, needed)
    assert.includeMembers([...access.anyOf], needed)
    for (const action of needed) assert.include(body.detail, action)
  } else if (access.kind === 'admin') {
    assert.deepEqual([status, body.code], [403, 'admin_required'])
  } else if (isWrite(operation)) {
    assert.isTrue(status >= 400 && status < 500, `a key without groups got ${status}`)
  }
}

async function hideForeign(assert: Assert, operation: AnyOperation, parts: Parties) {
  const { mine, theirs } = parts
  const names = paramsOf(operation.path).filter((name) => !isWord(name))
  const body = await exampleBody(operation, mine.get)
  const sets = [...names.map((name) => [name]), ...(names.length > 1 ? [names] : [])]
  for (const set of sets) {
    const foreign: Record<string, string> = {}
    const absent: Record<string, string> = {}
    for (const name of set) {
      foreign[name] = await theirs.get(name)
      absent[name] = name === 'releaseId' ? 'nowhere:9.9.9' : 'absent_0'
    }
    const sent = async (replaced: Record<string, string>) =>
      call(mine.world.admin, operation, await mine.path(operation.path, replaced), body)
    const [first, second] = [await sent(foreign), await sent(absent)]
    assert.equal(first.status, 404, `another organization's ${set.join(' and ')}`)
    assert.equal(first.text, second.text, `foreign and absent ${set.join(' and ')} differ`)
  }
}

/** A child under a parent that is not its own is answered like an absent one. */
async function hideMisplaced(assert: Assert, operation: AnyOperation, parts: Parties) {
  const { mine, siblings } = parts
  const names = paramsOf(operation.path).filter((name) => !isWord(name) && name !== 'orgId')
  if (names.length < 2) return
  for (const name of names) {
    const sent = async (value: string) =>
      call(
        mine.world.admin,
        operation,
        await mine.path(operation.path, { [name]: value }),
        await exampleBody(operation, mine.get)
      )
    const [misplaced, absent] = [await sent(await siblings.get(name)), await sent('absent_0')]
    assert.equal(misplaced.status, 404, `${name} of another parent`)
    assert.equal(misplaced.text, absent.text)
  }
}

async function hideForeignReferences(assert: Assert, operation: AnyOperation, parts: Parties) {
  const { mine, theirs } = parts
  const body = await exampleBody(operation, mine.get)
  for (const reference of bodyReferences(operation)) {
    const place = reference.path.join('.')
    const path = await mine.path(operation.path)
    const sent = async (value: unknown) =>
      call(mine.world.admin, operation, path, withValue(body, reference.path, value))
    const [theirIds, absentIds] = [
      await reference.value(theirs.get),
      await reference.value(async () => 'absent_0'),
    ]
    const [foreign, absent] = [await sent(theirIds), await sent(absentIds)]
    assert.isTrue(foreign.status >= 400, `another organization's ${place} was taken`)
    assert.equal(foreign.status, absent.status, `foreign and absent ${place} differ`)
  }
}

async function refuseOutsideAppScope(assert: Assert, operation: AnyOperation, parts: Parties) {
  if (!operation.path.includes('{appId}')) return
  const { mine, restricted } = parts
  const { status, body, text } = await call(restricted, operation, await mine.path(operation.path))
  if (isWrite(operation)) {
    assert.deepEqual([status, body.code], [403, 'app_scope_missing'])
    return
  }
  assert.equal(status, 404)
  const nowhere = await mine.path(operation.path, { appId: 'nowhere' })
  assert.equal(text, (await call(restricted, operation, nowhere)).text)
}

/** Pages act as the signed-in person, whose rights decide as those of a key do. */
async function refusePeople(assert: Assert, operation: AnyOperation, parts: Parties) {
  if (operation.surface !== 'pages') return
  const path = await parts.mine.path(operation.path)
  const [person, key] = [
    await call(parts.people.powerless, operation, path),
    await call(parts.powerless, operation, path),
  ]
  const status = operation.access.kind === 'read' ? 200 : 403
  assert.deepEqual([person.status, person.text], [status, key.text])
  const body = await exampleBody(operation, parts.mine.get)
  const stranger = await call(parts.people.stranger, operation, path, body)
  assert.equal(stranger.status, 404, 'an admin of another organization')
}

/**
 * They act on the key that makes the request, which the fixture's key does not:
 * app/organizations/tests/keys.spec.ts tests them.
 */
const ON_OWN_KEY = new Set(['endApiKey'])

/** The other tests mean something only if the same request works for its owner. */
async function servesItsOwner(assert: Assert, operation: AnyOperation, parts: Parties) {
  if (ON_OWN_KEY.has(operation.id)) return
  const own = isWrite(operation) ? new Fixtures(await makeWorld()) : parts.mine
  const path = await own.path(operation.path)
  const body = await exampleBody(operation, own.get)
  const { status, text } = await call(own.world.admin, operation, path, body)
  assert.notInclude([401, 403, 404, 405, 429, 500], status, text)
  const isOfPages = operation.surface === 'pages' && !SERVED_ELSEWHERE.has(operation.id)
  if (isOfPages) await servesAdmin(assert, operation)
}

/** Needs a plugin with webhooks: app/integrations/tests/connection_operations.spec.ts tests it. */
const SERVED_ELSEWHERE = new Set(['issueCallbackSecret'])

async function servesAdmin(assert: Assert, operation: AnyOperation) {
  const own = new Fixtures(await makeWorld())
  const admin = new Api(await makeSignedIn(own.world))
  const body = await exampleBody(operation, own.get)
  const { status, text } = await call(admin, operation, await own.path(operation.path), body)
  assert.oneOf(status, Object.keys(operation.responses).map(Number), text)
}

test.group('authorization of every operation', () => {
  for (const operation of operations.all()) {
    if (operation.access.kind === 'open') continue

    test(`${operation.method} ${operation.path}`, async ({ assert }) => {
      const parts = await parties()
      for (const name of paramsOf(operation.path)) {
        await parts.mine.get(name)
        await parts.theirs.get(name)
        await parts.siblings.get(name)
      }
      await parts.mine.path(operation.path)
      for (const { value } of bodyReferences(operation)) {
        await value(parts.theirs.get)
        await value(parts.mine.get)
      }

      await writingNothing(assert, parts, async () => {
        await refuseWithoutKey(assert, operation, parts)
        await refuseWithoutAction(assert, operation, parts)
        await hideForeign(assert, operation, parts)
        await hideMisplaced(assert, operation, parts)
        await hideForeignReferences(assert, operation, parts)
        await refuseOutsideAppScope(assert, operation, parts)
        await refusePeople(assert, operation, parts)
      })
      await servesItsOwner(assert, operation, parts)
    })
  }
})
