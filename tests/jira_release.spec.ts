import app from '@adonisjs/core/services/app'
import config from '@adonisjs/core/services/config'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import type { TestContext } from '@japa/runner/core'
import type { JiraFake } from '@tarmac/plugin-jira/fake'
import { makeFeatures } from '#features/tests/support'
import { clock } from '#foundation/core/services'
import { ProviderAuthorize } from '#integrations/commands/provider_authorize'
import { ProviderCallback } from '#integrations/commands/provider_callback'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { ProviderFind } from '#integrations/commands/provider_find'
import { plugins } from '#integrations/plugins/plugin_registry'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { workAway } from '#releases/tests/helpers/code_world'
import { Api } from '#tests/support/api'
import { runCommand } from '#tests/support/console'
import { credentials, makeJira, reached, settings } from '#tests/support/jira'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'

const nobody = new Api(null)

const issue = (number: number, change: { status?: string; versions?: string[] } = {}) => ({
  ...{ key: `SHOP-${number}`, project: 'SHOP', title: `Issue ${number}`, labels: [] },
  ...{ status: 'Done with it', versions: [], ...change },
})

/** Makes a site with the project `SHOP`. */
function makeSite(tickets = [issue(1, { versions: ['1.2.0'] }), issue(2), issue(3)]) {
  const jira = makeJira()
  jira.seed({
    issueTracking: {
      statuses: [
        { name: 'In work', done: false },
        { name: 'Done with it', done: true },
      ],
      tickets,
      versions: [],
    },
  })
  reached.jira = jira
  return jira
}

/** Makes an app with a repository of git whose tickets are in Jira, and a release 1.2.0. */
async function makeShop(cleanup: TestContext['cleanup']) {
  const jira = makeSite()
  const given = await makeFeatures(cleanup, {
    affiliations: [
      { type: 'fixVersion', pattern: '{version}' },
      { type: 'label', pattern: 'release-{version}' },
    ],
  })
  const { world, repository, admin, app: appId, release } = given
  const code = {
    ...{ key: 'code', type: 'git-vcs', kind: 'versionControl' as const },
    ...{ provider: given.provider, data: { repoName: 'app.git' } },
  }
  await plugins.load({
    git: () => import('#integrations/providers/git/plugin'),
    jira: () => import('@tarmac/plugin-jira'),
  })
  const { id: provider } = await connect(world, 'jira', { credentials, settings })
  const tickets = {
    ...{ key: 'tickets', type: 'jira', kind: 'issueTracking' as const, provider },
    data: { projects: ['SHOP'] },
  }
  await world.write((scope) => replaceIntegrations(scope, appId, [code, tickets]))
  repository.git('tag', 'v1.1.0', repository.commit({ message: 'First' }))
  repository.commit({ message: 'SHOP-1 Pay' })
  repository.commit({ message: 'shop-2: log in' })
  await release('1.2.0')
  const automate = () =>
    admin.put(`/app/${appId}/automations`, { type: 'addLabelsAndFixVersions', enabled: true })
  return { ...given, jira, provider, automate }
}

const stateOf = () => reached.jira!.state().issueTracking!
const ticketOf = (key: string) => stateOf().tickets.find((each) => each.key === key)

test.group('A release whose tickets are in Jira', (group) => {
  group.each.teardown(async () => {
    reached.jira = null
    await loadTestPlugins()
  })

  test('finds its issues by fix version and in commits, marks them, and releases the version', async ({
    assert,
    cleanup,
  }) => {
    const { automate, look, items, kickOff, admin, path, timeline } = await makeShop(cleanup)
    await look()
    assert.deepEqual(await items('1.2.0'), {
      'SHOP-1': 'merged ready',
      'SHOP-2': 'merged missingAffiliation',
    })
    assert.equal((await automate()).status, 200)
    await kickOff('1.2.0')
    await look()
    await look()
    assert.deepEqual(ticketOf('SHOP-2'), {
      ...issue(2, { versions: ['1.2.0'] }),
      labels: ['release-1.2.0'],
    })
    assert.deepEqual(ticketOf('SHOP-3'), issue(3))
    assert.deepEqual(await items('1.2.0'), {
      'SHOP-1': 'inRelease ready',
      'SHOP-2': 'inRelease ready',
    })
    assert.equal((await admin.put(`${path('1.2.0')}/complete`)).status, 200)
    await workAway()
    const reported = (await timeline('1.2.0')).filter(({ type }: { type: string }) =>
      type.startsWith('issueTracking.')
    )
    assert.lengthOf(reported, 1)
    assert.equal(reported[0].title, '1.2.0 is released in SHOP')
    const sent = reached.jira!.requests().filter(({ method }) => method === 'PUT')
    const [{ released, releaseDate }] = sent
      .filter(({ url }) => url.includes('/version/'))
      .map(({ body }) => JSON.parse(body))
    assert.deepEqual([released, releaseDate], [true, reported[0].data.at.slice(0, 10)])
  })

  test('keeps its issues while {what}, and says who can help')
    .with([
      {
        what: 'the key is revoked',
        change: (jira: JiraFake) => void (jira.accounts.areRevoked = true),
        reported: ['they were revoked, or have expired', 'rotates the connection'],
      },
      {
        what: 'the project is hidden',
        change: (jira: JiraFake) => void jira.projects.hidden.add('SHOP'),
        reported: ['its key has changed, or it was deleted or hidden', 'Browse Projects'],
      },
    ])
    .run(async ({ assert, cleanup }, { change, reported }) => {
      const { jira, look, items, provider, admin, app: appId } = await makeShop(cleanup)
      await look()
      const before = await items('1.2.0')
      change(jira)
      await look()
      assert.deepEqual(await items('1.2.0'), before)
      await (await app.container.make('integrations.answers')).flush()
      const { text } = await admin.get(`/app/${appId}/integrations`)
      for (const each of [provider, ...reported]) assert.include(text, each)
    })

  test('names the field that an administrator made required, and leaves the issue unchanged', async ({
    assert,
    cleanup,
  }) => {
    const { jira, automate, look, kickOff, timeline } = await makeShop(cleanup)
    await look()
    jira.projects.required.set('customfield_10042', 'Team')
    await automate()
    await kickOff('1.2.0')
    await look()
    const failed = (await timeline('1.2.0')).filter(
      ({ type }: { type: string }) => type === 'automation.failed'
    )
    assert.lengthOf(failed, 1)
    assert.include(failed[0].title, 'for SHOP-2: ')
    assert.include(failed[0].title, 'customfield_10042 is required')
    assert.deepEqual(ticketOf('SHOP-2'), issue(2))
    await look()
    const edits = jira
      .requests()
      .filter(({ method, url }) => method === 'PUT' && /SHOP-2/.test(url))
    assert.lengthOf(edits, 1)
  })

  test('finds its issues under the new key when their project gets one', async ({
    assert,
    cleanup,
  }) => {
    const { jira, look, items, repository } = await makeShop(cleanup)
    await look()
    repository.commit({ message: 'STORE-1 and SHOP-1: refund' })
    jira.projects.rename('SHOP', 'STORE')
    await look()
    // Cached data of other tickets is valid for a while, and is found by the old key.
    assert.deepEqual(await items('1.2.0'), {
      'STORE-1': 'merged ready',
      'SHOP-2': 'merged missingAffiliation',
    })
    await db.from('tracker_tickets').update({ seen_at: '2000-01-01T00:00:00.000Z' })
    await look()
    assert.deepEqual(await items('1.2.0'), {
      'STORE-1': 'merged ready',
      'STORE-2': 'merged missingAffiliation',
    })
  })

  test('says that a fix version is archived, and who can unarchive it', async ({
    assert,
    cleanup,
  }) => {
    const { jira, automate, look, kickOff, timeline } = await makeShop(cleanup)
    await look()
    jira.projects.changeVersion('SHOP', '1.2.0', { archived: true })
    await automate()
    await kickOff('1.2.0')
    await look()
    const failed = (await timeline('1.2.0')).find(
      ({ type }: { type: string }) => type === 'automation.failed'
    )
    assert.include(failed.title, 'The version "1.2.0" of SHOP is archived')
    assert.include(failed.title, 'Somebody with "Administer Projects" unarchives it')
    assert.deepEqual(ticketOf('SHOP-2'), issue(2))
  })
})

test.group('A connection with Jira', (group) => {
  group.each.setup(async () => {
    makeSite()
    await plugins.load({ jira: () => import('@tarmac/plugin-jira') })
    const before = config.get('app.publicUrl')
    config.set('app.publicUrl', 'https://tarmac.acme.example')
    return async () => {
      config.set('app.publicUrl', before)
      reached.jira = null
      await loadTestPlugins()
    }
  })

  const orgOf = ({ organizationId }: World) => `--org=${organizationId}`

  test('is made with an API token, and names the permissions that it lacks', async ({ assert }) => {
    const world = await makeWorld()
    const connectAs = (email: string, token: string, ...more: string[]) =>
      runCommand(ProviderConnect, [
        ...['jira', orgOf(world), '--set=site=acme'],
        ...[`--credential=username=${email}`, `--credential=password=${token}`, ...more],
      ])
    const reader = await connectAs('reader@acme.example', 'read-only-api-token')
    assert.deepEqual(reader.document.missingPermissions, [
      'Edit Issues',
      'Resolve Issues',
      'Administer Projects',
    ])
    const refused = await connectAs('bot@acme.example', 'guessed-api-token')
    assert.notEqual(refused.code, 0)
    assert.include(refused.stderr, 'Jira does not accept the credentials')
    const good = await connectAs(credentials.username, credentials.password, '--alias=Acme Jira')
    assert.equal(good.code, 0, good.stderr)
    assert.notProperty(good.document, 'missingPermissions')
    const found = await runCommand(ProviderFind, ['Acme Jira', 'statuses', 'SHOP', orgOf(world)])
    assert.deepEqual(found.document.found, [
      { id: 'In work', label: 'open' },
      { id: 'Done with it', label: 'done' },
    ])
  })

  test('is made in a browser, and needs a person when its tokens are revoked', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { document, code, stderr } = await runCommand(ProviderAuthorize, [
      ...['jira', orgOf(world), '--set=site=acme', '--alias=Acme Jira'],
      ...['--credential=clientId=good-client-4711', '--credential=clientSecret=the-secret'],
    ])
    assert.equal(code, 0, stderr)
    const url = new URL(document.url)
    assert.equal(`${url.origin}${url.pathname}`, 'https://auth.atlassian.com/authorize')
    const requested = Object.fromEntries(url.searchParams)
    assert.containsSubset(requested, { audience: 'api.atlassian.com', prompt: 'consent' })
    assert.include(requested.scope, 'manage:jira-project')
    assert.include(requested.scope, 'offline_access')
    const result = {
      state: requested.state,
      code: reached.jira!.accounts.agree('good-client-4711'),
    }
    const back = await nobody.get(`/integrations/oauth/callback?${new URLSearchParams(result)}`)
    assert.equal(back.status, 200, back.text)
    const check = () => runCommand(ProviderCheck, ['Acme Jira', orgOf(world)])
    assert.equal((await check()).document.account, 'Release Bot (acme.atlassian.net)')
    // Revoked tokens need a person.
    reached.jira!.accounts.areRevoked = true
    await db.from('connection_tokens').delete()
    assert.notEqual((await check()).code, 0)
    const [{ status }] = await db
      .from('connections')
      .where({ organization_id: world.organizationId, alias: 'Acme Jira' })
    assert.equal(status, 'needs_reauth')
  })

  test('has a callback address and a secret to paste, and accepts only what is signed with it', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { id: provider } = await connect(world, 'jira', { credentials, settings })
    const { document } = await runCommand(ProviderCallback, [provider, orgOf(world), '--issue'])
    assert.equal(document.url, `https://tarmac.acme.example/connection/${provider}/callback`)
    const post = (secret: string, change: (body: string) => string = (body) => body) => {
      const at = clock.milliseconds()
      const { headers, rawBody } = reached.jira!.deliverWebhook('jira:issue_updated', {
        secret,
        at,
      })
      const raw = Buffer.from(change(Buffer.from(rawBody).toString()))
      return nobody.send('POST', `/connection/${provider}/callback`, { raw, headers })
    }
    assert.equal((await post(document.secret)).status, 202)
    assert.equal((await post('whsec_guessed-by-somebody')).status, 404)
    assert.equal((await post(document.secret, (body) => `${body} `)).status, 404)
    await (await app.container.make('jobs.worker')).turn()
    const shown = await runCommand(ProviderCallback, [provider, orgOf(world)])
    assert.isNotNull(shown.document.receivedAt)
    assert.notProperty(shown.document, 'secret')
  })
})
