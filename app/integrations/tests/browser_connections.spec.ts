import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { earlier } from '#foundation/core/clock'
import { clock, unitOfWork } from '#foundation/core/services'
import { openCredentials } from '#integrations/connections/credentials'
import { browserConnectionErrors } from '#integrations/connections/connection_errors'
import { plugins } from '#integrations/plugins/plugin_registry'
import type { Plugin } from '#plugin-kit/plugin'
import { Api } from '#tests/support/api'
import { makeSignedIn } from '#tests/support/app_fixture'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld } from '#tests/support/world'
import { connect } from './support/connect.js'

const BROWSER = 'sgn_of_ada'
const nobody = new Api(null)

/** Makes an organization with an admin who signs in. */
async function office() {
  const world = await makeWorld()
  const ada = new Api(await makeSignedIn(world, { email: 'ada@acme.example' }))
  const org = `/org/${world.organizationId}`
  const begin = async (sent: object = {}, plugin = 'memory') => {
    const path = `${org}/integrationPlugin/${plugin}/authorize`
    const response = await ada.post(path, { browser: BROWSER, ...sent })
    const url = response.status === 200 ? new URL(response.body.url) : null
    return { ...response, url, state: url?.searchParams.get('state') ?? '' }
  }
  const complete = (state: string, sent: object = {}, by = ada, at = org) =>
    by.post(`${at}/integrationAuthorization/${state}/complete`, {
      ...{ browser: BROWSER, code: 'good-code-4711', ...sent },
    })
  const connections = () => db.from('connections').where('organization_id', world.organizationId)
  return { world, ada, org, begin, complete, connections }
}

test.group('authorizeProvider and completeAuthorization', () => {
  test('200 makes a connection once, for the browser that began it', async ({ assert }) => {
    const { world, begin, complete, connections } = await office()
    const settings = { region: 'eu' }
    const { status, body, url, state } = await begin({ alias: 'Talk', settings })
    assert.equal(status, 200)
    assert.equal(url!.host, 'memory.example')
    assert.containsSubset(body, { name: 'Memory', form: null })
    assert.match(body.redirectUri, /\/integrations\/oauth\/callback$/)
    const stored = Object.values(await snapshot([world.organizationId])).join('\n')
    assert.notInclude(stored, state)
    const done = await complete(state)
    assert.equal(done.status, 200, done.text)
    assert.containsSubset(done.body.connection, {
      ...{ alias: 'Talk', status: 'connected', account: 'account in eu', settings },
    })
    assert.notInclude(done.text, 'good-code-4711')
    const replayed = await complete(state)
    assert.deepEqual([replayed.status, replayed.body.code], [404, 'authorization_unknown'])
    assert.lengthOf(await connections(), 1)
  })

  test('404 for another browser or organization, which use nothing up, and when expired', async ({
    assert,
  }) => {
    const [own, other] = [await office(), await office()]
    const { state } = await own.begin()
    const codes = [
      await own.complete(state, { browser: 'sgn_of_eve' }),
      await other.complete(state),
      await own.complete('forged'),
    ].map(({ status, body }) => [status, body.code])
    assert.deepEqual(codes, Array(3).fill([404, 'authorization_unknown']))
    // The redirect address, which finishes those of the console, only leads to the page.
    const redirected = await nobody.get(
      `/integrations/oauth/callback?state=${state}&code=good-code-4711`
    )
    assert.equal(redirected.status, 303)
    const { pathname, searchParams } = new URL(redirected.headers.location, 'http://service')
    assert.equal(pathname, `/dashboard${own.org}/integration/authorized`)
    assert.deepEqual([...searchParams.keys()], ['state', 'code'])
    assert.lengthOf(await own.connections(), 0)
    assert.equal((await own.complete(state)).status, 200)

    const late = await own.begin()
    const expired = earlier(clock.now(), 1)
    const { organizationId } = own.world
    await db.from('oauth_starts').where('organization_id', organizationId).update({
      expires_at: expired,
    })
    assert.equal((await own.complete(late.state)).status, 404)
    assert.lengthOf(await other.connections(), 0)
  })

  test('200 with the step that follows, which is for the same browser', async ({ assert }) => {
    const { begin, complete, connections } = await office()
    const { state } = await begin()
    const { body } = await complete(state, { code: 'more' })
    assert.isNull(body.connection)
    assert.containsSubset(body.next, { name: 'Memory', form: { manifest: '{}' } })
    const next = new URL(body.next.url).searchParams.get('state')!
    assert.equal((await complete(next, { browser: 'sgn_of_eve' })).status, 404)
    assert.equal((await complete(next)).status, 200)
    assert.lengthOf(await connections(), 1)
  })

  test('200 gives an existing connection new credentials, and keeps the rest', async ({
    assert,
  }) => {
    const { world, ada, org, begin, complete } = await office()
    const credentials = { token: 'old-token', account: 'ada' }
    const { id } = await connect(world, 'memory', { alias: 'Talk', credentials })
    const { state } = await begin({ connectionId: id, alias: 'Ignored' })
    const { body } = await complete(state)
    assert.containsSubset(body.connection, { id, alias: 'Talk', status: 'connected' })
    const secrets = await app.container.make('integrations.secrets')
    const scope = unitOfWork.readScope(world.principal)
    const opened = await openCredentials(scope, secrets, id)
    assert.deepEqual(opened.credentials, { token: 'good-code-4711', account: 'ada' })
    const foreign = await office()
    const theirs = await connect(foreign.world, 'memory')
    assert.equal((await begin({ connectionId: theirs.id })).status, 404)
    const { id: paper } = await connect(world, 'paper')
    assert.equal((await begin({ connectionId: paper })).status, 404)
    assert.lengthOf((await ada.get(`${org}/integration`)).body, 2)
  })

  test('409 for a refusal of the provider, a taken name, and a plugin without a browser', async ({
    assert,
  }) => {
    const { world, begin, complete, connections } = await office()
    for (const sent of [{ code: 'deny' }, { code: undefined, error: 'access_denied' }]) {
      const { state } = await begin()
      const { status, body } = await complete(state, sent)
      assert.deepEqual([status, body.code], [409, 'authorization_refused'])
      assert.equal((await complete(state)).status, 404)
    }
    await connect(world, 'memory', { alias: 'Taken' })
    const taken = await begin({ alias: 'taken' })
    assert.deepEqual([taken.status, taken.body.code], [409, 'name_taken'])
    const none = await begin({}, 'paper')
    assert.deepEqual([none.status, none.body.code], [409, 'conflict'])
    const wrong = await begin({ settings: { region: 'mars' } })
    assert.deepEqual([wrong.status, wrong.body.errors[0].pointer], [422, '/settings/region'])
    assert.lengthOf(await connections(), 1)
  })

  test('credentials that the provider supplies are not reported as missing', ({ assert }) => {
    const { manifest } = plugins.find('memory')!
    const text = { type: 'string' } as const
    const credentialSchema = {
      ...{ type: 'object', required: ['app', 'appKey'] },
      properties: { app: { ...text, minLength: 3 }, appKey: text },
    } as const
    const made = {
      manifest: { ...manifest, credentialSchema },
      setup: async () => ({}),
    } as unknown as Plugin
    const pointers = (given: string) =>
      browserConnectionErrors(made, { credentials: { app: given } }).map(({ pointer }) => pointer)
    assert.deepEqual(pointers('acme'), [])
    assert.deepEqual(pointers('x'), ['/credentials/app'])
  })
})
