import { Type } from '@sinclair/typebox'
import { onCommand, type Outcome } from '#foundation/jobs/handlers'
import { RETRIES } from '#foundation/jobs/retry'
import { Asker } from '#foundation/core/jobs/asker'
import { commandKind } from '#foundation/core/jobs/kinds'
import { MINUTE } from '#foundation/core/durations'
import { of, select } from '#foundation/core/database/statement'
import type { EventSubscriber } from '#foundation/core/events/subscribers'
import type { EventDraft } from '#foundation/core/events/outbox'
import type { Scope } from '#foundation/core/scope'
import { askProvider } from '#integrations/ask_provider'
import { outcomeOfCall } from '#integrations/outcome_of_call'
import type { IssueTracking, ReleaseTime } from '#plugin-kit/capabilities/work'
import Release from '#releases/models/release'
import { planningPort } from '#releases/ports'
import { releaseStillThere } from '#releases/queries/find_release'
import { reasonNotToAct } from '#releases/queries/reason_not_to_act'
import { recordReleaseEvent } from '#releases/timeline/record_release_event'
import { ticketMarks } from '../tables.js'
import { projectOf } from '../ticket_keys.js'
import { digestOf } from './digest_of.js'
import { namedTrackers } from './named_trackers.js'
import { isRefusal } from './report_each.js'

/** A version of a project of a tracker. */
const TrackerVersion = Type.Object({ project: Type.String(), name: Type.String() })
type TrackerVersion = (typeof TrackerVersion)['static']

/**
 * A tracker is to mark the versions of a release as released; the subject is the release's internal
 * id.
 */
const versionsKind = commandKind(
  'features.releaseVersions',
  Type.Object({
    appId: Type.String(),
    integrationId: Type.String(),
    connectionId: Type.String(),
    versions: Type.Array(TrackerVersion),
    /** When users got the release. */
    at: Type.String(),
    askedBy: Asker,
  }),
  'issueTracking'
)

const MARKED = select(
  of(ticketMarks, 'm', ['key']),
  `from ticket_marks m where m.organization_id = :org and m.release_id = :releaseId
    and m.integration_id = :integrationId`
)

/** Plans that trackers mark the fix versions of a completed release as released. */
export const versionsOfCompleted: EventSubscriber = {
  async handle(scope, recorded) {
    const completed = recorded.filter(isCompletion).flatMap(({ releaseId }) => releaseId ?? [])
    for (const id of new Set(completed)) {
      const release = await scope.query(Release).where({ id }).first()
      // A release that nobody kicked off is closed without being released.
      if (release?.releasedAt) await requestVersions(scope, release, release.releasedAt)
    }
  },
}

function isCompletion({ type, data }: EventDraft): boolean {
  if (type !== 'release.updated') return false
  const { to } = (data?.status ?? {}) as { to?: unknown }
  return to === 'completed'
}

/** Plans one command for each tracker, once per release. */
async function requestVersions(scope: Scope, release: Release, at: string): Promise<void> {
  const { id: subject, appId } = release
  const trackers = await namedTrackers(scope, release, ({ type }) => type === 'fixVersion')
  for (const { integration, projects, names } of trackers) {
    const { id: integrationId, connectionId } = integration
    const texts = [...new Set(names.map(({ text }) => text))]
    const versions = projects.flatMap((project) => texts.map((name) => ({ project, name })))
    if (versions.length === 0) continue
    await scope.jobs.command(versionsKind, {
      subject,
      // Comes after marking the tickets of the release, which may have to create the version.
      entityKey: `tickets of ${subject}`,
      idempotencyKey: `${subject} ${integrationId}`,
      payload: { appId, integrationId, connectionId, versions, at, askedBy: scope.actor },
    })
  }
}

/** Marks versions as released; repeating it changes nothing. */
export const releaseVersions = onCommand(versionsKind, {
  actor: 'issue tracker',
  onBehalfOf: ({ payload }) => payload.askedBy,
  lease: 4 * MINUTE,
  retry: RETRIES.hours,
  isRepeatable: true,
  lock: (scope, { payload }) => scope.lock('apps', payload.appId),
  call({ subject, payload, idempotencyKey }, { scope, signal }): Promise<Outcome<Released>> {
    const { appId, integrationId: id, connectionId, askedBy } = payload
    return outcomeOfCall(async () => {
      const place = { appId, releaseId: subject }
      if ((await reasonNotToAct(scope, place, askedBy)) !== null)
        return { projects: [], refused: [] }
      const requested = {
        integration: { id, connectionId },
        kind: 'issueTracking',
        signal,
      } as const
      const marks = await scope.rows(MARKED, { releaseId: subject, integrationId: id })
      const marked = marks.map(({ key }) => key)
      const day = await planningPort.provided.dayOf(scope, appId, payload.at)
      return askProvider(scope, requested, (issues) =>
        releaseAll(issues, { ...payload, day, marked, key: idempotencyKey })
      )
    })
  },
  async storeResult(scope, { subject, payload }, { projects, refused }: Released) {
    const { appId, versions, at } = payload
    const release = await releaseStillThere(scope, appId, subject)
    if (release && refused.length > 0) recordFailure(scope, release, payload, refused.join('; '))
    if (!release || projects.length === 0) return
    const names = namesOf(versions)
    recordReleaseEvent(scope, release, {
      type: 'issueTracking.versionReleased',
      title: `${names.join(', ')} is released in ${projects.join(', ')}`.slice(0, 500),
      data: { versions: names, projects, at },
      payload: null,
    })
  },
  async afterLast(scope, { subject, payload }, why) {
    const release = await releaseStillThere(scope, payload.appId, subject)
    if (release) recordFailure(scope, release, payload, why)
  },
})

/** The projects whose versions were marked, and why others were not. */
interface Released {
  projects: string[]
  refused: string[]
}

function recordFailure(
  scope: Scope,
  release: Release,
  { versions, connectionId: connection }: (typeof versionsKind)['payload']['static'],
  why: string
): void {
  const names = namesOf(versions)
  const what = `${names.join(', ')} could not be marked as released in the issue tracker`
  recordReleaseEvent(scope, release, {
    type: 'issueTracking.versionReleaseFailed',
    title: `${what}: ${why}`.slice(0, 500),
    data: { versions: names, connection },
    payload: null,
  })
}

/**
 * Marks versions as released in the projects that have tickets of them. A version that the service
 * itself gave to tickets is always marked: if it was renamed since, that is reported. A refusal in
 * one project does not stop the others.
 * @returns the projects that have tickets of one of the versions; none if the tracker has no
 *   versions
 */
async function releaseAll(
  issues: IssueTracking,
  {
    versions,
    at,
    day,
    marked,
    key,
  }: ReleaseTime & { versions: readonly TrackerVersion[]; marked: readonly string[]; key: string }
): Promise<Released> {
  const projects = new Set<string>()
  const refused = new Set<string>()
  if (!issues.releaseVersion) return { projects: [], refused: [] }
  const all = versions.map(({ project }) => project)
  const given = new Set(marked.map((each) => projectOf(each, all)))
  for (const { project, name } of versions) {
    try {
      const { items } = await issues.search({ projects: [project], version: name })
      if (items.length === 0 && !given.has(project)) continue
      const mutation = { idempotencyKey: `${key} ${digestOf([project, name])}` }
      await issues.releaseVersion(project, name, { at, day }, mutation)
      projects.add(project)
    } catch (error) {
      if (!isRefusal(error)) throw error
      refused.add(error.message)
    }
  }
  return { projects: [...projects], refused: [...refused] }
}

const namesOf = (versions: readonly TrackerVersion[]) => [
  ...new Set(versions.map(({ name }) => name)),
]
