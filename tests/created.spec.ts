import { test } from '@japa/runner'
import type { AnyOperation } from '#foundation/api/operation/declaration'
import { operations } from '#foundation/api/operation/registry'
import type { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { Fixtures } from '#tests/support/fixtures'
import { exampleBody } from '#tests/support/references'
import { call } from '#tests/support/requests'
import { makeWorld } from '#tests/support/world'

/*
 * Operations that create something answer its address and its entity tag, which the next write may
 * send as If-Match.
 */

const creating = operations
  .all()
  .filter(({ responses, apart }) => 201 in responses && !apart) as AnyOperation[]

/** A later write to the thing that was created, at its address and with its tag. */
type Change = (api: Api, at: string, tag: string) => Promise<{ status: number }>

/** The change to try by the creating operation; null if no write takes the tag. */
const CHANGES: Record<string, Change | null> = {
  createBucket: (api, at, tag) => api.patch(at, { name: 'Renamed' }, match(tag)),
  createGroup: (api, at, tag) => api.put(at, { name: 'Renamed' }, match(tag)),
  createRelease: (api, at, tag) => {
    const path = at.replace('/v2/', '/').replace('/releases/', '/release/')
    return api.put(path, { releaseName: 'Renamed' }, match(tag))
  },
  createUser: (api, at, tag) => api.patch(at, { name: 'Renamed' }, match(tag)),
  // No write takes its tag, which changes whenever the key is used.
  createApiKey: null,
  // It runs by itself, and can only be stopped.
  startRehearsal: null,
  createTrustRule: (api, at, tag) => api.delete(at, undefined, match(tag)),
  // No write takes its tag: new credentials replace the old ones unconditionally.
  connectProvider: null,
  // Feeds and links cannot be changed, only revoked.
  createCalendarFeed: (api, at, tag) => api.delete(at, undefined, match(tag)),
  createReleaseLink: (api, at, tag) => api.delete(at, undefined, match(tag)),
  createInstallLink: (api, at, tag) => api.patch(at, { expiresAt: null }, match(tag)),
  createWebhookEndpoint: (api, at, tag) => api.patch(at, { description: 'Renamed' }, match(tag)),
  createFixRequest: reject,
  requestTriageIssueFix: reject,
  createTriageIssue: (api, at, tag) => api.put(at, { severity: 'low' }, match(tag)),
  createAppFromConfiguration: patchConfiguration,
  addDestinationFromConfiguration: patchConfiguration,
}
const changeItem = (api: Api, at: string, tag: string) =>
  api.put(at, { title: 'Renamed' }, match(tag))

const match = (tag: string) => ({ headers: { 'if-match': tag } })

function reject(api: Api, at: string, tag: string) {
  return api.put(`${at}/reject`, {}, match(tag))
}

function patchConfiguration(api: Api, at: string, tag: string) {
  const headers = { 'if-match': tag, 'content-type': 'application/yaml' }
  return api.send('PATCH', `${at}/app/config`, { raw: 'appGroup: Renamed', headers })
}

test.group('Operations that create something', () => {
  for (const operation of creating) {
    test(`${operation.id} answers the address of the new thing, and the tag that it has there`, async ({
      assert,
    }) => {
      const world = await makeWorld()
      const fixtures = new Fixtures(world)
      const path = await fixtures.path(operation.path)
      const body = await exampleBody(operation, fixtures.get)
      const made = await call(world.admin, operation, path, body)
      assert.equal(made.status, 201, made.text)
      const at = made.headers.location
      const read = await world.admin.get(at)
      assert.equal(read.status, 200)
      assert.equal(made.headers.etag, read.headers.etag)
      assert.containSubset(made.body, read.body)
      if (!operation.creates) assert.equal(made.text, read.text)

      const change = operation.id in CHANGES ? CHANGES[operation.id] : changeItem
      if (!change) return
      const stale = await change(world.admin, at, '"stale"')
      assert.equal(stale.status, 412)
      const next = await change(world.admin, at, made.headers.etag)
      assert.oneOf(next.status, [200, 204])
      const gone = next.status === 204
      const again = await change(world.admin, at, made.headers.etag)
      assert.equal(again.status, gone ? 404 : 412)
    })
  }

  test('a one-off item and a hotfix are read as they were answered', async ({ assert }) => {
    const world = await makeWorld()
    const app = await makeApp(world)
    const release = await world.admin.post(`/app/${app}/release`, { version: '1.0' })
    const item = { title: 'Once', releaseId: release.body.id }
    const once = await world.admin.post(`/app/${app}/regressionItem`, item)
    const hotfix = { version: '2.0', releaseType: 'hotfix', baseTag: { name: 'v1.0' } }
    for (const made of [once, await world.admin.post(`/app/${app}/release`, hotfix)]) {
      const read = await world.admin.get(made.headers.location)
      assert.deepEqual([read.text, read.headers.etag], [made.text, made.headers.etag])
    }
  })

  test('a repeated request has the tag of the first answer', async ({ assert }) => {
    const world = await makeWorld()
    const path = `/org/${world.organizationId}/webhookEndpoint`
    const headers = { 'idempotency-key': 'once' }
    const post = () => world.admin.post(path, { url: 'https://acme.example/hook' }, { headers })
    const [first, second] = [await post(), await post()]
    assert.equal(second.headers['idempotent-replayed'], 'true')
    assert.equal(second.headers.etag, first.headers.etag)
  })
})
