import { test } from '@japa/runner'
import { refusal } from '#stores/tests/memory_store'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { rollingOut } from '#rollouts/tests/support'
import { makeApp } from '#tests/support/app_fixture'
import type { ReleaseStepType } from '#workflow/vocabulary'
import { attributes, pageWorld, signedIn, textOf, type Person } from './support.js'

/*
 * People act on pages: each form is sent once with success, and once refused.
 */

/** Returns the address of the page of a release. */
const pageOf = (appId: string, version = '1.4.0') =>
  `/dashboard/app/${appId}/release/${appId}:${version}`
const written = (path: string) => path.replaceAll(':', '%3A')

/** Sends a form, and returns the text of the page that it leads to. */
async function done(person: Person, path: string, fields = {}): Promise<string> {
  const { status, location, text } = await person.post(path, fields)
  if (status !== 303) throw new Error(`${path}: ${status} ${textOf(text)}`)
  return textOf((await person.get(location!)).text)
}

const valueIn = (html: string, name: string): string =>
  new RegExp(`name="${name}" value="([^"]*)"`).exec(html)?.[1] ?? ''

/** Confirms an act that a page offers, and returns the text of the page that it leads to. */
async function pressed(person: Person, page: string, word: string, fields = {}) {
  const { action, hidden } = await questionOf(person, page, word)
  return done(person, action, { ...hidden, ...fields })
}

/** Asks for an act that a page offers, and returns the form that confirms it. */
async function questionOf(person: Person, page: string, word: string) {
  const { text } = await person.get(page)
  const link = new RegExp(`<a class="btn[^"]*" href="([^"]+)">\\s*${word}\\s*</a>`).exec(text)
  if (!link) throw new Error(`${page} does not offer ${word}`)
  const asked = await person.get(link[1])
  const form = /<form method="post"[\s\S]*<\/form>/.exec(asked.text)![0]
  const [action] = attributes(form, 'action')
  const names = attributes(form, 'name').filter((name) => name === 'run' || name === '_tag')
  const hidden = names.map((name) => {
    const input = new RegExp(`<input[^>]*name="${name}"[^>]*>`).exec(form)![0]
    return [name, attributes(input, 'value')[0]]
  })
  return { action, hidden: Object.fromEntries(hidden) as Record<string, string> }
}

async function stepsOf({ step }: StoreWorld, base: string) {
  const of = async (type: ReleaseStepType) => {
    const { id, stepRunId } = await step(type)
    return { path: `${base}/step/${id}`, run: stepRunId as string }
  }
  return of
}

test.group('An act that completes its step', () => {
  test('leads to the release, which shows the step that matters next', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const types = ['kickoff', 'regressionTesting'] as const
    const releaseTypes = { standard: { required: true } }
    const appId = await makeApp(world, { steps: types.map((type) => ({ type, releaseTypes })) })
    await world.admin.post(`/app/${appId}/release`, { version: '4.3.0' })
    const shown = pageOf(appId, '4.3.0')
    const { body: steps } = await world.admin.get(`/app/${appId}/release/${appId}:4.3.0/steps`)
    const kickoff = steps.find(({ type }: { type: string }) => type === 'kickoff')
    const { action, hidden } = await questionOf(person, `${shown}/step/${kickoff.id}`, 'Kick off')
    const { status, location } = await person.post(action, hidden)
    assert.deepEqual([status, location], [303, written(shown)])
    const { text } = await person.get(location!)
    assert.equal(/<h2 id="step">(.*)<\/h2>/.exec(text)?.[1], 'regressionTesting 1')
  })
})

test.group('Planning a release on its page', () => {
  test('303 to the release, which is made once if the form is sent twice', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    const path = `/dashboard/app/${appId}/release/new`
    const { text } = await person.get(path)
    const key = /name="_key" value="([^"]+)"/.exec(text)![1]
    const fields = {
      ...{ version: '4.3.0', releaseName: 'Passkeys', releaseType: 'release', _key: key },
      targetReleaseAt: '2031-05-06T09:00',
    }
    for (let sent = 0; sent < 2; sent++) {
      const { status, location } = await person.post(path, fields)
      assert.deepEqual([status, location], [303, written(pageOf(appId, '4.3.0'))])
    }
    const { body } = await world.admin.get(`/v2/app/${appId}/releases/${appId}:4.3.0`)
    assert.containsSubset(body, {
      releaseName: 'Passkeys',
      targetReleaseAt: '2031-05-06T09:00:00.000Z',
    })
    // The sentence is shown once, and not to a poll.
    const shown = pageOf(appId, '4.3.0')
    const poll = await person.get(shown, { 'x-poll': '1' })
    assert.notInclude(poll.text, '4.3.0 is planned.')
    const first = await person.get(shown)
    assert.include(first.text, '4.3.0 is planned.')
    assert.isNull(first.headers.get('etag'))
    assert.notInclude((await person.get(shown)).text, '4.3.0 is planned.')
  })

  test('422 and 409 keep what was typed, and say what is wrong at its field', async ({
    assert,
  }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '4.3.0' })
    const path = `/dashboard/app/${appId}/release/new`
    for (const [status, version, date] of [
      [422, '', ''],
      [422, 'one"', ''],
      [422, '4.4.0', 'soon'],
      [409, '4.3.0', '2031-05-06T09:00'],
    ] as const) {
      const fields = { version, releaseName: 'Pass"keys', targetReleaseAt: date }
      const shown = await person.send(path, path, fields)
      assert.equal(shown.status, status, version)
      assert.equal(shown.headers.get('cache-control'), 'no-store')
      assert.include(shown.text, '<title>Error: Plan a release')
      assert.include(textOf(shown.text), 'Not done.')
      const kept = attributes(shown.text, 'value')
      assert.includeMembers(kept, [version, 'Pass"keys', ...(date ? [date] : [])])
    }
    // No version is live whose tag it could begin from.
    const hotfix = { version: '4.3.1', releaseType: 'hotfix' }
    const shown = await person.send(path, path, hotfix)
    assert.equal(shown.status, 422)
    assert.match(shown.text, /value="hotfix"\s+checked/)
    assert.include(shown.text, 'href="#baseTag"')
    const { body } = await world.admin.get(`/v2/app/${appId}/releases`)
    assert.lengthOf(body.data, 1)
    const made = await person.post(path, { ...hotfix, baseTag: 'v4.2.0' })
    assert.equal(made.location, written(pageOf(appId, '4.3.1')))
  })
})

test.group('Items on the page of a step', () => {
  test('are ticked, undone, and refused with what was typed', async ({ assert }) => {
    const { world, person } = await pageWorld()
    const appId = await makeApp(world)
    await world.admin.post(`/app/${appId}/release`, { version: '1.4.0' })
    await world.admin.post(`/app/${appId}/regressionItem`, { title: 'Log in' })
    await world.admin.put(`/app/${appId}/release/${appId}:1.4.0/kickoff`)
    const { body: steps } = await world.admin.get(`/app/${appId}/release/${appId}:1.4.0/steps`)
    const { id } = steps.find(({ type }: { type: string }) => type === 'regressionTesting')
    const step = `${pageOf(appId)}/step/${id}`
    const { text } = await person.get(step)
    const action = /action="([^"]+checklistItem[^"]+)"/.exec(text)![1]
    assert.include(textOf(text), 'Log in')
    const passed = await done(person, action, { status: 'passed', comment: 'On build 4711' })
    assert.include(passed, 'Passed: Log in.')
    assert.include(passed, 'On build 4711')
    assert.include(passed, '1 of 1')
    assert.include(await done(person, action, { status: 'notStarted' }), '0 of 1')

    const before = (await world.events()).length
    const comment = `It crashed ${'a'.repeat(6000)}`
    for (const fields of [
      { status: 'flying', comment: 'It crashed' },
      { status: 'failed', comment },
      { status: '', comment: '' },
    ]) {
      const shown = await person.post(action, fields)
      assert.equal(shown.status, 422)
      assert.include(textOf(shown.text), 'Not done. Something is missing or wrong.')
      if (fields.status === 'failed') assert.include(shown.text, `${fields.comment}</textarea>`)
    }
    const stale = await person.post(action, { status: 'passed', _tag: '"x"' })
    assert.equal(stale.status, 412)
    assert.include(textOf(stale.text), 'Not done. This was changed in the meantime.')
    assert.equal((await world.events()).length, before)
  })
})

test.group('A release that goes to its store with pages alone', (group) => {
  group.each.teardown(tidy)

  test('is approved, submitted, withdrawn, rejected, submitted again and released', async ({
    assert,
  }) => {
    const given = await readyWorld('apple')
    const { world, appId, store, work } = given
    const person = await signedIn(world)
    const base = pageOf(appId)
    const of = await stepsOf(given, base)
    const metadata = await of('metadata')
    await person.get('/dashboard/me')
    const { run } = metadata
    assert.include(
      await done(person, `${metadata.path}/act/approve`, { run }),
      'Approved as they are now.'
    )
    const submission = await of('submission')
    const { body: builds } = await given.admin.get(`${given.path}/appStoreBuilds`)
    store.upload('4712')
    await work()
    const { text } = await person.get(submission.path)
    const fields = ['build', 'run', 'destination'].map((name) => [name, valueIn(text, name)])
    const chosen = Object.fromEntries(fields)
    assert.isAbove(builds.data.length, 0)
    assert.include(
      await done(person, `${submission.path}/selectedBuild`, chosen),
      'This build ships.'
    )
    const asked = await person.get(`${submission.path}/act/submit`)
    assert.include(textOf(asked.text), 'What the timeline would say')
    assert.match(textOf(asked.text), /Build \d+ of [\d.]+ would go for review\./)
    // Regression testing is not complete: the page says so first, and then the form.
    const submit = () => pressed(person, submission.path, 'Submit', { force: 'yes' })
    assert.include(await submit(), 'The store is being asked to review it.')
    await work()
    assert.include(store.changes, 'submit')
    const review = await of('storeReview')
    const withdraw = () => pressed(person, review.path, 'Withdraw from review')
    assert.include(
      textOf((await person.get(`${review.path}/act/withdraw`)).text),
      'loses its place'
    )
    assert.include(await withdraw(), 'asked to withdraw it from review')
    await work()
    await submit()
    await work()
    // An approved version can still be withdrawn from the App Store.
    store.become('pendingRelease')
    await work()
    await withdraw()
    await work()
    await submit()
    await work()
    // After a rejection another build is chosen, and it is submitted again.
    store.become('rejected')
    await work()
    store.upload('4713')
    await work()
    const again = await person.get(submission.path)
    assert.include(textOf(again.text), 'Ship this')
    assert.include(
      await done(person, `${submission.path}/selectedBuild`, {
        ...{ ...chosen, run: (await of('submission')).run },
        build: valueIn(again.text, 'build'),
      }),
      'This build ships.'
    )
    await submit()
    await work()
    store.become('pendingRelease')
    await work()
    const takeoff = await of('takeoff')
    assert.include(await pressed(person, takeoff.path, 'Release to users'), 'asked to release it')
    await work()
    assert.include(store.changes, 'release')
    store.become('live')
    await work()
    // With all users it is complete by itself: there is nothing left to press.
    const rollout = await of('rollout')
    assert.notInclude((await person.get(rollout.path)).text, '/act/')
    // A release that is over refuses it, on its own page.
    const late = await person.post(`${base}/redButton`)
    assert.equal(late.status, 409)
    assert.include(textOf(late.text), 'Not done.')
  })
})

test.group('A rollout on the page of its release', (group) => {
  group.each.teardown(tidy)

  test('is stopped by the red button, which shows only what was observed', async ({ assert }) => {
    const given = await rollingOut()
    const { world, appId, store, work } = given
    const person = await signedIn(world)
    const base = pageOf(appId)
    const ready = textOf((await person.get(base)).text)
    assert.include(ready, 'Stop the rollout')
    assert.notInclude(ready, 'Stopped')
    const asking = await done(person, `${base}/redButton`)
    assert.include(
      asking,
      'The red button was pressed. This page shows when the stores have stopped the rollout.'
    )
    assert.include(asking, 'Stopping…')
    assert.notMatch(asking, /Stopped (by|\d)|confirmed by/)
    // Pressed again it is the same.
    assert.include(await done(person, `${base}/redButton`), 'Stopping…')
    await work()
    const stopped = await person.get(base)
    assert.match(textOf(stopped.text), /Stopped \S+.*confirmed by Google Play/)
    assert.include(stopped.text, '<title>Stopped · 1.4.0')
    assert.deepEqual(
      store.changes.filter((each) => each.startsWith('setRollout')),
      ['setRollout halt']
    )
    assert.include(textOf(stopped.text), 'Users who have this version keep it.')
  })

  test('is not shown as stopped until the store confirms', async ({ assert }) => {
    const given = await rollingOut()
    const { world, appId, store, work } = given
    const person = await signedIn(world)
    const base = pageOf(appId)
    for (let each = 0; each < 4; each++) store.failures.push(refusal('unavailable', `No. ${each}`))
    await person.get(base)
    await done(person, `${base}/redButton`)
    for (let turn = 0; turn < 3; turn++) await work()
    const { text } = await person.get(base)
    assert.match(textOf(text), /Stopping….*has not confirmed yet.*It is asked again.*No\. \d/)
    assert.match(text, /every 2s/)
    assert.notInclude(text, '<title>Stopped')
    for (let turn = 0; turn < 3; turn++) await work()
    assert.match(textOf((await person.get(base)).text), /confirmed by Google Play/)
  })

  test('is set, stopped, resumed and given to all users; invalid shares are refused', async ({
    assert,
  }) => {
    const given = await rollingOut()
    const { world, appId, store, work, step } = given
    const person = await signedIn(world)
    const base = pageOf(appId)
    const { stepRunId } = await step('rollout')
    const inStore = `${base}/stepRun/${stepRunId}/rollout`
    await person.get(base)
    for (const percentage of ['abc', '', '-1', '101']) {
      const shown = await person.post(inStore, { action: 'set', percentage })
      assert.equal(shown.status, 422, percentage)
      assert.include(textOf(shown.text), 'Not done.')
    }
    assert.equal((await person.post(`${base}/rollout`, { action: 'explode' })).status, 422)
    for (const [path, fields, said] of [
      [inStore, { action: 'set', percentage: '25' }, 'being asked to set the new percentage'],
      [`${base}/rollout`, { action: 'halt' }, 'asked to stop'],
      [inStore, { action: 'resume' }, 'asked to resume'],
      [inStore, { action: 'complete' }, 'asked to roll it out to all users'],
    ] as const) {
      assert.include(await done(person, path, fields), said)
      for (let turn = 0; turn < 2; turn++) await work()
    }
    const changes = store.changes.filter((each) => each.startsWith('setRollout'))
    assert.deepEqual(
      changes.map((each) => each.split(' ')[1]),
      ['0.25', 'halt', 'resume', 'complete']
    )
  })

  test('is completed by hand with its release, by overriding the rules', async ({ assert }) => {
    const given = await rollingOut()
    const person = await signedIn(given.world)
    const base = pageOf(given.appId)
    const { path } = await (await stepsOf(given, base))('rollout')
    const refused = pressed(person, path, 'Complete the release')
    await assert.rejects(() => refused, /409 .*Not done\./)
    assert.include(
      await pressed(person, path, 'Complete the release', { force: 'yes' }),
      'The release is complete.'
    )
  })
})
