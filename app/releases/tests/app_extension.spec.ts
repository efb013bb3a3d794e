import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import App from '#apps/models/app'
import { appExtension } from '#releases/lifecycle/app_extension'
import { makeTrain } from './helpers/release_world.js'

test.group('Settings of an app', () => {
  test('apply to a release that the change makes active, and to none that was active', async ({
    assert,
  }) => {
    const versions = ['1.0.0', '1.1.0', '1.2.0']
    const { admin, app, path, statuses, world } = await makeTrain(versions, {
      platform: 'react-native-ota',
    })
    await admin.put(path('1.0.0') + '/kickoff')
    // The release is live by its facts, but is only derived when the app changes.
    await db
      .from('releases')
      .where({ app_id: app, version_minor: 0 })
      .update({ released_at: '2026-11-20T09:00:00.000Z' })

    await world.write(async (scope) => {
      const changed = await scope.query(App).where('id', app).firstOrFail()
      const { settings } = changed
      changed.settings = { ...settings, hideNotRequiredReleaseStepsInTimeline: true }
      await appExtension.adopt!(scope, changed, { workflow: false, settings: true, changes: [] })
    })

    assert.deepEqual(await statuses(), {
      '1.0.0': 'completed',
      '1.1.0': 'active',
      '1.2.0': 'upcoming',
    })
    const rows = await db.from('releases').where('app_id', app).orderBy('version_minor')
    assert.deepEqual(
      rows.map(({ settings }) => JSON.parse(settings).hideNotRequiredReleaseStepsInTimeline),
      [false, true, true]
    )
  })
})
