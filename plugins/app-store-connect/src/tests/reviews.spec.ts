import { createHash } from 'node:crypto'
import { test } from '@japa/runner'
import { DAY_MS } from '../fake/world.js'
import { contractFaults, INPUT, refusal, stageWith } from './support/stage.js'

/*
 * Reviews: their submissions, which exist beside those of other items, and the files for reviewers.
 */

/** Returns Apple's refusal of a change that the state of a submission forbids. */
const closed = (id: string) => ({
  status: '409',
  code: 'STATE_ERROR',
  title: 'The request cannot be fulfilled because of the state of another resource.',
  detail: `reviewSubmissions with id '${id}' is not in valid state.`,
})

test.group('App Store Connect | reviews', () => {
  test('a version that Apple releases after its approval needs no release', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith()
    const { id } = await store.prepare({ ...INPUT, release: 'auto' }, bench.mutation())
    await store.submit(id, keyed('fail'))
    fake.inConsole(({ versions }) => (versions[0].isOffSale = true))
    fake.decide(id, 'approved')
    assert.equal(fake.world.versions.at(-1)!.state, 'PROCESSING_FOR_DISTRIBUTION')
    bench.pass(60_000)
    const { items } = await store.listVersions({})
    assert.sameDeepMembers(
      items.map(({ status }) => status.state),
      ['rolledOutPartially', 'replaced']
    )
  })

  test('a version goes from its first text to its users', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith()
    fake.world.versions[0].texts.push({ id: 't', locale: 'en-US', texts: { whatsNew: 'Old' } })
    const { id } = await store.prepare(INPUT, bench.mutation())
    await store.setMetadata(
      id,
      [
        { locale: 'en-US', whatsNew: 'New', title: 'Acme 2' },
        { locale: 'fr-FR', whatsNew: 'Neuf' },
      ],
      bench.mutation()
    )
    assert.deepEqual(await store.getMetadata(id), [
      { locale: 'en-US', title: 'Acme 2', whatsNew: 'New' },
      { locale: 'fr-FR', whatsNew: 'Neuf' },
    ])
    const sent = await store.submit(id, keyed('fail'))
    assert.deepInclude(sent.status, { state: 'waitingForReview', lagSeconds: 0 })
    const { items: listed } = await store.listVersions({ version: '1.3.0' })
    assert.equal(listed[0].submissionId, sent.submissionId)
    fake.decide(id, 'approved')
    const { status } = await store.release!(id, bench.mutation())
    assert.equal(status.state, 'processing')
    bench.pass(60_000)
    const { items } = await store.listVersions({})
    assert.deepEqual(
      items.map(({ version, status: { state } }) => [version, state]),
      [
        ['1.3.0', 'rolledOutPartially'],
        ['1.2.3', 'replaced'],
      ]
    )
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a title alone makes no language of the version, and changes none', async ({ assert }) => {
    const { bench, fake, store, since, keyed } = await stageWith({})
    const from = fake.requests().length
    const set = await store.setMetadata(
      'v2',
      [
        { locale: 'en-US', title: 'Acme 2' },
        { locale: 'fr-FR', title: 'Acmé' },
      ],
      bench.mutation()
    )
    assert.deepEqual(set, [
      { locale: 'en-US', title: 'Acme 2', whatsNew: 'New' },
      { locale: 'fr-FR', title: 'Acmé' },
    ])
    assert.isTrue(since(from).every((each) => !each.includes('VersionLocalizations')))
    assert.deepEqual(await store.getMetadata('v2'), set.slice(0, 1))
    const { status } = await store.submit('v2', keyed('fail'))
    assert.equal(status.state, 'waitingForReview')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a submission of other items alone is left alone', async ({ assert }) => {
    const { bench, fake, store, keyed } = await stageWith({})
    await store.submit('v2', keyed('replace'))
    await store.cancelReview('v2', bench.mutation())
    const event = fake.world.submissions.find(({ id }) => id === 'of-an-event')
    assert.deepInclude(event, { state: 'WAITING_FOR_REVIEW', versionId: null })
  })

  test('an empty submission that was left behind is used, and no second one made', async ({
    assert,
  }) => {
    const { fake, store, keyed } = await stageWith({})
    fake.failNext('pass', 'pass', 'pass', 'reset')
    await refusal(store.submit('v2', keyed('fail')))
    fake.advance(10_000)
    await store.submit('v2', keyed('fail'))
    assert.lengthOf(
      fake.world.submissions.filter(({ id }) => id !== 'of-an-event'),
      1
    )
  })

  test('a rejected version is sent again in its submission, with the other items', async ({
    assert,
  }) => {
    const { bench, fake, store, since, keyed } = await stageWith({ state: 'inReview' })
    const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
    own.others = 1
    fake.decide('v2', 'rejected')
    const { items } = await store.listVersions({ version: '1.3.0' })
    assert.deepInclude(items[0], { submissionId: own.id })
    assert.equal(items[0].status.state, 'rejected')
    // Only Resolution Center has the reasons.
    assert.isUndefined(items[0].rejection)
    await store.prepare(INPUT, bench.mutation())
    const from = fake.requests().length
    const { submissionId, status } = await store.submit('v2', keyed('fail'))
    assert.deepEqual([submissionId, status.state], [own.id, 'waitingForReview'])
    assert.lengthOf(since(from), 3)
    assert.deepInclude(own, { state: 'WAITING_FOR_REVIEW', others: 1 })
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('if Apple refuses that, it is sent in a submission of its own', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({ state: 'rejected' })
    fake.world.settings.takesRejectedAgain = false
    const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
    const { submissionId, status } = await store.submit('v2', keyed('fail'))
    assert.equal(status.state, 'waitingForReview')
    assert.notEqual(submissionId, own.id)
    assert.equal(own.state, 'COMPLETE')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('a rejected version stays as it is if Apple refuses it for {what}')
    .with([
      { what: 'what it lacks', entry: null, says: /lacks release notes/ },
      {
        what: 'another submission',
        entry: {
          code: 'STATE_ERROR.SUBMISSION_IN_PROGRESS',
          detail: 'There is a review submission in progress for this platform.',
        },
        says: /submission in progress/,
      },
      {
        what: 'a price',
        entry: { code: 'STATE_ERROR', detail: 'No price is set.' },
        says: /No price is set/,
      },
    ])
    .run(async ({ assert }, { entry, says }) => {
      const { fake, store, keyed } = await stageWith({ state: 'rejected' })
      const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
      own.others = 1
      if (entry) {
        const error = { status: '409', title: 'The request cannot be fulfilled', ...entry }
        fake.failNext('pass', 'pass', { status: 409, body: { errors: [error] } })
      } else {
        fake.world.versions[1].texts[0].texts = {}
      }
      const before = structuredClone(fake.world.submissions)
      const { code, message, detail } = await refusal(store.submit('v2', keyed('fail')))
      assert.equal(code, 'preconditionFailed')
      assert.match(message, says)
      assert.equal(detail.outcome, 'notApplied')
      assert.deepEqual(fake.world.submissions, before)
      assert.equal(fake.world.versions[1].state, 'REJECTED')
    })

  test('a lost answer to a cancellation counts as applied if Apple refuses the retry', async ({
    assert,
  }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    const from = fake.requests().length
    fake.failNext('pass', 'pass', 'lost')
    const { status } = await store.cancelReview('v2', bench.mutation())
    assert.equal(status.state, 'developerRejected')
    const answers = fake.requests().slice(from)
    assert.deepEqual(
      answers.flatMap(({ method, response }) => (method === 'PATCH' ? [response?.status] : [])),
      [undefined, 409]
    )
  })

  test('a refused cancellation that no read shows is of unknown outcome', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
    fake.failNext('pass', 'pass', 'reset', { status: 409, body: { errors: [closed(own.id)] } })
    const { code, detail } = await refusal(store.cancelReview('v2', bench.mutation()))
    assert.deepEqual([code, detail.outcome], ['preconditionFailed', 'unknown'])
  })

  test('a submission that no read shows yet is not sent twice', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({ state: 'rejected' })
    const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
    await store.listVersions({ version: '1.3.0' })
    const stale: unknown = JSON.parse(fake.requests().at(-1)!.response!.body)
    await store.submit('v2', keyed('fail'))
    fake.world.settings.lagMs = 60_000
    fake.failNext('pass', { status: 200, body: stale })
    const { submissionId, status } = await store.submit('v2', keyed('fail'))
    assert.deepEqual([submissionId, status.state], [own.id, 'waitingForReview'])
    assert.equal(own.state, 'WAITING_FOR_REVIEW')
    assert.equal(fake.world.versions[1].submissions, 1)
  })

  for (const [state, others] of [
    ['inReview', 60],
    ['inReview', 460],
    ['pendingRelease', 60],
    ['pendingRelease', 460],
  ] as const) {
    test(`the submission of a version that is ${state} is found among ${others} others`, async ({
      assert,
    }) => {
      const { bench, fake, store } = await stageWith({ state })
      const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
      const past = Array.from({ length: others }, (_, index) => ({
        ...own,
        id: `s${index}`,
        state: 'COMPLETE',
        versionId: index === 0 ? 'v2' : 'v1',
        createdAt: own.createdAt - others + index,
      }))
      const later = past.map((each) => ({ ...each, id: `later-${each.id}`, versionId: null }))
      for (const each of later) each.createdAt += 2 * others
      fake.world.submissions.push(...past, ...later)
      const { items } = await store.listVersions({ version: '1.3.0' })
      assert.equal(items[0].submissionId, own.id)
      if (state !== 'inReview') return
      const { status } = await store.cancelReview('v2', bench.mutation())
      assert.equal(status.state, 'developerRejected')
      assert.deepEqual(contractFaults(fake.requests()), [])
    })
  }

  test('a review that takes long to cancel is to be requested again', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({ state: 'inReview' })
    fake.world.settings.cancelingMs = 120_000
    const { code, detail } = await refusal(store.submit('v2', keyed('replace')))
    assert.deepEqual([code, detail.reason], ['preconditionFailed', 'preparing'])
    assert.isAbove(detail.retryAfterMs ?? 0, 0)
    fake.advance(120_000)
    const { status } = await store.submit('v2', keyed('fail'))
    assert.equal(status.state, 'waitingForReview')
    assert.equal(fake.world.versions[1].submissions, 1)
  })

  test('a review that is being cancelled is shown as by Apple', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    fake.world.settings.cancelingMs = 120_000
    const { status } = await store.cancelReview('v2', bench.mutation())
    assert.equal(status.state, 'inReview')
    assert.isAbove(status.lagSeconds, 0)
    fake.advance(120_000)
    const over = await refusal(store.cancelReview('v2', bench.mutation()))
    assert.equal(over.detail.reason, 'notInReview')
  })

  test('a version in review without a listed submission is to be requested again', async ({
    assert,
  }) => {
    const { bench, fake, store } = await stageWith({ state: 'inReview' })
    const own = fake.world.submissions.find(({ versionId }) => versionId === 'v2')!
    own.shownAt = Infinity
    const { code, message, detail } = await refusal(store.cancelReview('v2', bench.mutation()))
    assert.deepEqual([code, detail.reason], ['conflict', 'preparing'])
    assert.isAbove(detail.retryAfterMs ?? 0, 0)
    assert.match(message, /has the version as IN_REVIEW, and does not list its submission yet/)
    assert.match(message, /cancels it in App Store Connect/)
  })

  test('an approved version can be withdrawn', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'pendingRelease' })
    const { status } = await store.cancelReview('v2', bench.mutation())
    assert.equal(status.state, 'developerRejected')
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('missing export compliance is reported before submitting', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({})
    fake.world.builds[1].encrypts = null
    const before = fake.world.submissions.length
    const { code, message, detail } = await refusal(store.submit('v2', keyed('fail')))
    assert.deepEqual([code, detail.reason], ['preconditionFailed', 'complianceMissing'])
    assert.match(message, /export compliance.*ITSAppUsesNonExemptEncryption/)
    assert.lengthOf(fake.world.submissions, before)
  })

  test('a build that expires meanwhile is reported as such', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({})
    // Apple does not find the submission for three seconds; the build is good for two.
    fake.world.builds[1].uploadedAt = fake.now - 90 * DAY_MS + 2000
    const { code, message, detail } = await refusal(store.submit('v2', keyed('fail')))
    assert.equal(code, 'preconditionFailed')
    assert.match(message, /The build has expired: Apple takes one for 90 days/)
    assert.equal(detail.outcome, 'notApplied')
  })

  test('missing parts of a version are reported, with Apple’s own text', async ({ assert }) => {
    const { fake, store, keyed } = await stageWith({})
    fake.world.versions[1].texts[0].texts = {}
    const { code, message, detail } = await refusal(store.submit('v2', keyed('fail')))
    assert.equal(code, 'preconditionFailed')
    assert.match(message, /lacks release notes in one of its languages/)
    assert.match(detail.raw ?? '', /cannot be reviewed, please check associated errors/)
  })

  test('a release that Apple refuses for another reason is reported with its text', async ({
    assert,
  }) => {
    const { bench, fake, store } = await stageWith({ state: 'pendingRelease' })
    const entry = { status: '409', code: 'STATE_ERROR', title: 'No', detail: 'No price is set.' }
    fake.failNext({ status: 409, body: { errors: [entry] } })
    const { message } = await refusal(store.release!('v2', bench.mutation()))
    assert.match(message, /does not allow this: No price is set\./)
  })

  test('a release whose answer was lost is no error', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({ state: 'pendingRelease' })
    fake.failNext('lost')
    const lost = await refusal(store.release!('v2', bench.mutation()))
    assert.equal(lost.detail.outcome, 'unknown')
    const { status } = await store.release!('v2', bench.mutation())
    assert.equal(status.state, 'processing')
  })
})

const bytes = new TextEncoder().encode('The demo account is demo, its password too.')
const file = {
  name: 'demo.txt',
  contentType: 'text/plain',
  size: bytes.length,
  sha256: createHash('sha256').update(bytes).digest('hex'),
  read: async (from: number, length: number) => bytes.slice(from, from + length),
}

test.group('App Store Connect | files for reviews', () => {
  test('parts go where Apple wants them, without a token', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({})
    const { id } = await store.addReviewFile!('v2', file, bench.mutation())
    const parts = fake.requests().filter(({ url }) => url.includes('blobstore'))
    assert.lengthOf(parts, Math.ceil(bytes.length / 10))
    for (const { headers, method } of parts) {
      assert.equal(method, 'PUT')
      assert.notProperty(headers, 'authorization')
    }
    const [attachment] = fake.world.versions[1].detail!.attachments
    assert.equal(attachment.state, 'UPLOAD_COMPLETE')
    // A repeated upload finds the file.
    assert.equal((await store.addReviewFile!('v2', file, bench.mutation())).id, id)
    assert.lengthOf(fake.world.versions[1].detail!.attachments, 1)
    assert.deepEqual(contractFaults(fake.requests()), [])
  })

  test('an interrupted upload does not count, and is made again', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({})
    // After the details, the reservation and two parts.
    const passes = Array.from({ length: 5 }, () => 'pass' as const)
    fake.failNext(...passes, { status: 403, body: {} })
    const failed = await refusal(store.addReviewFile!('v2', file, bench.mutation()))
    assert.match(failed.message, /takes no part of demo\.txt/)
    assert.deepEqual(await store.listReviewFiles!('v2'), [])
    await store.addReviewFile!('v2', file, bench.mutation())
    const { attachments } = fake.world.versions[1].detail!
    assert.deepEqual(
      attachments.map(({ name, state }) => [name, state]),
      [['demo.txt', 'UPLOAD_COMPLETE']]
    )
  })

  test('a file that differs from its announcement is refused', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({})
    const shorter = { ...file, read: async (from: number) => bytes.slice(from, from + 3) }
    const { code, detail } = await refusal(store.addReviewFile!('v2', shorter, bench.mutation()))
    assert.deepEqual([code, detail.reason], ['invalid', 'fileRefused'])
    assert.isTrue(fake.requests().every(({ url }) => !url.includes('blobstore')))
  })

  test('bytes that arrive damaged are reported', async ({ assert }) => {
    const { bench, fake, store } = await stageWith({})
    fake.world.settings.spoilsParts = true
    const { message } = await refusal(store.addReviewFile!('v2', file, bench.mutation()))
    assert.match(message, /The checksum is not that of the file/)
    assert.lengthOf(fake.world.versions[1].detail!.attachments, 0)
  })
})
