import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { makeApp } from '#tests/support/app_fixture'
import { attributes, hiddenIn, pageWorld, signedIn, textOf } from '../../tests/support.js'

/*
 * Trust rules on pages: which CI runs get keys.
 */

async function given() {
  const { world, person } = await pageWorld()
  const appId = await makeApp(world)
  const { body: groups } = await world.admin.get(`/org/${world.organizationId}/group`)
  const all = `/dashboard/org/${world.organizationId}/trustRule`
  const fields = {
    ...{ appId, provider: 'github', issuer: 'https://token.actions.githubusercontent.com' },
    ...{ audience: 'https://tarmac.acme.example', repository: 'acme/ios', repositoryId: '' },
    ...{ workflow: '.github/workflows/release.yml', environment: '', groupIds: groups[0].id },
    refs: 'refs/heads/main\nrefs/heads/release/*',
  }
  return { world, person, all, fields, groups, appId }
}

test.group('Trust rules on pages', () => {
  test('303 to the list after a rule is made, changed or deleted', async ({ assert }) => {
    const { world, person, all, fields, groups } = await given()
    assert.include(textOf((await person.get(all)).text), 'No workflow is trusted yet.')
    const form = await person.get(`${all}/new`)
    assert.equal(form.headers.get('cache-control'), 'no-store')
    const { name, userActions } = groups[0]
    const folded = `${userActions.length} actions of ${name} ${userActions.join(' ')}`
    assert.include(textOf(form.text), folded)
    const origin = `http://${process.env.HOST}:${process.env.PORT}`
    assert.include(attributes(form.text, 'value'), origin)
    const key = hiddenIn(form.text, '_key')
    for (let sent = 0; sent < 2; sent++) {
      const made = await person.post(all, { ...fields, _key: key })
      assert.deepEqual([made.status, made.location], [303, all])
    }
    const { body: rules } = await world.admin.get(`/org/${world.organizationId}/trustRule`)
    assert.lengthOf(rules, 1)
    const { text } = await person.get(all)
    assert.include(textOf(text), 'Created the rule for acme/ios.')
    assert.include(textOf(text), `acme/ios GitHub Actions, ${fields.workflow}`)
    assert.include(
      textOf(text),
      `${groups[0].name} refs/heads/main, refs/heads/release/* never used`
    )
    const use = (at: string) => db.from('trust_rules').update({ last_used_at: at })
    const [path, ...others] = attributes(text, 'href').filter((href) => /trust_\w+$/.test(href))
    assert.isEmpty(others)

    const shown = await person.get(path)
    // A run that gets a key meanwhile changes nothing of the rule.
    await use('2026-11-19T13:17:00.000Z')
    assert.include(shown.text, 'refs/heads/main\nrefs/heads/release/*</textarea>')
    const change = { ...fields, environment: 'stores', _tag: hiddenIn(shown.text, '_tag') }
    assert.equal((await person.post(path, change)).location, all)
    assert.include(textOf((await person.get(all)).text), 'environment stores')
    const late = await person.post(path, { ...change, environment: 'other' })
    assert.equal(late.status, 412)
    assert.include(attributes(late.text, 'value'), 'other')

    const asked = await person.get(`${path}/delete`)
    await use('2026-11-19T13:18:00.000Z')
    assert.include(textOf(asked.text), 'Keys that they have end at once.')
    await person.post(`${path}/delete`, { _tag: hiddenIn(asked.text, '_tag') })
    assert.include(textOf((await person.get(all)).text), 'Deleted the rule.')
    assert.equal((await person.get(path)).status, 404)
  })

  test('422 shows an error beside each invalid field', async ({ assert }) => {
    const { person, all, fields } = await given()
    const refused = await person.send(`${all}/new`, all, {
      ...fields,
      ...{ appId: 'nothing', issuer: 'http://10.0.0.1', audience: '', repository: 'acme' },
      ...{ repositoryId: 'x', workflow: '/etc', refs: 'main\nrefs/pull/*', groupIds: 'grp_x' },
    })
    assert.equal(refused.status, 422)
    const wrong = ['appId', 'issuer', 'audience', 'repository', 'repositoryId', 'workflow', 'refs']
    for (const id of [...wrong, 'groupIds']) assert.include(refused.text, `id="${id}-error"`, id)
    assert.include(refused.text, 'main\nrefs/pull/*</textarea>')
    for (const issuer of ['https://git.example/?x', 'https://u@git.example', 'ftp://git.example']) {
      const { status, text } = await person.post(all, { ...fields, issuer })
      assert.equal(status, 422, issuer)
      assert.include(text, 'id="issuer-error"', issuer)
    }
    assert.include(textOf((await person.get(all)).text), 'No workflow is trusted yet.')
  })

  test('are for admins alone', async ({ assert }) => {
    const { world, all, fields } = await given()
    const other = await signedIn(world, { admin: false })
    for (const each of [all, `${all}/new`]) assert.equal((await other.get(each)).status, 403)
    assert.equal((await other.send('/dashboard/me', all, fields)).status, 403)
  })
})
