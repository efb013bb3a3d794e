import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { releases } from '#releases/tables'
import { makeTrain } from '#releases/tests/helpers/release_world'

/** Makes an app with a release that has a name and a description, and another that has neither. */
async function makeNamed() {
  const { admin, app, world } = await makeTrain(['1.1.0'])
  const text = { releaseName: 'Winter', releaseDescription: 'Snow' }
  await admin.post(`/app/${app}/release`, { version: '1.0.0', ...text })
  const rows = () => db.from('releases').where('app_id', app).orderBy('version_minor')
  return {
    id: (await rows())[0].id as string,
    /** Updates releases in a transaction. */
    update: (key: object, values: object) =>
      world.write((scope) => scope.update(releases, key, values)),
    names: async () => (await rows()).map((row) => [row.release_name, row.release_description]),
  }
}

test.group('An update of rows', () => {
  test('leaves undefined members unchanged, and clears those that are null', async ({ assert }) => {
    const { id, update, names } = await makeNamed()
    const change = { releaseName: undefined, releaseDescription: 'Ice' }
    await update({ id }, change)
    assert.deepEqual(await names(), [
      ['Winter', 'Ice'],
      [null, null],
    ])
    await update({ id }, { releaseName: null, releaseDescription: undefined })
    assert.deepEqual(await names(), [
      [null, 'Ice'],
      [null, null],
    ])
  })

  test('changes all rows that a list in the key names', async ({ assert }) => {
    const { id, update, names } = await makeNamed()
    await update({ id: [id, 'rel_of_nobody'], version: '1.0.0' }, { releaseName: 'Summer' })
    assert.deepEqual(await names(), [
      ['Summer', 'Snow'],
      [null, null],
    ])
    await update({ version: ['1.0.0', '1.1.0'] }, { releaseDescription: 'Sun' })
    assert.deepEqual(await names(), [
      ['Summer', 'Sun'],
      [null, 'Sun'],
    ])
    await update({ id: [] }, { releaseName: null })
    assert.deepEqual((await names())[0], ['Summer', 'Sun'])
  })

  test('refuses an empty key and an empty change', async ({ assert }) => {
    const { id, update, names } = await makeNamed()
    const change = { releaseName: 'Summer' }
    for (const key of [{}, { id: undefined }, { id, version: undefined }]) {
      await assert.rejects(() => update(key, change), 'An update must say by which key')
    }
    for (const nothing of [{}, { releaseName: undefined }]) {
      await assert.rejects(() => update({ id }, nothing), 'An update must say what changes')
    }
    assert.deepEqual(await names(), [
      ['Winter', 'Snow'],
      [null, null],
    ])
  })
})
