import { test } from '@japa/runner'
import { rehearsal } from '#simulation/tests/support/simulated_release'
import { storeWorld, tidy } from '#stores/tests/support'
import { LONG } from '#tests/support/effort'
import type { World } from '#tests/support/world'
import { signedIn, textOf } from './support.js'

/*
 * The page of a release in every state that a release can reach. Templates render with views that
 * throw for missing members.
 */

/** Scenarios of the usual run; the long run plays all. */
const USUAL: ReadonlySet<string> = new Set(['rejected'])

/** Words of the API, which no page may show to people. */
const CODES =
  /\b(?:notStarted|inProgress|notApplicable|notEnoughData|rolledOut\w+|[A-Z]{2,}_[A-Z_]+|force=true)\b|If-Match/

/**
 * Signs an admin in; answers a function that checks the pages of a release, its steps and timeline.
 */
async function lookAt({ world, appId }: { world: World; appId: string }, version: string) {
  const person = await signedIn(world)
  const id = `${appId}:${version}`
  const base = `/dashboard/app/${appId}/release/${id}`
  const org = `/dashboard/org/${world.organizationId}`
  return async () => {
    const { body: steps } = await world.admin.get(`/app/${appId}/release/${id}/steps`)
    const shown = steps.map((step: { id: string }) => `${base}/step/${step.id}`)
    for (const path of [base, `${base}/timelineEvents`, org, `${org}/turn`, ...shown]) {
      const { status, text } = await person.get(path)
      if (status !== 200) throw new Error(`${path}: ${status} ${textOf(text)}`)
      // Tokens of forms are random and may contain such words.
      const withoutTokens = text.replace(/name="_\w+" value="[^"]*"/g, '')
      const [wrong] = /\bundefined\b|\[object |\bNaN\b/.exec(withoutTokens) ?? []
      if (wrong) throw new Error(`${path}: ${wrong} in ${textOf(text)}`)
      // The details of the timeline show words of the API.
      const isTimeline = path.endsWith('/timelineEvents')
      const [code] = (!isTimeline && CODES.exec(textOf(text))) || []
      if (code) throw new Error(`${path}: ${code} in ${textOf(text)}`)
    }
    const { text } = await person.get(base)
    const sentence = /<section class="say[^]*?<p><b>([^<]+)<\/b>/.exec(text)?.[1].trim() ?? ''
    if (sentence === '') throw new Error(`No sentence: ${textOf(text)}`)
    return { sentence, text: textOf(text) }
  }
}

test.group('The page of a release', (group) => {
  group.each.teardown(tidy)

  test('shows a release from its plan to its end, and a skipped one', async ({ assert }) => {
    const given = await storeWorld('apple', undefined, { isUpcoming: true })
    const { admin, path } = given
    const look = await lookAt(given, '1.4.0')
    assert.include((await look()).text, 'Upcoming')
    await admin.put(`${path}/skip`)
    assert.equal((await look()).sentence, 'It was skipped.')
    await admin.put(`${path}/unskip`)
    assert.include((await look()).text, 'Upcoming')
    const before = path.replace(':1.4.0', ':1.2.0')
    await admin.put(`${before}/complete`, { force: true })
    await admin.put(`${path}/kickoff`)
    assert.include((await look()).text, 'Kicked off')
    await admin.put(`${path}/complete`, { force: true })
    assert.match((await look()).sentence, /complete|all users/i)
  })

  for (const [scenario, store, expected] of [
    ['happy-train', 'apple', []],
    ['rejected', 'apple', [/reject/i]],
    ['metadata-rejected', 'apple', [/reject/i]],
    ['failed-build', 'google', [/fail/i]],
    ['store-outage', 'apple', []],
    ['credentials-revoked', 'apple', []],
  ] as const) {
    const played = test(`shows the scenario ${scenario} at every stage`, async ({ assert }) => {
      const given = await rehearsal(scenario, store)
      const look = await lookAt(given, '4.2.0')
      const looks = [await look()]
      await given.build()
      looks.push(await look())
      await given.advance('3h')
      looks.push(await look())
      await given.submit()
      for (let day = 0; day < 3; day++) {
        looks.push(await look())
        await given.advance('1d')
      }
      const takeoff = await given.admin.put(`${given.path}/takeoff`, { force: true })
      if (takeoff.status === 200) await given.advance('1d')
      looks.push(await look())
      const all = looks.map(({ text }) => text).join('\n')
      for (const each of expected) assert.match(all, each)
      // The sentence changes during the scenario.
      assert.isAbove(new Set(looks.map(({ sentence }) => sentence)).size, 1)
    })
    if (!USUAL.has(scenario)) played.tags([LONG])
  }
})
