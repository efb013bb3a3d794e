import ace from '@adonisjs/core/services/ace'
import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { ProviderAuthorize } from '#integrations/commands/provider_authorize'
import { ProviderConnect } from '#integrations/commands/provider_connect'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { connect } from '#integrations/tests/support/connect'
import { plugins } from '#integrations/plugins/plugin_registry'
import { Api } from '#tests/support/api'
import { joined } from '#pages/session/tests/browser'
import { runCommand } from '#tests/support/console'
import { credentials, makeGitHub, reached } from '#tests/support/github'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { makeWorld, type World } from '#tests/support/world'

const nobody = new Api(null)
const INSTALLED = { installation_id: '4711', setup_action: 'install' }

/** Returns the fields of the form on a page, with character references decoded. */
const fieldsOf = (text: string) =>
  Object.fromEntries(
    [...text.matchAll(/name="(\w+)" value="([^"]*)"/g)].map(([, name, value]) => [
      name,
      value.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(Number(code))),
    ])
  )

/** Sets up GitHub and its plugin for one test. */
async function withGitHub() {
  reached.github = makeGitHub()
  await plugins.load({ github: () => import('@tarmac/plugin-github') })
  return async () => {
    reached.github = null
    await loadTestPlugins()
  }
}

test.group('A GitHub App that is made in a browser', (group) => {
  group.each.setup(withGitHub)

  async function beginAuthorization(world: World, ...options: string[]) {
    const org = `--org=${world.organizationId}`
    const { code, document, stderr, stdout } = await runCommand(ProviderAuthorize, [
      'github',
      org,
      ...options,
    ])
    if (code !== 0) throw new Error(stderr + stdout)
    const { pathname, search } = new URL(document.url)
    return { page: `${pathname}${search}`, org }
  }

  /** Returns the target and the fields of the form that the page posts to GitHub. */
  async function readForm(page: string) {
    const { status, text, headers } = await nobody.get(page)
    if (status !== 200) throw new Error(text)
    const [, action] = /action="([^"]+)"/.exec(text)!
    const url = new URL(action.replaceAll(/&#(\d+);/g, (_, code) => String.fromCodePoint(code)))
    return { url, headers, manifest: JSON.parse(fieldsOf(text).manifest) }
  }

  const back = (params: Record<string, string>) =>
    nobody.get(`/integrations/oauth/callback?${new URLSearchParams(params)}`)

  test('becomes a connection once it is installed, and no page shows its key', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { page, org } = await beginAuthorization(
      world,
      '--alias=Acme on GitHub',
      '--set=organization=acme'
    )
    const { url, headers, manifest } = await readForm(page)
    assert.equal(
      `${url.origin}${url.pathname}`,
      'https://github.com/organizations/acme/settings/apps/new'
    )
    assert.include(headers['content-security-policy'], 'form-action https://github.com')
    assert.containsSubset(manifest, {
      public: false,
      default_permissions: { contents: 'write', pull_requests: 'write', metadata: 'read' },
    })
    assert.isAtMost(manifest.name.length, 34)
    assert.equal(new URL(manifest.redirect_url).pathname, '/integrations/oauth/callback')
    // The page can be loaded again.
    assert.equal((await nobody.get(page)).status, 200)

    const code = reached.github!.apps.submitManifest()
    const first = await back({ state: url.searchParams.get('state')!, code })
    assert.equal(first.status, 303, first.text)
    const install = new URL(first.headers.location)
    assert.equal(
      `${install.origin}${install.pathname}`,
      'https://github.com/apps/tarmac/installations/new'
    )
    const state = install.searchParams.get('state')!
    assert.notEqual(state, url.searchParams.get('state'))
    const done = await back({ state, ...INSTALLED })
    assert.equal(done.status, 200, done.text)
    const [connection] = await db
      .from('connections')
      .where({ organization_id: world.organizationId, alias: 'Acme on GitHub' })
    assert.include(done.text, connection.id)
    assert.deepInclude(connection, { status: 'connected', account: 'acme (App, acme/app)' })
    assert.equal((await runCommand(ProviderCheck, ['Acme on GitHub', org])).code, 0)
    assert.notInclude(JSON.stringify(await db.from('oauth_starts')), 'PRIVATE KEY')
    assert.lengthOf(await db.from('oauth_starts').where('organization_id', world.organizationId), 0)
  })

  test('provider:check names what the token of the App does not permit', async ({ assert }) => {
    const world = await makeWorld()
    const { checks: _, ...fewer } = reached.github!.permissions!
    reached.github!.permissions = fewer
    const { id } = await connect(world, 'github', { credentials })
    const { code, stdout } = await runCommand(ProviderCheck, [id, `--org=${world.organizationId}`])
    assert.equal(code, 1)
    assert.include(stdout, 'Checks: read-only')
    const { missing_permissions: missing } = await db
      .from('connections')
      .where({ id })
      .firstOrFail()
    assert.deepEqual(JSON.parse(missing), ['Checks: read-only'])
  })

  test('404 for a state that is unknown, used or of another kind; nothing is connected', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const { page } = await beginAuthorization(world)
    const { url } = await readForm(page)
    assert.equal(`${url.origin}${url.pathname}`, 'https://github.com/settings/apps/new')
    const state = url.searchParams.get('state')!
    const code = reached.github!.apps.submitManifest()
    const first = await back({ state, code })
    assert.equal((await back({ state, code })).status, 404)
    assert.equal((await nobody.get(page)).status, 404)
    const next = new URL(first.headers.location).searchParams.get('state')!
    // The second state, of the installation, has no form.
    assert.equal((await nobody.get(`/integrations/oauth/begin?state=${next}`)).status, 404)
    assert.equal((await back({ state: 'nobodys', ...INSTALLED })).status, 404)
    assert.equal((await nobody.get('/integrations/oauth/begin')).status, 400)
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 0)
  })

  test('409 for a code that GitHub does not know, and for an app that an owner has to install', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const one = await readForm((await beginAuthorization(world)).page)
    const refused = await back({ state: one.url.searchParams.get('state')!, code: 'guessed' })
    assert.equal(refused.status, 409, refused.text)
    assert.equal(refused.body.code, 'authorization_refused')
    const other = await readForm((await beginAuthorization(world)).page)
    const code = reached.github!.apps.submitManifest()
    const first = await back({ state: other.url.searchParams.get('state')!, code })
    const state = new URL(first.headers.location).searchParams.get('state')!
    const wanted = await back({ state, setup_action: 'request' })
    assert.equal(wanted.status, 409)
    assert.match(wanted.body.detail, /An owner of the organization has to install/)
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 0)
  })
})

test.group('A GitHub App that is made from a page', (group) => {
  group.each.setup(withGitHub)

  test('becomes a connection once the same browser has installed it', async ({ assert }) => {
    const world = await makeWorld()
    const { browser } = await joined(world, true)
    const at = `/dashboard/org/${world.organizationId}/integration/connect/github`
    const form = await browser.get(at)
    assert.notInclude(form.text, 'name="credentials.privateKey"')
    const fields = { 'with': 'browser', 'alias': 'By page', 'settings.organization': 'acme' }
    const go = await browser.post(`${at}/authorize`, fields)
    assert.equal(go.status, 200, go.text)
    assert.include(go.headers.get('content-security-policy')!, "'self' https://github.com;")
    const action = /action="(https:[^"]+)"/.exec(go.text)![1].replaceAll('&amp;', '&')
    const state = new URL(action).searchParams.get('state')!
    /** Returns from GitHub, and follows the redirect of the callback. */
    const back = async (params: Record<string, string>) => {
      const path = `/integrations/oauth/callback?${new URLSearchParams(params)}`
      return browser.get((await browser.get(path)).location!)
    }
    const made = await back({ state, code: reached.github!.apps.submitManifest() })
    assert.include(made.text, 'One more step')
    const href = /href="(https:[^"]+installations[^"]+)"/.exec(made.text)![1]
    const next = new URL(href.replaceAll('&amp;', '&')).searchParams.get('state')!
    const led = await back({ state: next, ...INSTALLED })
    const done = await browser.get(led.location!)
    assert.include(done.text, 'Connected By page')
    assert.notInclude(done.text + made.text, 'PRIVATE KEY')
    const [row] = await db.from('connections').where('organization_id', world.organizationId)
    assert.deepInclude(row, { status: 'connected', account: 'acme (App, acme/app)' })
  })
})

class AtTerminal extends ProviderConnect {
  protected override get isInteractive(): boolean {
    return true
  }
}

test.group('provider:connect github at a terminal', (group) => {
  group.each.setup(withGitHub)
  group.each.setup(() => {
    ace.ui.switchMode('raw')
    return () => ace.ui.switchMode('normal')
  })

  const HOW = 'How do you connect GitHub?'
  const NAMES = ['host', 'organization', 'appId', 'installationId', 'privateKey', 'webhookSecret']

  async function atTerminal(world: World, ...options: string[]) {
    const argv = ['github', `--org=${world.organizationId}`, ...options]
    const command = (await ace.create(AtTerminal as never, argv)) as AtTerminal
    return {
      command,
      logged: () =>
        command.logger
          .getLogs()
          .map(({ message }) => message)
          .join('\n'),
    }
  }

  test('asks for the settings and credentials of a connection one by one', async ({ assert }) => {
    const world = await makeWorld()
    const { command, logged } = await atTerminal(world, '--alias=Asked')
    command.prompt.trap(HOW).chooseOption(1)
    for (const name of NAMES) command.prompt.trap(name).replyWith('')
    command.prompt.trap('token').replyWith('good-token-4711')
    await command.exec()
    assert.equal(command.exitCode ?? 0, 0, logged())
    assert.include(logged(), 'GitHub is connected as github:')
    const [connection] = await db
      .from('connections')
      .where({ organization_id: world.organizationId, alias: 'Asked' })
    assert.equal(connection.status, 'connected')
    assert.match(connection.account, /not known until first used/)
  })

  test('reads a key from its file, and names the command for connecting in a browser', async ({
    assert,
  }) => {
    const world = await makeWorld()
    const first = await atTerminal(world)
    first.command.prompt.trap(HOW).chooseOption(1)
    // After a missing file nothing more is asked.
    for (const name of NAMES.slice(0, 5)) {
      first.command.prompt.trap(name).replyWith(name === 'privateKey' ? '/nowhere/key.pem' : '')
    }
    await first.command.exec()
    assert.equal(first.command.exitCode, 1)
    assert.include(first.logged(), '/nowhere/key.pem cannot be read (ENOENT)')
    const { command, logged } = await atTerminal(world)
    command.prompt.trap(HOW).chooseOption(0)
    await command.exec()
    assert.include(logged(), `node ace.js provider:authorize github --org=${world.organizationId}`)
    assert.lengthOf(await db.from('connections').where('organization_id', world.organizationId), 0)
  })
})
