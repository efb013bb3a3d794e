import Database from 'better-sqlite3'
import { join } from 'node:path'
import { DEFAULT_APP_SETTINGS } from '#apps/settings'
import { makeKey } from '#organizations/key_format'
import { RELEASE_STEP_TYPES } from '#workflow/vocabulary'

/** What a run measures with. */
export interface Seeded {
  key: string
  organizationId: string
  appId: string
  releaseId: string
}

/** A rollback's build has no place in a plain release. */
const TYPES = RELEASE_STEP_TYPES.filter((type) => type !== 'rollbackBuild')
const STAMP = '2026-01-01T00:00:00.000Z'
export function openDatabase(home: string): Database.Database {
  return new Database(join(home, 'tarmac.sqlite'))
}

/** Gives the first organization an app with a workflow of some steps, and an admin key, straight in the database. */
export function seedApp(home: string, steps: number = TYPES.length): Seeded {
  const database = openDatabase(home)
  const { id: organizationId } = database.prepare('select id from organizations limit 1').get() as {
    id: string
  }
  const { id, key, secretHash } = makeKey()
  database
    .prepare(
      `insert into api_keys (id, organization_id, name, secret_hash, admin, app_restricted, created_at) values (?, ?, 'benchmark', ?, 1, 0, ?)`
    )
    .run(id, organizationId, secretHash, STAMP)
  const appId = 'bench-ios'
  database
    .prepare(
      `insert into apps (id, organization_id, name, platform, settings, branch_settings, tag_settings, feature_affiliations, app_store_release_settings, created_at, updated_at)
       values (?, ?, 'Bench', 'ios', ?, '[]', '[]', '[]', '{}', ?, ?)`
    )
    .run(appId, organizationId, JSON.stringify(DEFAULT_APP_SETTINGS), STAMP, STAMP)
  const addStep = database.prepare(
    `insert into step_configs (id, organization_id, app_id, name, type, group_index, position, release_types, created_at)
     values (?, ?, ?, ?, ?, ?, 0, '{"standard":{"required":true}}', ?)`
  )
  for (let index = 0; index < steps; index++) {
    // Beyond one step of each type come more screenshots steps.
    const type = TYPES[index] ?? 'screenshots'
    addStep.run(`sc_bench_${index}`, organizationId, appId, `${type} ${index}`, type, index, STAMP)
  }
  database.close()
  return { key, organizationId, appId, releaseId: `${appId}:1.0.0` }
}

/** Adds another app that only stands in the database. */
export function seedOtherApp(home: string, seeded: Seeded): string {
  const database = openDatabase(home)
  const appId = 'other-android'
  database
    .prepare(
      `insert into apps (id, organization_id, name, platform, settings, branch_settings, tag_settings, feature_affiliations, app_store_release_settings, created_at, updated_at)
       select ?, organization_id, 'Other', 'android', settings, '[]', '[]', '[]', '{}', created_at, updated_at from apps where id = ?`
    )
    .run(appId, seeded.appId)
  database.close()
  return appId
}

/** Adds plain completed releases to an app, below version 1. */
export function seedReleases(
  home: string,
  seeded: Seeded,
  count: number,
  appId: string = seeded.appId
): void {
  const database = openDatabase(home)
  const add = database.prepare(
    `insert into releases (id, organization_id, app_id, version, version_major, version_minor, version_patch, create_type, release_type, status, phase,
       regression_status, ready_to_submit, ready_to_release, automations_paused, settings, created_by, created_at, updated_at)
     values (?, ?, ?, ?, 0, ?, ?, 'release', 'point', 'completed', 'released', 'passed', 0, 0, 0, '{}', '{"type":"system","id":null,"name":"benchmark"}', ?, ?)`
  )
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const minor = Math.floor(index / 1000)
      const patch = index % 1000
      add.run(
        `rel_${appId}_${index}`,
        seeded.organizationId,
        appId,
        `0.${minor}.${patch}`,
        minor,
        patch,
        STAMP,
        STAMP
      )
    }
  })()
  database.close()
}
