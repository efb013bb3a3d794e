import { test } from '@japa/runner'
import { makeLate } from '#fixes/tests/late'
import { storeOf } from '#fixes/tests/store_of_late'
import { unitOfWork } from '#foundation/core/services'
import { rollingOut } from '#rollouts/tests/support'
import { findRelease } from '#releases/queries/find_release'
import { workAway } from '#releases/tests/helpers/code_world'
import { readyWorld, tidy, type StoreWorld } from '#stores/tests/support'
import { refusal } from '#stores/tests/memory_store'
import { compose } from '../compose.js'
import { messageFacts } from '../queries/message_facts.js'
import { isNotificationType } from '../vocabulary.js'

/*
 * Notifications about stores: timeline entries of the types that chats receive, as messages.
 */

type Place = Pick<StoreWorld, 'admin' | 'world' | 'appId' | 'path'>

async function inChat({ admin, world, appId, path }: Place): Promise<string[]> {
  const releaseId = path.split('/').at(-1)!
  const { body } = await admin.get(`${path}/timelineEvents?limit=100`)
  const entries: { type: string; title: string }[] = body.data
  const scope = unitOfWork.readScope(world.principal)
  const { id } = await world.write((writing) => findRelease(writing, appId, releaseId))
  const texts = entries
    .filter(({ type }) => isNotificationType(type))
    .map(async ({ title }) => {
      const lines = [{ key: '', what: title, by: null, comment: null }]
      const message = { appId, releaseId: id, lines } as never
      return compose(await messageFacts(scope, message)).text
    })
  return Promise.all(texts)
}

test.group('A chat', (group) => {
  group.each.teardown(tidy)

  for (const type of ['apple', 'google'] as const) {
    test(`is told who stopped a rollout and why, once its store shows it, ${type}`, async ({
      assert,
    }) => {
      const given = await rollingOut(type)
      const { admin, path, work } = given
      const reason = 'Payments fail'
      await admin.put(`${path}/rollout`, { action: 'pause', reason })
      const stopped =
        /^The rollout of 1\.4\.0 is (PAUSED|halted|paused) at \d+ %, as admin decided: Payments fail$/m
      assert.isFalse((await inChat(given)).some((text) => stopped.test(text)))
      for (let turn = 0; turn < 3; turn++) await work()
      const texts = await inChat(given)
      assert.isTrue(
        texts.some((text) => stopped.test(text)),
        texts.join('\n\n')
      )
      assert.match(texts[0], /^Note: admin decided to stop the rollout at .*: Payments fail\./m)
      const { body } = await admin.get(`${path}/rollout`)
      assert.containSubset(body.stores[0].stopped, { how: 'person', reason })
    })
  }

  test('names no decider if somebody stopped the rollout in the console', async ({ assert }) => {
    const given = await rollingOut('google')
    given.store.become('halted')
    given.store.rollout({ state: 'halted', fraction: 0.1 })
    for (let turn = 0; turn < 3; turn++) await given.work()
    assert.isFalse((await inChat(given)).some((text) => / as .* decided/.test(text)))
  })

  test('is told that a review begins again, and the release names the cause meanwhile', async ({
    assert,
  }) => {
    const given = await readyWorld('google')
    const { admin, appId, path, store, work } = given
    const other = `/app/${appId}/release/${appId}:1.5.0`
    await admin.post(`/app/${appId}/release`, { version: '1.5.0' })
    await admin.put(`${other}/kickoff`)
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('inReview', { version: '1.5.0', buildNumbers: ['4712'] })
    await work()
    await admin.put(`${path}/developerRejectSubmission`)
    for (let turn = 0; turn < 3; turn++) await work()
    const cause =
      /Google Play reviews 1\.5\.0 from the beginning: 1\.4\.0 was withdrawn from review/
    const texts = await inChat({ ...given, path: other })
    assert.isTrue(
      texts.some((text) => cause.test(text)),
      texts.join('\n\n')
    )
    const warnings = async () => (await admin.get(`${other}/whyNotMoving`)).body.warnings
    const [warning] = await warnings()
    assert.equal(warning.code, 'review_restarted')
    assert.match(warning.message, cause)
    store.become('pendingRelease', { version: '1.5.0' })
    await work()
    assert.isEmpty(await warnings())
  })

  test('is told of a withdrawal that failed, which is also a warning of the release', async ({
    assert,
  }) => {
    const given = await readyWorld('google')
    const { admin, path, store, work } = given
    await admin.put(`${path}/submit`, {})
    await work()
    store.become('inReview')
    await work()
    store.failures.push(refusal('unsupported', 'Not for this app'))
    await admin.put(`${path}/developerRejectSubmission`)
    for (let turn = 0; turn < 2; turn++) await work()
    const { body } = await admin.get(`${path}/whyNotMoving`)
    assert.containSubset(body.warnings, [{ code: 'withdrawal_failed' }])
    const texts = await inChat(given)
    assert.match(texts[0], /1\.4\.0 could not be withdrawn.*Not for this app/)
  })

  test('notes in every message that the red button was pressed, until somebody resumes', async ({
    assert,
  }) => {
    const given = await rollingOut('google')
    const { admin, path, work } = given
    await admin.put(`${path}/redButton`, { reason: 'It crashes' })
    for (let turn = 0; turn < 3; turn++) await work()
    for (const text of await inChat(given)) {
      assert.match(text, /^Note: admin pressed the red button at .*: It crashes\./m)
    }
  })

  test('is told that the build which rolls out lacks a merged fix, in the words of the warnings', async ({
    assert,
    cleanup,
  }) => {
    const late = await makeLate(cleanup)
    const { repository, ask, tip, timeline, admin, world, app: appId } = late
    const path = late.path('1.0.0')
    await storeOf(late, tip(), 'live')
    const fix = repository.commit({ message: 'Fix it', files: { 'fix.txt': 'fixed\n' } })
    await ask({ commitHashes: [fix] })
    await workAway()
    const lacks = 'not in build 41, which is rolling out'
    const notified = `Fix merged: It crashes. It is ${lacks}`
    const [merged] = await timeline('1.0.0', '?type=fixRequest.merged')
    assert.equal(merged.title, notified)
    const { body } = await admin.get(`${path}/whyNotMoving`)
    const reasons = body.warnings.map(({ message }: { message: string }) => message)
    assert.include(reasons.join('\n'), `It crashes is merged and ${lacks}`)
    const texts = await inChat({ admin, world, appId, path })
    const message = texts.find((text) => text.includes(notified))
    assert.isDefined(message, texts.join('\n\n'))
    // Every other message meanwhile contains it as a note.
    for (const text of texts) assert.match(text, new RegExp(`^Note: It crashes is .*${lacks}`, 'm'))
  })
})
