import db from '@adonisjs/lucid/services/db'
import { test } from '@japa/runner'
import { kickedOffRelease } from '#builds/tests/support'
import { sendFile } from '#distribution/tests/support'
import { CUSTOM_BUILD } from '#tests/support/custom_integrations'
import { attributes, outliveTags, signedIn, textOf } from '../../tests/support.js'

/*
 * The content of each step's page by its type, and the actions of people there.
 */

const STEPS = [
  ...(['kickoff', 'featureReadiness', 'translations', 'releaseCandidate'] as const),
  ...(['regressionTesting', 'betaTesting'] as const),
]

/** Makes a release with these steps, and somebody who is signed in. */
async function given() {
  const found = await kickedOffRelease({}, STEPS)
  const { world, app, step } = found
  const person = await signedIn(world)
  const base = `/dashboard/app/${app}/release/${app}%3A1.4.0`
  const { id: releaseId } = await db.from('releases').where('app_id', app).firstOrFail()
  const pathOf = async (type: string) => `${base}/step/${(await step(type)).id}`
  /** Sends a form, and returns the text of the page that it leads to. */
  const done = async (path: string, fields: Record<string, string>) => {
    const { status, location, text } = await person.post(path, fields)
    if (status !== 303) throw new Error(`${path}: ${status} ${textOf(text)}`)
    return textOf((await person.get(location!)).text)
  }
  return { ...found, person, base, releaseId: releaseId as string, pathOf, done }
}

type Given = Awaited<ReturnType<typeof given>>

const pull = (number: number, status: string) => ({
  ...{ type: 'pullRequest', number, status, title: 'Pay', author: 'Grace', baseBranch: 'main' },
  ...{ url: `https://git.example/pull/${number}`, mergedAt: null },
})

/** Stores features as a poll would. */
async function features({ world, app, releaseId }: Given) {
  const of = { organization_id: world.organizationId, app_id: app, release_id: releaseId }
  const rows = [
    ['A-1', 'ready', 'Log in with a passkey', []],
    ['A-2', 'notMerged', 'Pay by card', [pull(12, 'open')]],
    ['A-3', 'missingCode', 'Push notifications', []],
  ].map(([key, reason, title, code]) => ({
    ...of,
    ...{ id: `wi_${String(key)}${app}`, item_key: key, code_type: null, reason },
    ...{ code: JSON.stringify(code), code_status: 'missing', digest: 'x', authors: '' },
    ...{ search_text: `${String(key)} ${String(title)}`.toLowerCase(), is_gone: false },
    ...{ ignored: false, created_at: '2026-11-20T12:00:00.000Z' },
    ticket: JSON.stringify({
      ...{ id: key, key, title, status: 'Open', done: false, assignee: 'June', fixVersions: [] },
      url: `https://tickets.example/${String(key)}`,
    }),
  }))
  await db.table('feature_items').multiInsert(rows)
  outliveTags()
}

const places = (text: string, words: readonly string[]) => words.map((each) => text.indexOf(each))
const isSorted = (numbers: readonly number[]) =>
  numbers.every((each, index) => each > (numbers[index - 1] ?? -1))

test.group('The step of a release candidate', () => {
  test('shows the build with its files, how to install it, and earlier builds', async ({
    assert,
  }) => {
    const made = await given()
    const { admin, app, send, person, pathOf, world } = made
    await send({ buildIdentifier: '1', status: 'failed', startedAt: '2026-11-20T10:00:00.000Z' })
    await send({ buildIdentifier: '2', status: 'success', startedAt: '2026-11-20T11:00:00.000Z' })
    const bucket = await admin.post(`/app/${app}/bucket`, {
      name: 'Crew',
      orgWideAccessEnabled: true,
    })
    const path = `/app/${app}/bucket/${bucket.body.id}`
    const ciBuildInfo = { ...CUSTOM_BUILD, buildIdentifier: '2', integrationId: 'github-ci' }
    const {
      body: build,
      status,
      text: why,
    } = await sendFile(admin, `${path}/build`, { data: { ciBuildInfo } })
    assert.equal(status, 200, why)
    const candidate = await pathOf('releaseCandidate')
    const hrefs = async (of: string) =>
      attributes((await person.get(of)).text, 'href').filter((each) => each.startsWith('/install/'))

    // A download is recorded under the tester of its link, so nobody else sees the link.
    const { email } = await db.from('users').where('id', person.userId).firstOrFail()
    const other = await signedIn(world)
    const { email: theirs } = await db.from('users').where('id', other.userId).firstOrFail()
    const link = (of: object) => admin.post(`${path}/installLink`, of)
    const foreign = await link({ buildDistroBuildId: build.id, email: theirs })
    assert.equal(foreign.status, 201, foreign.text)
    assert.deepEqual(await hrefs(candidate), [])
    const { body: own } = await link({ buildDistroBuildId: build.id, email })
    outliveTags()
    assert.deepEqual(await hrefs(candidate), [new URL(own.url).pathname])
    assert.deepEqual(await hrefs(await pathOf('regressionTesting')), [new URL(own.url).pathname])

    const text = textOf((await person.get(candidate)).text)
    assert.include(text, 'Build 2')
    assert.match(text, /Built in \d+ h/)
    assert.match(text, /On a phone, from Crew Install Build 2/)
    assert.match(text, /1 file .*Acme\.ipa \d+ B/)
    assert.match(text, /1 earlier build Build 1 9f2c1d7.*Failed/)
  })
})

test.group('The step of regression testing', () => {
  test('shows required items first, and accepts a verdict that overrides them', async ({
    assert,
  }) => {
    const { admin, app, person, pathOf, done } = await given()
    const items = [
      ['Tablet layout', false],
      ['Log in', true],
      ['Check out', true],
    ] as const
    for (const [title, required] of items) {
      await admin.post(`/app/${app}/regressionItem`, { title, required })
    }
    const path = await pathOf('regressionTesting')
    const { text } = await person.get(path)
    assert.isTrue(isSorted(places(textOf(text), ['0 of 3', 'Log in', 'Check out', 'Tablet'])))
    const action = `${path}/regressionStatus`
    const [run] = attributes(/<input[^>]*name="run"[^>]*>/.exec(text)![0], 'value')
    const [tag] = attributes(
      /<input[^>]*name="_tag"[^>]*>/.exec(text.slice(text.indexOf('id="verdict"')))![0],
      'value'
    )
    const fields = {
      run,
      status: 'passed',
      comment: 'Two known issues',
      url: 'https://t.example/7',
    }
    const wrong = await person.post(action, { ...fields, url: 'no address' })
    assert.equal(wrong.status, 422)
    assert.include(wrong.text, 'Two known issues</textarea>')
    assert.include(attributes(wrong.text, 'value'), 'no address')
    const passed = await done(action, { ...fields, _tag: tag })
    assert.include(passed, 'The verdict was set: passed.')
    assert.include(passed, 'Passed is the verdict, set by hand.')
    assert.include(passed, '“Two known issues”')
    // A person who has not seen the verdict gets a notice, and the typed text is kept.
    const late = await person.post(action, {
      ...fields,
      status: 'failed',
      comment: 'It crashes',
      _tag: tag,
    })
    assert.equal(late.status, 412)
    assert.match(textOf(late.text), /You changed this today \d\d:\d\d\. Your text is kept below\./)
    assert.include(late.text, 'It crashes</textarea>')
  })
})

test.group('The step of feature readiness', () => {
  test('shows features that are not ready first, searches, and ignores', async ({ assert }) => {
    const made = await given()
    await features(made)
    const { person, pathOf, done, app, world } = made
    const path = await pathOf('featureReadiness')
    const { text } = await person.get(path)
    const reported = textOf(text)
    assert.isTrue(isSorted(places(reported, ['A-3', 'A-2', 'A-1'])), reported)
    assert.match(reported, /A-2 Pay by card .*Not merged June Open #12, open/)
    assert.includeMembers(attributes(text, 'href'), [
      'https://tickets.example/A-2',
      'https://git.example/pull/12',
    ])
    assert.match(reported, /All 3 Not ready 2 Ignored 0/)
    const found = textOf((await person.get(`${path}?q=PUSH`)).text)
    assert.include(found, 'A-3')
    assert.notInclude(found, 'A-2')

    const action = `${path}/featureReadiness`
    const item = `wi_A-3${app}`
    const before = (await world.events()).length
    for (const id of ['nothing', '']) {
      const refused = await person.post(action, { item: id, ignored: 'true' })
      assert.equal(refused.status, 422)
    }
    assert.equal((await world.events()).length, before)
    const ignored = await done(action, { item, ignored: 'true', show: 'ignored', q: '' })
    assert.include(ignored, 'Ignored: the release does not wait for it.')
    assert.match(ignored, /A-3 .*Ignored by Ada Lovelace/)
    assert.notInclude(ignored, 'A-2')
    const again = await done(action, { item, ignored: 'false' })
    assert.match(again, /No longer ignored\..*Not ready 2 Ignored 0/)
  })
})

test.group('The steps of translations and beta testing', () => {
  test('show the least complete languages first, and that there is no build', async ({
    assert,
  }) => {
    const { person, pathOf, world, app, releaseId } = await given()
    const beta = textOf((await person.get(await pathOf('betaTesting'))).text)
    assert.include(beta, 'No store has a build of this release yet.')
    const path = await pathOf('translations')
    assert.include(textOf((await person.get(path)).text), 'No translation progress is known yet')
    const seen = [
      { locale: 'fr', percentage: 100 },
      { locale: 'de_DE', percentage: 96 },
      { locale: '!', percentage: 7 },
    ]
    await db.table('release_progress').insert({
      ...{ release_id: releaseId, what: 'translations', organization_id: world.organizationId },
      ...{ app_id: app, is_watched: true, seen: JSON.stringify(seen) },
      seen_at: '2026-11-20T12:00:00.000Z',
    })
    outliveTags()
    const text = textOf((await person.get(path)).text)
    assert.include(text, '1 of 3')
    assert.match(text, /! 7 % de_DE German \(Germany\) 96 % fr French 100 %/)
  })
})
