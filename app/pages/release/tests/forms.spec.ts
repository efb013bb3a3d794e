import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { rollingOut } from '#rollouts/tests/support'
import { tidy } from '#stores/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import { attributes, pageWorld, signedIn, textOf } from '../../tests/support.js'

/*
 * Forms of a release act on what the reader saw: they do not overwrite what others have changed since.
 */

const tagIn = (html: string, after = '') =>
  attributes(
    /<input[^>]*name="_tag"[^>]*>/.exec(html.slice(html.indexOf(after)))?.[0] ?? '',
    'value'
  )[0]

test.group('A form of a release', (group) => {
  group.each.teardown(tidy)

  test('412 for an item that somebody else has changed: it says who, and keeps what was typed', async ({
    assert,
  }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    for (const title of ['Log in', 'Check out']) {
      await world.admin.post(`/app/${appId}/regressionItem`, { title })
    }
    const path = `/app/${appId}/release/${appId}:1.4.0`
    await world.admin.put(`${path}/kickoff`)
    const { body: steps } = await world.admin.get(`${path}/steps`)
    const { id } = steps.find(({ type }: { type: string }) => type === 'regressionTesting')
    const step = `/dashboard${path}/step/${id}`
    const { text } = await person.get(step)
    const [action, other] = [
      ...new Set(attributes(text, 'action').filter((each) => each.includes('checklistItem'))),
    ]
    const tag = tagIn(text, action)
    // Another item of the step does not matter.
    assert.equal(
      (await person.post(other, { status: 'passed', _tag: tagIn(text, other) })).status,
      303
    )
    const grace = await signedIn(world)
    await db.from('users').where('id', grace.userId).update({ name: 'Grace' })
    await grace.send(step, action, { status: 'passed' })
    // An invalid form is shown again with its old tag.
    const long = 'a'.repeat(6000)
    const wrong = await person.post(action, { status: 'failed', comment: long, _tag: tag })
    assert.deepEqual([wrong.status, tagIn(wrong.text, action)], [422, tag])
    const links = attributes(wrong.text, 'href').filter((href) => href.startsWith('#'))
    // The field with that name belongs to another form.
    assert.notInclude(links, '#comment')
    const late = await person.post(action, { status: 'failed', comment: 'It crashed', _tag: tag })
    assert.equal(late.status, 412)
    const reported = /Grace changed this today \d\d:\d\d\. Your text is kept below\./
    assert.match(textOf(late.text), reported)
    assert.include(late.text, 'It crashed</textarea>')
    // With the new tag it is accepted.
    const again = { status: 'failed', comment: 'It crashed', _tag: tagIn(late.text, action) }
    assert.equal((await person.post(action, again)).status, 303)

    // For an unknown step, nothing is written.
    const before = (await world.events()).length
    const nowhere = action.replace(encodeURIComponent(id), 'nothing').replace(id, 'nothing')
    const lost = await person.post(nowhere, { status: 'passed' })
    assert.deepEqual([lost.status, lost.headers.get('cache-control')], [404, 'no-store'])
    assert.equal((await world.events()).length, before)
  })

  test('carries the entity tag that its organization requires; a stop and a pause need none', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { world, work, step, admin, path } = given
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ require_if_match: true })
    const person = await signedIn(world)
    const base = `/dashboard${path}`
    const { stepRunId } = await step('rollout')
    const { text } = await person.get(base)
    const form = text.slice(0, text.indexOf('value="set"')).split('<form').at(-1)!
    const [inStore] = attributes(form, 'action')
    assert.include(inStore, stepRunId)
    const seen = tagIn(form)
    // Somebody else sets it meanwhile.
    const set = await admin.put(
      `${path}/stepRun/${stepRunId}/rollout`,
      { action: 'set', percentage: 25 },
      { headers: { 'if-match': '*' } }
    )
    assert.equal(set.status, 200, set.text)
    await work()
    const late = await person.post(inStore, { action: 'set', percentage: '12,5', _tag: seen })
    assert.equal(late.status, 412)
    assert.match(textOf(late.text), /changed this .*Your text is kept below\./)
    assert.include(attributes(late.text, 'value'), '12,5')
    assert.include(textOf(late.text), '25 %')
    // The state seen before does not matter for a stop.
    const paused = await person.post(`${base}/rollout`, { action: 'pause' })
    assert.equal(paused.status, 303)
    // Google Play can only halt, which the page calls a pause here.
    assert.match(textOf((await person.get(base)).text), /The rollout is being paused\./)
    await work()
    const still = await person.get(base)
    assert.match(textOf(still.text), /The rollout is paused at 25 %\./)
    // The red button is still offered: it also pauses automations and opens an issue.
    assert.match(attributes(still.text, 'action').join(' '), /\/redButton\b/)
    assert.equal((await person.post(`${base}/redButton`)).status, 303)
  })

  test('approves a late fix only as the reader saw it', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const { admin } = world
    const appId = await makeApp(world, { settings: { requireFixApprovals: true } })
    await admin.put(`/app/${appId}/fixRequestFormFieldsSettings`, { requiredApprovals: 2 })
    await admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    const path = `/app/${appId}/release/${appId}:1.4.0`
    await admin.put(`${path}/kickoff`)
    const { body } = await admin.post(`${path}/fixRequest`, { title: 'It crashes' })
    const approvals = (html: string) =>
      attributes(html, 'action').filter((each) => each.endsWith('/approve'))
    const seen = (await person.get(`/dashboard${path}`)).text
    const [action] = approvals(seen)
    const tag = tagIn(seen, action)
    const grace = await signedIn(world)
    assert.equal((await grace.send(`/dashboard${path}`, action, { _tag: tag })).status, 303)
    const late = await person.post(action, { _tag: tag })
    assert.equal(late.status, 412)
    assert.equal((await person.post(action, { _tag: tagIn(late.text, action) })).status, 303)
    const { body: fix } = await admin.get(`${path}/fixRequest/${body.id}`)
    assert.deepEqual([fix.status, fix.approvals.length], ['approved', 2])
    assert.isEmpty(approvals((await person.get(`/dashboard${path}`)).text))
  })
})

test.group('A form of a release on the page of a step', (group) => {
  group.each.teardown(tidy)

  test('leads back to that step, whether done or refused', async ({ assert }) => {
    const { world, step, path } = await rollingOut()
    const person = await signedIn(world)
    const base = `/dashboard${path}`
    const { id } = await step('submission')
    const at = `${base.replace(':', '%3A')}/step/${id}`
    const { text } = await person.get(at)
    const carried = /name="step" value="([^"]*)"/.exec(text)?.[1]
    assert.equal(carried, id)
    assert.notInclude((await person.get(base)).text, 'name="step"')
    const refused = await person.post(`${base}/rollout`, { action: 'set', step: id })
    assert.equal(refused.status, 422)
    assert.deepEqual(attributes(refused.text, 'hx-get'), [at])
    for (const form of [['rollout', { action: 'pause' }], ['redButton']] as const) {
      const done = await person.post(`${base}/${form[0]}`, { ...form[1], step: id })
      assert.deepEqual([done.status, done.headers.get('location')], [303, at])
    }
    const without = await person.post(`${base}/redButton`)
    assert.match(without.headers.get('location')!, /1\.4\.0$/)
  })
})

test.group('The red button', (group) => {
  group.each.teardown(tidy)

  test('gets the focus after signing in for it; readers who may not press it see who may', async ({
    assert,
  }) => {
    const { world, path } = await rollingOut()
    const base = `/dashboard${path}`
    const person = await signedIn(world)
    const button = (html: string) => /<button\s+class="btn red[^>]*>/.exec(html)?.[0] ?? ''
    assert.notInclude(button((await person.get(base)).text), 'autofocus')
    const focused = (await person.get(`${base}?to=stop`)).text
    assert.include(button(focused), 'autofocus')
    // Polls do not move the focus.
    assert.deepEqual(attributes(focused, 'hx-get'), [base])
    await db
      .from('organizations')
      .where('id', world.organizationId)
      .update({ role_based_access_enabled: true })
    const guest = await signedIn(world, { admin: false })
    const { text } = await guest.get(`${base}?to=stop`)
    assert.equal(button(text), '')
    assert.match(textOf(text), /[A-Z][\w ,]+ may stop it\./)
    assert.notInclude(textOf(text), 'Only an admin')
  })
})
