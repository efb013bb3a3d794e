import { test } from '@japa/runner'
import db from '@adonisjs/lucid/services/db'
import { timelineHash } from '#foundation/core/events/timeline_hash'
import { ReleaseVerify } from '#releases/commands/release_verify'
import { runCommand } from '#tests/support/console'
import { runAce } from '#tests/support/processes'
import { makeTrain } from './helpers/release_world.js'

/** Creates a release with five entries in its timeline. */
async function releaseWithPast() {
  const train = await makeTrain(['1.0.0'])
  const { admin, app, path } = train
  for (const releaseName of ['Winter', 'Summer']) await admin.put(path('1.0.0'), { releaseName })
  await admin.put(path('1.0.0') + '/skip', { reason: 'Folded' })
  await admin.put(path('1.0.0') + '/unskip')
  const { id } = await db.from('releases').where('app_id', app).firstOrFail()
  const entry = async (position: number) =>
    db.from('events').where({ release_id: id, position }).firstOrFail()
  const change = (position: number, columns: object) =>
    db.from('events').where({ release_id: id, position }).update(columns)
  return { ...train, id, entry, change, releaseId: `${app}:1.0.0` }
}

const verify = (releaseId: string) => runCommand(ReleaseVerify, [releaseId])

test.group('release:verify', () => {
  test('confirms a timeline that was not tampered with', async ({ assert }) => {
    const { releaseId, timeline } = await releaseWithPast()
    const { code, document } = await verify(releaseId)
    const [last] = await timeline('1.0.0')
    assert.equal(code, 0)
    assert.deepEqual(document, {
      releaseId,
      valid: true,
      entries: 5,
      hash: last.hash,
      broken: null,
    })
  })

  test('finds a release by a former id', async ({ assert }) => {
    const { releaseId, admin, app, path } = await releaseWithPast()
    await admin.put(path('1.0.0'), { version: '2.0.0' })
    const { document } = await verify(releaseId)
    assert.containsSubset(document, { releaseId: `${app}:2.0.0`, valid: true, entries: 6 })
  })

  test('confirms a timeline that takes several reads', async ({ assert }) => {
    const { world, id, releaseId, app } = await releaseWithPast()
    await world.write(async (scope) => {
      for (let index = 0; index < 1000; index++) {
        scope.events.record({
          type: 'release.updated',
          title: `Change ${index}`,
          entityKey: `release:${id}`,
          appId: app,
          releaseId: id,
          data: { [index]: 'b', a: { z: 1, 2: [null, true, 0.1] } },
        })
      }
    })
    assert.containsSubset((await verify(releaseId)).document, { valid: true, entries: 1005 })
  })

  test('names the first entry whose {$self} was changed')
    .with(['type', 'title', 'occurred_at', 'actor', 'data', 'step_config_id', 'id', 'hash'])
    .run(async ({ assert }, column) => {
      const { releaseId, entry, change } = await releaseWithPast()
      const values: Record<string, string> = {
        occurred_at: '2020-01-01T00:00:00.000Z',
        actor: JSON.stringify({ type: 'user', id: 'usr_1', name: 'Somebody else' }),
        data: '{"reason":"Other"}',
      }
      await change(4, { [column]: values[column] ?? `other-${Math.random()}` })
      const { code, document } = await verify(releaseId)
      assert.equal(code, 1)
      assert.containsSubset(document, {
        valid: false,
        entries: 3,
        broken: {
          position: 4,
          eventId: (await entry(4)).id,
          reason: 'The hash of the entry does not match its content.',
        },
      })
    })

  test('names an entry that cannot be read', async ({ assert }) => {
    const { releaseId, change } = await releaseWithPast()
    await change(2, { data: '{"half' })
    assert.equal((await verify(releaseId)).document.broken.position, 2)
  })

  test('names the entry after one that was changed together with its hash', async ({ assert }) => {
    const { releaseId, entry, change } = await releaseWithPast()
    const row = await entry(2)
    const hash = timelineHash(row.previous_hash, {
      id: row.id,
      type: row.type,
      title: 'Forged',
      occurredAt: row.occurred_at,
      actor: JSON.parse(row.actor),
      stepConfigId: row.step_config_id,
      data: JSON.parse(row.data),
    })
    await change(2, { title: 'Forged', hash })
    assert.containsSubset((await verify(releaseId)).document.broken, {
      position: 3,
      eventId: (await entry(3)).id,
      reason: 'The entry does not contain the hash of the one before it.',
    })
  })

  test('names the position of an entry that was removed at the start, middle or end', async ({
    assert,
  }) => {
    for (const position of [1, 3, 5]) {
      const { id, releaseId } = await releaseWithPast()
      await db.from('events').where({ release_id: id, position }).delete()
      const { code, document } = await verify(releaseId)
      assert.equal(code, 1)
      assert.deepEqual(document.broken, {
        position,
        eventId: null,
        reason: 'The entry is missing.',
      })
    }
  })

  test('detects that the end was cut off together with the stored end', async ({ assert }) => {
    const { id, releaseId, entry } = await releaseWithPast()
    const { hash } = await entry(3)
    await db.from('events').where({ release_id: id }).where('position', '>', 3).delete()
    await db.from('event_streams').where({ release_id: id }).update({ position: 3 })
    assert.equal((await verify(releaseId)).document.broken.position, 4)
    await db.from('event_streams').where({ release_id: id }).update({ position: 2, hash })
    assert.isFalse((await verify(releaseId)).document.valid)
    await db.from('event_streams').where({ release_id: id }).delete()
    assert.isFalse((await verify(releaseId)).document.valid)
  })

  test('detects two swapped entries, and an entry of another release', async ({ assert }) => {
    const { id, releaseId, change } = await releaseWithPast()
    await change(2, { position: 99 })
    await change(3, { position: 2 })
    await change(99, { position: 3 })
    assert.equal((await verify(releaseId)).document.broken.position, 2)

    const other = await releaseWithPast()
    await other.change(5, { release_id: null, position: null })
    const { id: lastId } = await db
      .from('events')
      .where({ release_id: id, position: 5 })
      .firstOrFail()
    await db.from('events').where('id', lastId).update({
      release_id: other.id,
      organization_id: other.world.organizationId,
    })
    assert.containsSubset((await verify(other.releaseId)).document.broken, {
      position: 5,
      eventId: lastId,
    })
  })

  test('fails with one line for an unknown release', async ({ assert }) => {
    const { app } = await makeTrain(['1.0.0'])
    for (const id of [`${app}:9.9.9`, app, 'nothing-ios:1.0.0', ':', 'x']) {
      const { code, stdout, stderr } = await verify(id)
      assert.equal(code, 1)
      assert.equal(stdout, '')
      assert.match(stderr, /^There is no (app|release) ".*"\.$/)
    }
  })

  test('prints text for people without --json, while the service runs', async ({ assert }) => {
    const { releaseId, change } = await releaseWithPast()
    const held = await runAce('release:verify', releaseId)
    assert.deepEqual([held.code, held.stderr], [0, ''])
    assert.match(held.stdout, /is intact: 5 entries/)
    await change(5, { title: 'Forged' })
    const broken = await runAce('release:verify', releaseId)
    assert.equal(broken.code, 1)
    assert.match(broken.stdout, /is broken at entry 5 \(evt_\w+\): The hash/)
  })
})
