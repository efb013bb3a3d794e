import Database from 'better-sqlite3'
import { RELEASE_STEP_TYPES } from '#workflow/vocabulary'
import type { Api } from './api.js'
import type { Measured } from './processes.js'
import type { Stand } from './stand.js'

/** A stand whose service runs and knows two people: one owns items, the other pilots. */
export interface Seeded {
  stand: Stand
  service: Measured
  api: Api
  organizationId: string
  owners: { type: string; id: string }[]
  pilotId: string
}

/** Types of steps that a plain release may have; `rollbackBuild` belongs to rollbacks alone. */
const TYPES = RELEASE_STEP_TYPES.filter((type) => type !== 'rollbackBuild')

export async function seed(stand: Stand): Promise<Seeded> {
  const { service, api, organizationId } = await stand.firstService()
  const person = (email: string) =>
    stand.console<{ id: string }>('user:create', `--org=${organizationId}`, `--email=${email}`)
  const owner = await person('ada@acme.example')
  const pilot = await person('grace@acme.example')
  const groups = await api.call<{ id: string }[]>('GET', `/org/${organizationId}/group`)
  const owners = [
    { type: 'user', id: owner.id },
    { type: 'group', id: groups[0].id },
  ]
  return { stand, service, api, organizationId, owners, pilotId: pilot.id }
}

/** Groups of one step each, as a configuration file has them. */
export function workflow(steps: number) {
  // Beyond one step of each type come more screenshots steps.
  const types = Array.from({ length: steps }, (_, index) => TYPES[index] ?? 'screenshots')
  return types.map((archetype, index) => ({
    steps: [
      { name: `${archetype} ${index}`, archetype, releaseTypes: { standard: { required: true } } },
    ],
  }))
}

/** Makes an app with a workflow of some steps, one after the other; answers its id. */
export async function makeApp(
  { api, organizationId }: Pick<Seeded, 'api' | 'organizationId'>,
  name: string,
  steps = 15
) {
  // JSON is YAML.
  const file = JSON.stringify({ name, platform: 'ios', stepGroups: workflow(steps) })
  const app = await api.call<{ id: string }>('POST', `/org/${organizationId}/app/config`, file)
  return app.id
}

/** Drafts a release with a pilot; answers its id. */
export async function makeRelease(
  { api, pilotId }: Pick<Seeded, 'api'> & { pilotId?: string },
  appId: string,
  version: string
) {
  const body = { version, releasePilotId: pilotId }
  const release = await api.call<{ id: string }>('POST', `/app/${appId}/release`, body)
  return release.id
}

/** Makes regression items, which every open release of the app gets; answers their ids. */
export async function makeItems({ api, owners }: Seeded, appId: string, count: number) {
  const items = Array.from({ length: count }, (_, index) => ({ title: `Case ${index}`, owners }))
  const { created } = await api.call<{ created: { id: string }[] }>(
    'POST',
    `/app/${appId}/regressionItems/batch`,
    { items }
  )
  return created.map(({ id }) => id)
}

/** An app with one kicked off release and its items, all of them in progress. */
export async function makeRunningRelease(
  seeded: Seeded,
  { name = 'Bench', items = 20, steps = 15 } = {}
) {
  const appId = await makeApp(seeded, name, steps)
  const releaseId = await makeRelease(seeded, appId, '1.0.0')
  await seeded.api.call('PUT', `/app/${appId}/release/${releaseId}/kickoff`)
  const itemIds = await makeItems(seeded, appId, items)
  await setStatuses(seeded.api, { appId, releaseId, itemIds }, 'inProgress')
  return { appId, releaseId, itemIds, detail: `/v2/app/${appId}/releases/${releaseId}` }
}

/** Sets items of a release in one request. */
export function setStatuses(
  api: Api,
  { appId, releaseId, itemIds }: { appId: string; releaseId: string; itemIds: string[] },
  status: string
): Promise<unknown> {
  const items = itemIds.map((id) => ({ id, status }))
  return api.call('PUT', `/app/${appId}/regressionItems/batch`, { releaseId, items })
}

/**
 * Inserts plain completed releases below version 1 into the SQLite database: by the API, so many
 * would take an hour.
 */
export function addReleases({ stand, organizationId }: Seeded, appId: string, count: number): void {
  const database = new Database(stand.sqliteFile)
  const add = database.prepare(
    `insert into releases (id, organization_id, app_id, version, version_major, version_minor, version_patch, create_type, release_type, status, phase,
       regression_status, ready_to_submit, ready_to_release, settings, created_by, created_at, updated_at)
     values (?, ?, ?, ?, 0, ?, ?, 'release', 'point', 'completed', 'released', 'passed', 0, 0, '{}', '{"type":"system","id":null,"name":"benchmark"}', ?, ?)`
  )
  const stamp = '2026-01-01T00:00:00.000Z'
  database.transaction(() => {
    for (let index = 0; index < count; index++) {
      const minor = Math.floor(index / 1000)
      const patch = index % 1000
      const id = `rel_${appId}_${index}`
      const version = `0.${minor}.${patch}`
      add.run(id, organizationId, appId, version, minor, patch, stamp, stamp)
    }
  })()
  database.close()
}
