import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { UpdateOrganization } from '#organizations/actions/update_organization'
import { snapshot } from '#tests/support/snapshot'
import { makeWorld } from '#tests/support/world'
import { linkForm } from '../forms.js'
import { addUser, Browser, joined, PASSWORD } from '../../session/tests/browser.js'

async function office(admin = true) {
  const world = await makeWorld()
  const person = await joined(world, admin)
  const org = `/dashboard/org/${world.organizationId}`
  const { body: groups } = await world.admin.get(`/org/${world.organizationId}/group`)
  const group = (name: string): string => groups.find((each: any) => each.name === name).id
  return { world, ...person, org, group }
}

const membersOf = async (userId: string) =>
  (await db.from('group_members').where('user_id', userId)).map(({ group_id: id }) => id)

const tagIn = (text: string) =>
  /name="_tag" value="([^"]+)"/.exec(text)![1].replaceAll('&quot;', '"')

test.group('People', () => {
  test('are added, let in by a link that is shown once, and signed out', async ({ assert }) => {
    const { browser, org, group } = await office()
    await browser.get(`${org}/user/new`)
    const made = await browser.post(`${org}/user`, {
      email: 'grace@acme.example',
      name: 'Grace Hopper',
      groupIds: group('QA'),
      mayAdmin: 'true',
    })
    assert.equal(made.status, 303)
    const page = await browser.get(made.location!)
    for (const said of [
      'Added Grace Hopper.',
      'Invited, not signed in yet',
      'Not signed in anywhere.',
    ])
      assert.include(page.text, said)

    const link = await browser.post(`${made.location}/signInLink`)
    assert.deepEqual([link.status, link.headers.get('cache-control')], [200, 'no-store'])
    const url = /https?:[^"]+\/sign-in\/link\/\w+/.exec(link.text)![0]
    assert.equal(page.headers.get('cache-control'), 'no-store')
    const keys = [page, await browser.get(made.location!)].map(
      ({ text }) => /name="_key" value="([^"]+)"/.exec(text)![1]
    )
    assert.notEqual(keys[0], keys[1])
    const grace = new Browser()
    await grace.fill(new URL(url).pathname, { name: 'Grace Hopper', password: PASSWORD })
    assert.equal((await grace.get(`${org}/group`)).status, 200)

    const there = await browser.get(made.location!)
    assert.include(there.text, 'Signed in with 1 browser')
    const out = await browser.post(`${made.location}/signIn/end`)
    assert.deepEqual([out.status, out.location], [303, made.location])
    assert.equal((await grace.get(`${org}/group`)).status, 303)
  })

  test('a page that fails after a link was made does not say that nothing was done', async ({
    assert,
    cleanup,
  }) => {
    const { world, browser, org } = await office()
    const { userId } = await addUser(world, 'eve@acme.example')
    const path = `${org}/user/${userId}`
    await browser.get(path)
    const { shows } = linkForm
    cleanup(() => void (linkForm.shows = shows))
    linkForm.shows = { ...shows!, read: () => Promise.reject(new Error('a disk is full')) }
    const { status, text } = await browser.post(`${path}/signInLink`)
    assert.equal(status, 500)
    assert.include(text, 'Your request was carried out.')
    assert.notMatch(text, /Not done|Nothing was changed/)
  })

  test('are changed in groups and name, without overwriting somebody else’s change', async ({
    assert,
  }) => {
    const { world, browser, org, group } = await office()
    const { userId } = await addUser(world, 'eve@acme.example')
    const { text } = await browser.get(`${org}/user/${userId}`)
    const tag = tagIn(text)
    const groups = [group('QA'), group('Design')]
    const fields = { name: 'Eve', mayAdmin: 'true', groupIds: groups, _tag: tag }
    const changed = await browser.post(`${org}/user/${userId}`, fields)
    assert.equal(changed.status, 303)
    assert.sameMembers(await membersOf(userId), groups)

    const wrong = { name: 'Evelyn '.repeat(200), _tag: tag }
    const refused = await browser.post(`${org}/user/${userId}`, wrong)
    assert.deepEqual([refused.status, tagIn(refused.text)], [422, tag])
    const stale = await browser.post(`${org}/user/${userId}`, { name: 'Evelyn', _tag: tag })
    assert.equal(stale.status, 412)
    assert.include(stale.text, 'Somebody changed this in the meantime. Your text is kept below.')
    assert.notInclude(stale.text, 'If-Match')
    assert.include(stale.text, 'value="Evelyn"')
    assert.sameMembers(await membersOf(userId), groups)
  })

  test('are deactivated after a question, and activated again', async ({ assert }) => {
    const { world, browser, org } = await office()
    const { userId, email, browser: theirs } = await joined(world)
    const at = `${org}/user/${userId}`
    assert.include((await browser.get(`${at}/deactivate`)).text, 'Deactivate Ada Lovelace?')
    const gone = await browser.post(`${at}/deactivate`)
    assert.deepEqual([gone.status, gone.location], [303, at])
    assert.include((await browser.get(at)).text, 'Deactivated Ada Lovelace.')
    assert.equal((await theirs.get(`${org}/group`)).status, 303)
    await browser.post(`${at}/activate`)
    await theirs.signIn(email)
    assert.equal((await theirs.get(`${org}/group`)).status, 200)
    const listed = await browser.get(`${org}/user?status=active`)
    assert.include(listed.text, 'Ada Lovelace')
  })

  test('the last admin cannot be deactivated, and the page says why', async ({ assert }) => {
    const { world, browser, userId, org } = await office()
    await db.from('api_keys').where('organization_id', world.organizationId).delete()
    await browser.get(`${org}/user/${userId}/deactivate`)
    const before = await snapshot([world.organizationId])
    const { status, text } = await browser.post(`${org}/user/${userId}/deactivate`)
    assert.equal(status, 409)
    assert.include(text, 'Nobody else could do everything in the organization afterwards.')
    assert.deepEqual(await snapshot([world.organizationId]), before)
  })

  test('are hidden from those who may not manage people', async ({ assert }) => {
    const { world, browser, org } = await office(false)
    await world.write((scope) =>
      new UpdateOrganization(scope).handle({ roleBasedAccessEnabled: true })
    )
    assert.equal((await browser.get(`${org}/user`)).status, 403)
    assert.notInclude((await browser.get(`${org}/group`)).text, 'Create a group')
  })
})

test.group('Groups', () => {
  test('show what each may do, with an explanation of every action', async ({ assert }) => {
    const { browser, org, group } = await office()
    const { text } = await browser.get(`${org}/group`)
    assert.include(text, 'Gives and withdraws approvals.')
    assert.include(text, 'Approvers: yes')
    const { text: qa } = await browser.get(`${org}/group/${group('QA')}`)
    assert.include(qa, 'A default group: its actions cannot change.')
    assert.notInclude(qa, '<form')
  })

  test('are made, changed and deleted', async ({ assert }) => {
    const { browser, email, userId, org } = await office()
    await browser.get(`${org}/group/new`)
    const made = await browser.post(`${org}/group`, {
      name: 'Crew',
      userActions: 'EditRelease',
      userEmails: `${email}\n`,
    })
    assert.equal(made.status, 303)
    assert.lengthOf(await membersOf(userId), 1)
    const page = await browser.get(made.location!)
    assert.match(page.text, /value="EditRelease"\s+checked/)
    await browser.post(made.location!, { name: 'Crews', userEmails: email })
    const tag = tagIn(page.text)
    const nameless = await browser.post(made.location!, { name: '', _tag: tag })
    assert.deepEqual([nameless.status, tagIn(nameless.text)], [422, tag])
    const wrong = await browser.post(made.location!, {
      name: 'Crew',
      userEmails: 'nobody@x.example',
    })
    assert.equal(wrong.status, 422)
    assert.include(wrong.text, 'id="userEmails-error"')
    assert.lengthOf(await membersOf(userId), 1)
    await browser.post(made.location!, { name: 'Old crew' })
    assert.lengthOf(await membersOf(userId), 0)
    const asked = await browser.get(`${made.location}/delete`)
    assert.include(asked.text, 'Delete Old crew?')
    await browser.post(made.location!, { name: 'Crew again' })
    const late = await browser.post(`${made.location}/delete`, { _tag: tagIn(asked.text) })
    assert.equal(late.status, 412)
    assert.include(late.text, 'Somebody changed this in the meantime. This is how it is now.')
    const deleted = await browser.post(`${made.location}/delete`, { _tag: tagIn(late.text) })
    assert.deepEqual([deleted.status, deleted.location], [303, `${org}/group`])
    assert.equal((await browser.get(made.location!)).status, 404)
  })
})
