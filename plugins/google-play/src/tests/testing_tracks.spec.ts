import { test } from '@japa/runner'
import { highestCode } from '../fake/play_store.js'
import { faultsOf, refusal, stage, withNext } from './support/stage.js'

test.group('Google Play | testing tracks', () => {
  test('a build is reviewed for a track that others see, and shown with the track behind', async ({
    assert,
  }) => {
    const { bench, fake, beta } = await stage()
    const given = await beta.distribute('41', ['internal', 'beta'], bench.mutation())
    assert.equal(given.state, 'inReview')
    const testing = async () =>
      (await beta.listBuilds({ version: '1.3.0' })).items[0].testing?.state
    assert.equal(await testing(), 'inReview')
    fake.decide('approved')
    assert.equal(await testing(), 'testing')
    const again = await beta.distribute('41', ['internal', 'beta'], bench.mutation())
    assert.equal(again.state, 'testing')
    assert.isAbove(again.lagSeconds, 0)
    assert.deepEqual(await faultsOf(fake), [])
  })

  test('a rejected build is reported as rejected', async ({ assert }) => {
    const { bench, fake, beta } = await stage()
    await beta.distribute('41', ['beta'], bench.mutation())
    fake.decide('rejected')
    const { items } = await beta.listBuilds({ version: '1.3.0' })
    assert.equal(items[0].testing?.state, 'rejected')
  })

  test('the next build replaces the previous one', async ({ assert }) => {
    const { bench, fake, beta } = await stage()
    await beta.distribute('41', ['internal'], bench.mutation())
    fake.inConsole((store) => {
      store.library.add(42)
      const draft = { ...structuredClone(store.on('internal')[0]), versionCodes: [42] }
      store.releases.push({ ...draft, status: 'draft', isOut: false, name: '1.4.0' })
    })
    await beta.distribute('42', ['internal'], bench.mutation())
    assert.deepEqual(fake.store.on('internal').map(highestCode), [42])
  })

  test('notes are set on the build that testers have', async ({ assert }) => {
    const { bench, fake, beta } = await stage()
    await beta.distribute('41', ['internal'], bench.mutation())
    await beta.setNotes('41', [{ locale: 'de-DE', text: 'Bezahlen' }], bench.mutation())
    const [release] = fake.store.on('internal')
    assert.deepEqual(release.notes, [{ language: 'de-DE', text: 'Bezahlen' }])
    assert.equal(release.status, 'completed')
  })

  test('distributing a build does not cancel a review of another track, and internal builds need none', async ({
    assert,
  }) => {
    const { bench, fake, beta } = await stage(withNext({ state: 'inReview' }))
    fake.inConsole((store) => {
      store.library.add(42)
      const draft = { ...structuredClone(store.on('production')[0]), versionCodes: [42] }
      const fresh = { track: 'internal', status: 'draft', isOut: false, name: '1.4.0' } as const
      store.releases.push({ ...draft, ...fresh })
    })
    const refused = await refusal(beta.distribute('42', ['beta'], bench.mutation()))
    assert.equal(refused.detail.reason, 'reviewInProgress')
    const { state } = await beta.distribute('42', ['internal'], bench.mutation())
    assert.equal(state, 'testing')
  })

  test('a change on another track that waits for a person is not sent with it', async ({
    assert,
  }) => {
    const { bench, fake, beta } = await stage(withNext({ state: 'readyForReview' }))
    fake.inConsole((store) => {
      store.library.add(42)
      const draft = { ...structuredClone(store.on('production')[0]), versionCodes: [42] }
      const fresh = { track: 'internal', status: 'draft', isOut: false, name: '1.4.0' } as const
      store.releases.push({ ...draft, ...fresh })
    })
    await beta.distribute('42', ['beta'], bench.mutation())
    const waiting = fake.store.on('production').find((each) => highestCode(each) === 41)
    assert.include(waiting, { status: 'draft', submissions: 0 })
  })

  test('if a person sends changes, the build waits for them', async ({ assert }) => {
    const { bench, fake, beta } = await stage()
    fake.store.isSentByHand = true
    assert.equal((await beta.distribute('41', ['beta'], bench.mutation())).state, 'processing')
    fake.inConsole((store) => store.send())
    const { items } = await beta.listBuilds({ version: '1.3.0' })
    assert.equal(items[0].testing?.state, 'inReview')
  })
})
