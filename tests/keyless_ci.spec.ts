import { createServer } from 'node:http'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeTrustRule } from '#organizations/keyless/trust_rules'
import { Issuer } from '../app/organizations/keyless/tests/issuer.js'
import { makeApp } from './support/app_fixture.js'
import { CommandLine } from './support/command_line.js'
import { connectToLoopback } from './support/loopback.js'
import { listen, serviceUrl } from './support/processes.js'
import { makeWorld } from './support/world.js'

/*
 * A CI run without an API key: the command line gets a token from the CI provider, and exchanges it
 * for a key.
 */

test.group('tarmac ci without a key', (group) => {
  let line: CommandLine
  let issuer: Issuer
  group.setup(async () => {
    line = await CommandLine.install()
    return () => line.remove()
  })
  group.each.setup(async () => {
    issuer = await new Issuer().start()
    const disconnect = await connectToLoopback()
    return async () => {
      disconnect()
      await issuer.stop()
    }
  })

  /** Makes an app whose runs on main get a key, and the environment that GitHub gives such a run. */
  async function setUp(cleanup: (end: () => void) => void) {
    const world = await makeWorld()
    const appId = await makeApp(world)
    const pilots = await db
      .from('groups')
      .where({ organization_id: world.organizationId, name: 'Release Pilots' })
      .firstOrFail()
    await world.write((scope) =>
      makeTrustRule(scope, {
        ...{ appId, provider: 'github', issuer: issuer.url, repository: 'acme/app' },
        ...{ audience: serviceUrl(), workflow: '.github/workflows/release.yml' },
        ...{ refs: ['refs/heads/main'], groupIds: [pilots.id] },
      })
    )
    const tokenRequests: string[] = []
    const github = createServer(async (request, response) => {
      const { searchParams } = new URL(request.url!, 'http://github')
      tokenRequests.push(`${request.headers.authorization} ${searchParams.toString()}`)
      const value = await issuer.token({ aud: serviceUrl() })
      response.end(JSON.stringify({ value }))
    })
    const url = await listen(github)
    cleanup(() => void github.close())
    const settings = {
      TARMAC_APP: appId,
      TARMAC_ORG: world.organizationId,
      TARMAC_VERSION: '1.0.0',
    }
    const run = {
      ACTIONS_ID_TOKEN_REQUEST_URL: `${url}/token?api-version=2`,
      ACTIONS_ID_TOKEN_REQUEST_TOKEN: 'of-the-run',
    }
    return { world, appId, settings, run, tokenRequests }
  }

  test('exchanges a token of GitHub, requested with the service as its audience', async ({
    assert,
    cleanup,
  }) => {
    const { world, appId, settings, run, tokenRequests } = await setUp(cleanup)
    const { code, stdout, stderr } = await line.run(['ci'], { ...settings, ...run })
    assert.equal(code, 0, stderr)
    assert.include(stdout, `${appId}:1.0.0 is`)
    const audience = encodeURIComponent(serviceUrl())
    assert.deepEqual(tokenRequests, [`bearer of-the-run api-version=2&audience=${audience}`])
    const { body } = await world.admin.get(`/v2/app/${appId}/releases/${appId}:1.0.0`)
    assert.include(body.createdBy.name, 'acme/app')
  })

  test('gets another key on GitHub when its key expires, and on GitLab stops waiting then', async ({
    assert,
    cleanup,
  }) => {
    const { settings, run, tokenRequests } = await setUp(cleanup)
    /** A proxy of the service whose keys expire after 3 s. */
    const shortLived = createServer(async (request, response) => {
      const { method, url, headers } = request
      const body = method === 'GET' ? undefined : Buffer.concat(await request.toArray())
      const sent = {
        'content-type': 'application/json',
        'x-api-key': String(headers['x-api-key'] ?? ''),
      }
      const answer = await fetch(`${serviceUrl()}${url}`, { method, headers: sent, body })
      const text = await answer.text()
      const expiresAt = new Date(Date.now() + 3000).toISOString()
      response.writeHead(answer.status, { 'content-type': answer.headers.get('content-type')! })
      response.end(
        url === '/keylessKey' ? JSON.stringify({ ...JSON.parse(text), expiresAt }) : text
      )
    })
    const wait = { ...settings, TARMAC_URL: await listen(shortLived), TARMAC_WAIT_FOR: 'released' }
    cleanup(() => void shortLived.close())
    const late = await line.run(['ci'], { ...wait, ...run, TARMAC_TIMEOUT: '1s' })
    assert.equal(late.code, 7, late.stderr)
    assert.include(late.stderr, 'after 1 seconds')
    assert.isAbove(tokenRequests.length, 1)
    const token = { TARMAC_ID_TOKEN: await issuer.token({ aud: serviceUrl() }) }
    const ended = await line.run(['ci'], { ...wait, ...token })
    assert.equal(ended.code, 7, ended.stderr)
    assert.include(ended.stderr, 'when the key of this run ended')
  })

  test('uses the token that GitLab gives, and exits with 3 if no token is trusted', async ({
    assert,
    cleanup,
  }) => {
    const { settings } = await setUp(cleanup)
    const token = async (claims: object) => ({
      TARMAC_ID_TOKEN: await issuer.token({ aud: serviceUrl(), ...claims }),
    })
    assert.equal((await line.run(['ci'], { ...settings, ...(await token({})) })).code, 0)
    const foreign = await token({ ref: 'refs/heads/other' })
    assert.equal((await line.run(['ci'], { ...settings, ...foreign })).code, 3)
    assert.equal((await line.run(['ci'], settings)).code, 3)
  })
})
