import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { attributes, pageWorld, signedIn, textOf } from '../../tests/support.js'

async function given() {
  const { world, person } = await pageWorld()
  const path = `/dashboard/org/${world.organizationId}`
  const apps = async () => (await world.admin.get(`/org/${world.organizationId}/apps`)).body
  return { world, person, home: path, path: `${path}/app/new`, apps }
}

const offered = (page: string, kind: string) =>
  attributes(new RegExp(`<select\\s+id="${kind}"[^]*?</select>`).exec(page)?.[0] ?? '', 'value')

test.group('The page that makes an app', () => {
  test('303 makes an app without providers from a name and a platform', async ({ assert }) => {
    const { person, path, home, apps } = await given()
    assert.include((await person.get(home)).text, path)
    const made = await person.send(path, path, { name: 'Acme', platform: 'android' })
    assert.equal(made.status, 303)
    const [app] = await apps()
    assert.deepEqual([app.name, app.platform], ['Acme', 'android'])
    assert.include((await person.get(home)).text, 'New app')
  })

  test('303 makes an app with the connections that the page offers', async ({ assert }) => {
    const { world, person, home, path, apps } = await given()
    await person.send(`${home}/integration/connect`, `${home}/integration/simulators`, {
      alias: 'Rehearsal',
    })
    const { text } = await person.get(path)
    const [code] = offered(text, 'versionControl')
    const [undecided, store] = offered(text, 'appStore')
    const fields = {
      ...{ name: 'Acme', platform: 'ios' },
      ...{ versionControl: code, repoName: 'shop', workingBranch: 'trunk' },
      ...{ appStore: store, bundleId: '', ci: '' },
    }
    for (const [wrong, field] of [
      [{}, 'bundleId'],
      [{ appStore: undecided }, 'appStore'],
      [{ platform: 'toaster' }, 'platform'],
    ] as const) {
      const refused = await person.post(path, { ...fields, ...wrong })
      assert.equal(refused.status, 422)
      assert.include(refused.text, `id="${field}-error"`)
    }
    // A store for another platform is refused, and then not offered any more.
    const wrong = await person.post(path, { ...fields, platform: 'android', bundleId: 'com.acme' })
    assert.equal(wrong.status, 422)
    assert.include(textOf(wrong.text), 'for apps on iOS; this one is on Android')
    assert.include(offered(text, 'appStore'), store)
    assert.notInclude(offered(wrong.text, 'appStore'), store)
    assert.deepEqual(await apps(), [])
    const shown = await person.post(`${path}/file`, { ...fields, bundleId: 'com.acme.shop' })
    assert.equal(shown.status, 200)
    assert.include(textOf(shown.text), 'It is valid.')
    assert.include(shown.text, 'workingBranch: trunk')
    assert.deepEqual(await apps(), [])
    const made = await person.post(path, { ...fields, bundleId: 'com.acme.shop' })
    assert.equal(made.status, 303)
    const [{ id }] = await apps()
    const { body } = await world.admin.get(`/app/${id}/integrations`)
    assert.sameMembers(
      body.map(({ type }: { type: string }) => type),
      ['sim-vcs', 'sim-apple']
    )
  })

  test('422 lists the errors of a text with their lines; a valid text makes an app', async ({
    assert,
  }) => {
    const { person, home, path, apps } = await given()
    const wrong = { configuration: 'name: Acme\r\nplatform: toaster\r\n' }
    for (const action of [`${home}/app/config/check`, `${home}/app/config`]) {
      const shown = await person.send(path, action, wrong)
      assert.equal(shown.status, 422)
      assert.deepEqual(attributes(shown.text, 'data-line'), ['2'])
      assert.match(textOf(shown.text), /Nothing was created\./)
    }
    const right = { configuration: 'name: Acme\r\nplatform: ios\r\n' }
    const checked = await person.post(`${home}/app/config/check`, right)
    assert.equal(checked.status, 200)
    assert.deepEqual(await apps(), [])
    const made = await person.post(`${home}/app/config`, right)
    assert.equal(made.status, 303)
    assert.lengthOf(await apps(), 1)
  })

  test('403 for those who may not change settings, to whom nothing is offered', async ({
    assert,
  }) => {
    const { world, home, path, apps } = await given()
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const other = await signedIn(world, { admin: false })
    assert.notInclude((await other.get(home)).text, path)
    assert.notInclude((await other.get(path)).text, '<textarea')
    const refused = await other.send(path, path, { name: 'Acme', platform: 'ios' })
    assert.equal(refused.status, 403)
    assert.deepEqual(await apps(), [])
  })
})
