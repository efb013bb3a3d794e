import { test } from '@japa/runner'
import { operations } from '../api/operation/registry.js'
import type { TableName } from '../core/database/table.js'
import { makeTrain } from '#releases/tests/helpers/release_world'
import { makeWorld } from '#tests/support/world'

/* An answer is cached until the change number of its organization grows. */

type Train = Awaited<ReturnType<typeof makeTrain>>

/** Updates all rows of the organization in a table. */
const set =
  (table: TableName, values: Record<string, unknown>) =>
  ({ world }: Train) =>
    world.write((scope) => scope.table(table).update(values))

const groupOf = async ({ admin, world }: Train) =>
  (await admin.get(`/org/${world.organizationId}/group`)).body[0].id as string
const bucketOf = async ({ admin, app }: Train) =>
  (await admin.post(`/app/${app}/bucket`, { name: 'Beta' })).body.id as string

/** A cached operation: its path, and a change that its answer must show. */
interface Kept {
  path(train: Train): string | Promise<string>
  change(train: Train): Promise<unknown>
}

const KEPT: Record<string, Kept> = {
  getOrganization: {
    path: ({ world }) => `/org/${world.organizationId}`,
    change: ({ world }) =>
      world.write(({ client }) =>
        client.from('organizations').where('id', world.organizationId).update({ name: 'Other' })
      ),
  },
  listGroups: {
    path: ({ world }) => `/org/${world.organizationId}/group`,
    change: set('groups', { user_actions: '["EditRelease"]' }),
  },
  getGroup: {
    path: async (train) => `/org/${train.world.organizationId}/group/${await groupOf(train)}`,
    change: set('groups', { user_actions: '["EditRelease"]' }),
  },
  listApps: {
    path: ({ world }) => `/org/${world.organizationId}/apps`,
    change: set('apps', { name: 'Other' }),
  },
  getApp: { path: ({ app }) => `/app/${app}`, change: set('apps', { name: 'Other' }) },
  listReleases: {
    path: ({ app }) => `/v2/app/${app}/releases`,
    change: set('releases', { status: 'completed' }),
  },
  getRelease: {
    path: ({ app }) => `/v2/app/${app}/releases/${app}:1.0.0`,
    change: set('releases', { status: 'completed' }),
  },
  getReleaseMetadata: {
    path: ({ path }) => `${path('1.0.0')}/metadata`,
    change: ({ admin, path }) =>
      admin.put(`${path('1.0.0')}/metadata`, { entries: [{ key: 'a', value: 1 }] }),
  },
  listReleaseSteps: {
    path: ({ path }) => `${path('1.0.0')}/steps`,
    change: set('release_steps', { name: 'Other' }),
  },
  getReleaseStep: {
    path: async ({ path, step }) =>
      `${path('1.0.0')}/step/${(await step('1.0.0', 'submission')).id}`,
    change: set('release_steps', { name: 'Other' }),
  },
  listReleaseChecklistItems: {
    path: ({ path }) => `${path('1.0.0')}/checklistItems`,
    change: set('release_items', { title: 'Other' }),
  },
  getChecklistItem: {
    path: async ({ admin, app }) => {
      const item = { title: 'Look closely', stepType: 'submission' }
      const { body } = await admin.post(`/app/${app}/checklistItem`, item)
      return `/app/${app}/checklistItem/${body.id}`
    },
    change: set('checklist_items', { title: 'Other' }),
  },
  listBuckets: {
    path: async (train) => {
      await bucketOf(train)
      return `/app/${train.app}/bucket`
    },
    change: set('buckets', { name: 'Other' }),
  },
  getBucket: {
    path: async (train) => `/app/${train.app}/bucket/${await bucketOf(train)}`,
    change: set('buckets', { name: 'Other' }),
  },
}

/** Counts the executions of an operation's handler. */
function counted(id: string, cleanup: (restore: () => void) => void) {
  const declared = operations.get(id) as { handle(call: unknown): Promise<unknown> }
  const { handle } = declared
  const counts = { times: 0 }
  declared.handle = (call) => {
    counts.times += 1
    return handle(call)
  }
  cleanup(() => void (declared.handle = handle))
  return counts
}

test.group('Cached answers', () => {
  test('are those of the operations that declare it', ({ assert }) => {
    const declared = operations.all().filter(({ isOfStored }) => isOfStored)
    assert.sameMembers(
      declared.map(({ id }) => id),
      Object.keys(KEPT)
    )
    assert.deepEqual([...new Set(declared.map(({ method }) => method))], ['GET'])
  })

  for (const [id, { path: pathOf, change }] of Object.entries(KEPT)) {
    test(`${id}: is made once per requester, and shows each change at once`, async ({
      assert,
      cleanup,
    }) => {
      const train = await makeTrain(['1.0.0'])
      const item = { title: 'Look at it', stepType: 'submission' }
      const made = await train.admin.post(`/app/${train.app}/checklistItem`, item)
      assert.equal(made.status, 201)
      const path = await pathOf(train)
      const handler = counted(id, cleanup)

      const first = await train.admin.get(path)
      assert.equal(first.status, 200)
      await train.admin.get(path)
      const before = handler.times
      // The test client compares each cached answer with a fresh one, which also calls the handler.
      const other = await makeWorld()
      await other.admin.post(`/org/${other.organizationId}/group`, {
        name: 'Crew',
        userActions: [],
      })
      const again = await train.admin.get(path)
      assert.deepEqual(again.body, first.body)
      assert.equal(again.headers.etag, first.headers.etag)
      const headers = { 'if-none-match': first.headers.etag }
      assert.equal((await train.admin.get(path, { headers })).status, 304)
      assert.equal(handler.times - before, 2)

      const nobody = await train.world.keyed()
      assert.deepEqual((await nobody.get(path)).body, (await nobody.get(path)).body)

      await change(train)
      const changed = await train.admin.get(path, { headers })
      assert.equal(changed.status, 200)
      assert.notDeepEqual(changed.body, first.body)
    })
  }
})
