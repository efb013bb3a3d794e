import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { replaceIntegrations } from '#integrations/store_integrations'
import { connect } from '#integrations/tests/support/connect'
import { definePlugin } from '#plugin-kit/plugin'
import { makeApp } from '#tests/support/app_fixture'
import { loadTestPlugins } from '#tests/support/plugins/index'
import { paperPlugin } from '#tests/support/plugins/paper'
import { snapshot } from '#tests/support/snapshot'
import type { Browser } from '../../session/tests/browser.js'
import { attributes, hiddenIn, textOf } from '../../tests/support.js'
import { isSecret, office, SECRET } from './support.js'

const KEY = `-----BEGIN PRIVATE KEY-----\r\n${'canary'.repeat(30)}\r\n-----END PRIVATE KEY-----\r\n`

/** Returns a plugin whose key is a file, with groups of settings. */
function keyedPlugin() {
  const paper = paperPlugin('keyed', { chat: { type: 'teams', features: [] } })
  const text = { type: 'string', maxLength: 50 } as const
  return definePlugin({
    ...paper,
    manifest: {
      ...paper.manifest,
      name: 'Keyed',
      credentialSchema: {
        type: 'object',
        required: ['key'],
        properties: {
          key: { 'type': 'string', 'title': 'Key', 'maxLength': 20_000, 'x-secret': true },
        },
      },
      connectionSchema: {
        type: 'object',
        properties: {
          proxy: { type: 'object', title: 'Proxy', required: ['host'], properties: { host: text } },
          teams: {
            type: 'array',
            title: 'Team',
            items: { type: 'object', required: ['name'], properties: { name: text, role: text } },
          },
        },
      },
    },
    lifecycle: async () => ({
      default: { check: async () => ({ account: 'keyed', missingPermissions: [] }) },
    }),
  })
}

/** Sends a form in parts, as a browser does one with files. */
async function sendParts(browser: Browser, path: string, parts: Record<string, string | Blob>) {
  const body = new FormData()
  for (const [name, value] of Object.entries(parts)) {
    if (typeof value === 'string') body.append(name, value)
    else body.append(name, value, 'key.pem')
  }
  const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
  const url = `http://${process.env.HOST}:${process.env.PORT}${path}`
  const init = { method: 'POST', body, headers: { cookie }, redirect: 'manual' } as const
  const answer = await fetch(url, init)
  return {
    status: answer.status,
    text: await answer.text(),
    location: answer.headers.get('location'),
  }
}

test.group('Connecting a provider', (group) => {
  group.each.teardown(async () => void (await loadTestPlugins()))

  test('has a form from the schema, which keeps typed input but never shows secrets', async ({
    assert,
  }) => {
    const { world, browser, path, connections, credentials } = await office()
    const at = `${path}/connect/memory`
    const catalogue = await browser.get(`${path}/connect`)
    assert.include(attributes(catalogue.text, 'href'), at)
    const form = await browser.get(`${at}?with=none`)
    assert.isTrue(isSecret(form))
    assert.match(form.text, /type="password"\s+value=""\s+autocomplete="off"/)
    const fields = {
      ...{ 'with': 'none', 'alias': 'Team <chat>', 'settings.region': 'eu' },
      ...{ 'settings.retries': 'many', 'settings.teams': 'ios\r\n android \r\n' },
      'credentials.token': SECRET,
    }
    const before = await snapshot([world.organizationId])
    const refused = await browser.post(at, fields)
    assert.equal(refused.status, 422)
    assert.isTrue(isSecret(refused))
    assert.include(attributes(refused.text, 'href'), '#settings.retries')
    assert.include(textOf(refused.text), 'retries has to be a whole number')
    for (const kept of ['value="Team &lt;chat&gt;"', 'value="many"', 'value="eu"\n']) {
      assert.include(refused.text.replace(/\s+checked/, '\n'), kept)
    }
    assert.include(textOf(refused.text), 'It is not shown again: enter it once more.')
    const denied = await browser.post(at, {
      ...fields,
      ...{ 'settings.retries': '3', 'credentials.token': 'bad-token-4711' },
    })
    assert.equal(denied.status, 409)
    assert.include(textOf(denied.text), 'The token is not known')
    assert.deepEqual(await snapshot([world.organizationId]), before)

    const key = hiddenIn(denied.text, '_key')
    const sent = { ...fields, 'settings.retries': '3', '_key': key }
    const made = await browser.post(at, sent)
    assert.equal(made.status, 303)
    // Sending it twice makes one connection.
    assert.equal((await browser.post(at, sent)).location, made.location)
    const [row] = await connections()
    assert.deepEqual(JSON.parse(row.settings), {
      ...{ region: 'eu', retries: 3, teams: ['ios', 'android'] },
    })
    assert.deepEqual(await credentials(row.id), { token: SECRET })
    const shown = [made.location!, path, `${made.location}/rotate`, `${made.location}/disconnect`]
    for (const each of shown) {
      const page = await browser.get(each)
      assert.equal(page.status, 200)
      assert.notInclude(page.text, '4711', each)
      assert.notInclude(page.text, '<chat>', each)
    }
    for (const text of [refused.text, denied.text]) assert.notInclude(text, '4711')
  })

  test('accepts a key as a file or as text, and groups of settings', async ({ assert }) => {
    await loadTestPlugins({ keyed: async () => ({ default: keyedPlugin() }) })
    const { browser, path, connections, credentials } = await office()
    const at = `${path}/connect/keyed`
    const form = await browser.get(at)
    assert.include(form.text, 'enctype="multipart/form-data"')
    assert.include(form.text, 'name="settings.teams.2.name"')
    const token = browser.token!
    const before = { '_csrf': token, 'alias': 'By file', 'credentials.key': '' }
    const file = new Blob([KEY])
    for (const [parts, status] of [
      [{ ...before, _csrf: 'x' }, 403],
      [before, 422],
      [{ ...before, big: new Blob(['x'.repeat(1_100_000)]) }, 413],
    ] as const) {
      assert.equal((await sendParts(browser, at, parts)).status, status)
    }
    const body = new FormData()
    for (const [name, value] of Object.entries(before)) body.append(name, value)
    const settings = {
      'settings.proxy.host': 'proxy',
      'settings.teams.0.name': 'ios',
      'settings.teams.2.name': 'web',
    }
    for (const [name, value] of Object.entries(settings)) body.append(name, value)
    body.append('credentials.key', file, 'AuthKey.p8')
    const cookie = [...browser.cookies].map((each) => each.join('=')).join('; ')
    const url = `http://${process.env.HOST}:${process.env.PORT}${at}`
    const made = await fetch(url, { method: 'POST', body, headers: { cookie }, redirect: 'manual' })
    assert.equal(made.status, 303, await made.text())
    const [row] = await connections()
    assert.deepEqual(await credentials(row.id), { key: KEY.replaceAll('\r\n', '\n') })
    assert.deepEqual(JSON.parse(row.settings), {
      proxy: { host: 'proxy' },
      teams: [{ name: 'ios' }, { name: 'web' }],
    })
    await browser.get(at)
    const text = await browser.post(at, { 'alias': 'By text', 'credentials.key': KEY })
    assert.equal(text.status, 303)
    assert.notInclude((await browser.get(text.location!)).text, 'canary')
    // Another empty group appears once one is filled in.
    const refused = await browser.post(at, { 'settings.teams.0.role': 'all' })
    assert.include(refused.text, 'name="settings.teams.3.name"')
    assert.include(attributes(refused.text, 'href'), '#settings.teams.0.name')
  })

  test('404 for an unknown plugin, and for a connection of another organization', async ({
    assert,
  }) => {
    const [own, other] = [await office(), await office()]
    const { id } = await connect(other.world, 'memory', { alias: 'Zebra' })
    for (const path of [
      `${own.path}/connect/nothing`,
      `${own.path}/${id}`,
      `${own.path}/${id}/rotate`,
      `${other.path}/${id}`,
    ]) {
      const { status, text } = await own.browser.get(path)
      assert.equal(status, 404, path)
      assert.notInclude(text, 'Zebra')
    }
    await own.browser.get(own.path)
    const posted = await own.browser.post(`${own.path}/connect/nothing`)
    assert.equal(posted.status, 404)
  })

  test('connects the simulated providers by one button', async ({ assert }) => {
    const { browser, path } = await office()
    await browser.get(`${path}/connect`)
    const made = await browser.post(`${path}/simulators`, { alias: 'Rehearsal' })
    assert.deepEqual([made.status, made.location], [303, path])
    const { text } = await browser.get(path)
    assert.include(textOf(text), 'Connected 3 simulated providers.')
    assert.equal([...text.matchAll(/Rehearsal/g)].length, 3)
    const again = await browser.post(`${path}/simulators`, { alias: 'Rehearsal' })
    assert.equal(again.status, 409)
  })
})

test.group('A connection', () => {
  test('shows its state and its uses, and is checked, rotated and ended', async ({ assert }) => {
    const { world, browser, path, credentials, connections } = await office()
    const { id } = await connect(world, 'memory', {
      ...{ alias: 'Chat', credentials: { token: 'read-4711', account: 'ada' } },
    })
    const appId = await makeApp(world)
    const talk = { key: 'talk', type: 'slack', kind: 'chat', provider: id, data: {} } as const
    await world.write((scope) => replaceIntegrations(scope, appId, [talk]))
    const at = `${path}/${encodeURIComponent(id)}`
    const list = await browser.get(path)
    assert.include(textOf(list.text), 'Not checked')
    assert.include(textOf(list.text), `Used by App ${appId} iOS`)

    await browser.get(at)
    assert.equal((await browser.post(`${at}/check`)).status, 303)
    const checked = await browser.get(at)
    assert.include(textOf(checked.text), 'Checked. The result is below.')
    assert.include(textOf(checked.text), 'Permissions are missing Missing: write.')
    assert.include(attributes(checked.text, 'href'), `/dashboard/app/${appId}`)
    assert.include(checked.text, 'provider: &quot;Chat&quot;')

    const rotate = await browser.get(`${at}/rotate?with=none`)
    assert.include(textOf(rotate.text), 'Kept. Leave empty to keep it.')
    const refused = await browser.post(`${at}/rotate`, {
      'with': 'none',
      'credentials.token': 'bad',
      'credentials.account': 'eve',
      'forget': 'credentials.account',
    })
    assert.equal(refused.status, 422)
    assert.include(attributes(refused.text, 'href'), '#credentials.token')
    // A typed secret is not shown again, so sending the form again must not forget the stored one.
    assert.notMatch(refused.text, /value="credentials.account"\s+checked/)
    const fields = { 'with': 'none', 'credentials.token': SECRET }
    assert.equal((await browser.post(`${at}/rotate`, fields)).location, at)
    assert.deepEqual(await credentials(id), { token: SECRET, account: 'ada' })
    assert.include(textOf((await browser.get(at)).text), 'Rotated Chat.')
    // A needed value cannot be forgotten, and an entered value replaces the old one.
    const places = attributes(rotate.text, 'value').filter((each) =>
      each.startsWith('credentials.')
    )
    assert.deepEqual(places, ['credentials.account'])
    const forget = { with: 'none', forget: ['credentials.account', 'credentials.token'] }
    assert.equal((await browser.post(`${at}/rotate`, forget)).status, 422)
    const entered = { ...forget, 'credentials.token': `${SECRET}-2` }
    assert.equal((await browser.post(`${at}/rotate`, entered)).status, 303)
    assert.deepEqual(await credentials(id), { token: `${SECRET}-2` })

    assert.include(attributes((await browser.get(at)).text, 'href'), `${at}/channel`)
    const channels = await browser.get(`${at}/channel?search=rel`)
    assert.include(channels.text, 'value="C1"')
    assert.notInclude(channels.text, 'general')

    const question = await browser.get(`${at}/disconnect`)
    assert.include(textOf(question.text), `App ${appId} iOS uses it.`)
    assert.include(question.text, `name="apps" value="${appId}"`)
    const unforced = await browser.post(`${at}/disconnect`)
    assert.equal(unforced.status, 409)
    // An app that came after the page was shown is reported first.
    const later = await makeApp(world)
    await world.write((scope) => replaceIntegrations(scope, later, [talk]))
    const unseen = await browser.post(`${at}/disconnect`, { apps: appId })
    assert.equal(unseen.status, 409)
    assert.include(textOf(unseen.text), `App ${later} iOS`)
    const apps = hiddenIn(unseen.text, 'apps')
    // Only a connection with credentials has a key to revoke.
    const { id: bare } = await connect(world, 'generic-ci')
    const without = await browser.get(`${path}/${encodeURIComponent(bare)}/disconnect`)
    assert.include(textOf(question.text), 'the key is still there: revoke it there, too.')
    assert.notInclude(textOf(without.text), 'revoke')
    const ended = await browser.post(`${at}/disconnect`, { apps })
    assert.deepEqual([ended.status, ended.location], [303, path])
    const gone = await browser.get(at)
    assert.include(textOf(gone.text), 'Disconnected Chat no longer has credentials')
    assert.include(textOf(gone.text), 'Connect again')
    assert.lengthOf(await connections(), 2)
  })

  test('is for those who may change integrations; others see neither the page nor a link', async ({
    assert,
  }) => {
    const { world, browser, path, org } = await office(false)
    const places = async () => (await browser.get(`${org}/group`)).text
    assert.include(await places(), `href="${path}"`)
    const roles = { role_based_access_enabled: true }
    await db.from('organizations').where('id', world.organizationId).update(roles)
    const { status, text } = await browser.get(path)
    assert.equal(status, 403)
    assert.match(textOf(text), /needs the user action AddRemoveEditIntegration/)
    assert.notInclude(await places(), `href="${path}"`)
    assert.equal((await browser.get(`${path}/authorized?state=x`)).status, 403)
  })
})
