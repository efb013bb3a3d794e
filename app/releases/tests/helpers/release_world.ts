import type { Scope } from '#foundation/core/scope'
import type { ItemKind, ItemStatus } from '../../vocabulary.js'
import type { ReleaseStepType } from '#workflow/vocabulary'
import type Release from '#releases/models/release'
import { findRelease } from '#releases/queries/find_release'
import { assertEventDeclared } from '#tests/support/contract'
import { makeApp } from '#tests/support/app_fixture'
import { makeWorld, type World } from '#tests/support/world'

/** A recorded webhook event. */
export interface ReportedEvent {
  type: string
  sequence: number
  payload: any
}

/**
 * Returns the webhook events of an organization in order. Checks that each payload matches its
 * declaration and that no sequence number is missing.
 */
export async function reported(world: World): Promise<ReportedEvent[]> {
  const found = (await world.events()).flatMap(({ type, sequence, payload }) =>
    sequence === null ? [] : [{ type, sequence: Number(sequence), payload }]
  )
  for (const [index, { type, sequence, payload }] of found.entries()) {
    if (sequence !== index + 1) throw new Error(`Event ${index + 1} has the number ${sequence}`)
    if (payload.type !== type || payload.sequence !== sequence) throw new Error(`Mixed up: ${type}`)
    assertEventDeclared(type, payload)
  }
  return found
}

export const typesOf = (events: readonly { type: string }[]) => events.map(({ type }) => type)

/** Creates an organization with one app, and releases of these versions. */
export async function makeTrain(
  versions: readonly string[] = [],
  options: Parameters<typeof makeApp>[1] = {}
) {
  const world = await makeWorld()
  const app = await makeApp(world, options)
  for (const version of versions) {
    const { status, text } = await world.admin.post(`/app/${app}/release`, { version })
    if (status !== 201) throw new Error(`${version} was not created: ${text}`)
  }
  return {
    world,
    app,
    admin: world.admin,
    /** Returns the path of a release by version. */
    path: (version: string) => `/app/${app}/release/${app}:${version}`,
    detail: async (version: string) =>
      (await world.admin.get(`/v2/app/${app}/releases/${app}:${version}`)).body,
    step: async (version: string, type: ReleaseStepType) => {
      const { body } = await world.admin.get(`/app/${app}/release/${app}:${version}/steps`)
      return body.find((step: { type: string }) => step.type === type)
    },
    statuses: async (): Promise<Record<string, string>> => {
      const { body } = await world.admin.get(`/v2/app/${app}/releases?limit=200`)
      return Object.fromEntries(
        body.data.map((release: { version: string; status: string }) => [
          release.version,
          release.status,
        ])
      )
    },
    timeline: async (version: string, query = '') =>
      (await world.admin.get(`/app/${app}/release/${app}:${version}/timelineEvents${query}`)).body
        .data as any[],
  }
}

export type Train = Awaited<ReturnType<typeof makeTrain>>

/**
 * Records facts of a release as another module would (for a store or a build server), and derives
 * the release.
 */
export async function recordFacts(
  { world, app }: Pick<Train, 'world' | 'app'>,
  version: string,
  change: (scope: Scope, release: Release) => Promise<void>
): Promise<void> {
  await world.write(async (scope) => {
    const release = await findRelease(scope, app, `${app}:${version}`)
    await change(scope, release)
    scope.touch(release)
  })
}

/** Records facts of the current run of the release's first step of a type. */
export async function recordStepFacts(
  train: Pick<Train, 'world' | 'app'>,
  version: string,
  type: ReleaseStepType,
  facts: Record<string, unknown>
): Promise<void> {
  await recordFacts(train, version, async (scope, release) => {
    const step = await scope
      .table('release_steps')
      .where({ release_id: release.id, type })
      .firstOrFail()
    await scope
      .table('step_runs')
      .where('id', step.step_run_id)
      .update({ facts: JSON.stringify(facts) })
  })
}

const COLLECTION = {
  checklist: 'checklistItem',
  approval: 'approval',
  regression: 'regressionItem',
}

/** Adds an item template to the app. @returns its id */
export async function makeItem(
  { admin, app }: Pick<Train, 'admin' | 'app'>,
  input: { kind: ItemKind; stepType: ReleaseStepType; title?: string; required?: boolean }
): Promise<string> {
  const { kind, stepType, title = `An item of ${stepType}`, required } = input
  const placed = kind === 'checklist' ? { stepType } : {}
  const response = await admin.post(`/app/${app}/${COLLECTION[kind]}`, {
    title,
    required,
    ...placed,
  })
  if (response.status !== 201) throw new Error(`The item was not created: ${response.text}`)
  return response.body.id
}

/** Sets the status of an item of a release. */
export async function setItem(
  { admin, path }: Pick<Train, 'admin' | 'path'>,
  version: string,
  itemId: string,
  status: ItemStatus
): Promise<void> {
  const response = await admin.put(`${path(version)}/checklistItem/${itemId}/status`, { status })
  if (response.status !== 200) throw new Error(`The item was not set: ${response.text}`)
}
