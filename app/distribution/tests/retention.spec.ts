import db from '@adonisjs/lucid/services/db'
import fc from 'fast-check'
import { test } from '@japa/runner'
import { RecordCiBuild } from '#builds/actions/record_ci_build'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { DAY } from '#foundation/core/durations'
import { referenceFile } from '#foundation/core/files/held_files'
import { later } from '#foundation/core/clock'
import { randomText } from '#foundation/core/ids'
import type { Scope } from '#foundation/core/scope'
import type { Api } from '#tests/support/api'
import { makeApp } from '#tests/support/app_fixture'
import { CUSTOM_BUILD, installIntegration } from '#tests/support/custom_integrations'
import { addBuild } from '../add_build.js'
import Bucket from '../models/bucket.js'
import { expireOnTime } from '../retention/expire_on_time.js'
import { sendFile, sha256, storedKeys } from './support.js'
import { runs } from '#tests/support/effort'

const expireOldBuilds = (config: object, enabled = true) => ({
  automations: [{ type: 'expireOldBuilds', enabled, config }],
})

/** Makes a stage with a bucket, whose builds are added at the time of the stage. */
async function setBucket(settings: object = {}) {
  const stage = await Stage.set(expireOnTime)
  const { world } = stage
  const app = await makeApp(world)
  const { body } = await world.admin.post(`/app/${app}/bucket`, { name: 'Beta', ...settings })
  const path = `/app/${app}/bucket/${body.id}`
  const bucketOf = async (scope: Scope) => (await scope.query(Bucket).where('id', body.id).first())!
  return {
    stage,
    world,
    admin: world.admin,
    app,
    bucketId: body.id as string,
    path,
    add: (ciBuildId: string | null = null) =>
      stage.write(async (scope) => {
        await scope.lock('apps', app)
        const hash = sha256(randomText(20))
        const fileId = await referenceFile(scope, { key: `files/${hash}`, size: 1, sha256: hash })
        const artifact = { kind: 'artifact' as const, fileName: 'a.ipa', contentType: 'x/y' }
        const added = {
          ciBuild: null,
          ciBuildId,
          branch: null,
          source: 'upload' as const,
          testerNotes: null,
          createdBy: scope.actor,
        }
        const files = [{ ...artifact, size: 1, sha256: hash, fileId }]
        return addBuild(scope, await bucketOf(scope), added, files, '')
      }),
    /** Advances the clock and carries out the jobs that are due. */
    async pass(milliseconds: number) {
      stage.clock.advance(milliseconds)
      while ((await stage.worker.turn()) > 0);
    },
    active: async (): Promise<string[]> =>
      (
        await db
          .from('distribution_builds')
          .where({ bucket_id: body.id, status: 'active' })
          .orderBy('created_at')
          .orderBy('id')
      ).map(({ id }) => id),
  }
}

/** Returns the planned jobs that expire builds. */
const plannedExpiries = async (stage: { jobs(): Promise<{ kind: string }[]> }) =>
  (await stage.jobs()).filter(({ kind }) => kind === 'bucket.retention')

test.group('Builds expire', () => {
  test('by number: the oldest expire beyond the limit, with their files', async ({ assert }) => {
    const { add, active, pass, world, bucketId } = await setBucket(
      expireOldBuilds({ maxBuilds: 2 })
    )
    const ids: string[] = []
    for (let each = 0; each < 4; each++) {
      ids.push((await add()).id)
      await pass(1000)
    }
    assert.deepEqual(await active(), ids.slice(2))
    const held = await db.from('stored_files').where('organization_id', world.organizationId)
    assert.lengthOf(held, 2)
    const audit = await db
      .from('audit_entries')
      .where({ subject: bucketId, action: 'builds.expired' })
    assert.lengthOf(audit, 2)
    assert.equal(JSON.parse(audit[0].actor).name, 'retention')
  })

  test('by age, at the exact time; the newest stays, however old', async ({ assert }) => {
    const { add, active, pass, stage } = await setBucket(expireOldBuilds({ maxAgeDays: 3 }))
    const { id: first } = await add()
    await pass(DAY)
    const { id: second } = await add()
    await pass(2 * DAY - 1)
    assert.deepEqual(await active(), [first, second])
    await pass(1)
    assert.deepEqual(await active(), [second])
    await pass(100 * DAY)
    assert.deepEqual(await active(), [second])
    assert.isEmpty(await plannedExpiries(stage))
    const { id: third } = await add()
    await pass(0)
    assert.deepEqual(await active(), [third])
  })

  test('at the time that a person set, with their files', async ({ assert }) => {
    const { add, active, pass, admin, path, stage } = await setBucket()
    const { id } = await add()
    const expiresAt = later(stage.clock.now(), DAY)
    assert.equal((await admin.patch(`${path}/build/${id}`, { expiresAt })).status, 200)
    await pass(DAY - 1)
    assert.deepEqual(await active(), [id])
    await pass(1)
    assert.isEmpty(await active())
    const gone = await admin.get(`${path}/build/${id}/download`)
    assert.deepEqual(
      [gone.status, gone.body.code, gone.body.currentStatus],
      [409, 'file_gone', 'expired']
    )
    const { body } = await admin.get(`${path}/build/${id}`)
    assert.deepEqual([body.status, body.downloadUrl, body.fileSize], ['expired', null, 1])
  })

  test('as soon as a bucket is set to keep fewer; not while that is disabled', async ({
    assert,
  }) => {
    const { add, active, pass, admin, path } = await setBucket(
      expireOldBuilds({ maxBuilds: 1 }, false)
    )
    const ids: string[] = []
    for (let each = 0; each < 3; each++) {
      ids.push((await add()).id)
      await pass(1)
    }
    assert.deepEqual(await active(), ids)
    await admin.patch(path, expireOldBuilds({ maxBuilds: 2 }))
    // The request is made at the real time, from which the clock of the stage may be behind.
    await pass(DAY)
    assert.deepEqual(await active(), ids.slice(1))
    assert.isEmpty((await admin.patch(path, { automations: [] })).body.automations)
    await pass(1000 * DAY)
    assert.deepEqual(await active(), ids.slice(1))
  })

  test('never from a planned job of an app that was removed', async ({ assert }) => {
    const { add, admin, app, stage } = await setBucket(expireOldBuilds({ maxAgeDays: 1 }))
    await add()
    stage.clock.advance(1)
    await add()
    assert.lengthOf(await plannedExpiries(stage), 1)
    assert.equal((await admin.delete(`/app/${app}/config?force=true`)).status, 204)
    assert.isEmpty(await plannedExpiries(stage))
  })

  for (const [end, take] of Object.entries({
    'it has expired': (admin: Api, at: string) => admin.patch(at, { status: 'expired' }),
    'it was deleted': (admin: Api, at: string) => admin.delete(at),
  })) {
    test(`with the file of their CI build once ${end} in the last bucket, unless a release selected it`, async ({
      assert,
    }) => {
      const { world, admin, app, path } = await setBucket({
        rules: [{ type: 'Branch', branch: '{*}' }],
      })
      const installation = await installIntegration(world, app, 'generic-ci')
      const ci = `/app/${app}/integration/${installation}/build`
      await admin.post(`/app/${app}/release`, { version: '1.4.0' })
      const before = await storedKeys()
      const sent: any[] = []
      for (const [buildIdentifier, version] of [
        ['1', undefined],
        ['2', '1.4.0'],
      ]) {
        const data = { ...CUSTOM_BUILD, buildIdentifier, version }
        sent.push((await sendFile(admin, ci, { bytes: `${app} ${buildIdentifier}`, data })).body)
      }
      const { body: landed } = await admin.get(`${path}/builds`)
      for (const { id } of landed.data) await take(admin, `${path}/build/${id}`)
      const downloads = await Promise.all(sent.map(({ id }) => admin.get(`${ci}/${id}/download`)))
      assert.deepEqual(
        downloads.map(({ status, body }) => [status, body?.code]),
        [
          [409, 'file_gone'],
          [200, undefined],
        ]
      )
      assert.lengthOf(await storedKeys(), before.length + 1)
      assert.isNull((await admin.get(ci)).body.data.at(-1).downloadUrl)
      const again = { ...CUSTOM_BUILD, buildIdentifier: '1' }
      await sendFile(admin, ci, { bytes: `${app} 1`, data: again })
      assert.equal((await admin.get(`${ci}/${sent[0].id}/download`)).text, `${app} 1`)
    })
  }

  test('but their CI build keeps its file until it has left its last bucket', async ({
    assert,
  }) => {
    const rules = [{ type: 'Branch', branch: '{*}' }]
    const { world, admin, app, path } = await setBucket({ rules })
    const { body: other } = await admin.post(`/app/${app}/bucket`, { name: 'Other', rules })
    const installation = await installIntegration(world, app, 'generic-ci')
    const ci = `/app/${app}/integration/${installation}/build`
    const { body: sent } = await sendFile(admin, ci, { bytes: app, data: CUSTOM_BUILD })
    const before = await storedKeys()
    for (const [index, bucket] of [path, `/app/${app}/bucket/${other.id}`].entries()) {
      const { body } = await admin.get(`${bucket}/builds`)
      assert.equal((await admin.delete(`${bucket}/build/${body.data[0].id}`)).status, 204)
      const { status } = await admin.get(`${ci}/${sent.id}/download`)
      assert.equal(status, index === 0 ? 200 : 409)
    }
    assert.lengthOf(await storedKeys(), before.length - 1)
  })

  test('but not the last successful build of a release, while newer ones run or have failed', async ({
    assert,
  }) => {
    const { world, admin, app, path } = await setBucket({
      rules: [{ type: 'Branch', branch: '{*}' }],
    })
    const installation = await installIntegration(world, app, 'generic-ci')
    const ci = `/app/${app}/integration/${installation}/build`
    await admin.post(`/app/${app}/release`, { version: '1.4.0' })
    const send = async (buildIdentifier: string, startedAt: string, status: string) => {
      const data = { ...CUSTOM_BUILD, buildIdentifier, startedAt, status, version: '1.4.0' }
      return (await sendFile(admin, ci, { bytes: `${app} ${buildIdentifier}`, data })).body
    }
    const good = await send('1', '2026-11-20T10:00:00.000Z', 'success')
    await send('2', '2026-11-20T11:00:00.000Z', 'failed')
    await send('3', '2026-11-20T12:00:00.000Z', 'running')
    const expire = async () => {
      const { body } = await admin.get(`${path}/builds?status=active`)
      for (const { id } of body.data)
        await admin.patch(`${path}/build/${id}`, { status: 'expired' })
    }
    await expire()
    assert.equal((await admin.get(`${ci}/${good.id}/download`)).status, 200)
    // It is reported late, but began before the selected one.
    const late = await send('0', '2026-11-20T09:00:00.000Z', 'success')
    const better = await send('3', '2026-11-20T12:00:00.000Z', 'success')
    await expire()
    const statuses = await Promise.all(
      [late, better].map(async ({ id }) => (await admin.get(`${ci}/${id}/download`)).status)
    )
    assert.deepEqual(statuses, [409, 200])
  })
})

test.group('automations of a bucket', () => {
  test('are shown as given; 422 without a limit, with an invalid limit, or of an unknown type', async ({
    assert,
  }) => {
    const { admin, path } = await setBucket(expireOldBuilds({ maxAgeDays: 30 }))
    const shown = [
      { type: 'expireOldBuilds', enabled: true, config: { maxAgeDays: 30, maxBuilds: null } },
    ]
    assert.deepEqual((await admin.get(path)).body.automations, shown)
    assert.deepEqual((await admin.patch(path, { name: 'Gamma' })).body.automations, shown)
    const [{ enabled, config: kept }] = shown
    const unnamed = { automations: [{ enabled, config: kept }] }
    assert.deepEqual((await admin.patch(path, unnamed)).body.automations, shown)
    for (const [config, pointer] of [
      [{}, '/automations/0/config'],
      [{ maxAgeDays: null }, '/automations/0/config'],
      [{ maxAgeDays: 0 }, '/automations/0/config/maxAgeDays'],
      [{ maxBuilds: 1.5 }, '/automations/0/config/maxBuilds'],
    ] as const) {
      const { status, body } = await admin.patch(path, expireOldBuilds(config))
      assert.deepEqual([status, body.errors[0].pointer], [422, pointer])
    }
    const unknown = { automations: [{ type: 'autoAddTesters', enabled: true, config: {} }] }
    assert.equal((await admin.patch(path, unknown)).status, 422)
  })
})

/* Uploads, settings, selections and time, compared with a simple model. */

const step = fc.oneof(
  { weight: 5, arbitrary: fc.record({ add: fc.constant(true) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      keep: fc.record({
        maxAgeDays: fc.option(fc.integer({ min: 1, max: 6 })),
        maxBuilds: fc.option(fc.integer({ min: 1, max: 4 })),
        enabled: fc.boolean(),
      }),
    }),
  },
  { weight: 2, arbitrary: fc.record({ select: fc.nat(10), byHand: fc.boolean() }) },
  { weight: 1, arbitrary: fc.record({ end: fc.nat(10), days: fc.integer({ min: 1, max: 5 }) }) }
)

interface KeptBuild {
  id: string
  madeAt: number
  endsAt: number | null
  isSelected: boolean
  isExpired: boolean
}

test.group('Builds expire as a simple model predicts', () => {
  test('whatever is added, selected or set, and whenever', async ({ assert }) => {
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.tuple(step, fc.integer({ min: 1, max: 3 })), { minLength: 4, maxLength: 16 }),
        async (steps) => {
          const bucket = await setBucket()
          const { world, admin, app, path, stage } = bucket
          const installation = await installIntegration(world, app, 'generic-ci')
          await admin.post(`/app/${app}/release`, { version: '1.0.0' })
          const { id: releaseId } = await db.from('releases').where('app_id', app).firstOrFail()
          const ciBuilds = new Map<string, string>()
          const kept: KeptBuild[] = []
          let keep: { maxAgeDays: number | null; maxBuilds: number | null } | null = null
          const now = () => stage.clock.milliseconds()
          const report = (buildIdentifier: string, status: 'success' | 'failed') =>
            stage.write((scope) =>
              new RecordCiBuild(scope).observe({
                ...CUSTOM_BUILD,
                appId: app,
                installationId: installation,
                integrationId: 'generic-ci',
                buildIdentifier,
                baseBranch: null,
                status,
                files: [],
              })
            )
          const { id: failed } = await report('failed', 'failed')

          for (const [each, days] of steps) {
            if ('add' in each) {
              const ci = await report(String(kept.length), 'success')
              const { id } = await bucket.add(ci.id)
              ciBuilds.set(id, ci.id)
              kept.push({ id, madeAt: now(), endsAt: null, isSelected: false, isExpired: false })
            } else if ('keep' in each) {
              const { enabled, ...config } = each.keep
              const hasLimit = config.maxAgeDays !== null || config.maxBuilds !== null
              const given = hasLimit ? expireOldBuilds(config, enabled) : { automations: [] }
              assert.equal((await admin.patch(path, given, { uncounted: true })).status, 200)
              keep = hasLimit && enabled ? config : null
            } else if (kept.length > 0 && 'select' in each) {
              const chosen = kept[each.select % kept.length]
              for (const one of kept) one.isSelected = one === chosen
              const ciBuildId = ciBuilds.get(chosen.id)!
              const row = { organization_id: world.organizationId, chosen_at: '' }
              // Chosen by a person, or the last successful build before a failed one.
              const choice = each.byHand
                ? { by_hand: true, ci_build_id: ciBuildId }
                : { by_hand: false, ci_build_id: failed, succeeded_build_id: ciBuildId }
              await db.from('release_candidates').where('release_id', releaseId).delete()
              await db
                .table('release_candidates')
                .insert({ ...row, ...choice, release_id: releaseId })
            } else if (kept.length > 0 && 'end' in each) {
              const one = kept[each.end % kept.length]
              if (!one.isExpired) {
                one.endsAt = now() + each.days * DAY
                const expiresAt = new Date(one.endsAt).toISOString()
                const at = `${path}/build/${one.id}`
                assert.equal(
                  (await admin.patch(at, { expiresAt }, { uncounted: true })).status,
                  200
                )
              }
            }
            await bucket.pass(days * DAY)

            for (const one of kept) one.isExpired ||= one.endsAt !== null && one.endsAt <= now()
            const lasting = kept.filter(({ isExpired }) => !isExpired).reverse()
            for (const [place, one] of lasting.entries()) {
              if (place === 0 || one.isSelected || !keep) continue
              const { maxAgeDays, maxBuilds } = keep
              const isOld = maxAgeDays !== null && now() - one.madeAt >= maxAgeDays * DAY
              one.isExpired = isOld || (maxBuilds !== null && place >= maxBuilds)
            }
            const expected = kept.filter(({ isExpired }) => !isExpired).map(({ id }) => id)
            assert.deepEqual(await bucket.active(), expected)
            const held = await db
              .from('stored_files')
              .where('organization_id', world.organizationId)
            assert.lengthOf(held, expected.length)
          }
        }
      ),
      { numRuns: runs(25) }
    )
  }).timeout(120_000)
})
