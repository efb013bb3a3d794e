import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { APP } from '@tarmac/plugin-slack/fake'
import { ProviderAuthorize } from '#integrations/commands/provider_authorize'
import { ProviderCallback } from '#integrations/commands/provider_callback'
import { ProviderCheck } from '#integrations/commands/provider_check'
import { plugins } from '#integrations/plugins/plugin_registry'
import { joined } from '#pages/session/tests/browser'
import { Api } from './support/api.js'
import { runCommand } from './support/console.js'
import { hasty, leaveSlack, openWorkspace, PUBLIC_URL } from './support/slack.js'
import { makeWorld } from './support/world.js'

const nobody = new Api(null)
const back = (params: Record<string, string>) =>
  nobody.get(`/integrations/oauth/callback?${new URLSearchParams(params)}`)

const CLIENT = Object.entries(APP).map(([name, value]) => `--credential=${name}=${value}`)

test.group('A Slack app that is installed in a browser', (group) => {
  group.each.setup(async () => {
    await plugins.load({ slack: hasty })
    return leaveSlack
  })

  async function setUp() {
    const workspace = openWorkspace()
    const world = await makeWorld()
    const org = `--org=${world.organizationId}`
    const authorize = (...options: string[]) =>
      runCommand(ProviderAuthorize, ['slack', org, '--alias=Acme on Slack', ...options])
    const connections = () => db.from('connections').where('organization_id', world.organizationId)
    return { ...workspace, world, org, authorize, connections }
  }

  test('is first made from a manifest, to which the console links', async ({ assert }) => {
    const { authorize } = await setUp()
    const { code, stderr, stdout } = await authorize()
    assert.notEqual(code, 0)
    const reported = `${stderr}${stdout}`
    assert.include(reported, 'Slack has no app of yours yet')
    const [, json] = /manifest_json=([^\s"\\]+)/.exec(reported)!
    const manifest = JSON.parse(decodeURIComponent(json))
    assert.deepEqual(manifest.oauth_config.redirect_urls, [
      `${PUBLIC_URL}/integrations/oauth/callback`,
    ])
  })

  test('becomes a connection once somebody agrees, and has a callback address for its buttons', async ({
    assert,
  }) => {
    const { slack, world, org, authorize, connections } = await setUp()
    const { code, document, stderr } = await authorize(...CLIENT)
    assert.equal(code, 0, stderr)
    const { origin, pathname, searchParams } = new URL(document.url)
    assert.equal(`${origin}${pathname}`, 'https://slack.com/oauth/v2/authorize')
    assert.notInclude(document.url, APP.clientSecret)
    const state = searchParams.get('state')!
    const agreed = slack.agree(searchParams.get('redirect_uri')!)
    const done = await back({ state, code: agreed })
    assert.equal(done.status, 200, done.text)
    const [connection] = await connections()
    assert.deepInclude(connection, { status: 'connected', account: 'Acme (as tarmac)' })
    assert.equal((await runCommand(ProviderCheck, ['Acme on Slack', org])).code, 0)
    const { stdout } = await runCommand(ProviderCallback, ['Acme on Slack', org])
    assert.include(stdout, `${PUBLIC_URL}/connection/${connection.id}/callback`)
    const { browser } = await joined(world, true)
    const { text } = await browser.get(
      `/dashboard/org/${world.organizationId}/integration/${connection.id}`
    )
    assert.include(text, 'Slack signs with its own secret')
    assert.notInclude(text, 'Create a secret')
    assert.equal((await back({ state, code: agreed })).status, 404)
  })

  test('becomes no connection if somebody declines, or the code is guessed', async ({ assert }) => {
    const { authorize, connections } = await setUp()
    const results: Record<string, string>[] = [{ error: 'access_denied' }, { code: 'guessed' }]
    for (const result of results) {
      const { document } = await authorize(...CLIENT)
      const state = new URL(document.url).searchParams.get('state')!
      const refused = await back({ state, ...result })
      assert.equal(refused.status, 409, refused.text)
      assert.equal(refused.body.code, 'authorization_refused')
      assert.notInclude(refused.text, APP.clientSecret)
    }
    assert.lengthOf(await connections(), 0)
  })
})
