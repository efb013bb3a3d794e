import { createServer } from 'node:http'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeTrustRule } from '#organizations/keyless/trust_rules'
import { gitlabClaims, Issuer } from '../app/organizations/keyless/tests/issuer.js'
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

  async function appWithPilots() {
    const world = await makeWorld()
    const pilots = await db
      .from('groups')
      .where({ organization_id: world.organizationId, name: 'Release Pilots' })
      .firstOrFail()
    return { world, appId: await makeApp(world), pilots }
  }

  /** Makes an app whose runs on main get a key, and the environment that GitHub gives such a run. */
  async function setUp(cleanup: (end: () => void) => void) {
    const { world, appId, pilots } = await appWithPilots()
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

  /** Lets runs of a GitLab project on main in the environment `stores` draft releases of an app. */
  async function setUpGitlab() {
    const { world, appId, pilots } = await appWithPilots()
    await world.write((scope) =>
      makeTrustRule(scope, {
        ...{ appId, provider: 'gitlab', issuer: issuer.url, repository: 'acme/apps/ios' },
        ...{ repositoryId: '22', audience: serviceUrl(), workflow: '.gitlab-ci.yml' },
        ...{ refs: ['refs/heads/main'], environment: 'stores', groupIds: [pilots.id] },
      })
    )
    const settings = {
      TARMAC_APP: appId,
      TARMAC_ORG: world.organizationId,
      TARMAC_VERSION: '1.0.0',
    }
    const token = (claims: object = {}) =>
      issuer.token({ ...gitlabClaims(issuer.url), aud: serviceUrl(), ...claims })
    const ci = (given?: string) =>
      line.run(['ci'], { ...settings, ...(given && { TARMAC_ID_TOKEN: given }), GITLAB_CI: 'true' })
    return { world, appId, token, ci }
  }

  test('exchanges the token that GitLab gives a job, once', async ({ assert }) => {
    const { world, appId, token, ci } = await setUpGitlab()
    const first = await token()
    const { code, stdout, stderr } = await ci(first)
    assert.equal(code, 0, stderr)
    assert.include(stdout, `${appId}:1.0.0 is`)
    const { body } = await world.admin.get(`/v2/app/${appId}/releases/${appId}:1.0.0`)
    assert.include(body.createdBy.name, 'acme/apps/ios')
    const [exchanged] = await db
      .from('audit_entries')
      .where({ action: 'key.exchanged', organization_id: world.organizationId })
    assert.containsSubset(JSON.parse(exchanged.data), {
      runUrl: `${issuer.url}/acme/apps/ios/-/pipelines/574`,
    })
    const again = await ci(first)
    assert.equal(again.code, 3)
    assert.include(again.stderr, 'used before')
    const without = await ci()
    assert.equal(without.code, 3)
    assert.include(without.stderr, 'id_tokens')
  })

  test('exits with 3 for a token of GitLab that no rule trusts', async ({ assert }) => {
    const { token, ci } = await setUpGitlab()
    const { ci_config_ref_uri: file } = gitlabClaims(issuer.url)
    for (const foreign of [
      { project_path: 'acme/apps/ios-fork' },
      { project_id: '23' },
      { ref_path: 'refs/heads/other' },
      { ci_config_ref_uri: file.replace('refs/heads/main', 'refs/heads/x') },
      { ci_config_ref_uri: file.replace('.gitlab-ci', 'other') },
      { ci_config_ref_uri: file.replace(/^[^/]+/, 'gitlab.com') },
      { pipeline_source: 'merge_request_event' },
      { environment: 'staging' },
      { environment: undefined },
      { aud: 'https://other.example' },
      { exp: Math.floor(Date.now() / 1000) - 300 },
    ]) {
      const { code, stderr } = await ci(await token(foreign))
      assert.equal(code, 3, JSON.stringify(foreign) + stderr)
    }
  })
})
