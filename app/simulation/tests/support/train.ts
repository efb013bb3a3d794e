import { HOUR, MINUTE } from '#foundation/core/durations'
import { respondInWorld } from '../../world/answer.js'
import { WORLD_HOST } from '../../provider/shared/world_manifest.js'
import type { World } from '../../world/world.js'

const VERSION = '4.2.0'
const APP = 'com.acme.shop'

/** A client of a world, which remembers the statuses of answers. */
export class WorldClient {
  readonly statuses = new Set<number>()

  constructor(
    public world: World,
    public now: number
  ) {}

  async ask(method: string, path: string, body?: object): Promise<any> {
    const request = new Request(`https://${WORLD_HOST}/v1/${path}`, {
      method,
      body: body && JSON.stringify(body),
    })
    const { response, world } = await respondInWorld(this.world, this.now, request)
    this.world = world
    this.statuses.add(response.status)
    return { status: response.status, ...((await response.json()) as object) }
  }
}

/**
 * Plays a team that brings 4.2.0 to users of both stores: it looks every hour, and takes the next
 * step.
 * @returns the changes that it saw, such as `12h App Store IN_REVIEW`
 */
export async function playTrain(world: World, begin: number, days: number) {
  const client = new WorldClient(world, begin)
  const seen: string[] = []
  const last = new Map<string, string>()
  const note = (what: string, state: string) => {
    if (last.get(what) === state) return
    last.set(what, state)
    seen.push(`${Math.floor((client.now - begin) / HOUR)}h ${what} ${state}`)
  }
  for (let hour = 0; hour <= days * 24; hour++) {
    // One minute later, because reads lag by less than that.
    client.now = begin + hour * HOUR + MINUTE
    await build(client, note)
    await bringToAppStore(client, note)
    await bringToGooglePlay(client, note)
  }
  return { seen, client }
}

type Note = (what: string, state: string) => void

async function build(client: WorldClient, note: Note): Promise<void> {
  const { items: runs, status } = await client.ask('GET', 'ci/runs')
  if (status !== 200) return note('CI', String(status))
  const run = runs.at(-1)
  if (run) note(`CI run ${run.id}`, run.state)
  const { items: builds = [] } = await client.ask('GET', `apple/${APP}/builds`)
  // If a build is stuck for hours, another one is made.
  const isStuck =
    run?.state === 'succeeded' &&
    builds.at(-1)?.state === 'PROCESSING' &&
    client.now - Date.parse(builds.at(-1).uploadedAt) > 6 * HOUR
  if (!run || run.state === 'failed' || isStuck) {
    await client.ask('POST', 'ci/runs', { workflowId: 'release', branch: `release/${VERSION}` })
  }
}

async function bringToAppStore(client: WorldClient, note: Note): Promise<void> {
  const { items, status } = await client.ask('GET', `apple/${APP}/versions`)
  if (status !== 200) return note('App Store', String(status))
  const { items: builds = [] } = await client.ask('GET', `apple/${APP}/builds`)
  const usable = builds.findLast((each: any) => each.state === 'VALID')
  if (builds.length > 0) note(`build ${builds.at(-1).number}`, builds.at(-1).state)
  const [version] = items
  if (!version) {
    if (!usable) return
    const input = { version: VERSION, phased: true, releaseType: 'MANUAL', buildId: usable.id }
    await client.ask('POST', `apple/${APP}/versions`, input)
    return
  }
  const phased = version.phasedRelease
  note('App Store', phased?.percentage ? `${version.state} ${phased.percentage} %` : version.state)
  const actions: Record<string, string> = {
    PREPARE_FOR_SUBMISSION: 'submit',
    REJECTED: 'submit',
    METADATA_REJECTED: 'submit',
    DEVELOPER_REJECTED: 'submit',
    PENDING_DEVELOPER_RELEASE: 'release',
  }
  const action = actions[version.state]
  if (action) await client.ask('POST', `apple/${APP}/versions/${version.id}/${action}`, {})
  if (phased?.state === 'PAUSED') {
    note('phased release', 'paused')
    await client.ask('POST', `apple/${APP}/versions/${version.id}/rollout`, { action: 'resume' })
  }
}

async function bringToGooglePlay(client: WorldClient, note: Note): Promise<void> {
  const list = await client.ask('GET', `google/${APP}/tracks/production/releases`)
  if (list.status !== 200) return note('Google Play', String(list.status))
  const release = list.items.at(-1)
  if (release) note('Google Play', `${release.releaseLifecycleState} ${release.status}`)
  const next = nextOf(release)
  const { items: bundles = [] } = await client.ask('GET', `google/${APP}/bundles`)
  const bundle = bundles.findLast((each: any) => each.state === 'VALID')
  if (!next || !bundle) return
  const { id } = await client.ask('POST', `google/${APP}/edits`, {})
  const versionCodes = release?.versionCodes ?? [bundle.number]
  // A rejected release is reviewed again only after a change.
  const put = { ...next, versionCodes, releaseNotes: [], name: `After ${release?.submissionId}` }
  const edit = `google/${APP}/edits/${id}`
  await client.ask('PUT', `${edit}/tracks/production`, { releases: [put] })
  await client.ask('POST', `${edit}/commit?changesInReviewBehavior=ERROR_IF_IN_REVIEW`, {})
}

/** Returns the next rollout: a tenth of the users, then all; null for a halted one. */
function nextOf(release: any) {
  const begin = { status: 'inProgress', userFraction: 0.1 }
  if (!release || release.releaseLifecycleState === 'NOT_APPROVED') return begin
  const isPartly = release.releaseLifecycleState === 'PUBLISHED' && release.status === 'inProgress'
  return isPartly ? { status: 'completed', userFraction: null } : null
}
