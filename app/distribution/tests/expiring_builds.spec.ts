import { test } from '@japa/runner'
import { PROFILE, writeApk, writeIpa } from '#app-archives/writing/sane_archives'
import { Stage } from '#foundation/jobs/tests/support/stage'
import { later, SystemClock } from '#foundation/core/clock'
import { DAY } from '#foundation/core/durations'
import { clock } from '#foundation/core/services'
import { makeApp, makeUser } from '#tests/support/app_fixture'
import { makeWorld } from '#tests/support/world'
import { readOnCommand } from '../reading/read_on_command.js'
import { sendFile } from './support.js'

/** Makes a release, and functions that upload and read its builds. */
async function withRelease(platform: 'ios' | 'android') {
  const stage = await Stage.set(readOnCommand)
  const world = await makeWorld()
  const { admin } = world
  const app = await makeApp(world, { platform })
  await admin.post(`/app/${app}/release`, { version: '4.2.0' })
  const { body: bucket } = await admin.post(`/app/${app}/bucket`, { name: 'Beta' })
  const path = `/app/${app}/release/${app}:4.2.0`
  return {
    world,
    admin,
    path,
    upload: async (bytes: Buffer, fileName: string) => {
      const sent = await sendFile(admin, `/app/${app}/bucket/${bucket.id}/build`, {
        bytes,
        fileName,
      })
      stage.clock.travelTo(new SystemClock().now())
      await stage.worker.turn()
      return sent.body.id
    },
    why: async () => {
      const { next, warnings } = (await admin.get(`${path}/whyNotMoving`)).body
      return {
        moves: next,
        next: next.map(({ what }: { what: string }) => what),
        codes: warnings.map(({ code }: { code: string }) => code),
        warnings,
      }
    },
  }
}

const ipa = (days: number) =>
  writeIpa({
    profile: { ...PROFILE, ExpirationDate: new Date(later(clock.now(), days * DAY)) },
  })

test.group('The end of the newest build of a release', () => {
  test('is an expected change from 30 days ahead, and a warning for the release pilot once past', async ({
    assert,
  }) => {
    const { world, admin, path, upload, why } = await withRelease('ios')
    await upload(ipa(100), 'Acme.ipa')
    assert.notInclude((await why()).next, 'profileEnd')
    await upload(ipa(20), 'Acme.ipa')
    const whoActs = async () =>
      (await why()).moves.find(({ what }: { what: string }) => what === 'profileEnd')?.who
    assert.deepEqual(await whoActs(), [{ type: 'releasePilot', name: 'Release pilot' }])
    const ada = await makeUser(world, 'ada@acme.example')
    await admin.put(path, { releasePilotId: ada })
    assert.deepEqual(await whoActs(), [{ type: 'releasePilot', id: ada, name: 'ada' }])
    const id = await upload(ipa(-1), 'Acme.ipa')
    const { next, codes, warnings } = await why()
    assert.notInclude(next, 'profileEnd')
    assert.deepEqual(codes, ['profile_ended'])
    assert.containsSubset(warnings[0], {
      subject: { type: 'build', id, name: '4711' },
      who: [{ type: 'releasePilot' }],
    })
    assert.match(
      warnings[0].message,
      /^The profile Acme Ad Hoc of build 4711 ended on .* build again/
    )
    await admin.put(`${path}/skip`, {})
    assert.deepEqual((await why()).codes, [], 'Nobody waits for a skipped release')
  })

  test('is a warning for its target API level once Google Play requires a higher one', async ({
    assert,
  }) => {
    const { upload, why } = await withRelease('android')
    await upload(writeApk(), 'acme.apk')
    const { codes, warnings } = await why()
    assert.deepEqual(codes, ['target_api_level'])
    assert.match(warnings[0].message, /targets API level 35\. From 2026-08-31 on Google Play takes/)
  })
})
