import { cpSync, mkdirSync, readdirSync, rmSync } from 'node:fs'
import { join } from 'node:path'
import app from '@adonisjs/core/services/app'
import db from '@adonisjs/lucid/services/db'
import { MigrationRunner } from '@adonisjs/lucid/migration'
import { test } from '@japa/runner'
import { currentDocument } from '#foundation/api/openapi/current_document'
import { repositoryKey } from '#integrations/queries/app_integrations'
import { homePath } from '#start/home'

/*
 * A database with the data of an older version, brought up to the present one by the migrations
 * that came since: on a connection of its own, so that the tests' own database is left alone.
 */

const CONNECTION = 'upgrade'
const NOW = '2026-03-02T09:00:00.000Z'
/** The last migration of the older version. */
const OLD = '0013'
/** The migration that says of which repository pull requests are. */
const PULLS = '0079'

const folder = () => homePath('upgrade-migrations')
const client = () => db.connection(CONNECTION)

function addConnection() {
  const main = db.manager.get('main')!.config
  const own =
    main.client === 'pg'
      ? { ...main, searchPath: [CONNECTION] }
      : { ...main, connection: { filename: homePath('upgrade.sqlite') } }
  const migrations = { naturalSort: true, paths: [app.relativePath(folder())] }
  db.manager.add(CONNECTION, { ...own, migrations } as typeof main)
}

/** Brings the database up to those migrations that are chosen. */
async function migrateTo(chosen: (name: string) => boolean): Promise<void> {
  mkdirSync(folder(), { recursive: true })
  const all = app.makePath('database/migrations')
  for (const name of readdirSync(all).filter(chosen)) cpSync(join(all, name), join(folder(), name))
  const runner = new MigrationRunner(db, app, { direction: 'up', connectionName: CONNECTION })
  await runner.run()
  if (runner.error) throw runner.error
}

/** Also what a run has left that was stopped in the middle. */
async function dropSchema(): Promise<void> {
  if (client().dialect.name === 'postgres') {
    await client().rawQuery(`drop schema if exists ${CONNECTION} cascade`)
  }
}

const insert = (table: string, rows: Record<string, unknown>[]) =>
  client().table(table).multiInsert(rows)

const owned = { organization_id: 'acme', app_id: 'acme-ios' }
const made = { created_at: NOW, updated_at: NOW }

const release = (id: string, minor: number, given: Record<string, unknown>) => ({
  id,
  ...owned,
  version: `4.${minor}.0`,
  version_major: 4,
  version_minor: minor,
  version_patch: 0,
  create_type: 'release',
  release_type: 'minor',
  phase: 'released',
  regression_status: 'pending',
  ready_to_submit: false,
  ready_to_release: false,
  settings: '{}',
  created_by: '{}',
  ...made,
  ...given,
})

const item = (id: string, position: number, given: Record<string, unknown>) => ({
  id,
  ...owned,
  kind: 'checklist',
  title: id,
  release_types: '[]',
  owners: '[]',
  required: true,
  notify_on_completion: false,
  position,
  settings: '{}',
  ...made,
  ...given,
})

/** A step of the open release, named as it was when it came to it. */
const step = (id: string, configId: string, given: Record<string, unknown> = {}) => ({
  id,
  organization_id: 'acme',
  release_id: 'open',
  step_config_id: configId,
  name: `${id} once`,
  type: 'submission',
  group_index: 1,
  position: 0,
  required: true,
  status: 'notStarted',
  step_run_id: `${id}-run`,
  ...given,
})

const PAYLOAD = {
  id: 'evt',
  org: { id: 'acme', name: 'Acme, "truncated":true,"url":' },
  app: { id: 'acme-ios' },
}

const event = (id: string, type: string, payload: object | null = PAYLOAD) => ({
  id,
  organization_id: 'acme',
  type,
  occurred_at: NOW,
  entity_key: `release:${id}`,
  payload: payload && JSON.stringify(payload),
  title: type,
  actor: '{}',
  data: '{}',
})

async function storeOldData(): Promise<void> {
  await insert('organizations', [{ id: 'acme', name: 'Acme', ...made }])
  await insert('apps', [
    {
      id: 'acme-ios',
      organization_id: 'acme',
      name: 'Acme',
      platform: 'ios',
      settings: '{}',
      branch_settings: '{}',
      tag_settings: '{}',
      feature_affiliations: '[]',
      app_store_release_settings: '{}',
      ...made,
    },
  ])
  await insert('step_configs', [
    {
      id: 'step',
      ...owned,
      name: 'Before the cut',
      type: 'kickoff',
      group_index: 0,
      position: 0,
      release_types: '[]',
      created_at: NOW,
    },
  ])
  await insert('destinations', [
    {
      id: 'store',
      ...owned,
      name: 'Play',
      store_type: 'google',
      position: 0,
      app_store_release_settings: '{}',
      created_at: NOW,
    },
  ])
  await insert('step_configs', [
    {
      id: 'renamed',
      ...owned,
      name: 'Submit',
      type: 'submission',
      group_index: 1,
      position: 0,
      release_types: '[]',
      destination_id: 'store',
      created_at: NOW,
    },
  ])
  const ended = { status: 'completed', completed_at: '2026-03-01T09:00:00.000Z' }
  await insert('releases', [
    release('by-hand', 1, ended),
    release('after-kickoff', 2, { ...ended, kicked_off_at: '2026-02-20T09:00:00.000Z' }),
    release('by-store', 3, {
      ...ended,
      kicked_off_at: '2026-02-20T09:00:00.000Z',
      released_at: '2026-02-25T09:00:00.000Z',
    }),
    release('open', 4, { status: 'upcoming', phase: 'upcoming' }),
  ])
  await insert('release_steps', [
    step('own', 'step'),
    step('sent', 'renamed', { destination_id: 'store' }),
    // Of what the workflow does not have any more, for a destination there still is.
    step('left', 'gone', { destination_id: 'store' }),
    step('lone', 'lost'),
  ])
  await insert('events', [
    event('whole', 'release.created'),
    event('thin', 'releaseStep.statusChanged', { id: 'evt', truncated: true, url: 'https://a' }),
    event('reminder', 'release.kickoffReminder'),
    event('cleared', 'release.created', null),
    event('told', 'release.updated', null),
  ])
  await insert('checklist_items', [
    item('a', 0, { step_config_id: 'step' }),
    // Of a type of steps, and of another kind: both came to the step that has one at 0 and 1.
    item('b', 0, { step_type: 'kickoff', created_at: '2026-03-02T09:00:01.000Z' }),
    item('c', 1, { step_config_id: 'step', kind: 'approval' }),
    item('d', 1, { step_config_id: 'step', created_at: '2026-03-02T09:00:01.000Z' }),
    item('late', 9, { step_config_id: 'step' }),
    item('gone', 1, { step_config_id: 'step', deleted_at: NOW }),
    // Lists of their own: another type of steps, and what belongs to one release alone.
    item('other', 0, { step_type: 'regression' }),
    item('own', 0, { step_config_id: 'step', release_id: 'open' }),
  ])
}

const SETTINGS = { baseUrl: '/srv/git' }
const DATA = { repoName: 'acme/app' }
/** Pull requests of the app, and of an integration that it has no more. */
async function storePulls(): Promise<void> {
  const git = { organization_id: 'acme', plugin_id: 'git', status: 'connected', ...made }
  await insert('connections', [{ id: 'git:1', ...git, settings: JSON.stringify(SETTINGS) }])
  const code = {
    ...owned,
    connection_id: 'git:1',
    type: 'git-vcs',
    kind: 'versionControl',
    ...made,
  }
  await insert('integrations', [
    { id: 'int_1', ...code, key: 'code', position: 0, data: JSON.stringify(DATA) },
    { id: 'int_2', ...code, key: 'more', position: 1, data: '{"repoName":"acme/more"}' },
  ])
  const pull = { ...owned, number: '7', seen_at: NOW }
  await insert('code_pulls', [
    { ...pull, integration_id: 'int_1' },
    { ...pull, integration_id: 'int_0' },
  ])
  const seen = { ...owned, watches_code: true, watches_tickets: false, mentioned: '[]' }
  await insert('release_features', [
    { release_id: 'open', ...seen, open_pulls: '[]', release_range: '{"integrationId":"int_1"}' },
    {
      release_id: 'by-hand',
      ...seen,
      open_pulls: '[]',
      release_range: '{"integrationId":"int_0"}',
    },
  ])
  const derived = { code: '[]', code_status: 'merged', reason: 'ready', digest: '', authors: '' }
  const put = { search_text: '', is_gone: false, ignored: false, created_at: NOW }
  await insert('feature_items', [
    { id: 'pull', ...owned, release_id: 'open', item_key: 'pull:7', ...derived, ...put },
    { id: 'commit', ...owned, release_id: 'open', item_key: 'commit:a', ...derived, ...put },
    { id: 'before', ...owned, release_id: 'by-hand', item_key: 'pull:7', ...derived, ...put },
  ])
  const asked = { ...owned, release_id: 'open', status: 'approved', title: 'Fix', requester: '{}' }
  const decided = { approvals: '[]', rejections: '[]', required_approvals: 0, four_eyes: true }
  const named = { commits: '[]', form_fields: '[]', created_at: NOW }
  await insert('fix_requests', [
    { id: 'pulls', ...asked, ...decided, ...named, pull_requests: '[7]' },
    { id: 'none', ...asked, ...decided, ...named, pull_requests: '[]' },
  ])
}

test.group('An upgrade', (group) => {
  group.setup(async () => {
    rmSync(folder(), { recursive: true, force: true })
    addConnection()
    await dropSchema()
    if (client().dialect.name === 'postgres') await client().rawQuery(`create schema ${CONNECTION}`)
    await migrateTo((name) => name.slice(0, OLD.length) <= OLD)
    await storeOldData()
    await migrateTo((name) => name.slice(0, OLD.length) < PULLS)
    await storePulls()
    await migrateTo(() => true)
    return async () => {
      await dropSchema()
      await db.manager.close(CONNECTION, true)
    }
  })

  test('gives each item of a step a position of its own, in the order there was', async ({
    assert,
  }) => {
    const rows: { id: string; position: number }[] = await client()
      .from('checklist_items')
      .select('id', 'position')
    const placeOf = new Map(rows.map(({ id, position }) => [id, position]))
    const places = ['a', 'b', 'c', 'd', 'late'].map((id) => placeOf.get(id)!)
    assert.deepEqual(
      places,
      [...places].sort((one, other) => one - other)
    )
    assert.lengthOf(new Set(places), places.length)
    assert.equal(placeOf.get('late'), 9)
    assert.deepEqual([placeOf.get('gone'), placeOf.get('other'), placeOf.get('own')], [1, 0, 0])
  })

  test('says of what was completed by hand whether it was released', async ({ assert }) => {
    const rows = await client().from('releases').select('id', 'phase', 'released_at').orderBy('id')
    assert.deepEqual(
      rows.map(({ id, phase, released_at: releasedAt }) => [id, phase, releasedAt]),
      [
        ['after-kickoff', 'released', '2026-03-01T09:00:00.000Z'],
        ['by-hand', 'upcoming', null],
        ['by-store', 'released', '2026-02-25T09:00:00.000Z'],
        ['open', 'upcoming', null],
      ]
    )
  })

  test('says of the steps of releases what the workflow calls them, and whether it has them', async ({
    assert,
  }) => {
    const rows = await client()
      .from('release_steps')
      .select('id', 'name', 'workflow_name', 'workflow_destination', 'in_workflow')
      .orderBy('id')
    assert.deepEqual(
      rows.map(
        ({ id, name, workflow_name: called, workflow_destination: to, in_workflow: has }) => [
          id,
          name,
          called,
          to,
          Boolean(has),
        ]
      ),
      [
        ['left', 'left once', 'left once', 'Play', false],
        ['lone', 'lone once', 'lone once', null, false],
        ['own', 'own once', 'Before the cut', null, true],
        ['sent', 'sent once', 'Submit', 'Play', true],
      ]
    )
  })

  test('gives the events that are kept the model of their payload, and nothing else', async ({
    assert,
  }) => {
    const rows: { id: string; payload: string | null }[] = await client()
      .from('events')
      .select('id', 'payload')
      .orderBy('id')
    const whole = { ...PAYLOAD, model: 'WebhookReleasePayload' }
    const brief = { id: 'evt', truncated: true, url: 'https://a' }
    assert.deepEqual(
      rows.map(({ id, payload }) => [id, payload && JSON.parse(payload)]),
      [
        ['cleared', null],
        ['reminder', { ...PAYLOAD, model: 'WebhookReleaseReminderPayload' }],
        ['thin', { ...brief, model: 'WebhookThinReleaseStepsPayload' }],
        ['told', null],
        ['whole', whole],
      ]
    )
    const { schemas } = currentDocument().components as { schemas: object }
    for (const { payload } of rows.filter((each) => each.payload !== null)) {
      assert.property(schemas, JSON.parse(payload!).model)
    }
  })

  test('says of which repository pull requests are that were seen or named', async ({ assert }) => {
    const repository = repositoryKey({ type: 'git-vcs', data: DATA, settings: SETTINGS })
    const told = async (table: string, id: string, what: string) => {
      const rows = await client().from(table).select(id, what).orderBy(id)
      return Object.fromEntries(rows.map((row) => [row[id], row[what]]))
    }
    const pulls = await client().from('code_pulls').select('repository')
    assert.sameMembers(
      pulls.map((each) => each.repository),
      [repository, 'int_0']
    )
    const seen = await told('release_features', 'release_id', 'repository')
    assert.deepEqual(seen, { 'by-hand': null, 'open': repository })
    assert.deepEqual(await told('feature_items', 'id', 'item_key'), {
      before: 'pull:7',
      commit: 'commit:a',
      pull: `pull:7:${repository}`,
    })
    const named = await told('fix_requests', 'id', 'repository')
    assert.deepEqual(named, { none: null, pulls: repository })
  })

  test('leaves the tables that a new database has', async ({ assert }) => {
    const tables = await client().getAllTables([CONNECTION])
    const present = await db.connection().getAllTables(['public'])
    assert.deepEqual(tables.sort(), present.sort())
    for (const table of present) {
      const columns = Object.keys(await client().columnsInfo(table))
      const fresh = Object.keys(await db.connection().columnsInfo(table))
      assert.sameMembers(columns, fresh)
    }
  })
})
