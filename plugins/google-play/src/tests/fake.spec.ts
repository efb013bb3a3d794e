import { test } from '@japa/runner'
import type { ApiRelease } from '../fake/play_edits.js'
import { GooglePlayFake } from '../fake/google_fake.js'
import { highestCode } from '../fake/play_store.js'
import { ROLLING, withNext } from './support/stage.js'

/*
 * The rules of Google that the fake implements, each tested directly, without the plugin.
 */

const API = 'https://androidpublisher.googleapis.com/androidpublisher/v3/applications/com.acme.app'

interface Answer {
  status: number
  body: any
}

/** Sends requests to the fake as one account. */
async function asked(fake: GooglePlayFake, account = 'tarmac') {
  const claims = {
    iss: `${account}@acme.iam.gserviceaccount.com`,
    scope: 'https://www.googleapis.com/auth/androidpublisher',
    iat: Date.parse('2026-11-20T12:00:00.000Z') / 1000,
    exp: Date.parse('2026-11-20T13:00:00.000Z') / 1000,
  }
  const assertion = `e30.${Buffer.from(JSON.stringify(claims)).toString('base64url')}.x`
  const token = await fake.answer(
    new Request('https://oauth2.googleapis.com/token', {
      method: 'POST',
      body: new URLSearchParams({ assertion }),
    })
  )
  const { access_token: bearer } = (await token.json()) as { access_token: string }
  const ask = async (method: string, path: string, body?: object): Promise<Answer> => {
    const response = await fake.answer(
      new Request(`${API}/${path}`, {
        method,
        headers: { authorization: `Bearer ${bearer}` },
        ...(body ? { body: JSON.stringify(body) } : {}),
      })
    )
    const text = await response.text()
    return { status: response.status, body: text === '' ? null : JSON.parse(text) }
  }
  const open = async () => (await ask('POST', 'edits', {})).body.id as string
  const put = (id: string, ...releases: ApiRelease[]) =>
    ask('PUT', `edits/${id}/tracks/production`, { track: 'production', releases })
  const messageOf = async (answer: Promise<Answer>) => (await answer).body.error.message as string
  return { ask, open, put, messageOf }
}

function seeded(...next: Parameters<typeof withNext>) {
  const fake = new GooglePlayFake()
  fake.seed(withNext(...next))
  return fake
}

const release = (more: Partial<ApiRelease>): ApiRelease => ({ versionCodes: ['41'], ...more })

test.group('The fake of Google Play', () => {
  test('a new edit of an account ends its previous one, and no other account’s', async ({
    assert,
  }) => {
    const fake = seeded({})
    const [ours, theirs] = [await asked(fake), await asked(fake, 'other')]
    const [first, other] = [await ours.open(), await theirs.open()]
    const second = await ours.open()
    const read = (id: string) => ours.ask('GET', `edits/${id}/tracks`)
    assert.equal(await ours.messageOf(read(first)), 'This Edit has been deleted.')
    assert.equal((await read(second)).status, 200)
    await ours.ask('POST', `edits/${second}:commit`)
    // A commit ends them all.
    const late = theirs.ask('GET', `edits/${other}/tracks`)
    assert.equal(await theirs.messageOf(late), 'This Edit has been deleted.')
  })

  test('an edit expires, and a change in the console ends it', async ({ assert }) => {
    const fake = seeded({})
    const { ask, open, messageOf } = await asked(fake)
    const id = await open()
    fake.edits.lifeMs = 0
    const expired = await open()
    assert.match(await messageOf(ask('GET', `edits/${expired}/tracks`)), /has expired/)
    fake.inConsole(() => {})
    assert.match(await messageOf(ask('GET', `edits/${id}/tracks`)), /has been deleted/)
    assert.match(await messageOf(ask('GET', 'edits/7/tracks')), /not found/)
  })

  test('only rollouts and halts have a share, which is between nobody and all', async ({
    assert,
  }) => {
    const { open, put, messageOf } = await asked(seeded({}))
    const id = await open()
    for (const wrong of [
      { status: 'draft', userFraction: 0.1 },
      { status: 'completed', userFraction: 0.1 },
      { status: 'inProgress' },
      { status: 'inProgress', userFraction: 0 },
      { status: 'inProgress', userFraction: 1 },
      { status: 'halted', userFraction: 2 },
    ]) {
      assert.match(await messageOf(put(id, release(wrong))), /userFraction/)
    }
    assert.equal((await put(id, release({ status: 'inProgress', userFraction: 0.1 }))).status, 200)
  })

  test('releases need uploaded bundles, each used once, and valid names, notes and priorities', async ({
    assert,
  }) => {
    const { open, put, messageOf } = await asked(seeded({}))
    const id = await open()
    const refusals = [
      [[release({ status: 'draft', versionCodes: ['404'] })], /not in the app's library/],
      [[release({ status: 'draft' }), release({ status: 'draft' })], /more than one release/],
      [[release({ status: 'sleeping' })], /status sleeping/],
      [[release({ status: 'draft', name: 'x'.repeat(51) })], /50 characters/],
      [[release({ status: 'draft', inAppUpdatePriority: 6 })], /range \[0, 5\]/],
      [
        [
          release({
            status: 'draft',
            releaseNotes: [{ language: 'de-DE', text: 'x'.repeat(501) }],
          }),
        ],
        /500 characters/,
      ],
      [
        [release({ status: 'completed' }), release({ status: 'completed', versionCodes: ['40'] })],
        /Too many completed/,
      ],
    ] as const
    for (const [releases, message] of refusals) {
      assert.match(await messageOf(put(id, ...releases)), message)
    }
  })

  test('a commit cancels a review unless it is asked not to, which leaves the edit', async ({
    assert,
  }) => {
    const fake = seeded({ state: 'inReview' })
    fake.store.library.add(42)
    const { ask, open, put } = await asked(fake)
    const id = await open()
    const [, inReview] = (await ask('GET', `edits/${id}/tracks/production`)).body.releases
    await put(id, inReview, release({ status: 'draft', versionCodes: ['42'] }))
    const how = 'changesInReviewBehavior=ERROR_IF_IN_REVIEW'
    const refused = await ask('POST', `edits/${id}:commit?${how}`)
    assert.equal(refused.status, 400)
    assert.equal(refused.body.error.status, 'FAILED_PRECONDITION')
    assert.equal(refused.body.error.details[0].reason, 'CHANGES_ALREADY_IN_REVIEW')
    const submissions = () => fake.store.releases.map((each) => each.submissions)
    assert.deepEqual(submissions(), [1, 1])
    assert.equal((await ask('POST', `edits/${id}:commit`)).status, 200)
    assert.deepEqual(submissions(), [1, 2, 0])
  })

  test('Google decides who sends changes, and a commit that is wrong about it loses its edit', async ({
    assert,
  }) => {
    const fake = seeded({})
    const { ask, open, put, messageOf } = await asked(fake)
    const commit = async (query: string) => {
      const id = await open()
      await put(id, release({ status: 'inProgress', userFraction: 0.1 }))
      return { id, answer: ask('POST', `edits/${id}:commit${query}`) }
    }
    const flagged = await commit('?changesNotSentForReview=true')
    assert.match(await messageOf(flagged.answer), /must not be set/)
    assert.match(await messageOf(ask('GET', `edits/${flagged.id}/tracks`)), /deleted/)
    fake.store.isSentByHand = true
    const bare = await commit('')
    assert.match(await messageOf(bare.answer), /cannot be sent for review automatically/)
    assert.match(await messageOf(ask('GET', `edits/${bare.id}/tracks`)), /deleted/)
  })

  test('version codes only grow, and are published once', async ({ assert }) => {
    const fake = seeded({ ...ROLLING, state: 'live', fraction: 1, rollout: 'complete' })
    fake.store.library.add(39)
    const { ask, open, put, messageOf } = await asked(fake)
    const committed = async (each: ApiRelease) => {
      const id = await open()
      await put(id, each)
      return ask('POST', `edits/${id}:commit`)
    }
    const lower = committed(release({ status: 'completed', versionCodes: ['39'] }))
    assert.match(await messageOf(lower), /does not allow any existing users to upgrade/)
    const again = committed(release({ status: 'completed', versionCodes: ['40'] }))
    assert.match(await messageOf(again), /has already been used/)
    const shrunk = committed(release({ status: 'inProgress', userFraction: 0.5 }))
    assert.equal(await messageOf(shrunk), 'Fully released can not be staged.')
  })

  test('a draft app accepts only drafts, and the first release of a track is not staged', async ({
    assert,
  }) => {
    const fake = seeded({})
    fake.store.isDraftApp = true
    fake.store.hasBeenOut.clear()
    fake.store.releases = fake.store.releases.filter(({ isOut }) => !isOut)
    const { ask, open, put, messageOf } = await asked(fake)
    const committed = async (each: ApiRelease) => {
      const id = await open()
      await put(id, each)
      return ask('POST', `edits/${id}:commit`)
    }
    const rolling = release({ status: 'inProgress', userFraction: 0.1 })
    assert.match(await messageOf(committed(rolling)), /draft app/)
    fake.store.isDraftApp = false
    assert.match(await messageOf(committed(rolling)), /first release on a track/)
    assert.equal((await committed(release({ status: 'completed' }))).status, 200)
  })

  test('a new release takes over one that is rolling out; managed publishing holds approved changes', async ({
    assert,
  }) => {
    const fake = seeded(ROLLING)
    fake.store.library.add(42)
    fake.store.isManaged = true
    const { ask, open, put } = await asked(fake)
    const id = await open()
    const next = { status: 'inProgress', userFraction: 0.1, versionCodes: ['42'] }
    await put(id, next)
    await ask('POST', `edits/${id}:commit`)
    const out = () =>
      fake.store.on('production').flatMap((each) => (each.isOut ? highestCode(each) : []))
    fake.decide('approved')
    assert.deepEqual(out(), [40, 41])
    const { body } = await ask('GET', 'tracks/production/releases')
    const states = body.releases.map((each: any) => each.releaseLifecycleState)
    assert.include(states, 'RELEASE_LIFECYCLE_STATE_APPROVED_NOT_PUBLISHED')
    fake.inConsole((store) => store.publish())
    assert.deepEqual(out(), [40, 42])
  })
})
